"""A population as counted cells, with the source of the counts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.classes import Classes
from risk.tables.coding import CodedTable, column_numbers
from risk.tables.reading import read_header, read_table

COUNT_NAMES = ("count", "population")
_AGE_ALIASES = ("birth_year", "year_of_birth", "birthyear", "yob", "birth_date", "birthdate", "dob")
_ZIP_ALIASES = ("zip", "zip_code", "zipcode", "postal_code", "zip5", "zip3")
#: Other names that a column may have, besides the population's own name.
ALIASES: dict[str, tuple[str, ...]] = {
    "gender": ("sex",),
    **dict.fromkeys((*_AGE_ALIASES, "date_of_birth", "age_group"), ("age",)),
    **dict.fromkeys(_ZIP_ALIASES, ("zip", "zip5", "zcta5", "zip3")),
}


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """`counts[cell]` people in each row of `cells`. `modelled` is True if cells were computed from
    margins instead of counted; `vintage` is the year or date of the counts."""

    name: str
    source: str
    vintage: str
    modelled: bool
    cells: CodedTable
    counts: NDArray[np.float64]
    sha256: str | None = None

    def __post_init__(self) -> None:
        if self.counts.shape != (self.cells.rows,):
            raise ValueError("one count for each cell is needed")
        if len(self.counts) and not (np.isfinite(self.counts).all() and self.counts.min() >= 0):
            raise RiskError(
                "a count of the population is negative or not a number",
                code="bad-count",
                exit_code=6,
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return self.cells.names

    @property
    def total(self) -> float:
        return float(self.counts.sum())

    @property
    def year(self) -> int | None:
        """The year of the vintage, the default reference year for ages."""
        digits = self.vintage[:4]
        return int(digits) if digits.isdigit() else None

    def where(self, column: str, values: Sequence[str]) -> Population:
        """The part of the population whose `column` is one of `values`. Raises `RiskError` if no
        cell matches, because every record would then be unmatched."""
        coded = self.cells.column(column)
        wanted = np.isin(coded.values.astype(str), list(values))
        kept = wanted[coded.codes]
        if not kept.any():
            raise RiskError(
                "no cell of the population has this value",
                code="empty-population",
                place=f"--population-where, column {column!r}",
                hint="`deid population show NAME` lists states by their postal codes",
            )
        return replace(self, cells=self.cells.take(kept), counts=self.counts[kept])

    def __repr__(self) -> str:
        return f"Population({self.name}, {self.cells.rows} cells)"


def read_population(
    path: Path | str, columns: Sequence[str] | None = None, *, name: str | None = None
) -> Population:
    """Read a CSV or Parquet file of counts (with a `count` or `population` column) or of people,
    one per row. `columns` limits what is read (all but the count by default)."""
    known = read_header(path)
    counted = [n for n in known if n.strip().lower() in COUNT_NAMES]
    wanted = [n for n in known if n not in counted] if columns is None else list(columns)
    table = read_table(path, [*wanted, *counted[:1]])
    cells = table.select(wanted)
    if counted:
        counts = column_numbers(table.column(counted[0]))
    else:
        people = Classes.of(cells)
        cells, counts = people.distinct, people.sizes.astype(np.float64)
    return Population(
        name=name or "file",
        source="a file of counts" if counted else "a file of people, one per row",
        vintage="not stated",
        modelled=False,
        cells=cells,
        counts=counts,
        sha256=file_sha256(path),
    )


def population_mapping(
    mine: Sequence[str], theirs: Sequence[str], mapping: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Which quasi-identifier is matched to which column of the population: as mapped, otherwise by
    name. Raises `RiskError` if a mapped column is missing or no column is shared."""
    mapping = dict(mapping or {})
    for name, other in mapping.items():
        for wanted, known in ((name, mine), (other, theirs)):
            if wanted not in known:
                raise RiskError(
                    f"--population-columns names {wanted!r}, which does not exist",
                    code="unknown-column",
                    hint=f"my columns: {', '.join(mine)}; the population has {len(theirs)} columns",
                )
    lowered = {other.lower(): other for other in theirs}
    for name in mine:
        for wanted in (name.lower(), *ALIASES.get(name.lower(), ())):
            if name not in mapping and wanted in lowered:
                mapping[name] = lowered[wanted]
    if not mapping:
        raise RiskError(
            "the population has none of the quasi-identifiers",
            code="no-shared-column",
            hint="map them with --population-columns mine=theirs",
        )
    return {name: mapping[name] for name in mine if name in mapping}


def file_sha256(path: Path | str) -> str:
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
