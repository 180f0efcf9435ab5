"""The risk that a policy sets a limit to, measured on the tables as they would leave."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pyarrow as pa

from deid.errors import DeidError
from deid.formats import Fault, ReadOptions, Source, members_of, open_source
from deid.jobs.job import Done, Opened
from deid.policy import RiskLimit
from risk import Population, Question, RiskReport, Threshold, assess, open_population


@dataclass(frozen=True, slots=True)
class Released:
    """A table of the release: its ordinal, its path in the job, and where it lies."""

    ordinal: int
    relative: str = field(repr=False)
    path: Path = field(repr=False)
    member: str = field(repr=False)


def refuse_unmeasurable(limits: Sequence[RiskLimit], opened: Sequence[Opened]) -> None:
    """Before the work begins: each limit has a table to measure, and its population is there.

    Raises:
        DeidError: `risk-no-table`.
        RiskError: what `open_population` says.
    """
    for number, limit in enumerate(limits, 1):
        leaving = [
            [decision.out_header for decision in table.decisions if decision.leaves]
            for table in opened
            if _speaks_of(limit, table.unit.relative)
        ]
        if not any(_has(limit, headers) for headers in leaving):
            raise DeidError(
                "risk-no-table",
                "a limit of risk has no table of which all its columns leave",
                place=f"risk.{number - 1}",
                hint="`--dry-run` tells the columns that leave; name them, or another `table`",
            )
        _population(limit)


def measure(
    limits: Sequence[RiskLimit], released: Sequence[Released], options: ReadOptions
) -> list[dict[str, Any]]:
    """What the manifest says of each limit and each table it speaks of, `holds` with the rest.

    A limit that met no table holds the release.

    Raises:
        DeidError: an output cannot be read again.
        RiskError: the population does not fit the columns.
    """
    told = []
    for number, limit in enumerate(limits):
        reports = list(_reports(limit, released, options))
        told += [
            {"limit": number, "file": ordinal, "holds": _over(limit, report)} | report.as_json()
            for ordinal, report in reports
        ]
        if not reports:
            told.append({"limit": number, "file": None, "holds": True})
    return told


def released_of(opened: Sequence[Opened], done: Sequence[Done], out: Path) -> list[Released]:
    """The tables that left. A file that does not hold as many as left of it is left out."""
    names = {table.unit.ordinal: table.unit.relative for table in opened}
    found = []
    for one in done:
        left = [table.ordinal for table in one.tables if table.output is not None]
        if not left or not (out / one.name).is_file():
            continue
        members = members_of(out / one.name)
        if len(members) == len(left):
            pairs = zip(left, members, strict=True)
            found += [Released(n, names[n], out / one.name, member) for n, member in pairs]
    return found


def _reports(
    limit: RiskLimit, released: Sequence[Released], options: ReadOptions
) -> Iterator[tuple[int, RiskReport]]:
    population = _population(limit)
    for table in released:
        if not _speaks_of(limit, table.relative):
            continue
        source = open_source(table.path, options, table.member)
        if _has(limit, source.columns):
            yield table.ordinal, _report(limit, source, population)


def _report(limit: RiskLimit, source: Source, population: Population | None) -> RiskReport:
    question = Question(
        threshold=Threshold.of_cell_size(limit.cell_size),
        alpha=limit.alpha,
        average=None if limit.average is None else Threshold.of_tau(limit.average),
        decide_on=limit.decide_on,
        sampling_fraction=limit.sampling_fraction,
        person=limit.person,
        reference_year=limit.reference_year,
    )
    table = _columns(source, question.columns(limit.quasi))
    mapping = limit.population_columns
    return assess(table, limit.quasi, question, population=population, population_columns=mapping)


def _columns(source: Source, names: Sequence[str]) -> dict[str, pa.DictionaryArray]:
    """The named columns as codes of their values: four bytes a cell, however long it is."""
    places = [source.columns.index(name) for name in names]
    codes = [array("i") for _ in names]
    values: list[dict[str | None, int]] = [{} for _ in names]
    for record in source.records():
        if isinstance(record, Fault):
            raise DeidError("output-unreadable", "a table that was written cannot be read again")
        for place, column, known in zip(places, codes, values, strict=True):
            column.append(known.setdefault(record.cells[place], len(known)))
    return {
        name: pa.DictionaryArray.from_arrays(pa.array(column, pa.int32()), pa.array(list(known)))
        for name, column, known in zip(names, codes, values, strict=True)
    }


def _population(limit: RiskLimit) -> Population | None:
    if limit.population is None:
        return None
    return open_population(limit.population, [*limit.quasi, *limit.population_columns.values()])


def _speaks_of(limit: RiskLimit, relative: str) -> bool:
    return fnmatchcase(relative.casefold(), limit.table.casefold())


def _has(limit: RiskLimit, headers: Sequence[str]) -> bool:
    wanted = (*limit.quasi, *(() if limit.person is None else (limit.person,)))
    return all(list(headers).count(name) == 1 for name in wanted)


def _over(limit: RiskLimit, report: RiskReport) -> bool:
    return any(report.decision.get(name) == "HIGH" for name in limit.hold_on)
