"""What is to happen: every file opened, the patients known, every column decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from deid.columns import SAMPLE, decide
from deid.decision import Decision
from deid.errors import DeidError
from deid.formats import Fault, Record, Source, open_source
from deid.jobs.job import Fallen, Job, Opened, Unit
from deid.key_numbers import ACTION, number_keys
from deid.lines import in_lines
from deid.people import People, gather
from deid.policy import Policy
from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class Plan:
    """The tables that could be opened, those that could not, and who the patients are."""

    opened: tuple[Opened, ...]
    fallen: tuple[Fallen, ...]
    people: People


def plan(job: Job, units: Sequence[Unit]) -> Plan:
    """Open every table, say who the patients are, decide every column, number the keys that join
    tables. Nothing is written."""
    made = _planned(job, units, sampled=False)
    for table in made.opened:
        number_keys(table.source, table.decisions, made.people.keys)
    return made


def sketch(job: Job, units: Sequence[Unit]) -> Plan:
    """The same from headers and the first records of each table: `--dry-run`."""
    return _planned(job, units, sampled=True)


def _planned(job: Job, units: Sequence[Unit], *, sampled: bool) -> Plan:
    sources: list[tuple[Unit, Source]] = []
    fallen: list[Fallen] = []
    for unit in units:
        try:
            if unit.code:
                raise DeidError(unit.code, "the file cannot be read")
            source = in_lines(open_source(unit.path, job.read, unit.member), job.read)
        except DeidError as error:
            fallen.append(Fallen(unit.ordinal, None, error.code))
            continue
        sources.append((unit, _Head(source) if sampled else source))
    named = [(unit.relative, source) for unit, source in sources]
    people = gather(named, job.known, job.patient_key, alone=not sampled)
    opened = (Opened(unit, source, _decided(job, unit, source, people)) for unit, source in sources)
    return Plan(tuple(opened), tuple(fallen), people)


class _Head:
    """A source of which only the first records are read."""

    def __init__(self, whole: Source) -> None:
        self._whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    @property
    def columns(self) -> tuple[str, ...]:
        return self._whole.columns

    def is_regular(self) -> bool:
        return False  # by column, all of it would be read

    def records(self) -> Iterator[Record | Fault]:
        return islice(self._whole.records(), SAMPLE)


def _decided(job: Job, unit: Unit, source: Source, people: People) -> tuple[Decision, ...]:
    """A decision a column; a header that names a patient is neither shown nor written, and a
    column whose values lead to patients is no column of codes."""
    leading = people.leading(unit.relative)
    return tuple(
        _corrected(d, job.policy, d.index in leading, people)
        for d in decide(job.policy, unit.relative, source, job.strict_columns, job.read)
    )


def _corrected(decision: Decision, policy: Policy, leads: bool, people: People) -> Decision:
    if decision.decided_by != "profiled":
        return decision
    if leads and decision.action == "keep":
        named = policy.transform_of("OTHER_ID").name
        numbered = named == "tag" and policy.keys == "numbered"
        decision = replace(
            decision,
            action=ACTION if numbered else named,
            reason="the values are keys of patients",
            identifier=Identifier.OTHERS,
            entity="OTHER_ID",
            shape="key",
        )
    if decision.header and people.heads_somebody(decision.header):
        return replace(decision, header=None, out_header=f"column_{decision.index + 1}")
    return decision
