"""Measure the risks that a policy limits, on the tables as they would be released."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from deid.errors import HELD, DeidError
from deid.formats import ReadOptions, RecordFault, RecordSource, members_of, open_source
from deid.jobs.job import FileDone, OpenedTable
from deid.policy.table_rules import RiskLimit, applies_to_table
from risk import (
    Population,
    Question,
    RiskReport,
    Threshold,
    assess,
    open_population,
    shared_columns,
)


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table of the release: its ordinal, its path in the job, and its file.

    `member` is None if the file does not hold the tables that were expected.
    """

    ordinal: int
    relative: str = field(repr=False)
    path: Path = field(repr=False)
    member: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class RiskLimitCheck:
    """A limit of the policy and its population, which is opened once for the whole job."""

    limit: RiskLimit
    population: Population | None = field(repr=False)


def risk_limit_checks(
    limits: Sequence[RiskLimit], opened: Sequence[OpenedTable]
) -> tuple[RiskLimitCheck, ...]:
    """Check before the job starts that each limit has a table to measure and its population.

    Raises:
        DeidError: `risk-no-table`, `risk-population-columns`.
        RiskError: as `open_population` and `shared_columns`.
    """
    _refuse_without_table(limits, opened)
    return tuple(_measure(number, limit) for number, limit in enumerate(limits, 1))


def _refuse_without_table(limits: Sequence[RiskLimit], opened: Sequence[OpenedTable]) -> None:
    for number, limit in enumerate(limits, 1):
        leaving = [
            [decision.out_header for decision in table.decisions if decision.leaves]
            for table in opened
            if applies_to_table(limit.table, table.unit.relative)
        ]
        if not any(_has(limit, headers) for headers in leaving):
            raise DeidError(
                "risk-no-table",
                "no table releases all columns that this risk limit names",
                place=f"risk.{number - 1}",
                hint="name released columns (`--dry-run` shows them), or another `table`",
            )


def _measure(number: int, limit: RiskLimit) -> RiskLimitCheck:
    """Open the population and check its columns: a missing column would lower the measured risk."""
    if limit.population is None:
        return RiskLimitCheck(limit, None)
    columns = [*limit.quasi, *limit.population_columns.values()]
    population = open_population(limit.population, columns)
    known = shared_columns(limit.quasi, population.columns, limit.population_columns)
    if _decided_by_people(limit) and len(known) < len(limit.quasi):
        lacking = ", ".join(name for name in limit.quasi if name not in known)
        raise DeidError(
            "risk-population-columns",
            f"the population of this risk limit lacks the columns {lacking}",
            place=f"risk.{number - 1}",
            hint="map those columns with `population_columns`, or set `decide_on: prosecutor`",
        )
    return RiskLimitCheck(limit, population)


def measure_risk_limits(
    measures: Sequence[RiskLimitCheck], released: Sequence[ReleasedTable], options: ReadOptions
) -> list[dict[str, Any]]:
    """The manifest entries of each limit and table, with `holds`.

    The release is held if a limit measured no table, or if a table that it names is missing from
    its file.

    Raises:
        DeidError: an output cannot be read again; `risk-population-coarse`.
        RiskError: the population does not fit the columns.
    """
    told = []
    for number, measured in enumerate(measures):
        limit = measured.limit
        reports = list(_reports(measured, released, options))
        told += [
            {"limit": number, "file": ordinal, "holds": _over(limit, report)} | report.as_json()
            for ordinal, report in reports
        ]
        unknown = any(
            t.member is None and applies_to_table(limit.table, t.relative) for t in released
        )
        if unknown or not reports:
            told.append({"limit": number, "file": None, "holds": True})
    return told


def released_of(
    opened: Sequence[OpenedTable], done: Sequence[FileDone], out: Path
) -> list[ReleasedTable]:
    """The tables that are in the release."""
    names = {table.unit.ordinal: table.unit.relative for table in opened}
    found = []
    for one in done:
        left = [table.ordinal for table in one.tables if table.output is not None]
        if not left:
            continue
        members = _archive_members(out / one.name)
        known = members if len(members) == len(left) else (None,) * len(left)
        pairs = zip(left, known, strict=True)
        found += [ReleasedTable(n, names[n], out / one.name, member) for n, member in pairs]
    return found


def _archive_members(path: Path) -> tuple[str, ...]:
    return members_of(path) if path.is_file() else ()


def _reports(
    measured: RiskLimitCheck, released: Sequence[ReleasedTable], options: ReadOptions
) -> Iterator[tuple[int, RiskReport]]:
    limit = measured.limit
    for table in released:
        if table.member is None or not applies_to_table(limit.table, table.relative):
            continue
        source = open_source(table.path, options, table.member)
        if _has(limit, source.columns):
            yield table.ordinal, _report(limit, source, measured.population)


def _report(limit: RiskLimit, source: RecordSource, population: Population | None) -> RiskReport:
    question = Question(
        threshold=Threshold.of_cell_size(limit.cell_size),
        alpha=limit.alpha,
        average=None if limit.average is None else Threshold.of_tau(limit.average),
        decide_on=limit.decide_on,
        sampling_fraction=limit.sampling_fraction,
        person=limit.person,
        reference_year=limit.reference_year,
    )
    table = _coded_columns(source, question.columns(limit.quasi))
    mapping = limit.population_columns
    report = assess(table, limit.quasi, question, population=population, population_columns=mapping)
    if _decided_by_people(limit) and report.population and report.population.coarser:
        coarser = ", ".join(report.population.coarser)
        raise DeidError(
            "risk-population-coarse",
            f"the release has more ZIP digits than the population of a risk limit, in {coarser}",
            hint="generalize those columns in the policy, or set `decide_on: prosecutor`",
            exit_code=HELD,
        )
    return report


def _decided_by_people(limit: RiskLimit) -> bool:
    """Whether the decision uses the number of matching people in a population.

    A number that is too high would make the risk look too low.
    """
    return limit.decide_on == "journalist" and bool(limit.hold_on)


def _coded_columns(source: RecordSource, names: Sequence[str]) -> dict[str, pa.DictionaryArray]:
    """The named columns, dictionary-encoded: four bytes per cell, whatever the value's length."""
    headers = _folded(source.columns)
    places = [headers.index(name.casefold()) for name in names]
    codes = [array("i") for _ in names]
    values: list[dict[str | None, int]] = [{} for _ in names]
    for record in source.records():
        if isinstance(record, RecordFault):
            raise DeidError(
                "output-unreadable",
                "a table that was written cannot be read again",
                hint="run the job again",
            )
        for place, column, known in zip(places, codes, values, strict=True):
            column.append(known.setdefault(record.cells[place], len(known)))
    return {
        name: pa.DictionaryArray.from_arrays(pa.array(column, pa.int32()), pa.array(list(known)))
        for name, column, known in zip(names, codes, values, strict=True)
    }


def _has(limit: RiskLimit, headers: Sequence[str]) -> bool:
    wanted = (*limit.quasi, *(() if limit.person is None else (limit.person,)))
    folded = _folded(headers)
    return all(folded.count(name.casefold()) == 1 for name in wanted)


def _folded(headers: Sequence[str]) -> list[str]:
    """The headers in lower case, because column rules ignore case."""
    return [header.casefold() for header in headers]


def _over(limit: RiskLimit, report: RiskReport) -> bool:
    return any(report.decision.get(name) == "HIGH" for name in limit.hold_on)
