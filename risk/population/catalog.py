"""Populations by name: embedded tables, tables fetched or built by the user, or a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from risk.errors import RiskError
from risk.population.modelled import population_by_state, population_by_zip3, zip3_totals
from risk.population.state_estimates import (
    population_2020,
    population_2024,
    population_2024_hispanic_apart,
)
from risk.population.table import ALIASES, Population, file_sha256, read_population
from risk.tables.database_files import split_member

EMBEDDED: dict[str, Callable[[], Population]] = {
    "state-pep2024": population_2024,
    "state-pep2024-race-ethnicity": population_2024_hispanic_apart,
    "state-pep2020": population_2020,
    "zip3-acs2022": zip3_totals,
    "state-acs2022": population_by_state,
    "zip3-acs2022-demographics": population_by_zip3,
}
FOLDER_VARIABLE = "DEID_POPULATIONS"


@dataclass(frozen=True)
class PopulationCard:
    """The description of a named table, available without reading its cells."""

    name: str
    source: str
    vintage: str
    modelled: bool
    sha256: str | None
    total: float
    cells: int
    columns: tuple[str, ...]
    kept: str

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns)}


def population_folder() -> Path:
    """The folder of fetched and built tables: $DEID_POPULATIONS, else the user's data folder."""
    stated = os.environ.get(FOLDER_VARIABLE)
    if stated:
        return Path(stated)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "safe-harbor-deid" / "populations"


def open_population(
    name: str,
    columns: Sequence[str] | None = None,
    *,
    folder: Path | None = None,
    count: str | None = None,
) -> Population:
    """Open a population by name, or a file of counts or people by path.

    From a file, only the counts and those of `columns` that it has are read; `count` names the
    column of the counts (see `read_population`). Raises `RiskError` for an unknown name, and for a
    saved table whose hash does not match.

    >>> open_population("zip3-acs2022").modelled
    False
    """
    if name in EMBEDDED:
        return EMBEDDED[name]()
    folder = folder or population_folder()
    card = folder / f"{name}.json"
    if "/" not in name and card.is_file():
        return _open_saved(folder, name)
    if name != "-" and not split_member(name)[0].exists():
        known = [*EMBEDDED, *(path.stem for path in sorted(folder.glob("*.json")))]
        raise RiskError(
            "unknown population",
            code="unknown-population",
            place="--population",
            hint=f"give a file of counts, or one of: {', '.join(known)}; "
            "`deid population` fetches others",
        )
    return _open_file(Path(name), columns, count)


def save_population(population: Population, folder: Path | None = None) -> Path:
    """Save a table under its name: counts as CSV, its card as JSON beside it.

    Returns the CSV's path.
    """
    folder = folder or population_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{population.name}.csv"
    _write_counts(population, path)
    kept = replace(population, sha256=file_sha256(path))
    card = folder / f"{population.name}.json"
    card.write_text(json.dumps(_card(kept, str(path)).as_json(), indent=2) + "\n")
    return path


def population_cards(folder: Path | None = None) -> list[PopulationCard]:
    """The card of every table that can be named, embedded tables first."""
    found = [_card(make(), "in the package") for make in EMBEDDED.values()]
    for path in sorted((folder or population_folder()).glob("*.json")):
        content = json.loads(path.read_text())
        content["columns"] = tuple(content["columns"])
        found.append(PopulationCard(**content))
    return found


def _card(population: Population, kept: str) -> PopulationCard:
    return PopulationCard(
        name=population.name,
        source=population.source,
        vintage=population.vintage,
        modelled=population.modelled,
        sha256=population.sha256,
        total=population.total,
        cells=int(np.count_nonzero(population.counts)),
        columns=population.columns,
        kept=kept,
    )


def _open_saved(folder: Path, name: str) -> Population:
    card = json.loads((folder / f"{name}.json").read_text())
    path = folder / f"{name}.csv"
    if not path.is_file() or file_sha256(path) != card["sha256"]:
        raise RiskError(
            "a saved population is missing or was altered",
            code="population-altered",
            place=name,
            hint=f"run `deid population fetch {name}`, or build it again",
            exit_code=6,
        )
    found = read_population(path, name=name)
    return replace(found, source=card["source"], vintage=card["vintage"], modelled=card["modelled"])


def _open_file(path: Path, columns: Sequence[str] | None, count: str | None) -> Population:
    from risk.tables.reading import read_header

    if columns is None:
        return read_population(path, count=count)
    lowered = {name.lower() for name in columns}
    lowered |= {other for name in list(lowered) for other in ALIASES.get(name, ())}
    found = [name for name in read_header(path) if name.lower() in lowered]
    return read_population(path, found, count=count)


def _write_counts(population: Population, path: Path) -> None:
    import csv

    columns = population.cells.columns
    texts = [np.array(["" if v is None else str(v) for v in c.values], object) for c in columns]
    present = np.flatnonzero(population.counts)
    rows = [text[column.codes[present]] for column, text in zip(columns, texts, strict=True)]
    counts = [f"{count:.10g}" for count in population.counts[present]]
    part = path.with_suffix(".part")
    with part.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow((*population.columns, "count"))
        writer.writerows(zip(*rows, counts, strict=True))
    part.replace(path)
