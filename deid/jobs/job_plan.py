"""Plan a job: open every file, gather the patients, decide every column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.decision import ColumnDecision
from deid.errors import DeidError
from deid.formats import ReadOptions, RecordSource, open_source
from deid.jobs.job import InputTable, Job, OpenedTable, WithheldRecord
from deid.jobs.watched_sources import SourceHead, code_of, watch_source
from deid.naming.columns import columns_of_tables, withhold_name
from deid.people.gathering import gather_people
from deid.people.key_numbers import ACTION, number_keys
from deid.people.patients import People
from deid.policy.model import Policy
from deid.tables.cell_survey import Surveys, survey_columns, with_vouchers
from deid.tables.column_decisions import decide_columns
from deid.text.column_values import naming_values
from deid.text.note_lines import as_line_source
from deid.text.scrubber import TextFinder
from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class JobPlan:
    """The tables that could be opened, the tables that could not, and the patients."""

    opened: tuple[OpenedTable, ...]
    fallen: tuple[WithheldRecord, ...]
    people: People


def plan_job(
    job: Job,
    units: Sequence[InputTable],
    finder: TextFinder | None,
    spread: WorkPartitions = THIS_PROCESS,
) -> JobPlan:
    """Open every table, gather the patients, decide every column, number the join keys.

    `finder` searches the frequent values of kept columns; without it, as for `--dry-run`, only the
    headers and the first records of each table are read. Nothing is written. A table that cannot be
    read to its end is withheld. The processes of `spread` gather the known values.
    """
    sampled = finder is None
    sources: list[tuple[InputTable, RecordSource]] = []
    fallen: list[WithheldRecord] = []
    for unit in units:
        try:
            if unit.code:
                raise DeidError(unit.code, "the file cannot be read")
            source = open_unit(unit, job.read)
        except Exception as error:
            fallen.append(WithheldRecord(unit.ordinal, None, code_of(error)))
        else:
            sources.append((unit, source))
    if sources:
        _refuse_missing(job.read, [source for _, source in sources])
    watched = [
        (unit, SourceHead(source) if sampled else watch_source(source)) for unit, source in sources
    ]
    named = [(unit.relative, table) for unit, table in watched]
    people = gather_people(
        *(named, job.known, job.patient_key),
        alone=not sampled,
        by_policy=job.policy.stated,
        spread=spread,
    )
    opened: list[OpenedTable] = []
    surveys: Surveys = {}
    for (unit, source), (_, table) in zip(sources, watched, strict=True):
        decisions = _decided(job, unit, table, people)
        if not sampled:
            number_keys(table, decisions, people.keys)
            survey_columns(surveys, table, decisions, people.leading(unit.relative))
        if table.fault:
            fallen.append(WithheldRecord(unit.ordinal, None, table.fault))
        else:
            opened.append(OpenedTable(unit, source, decisions))
    fallen.sort(key=lambda f: f.file)
    if finder is not None:
        naming = partial(naming_values, finder)
        opened = [
            replace(o, decisions=with_vouchers(surveys, o.source, o.decisions, naming))
            for o in opened
        ]
    return JobPlan(tuple(opened), tuple(fallen), people)


def open_unit(unit: InputTable, read: ReadOptions) -> RecordSource:
    """Open the table.

    Raises:
        DeidError: the reader of its format refuses it.
        OSError: the disk fails.
    """
    return as_line_source(open_source(unit.path, read, unit.member), read)


def _refuse_missing(read: ReadOptions, sources: Sequence[RecordSource]) -> None:
    """Refuse an option that names a missing column, so that no wrong column is used."""
    if read.order_by is not None and read.group_by is None:
        raise DeidError(
            "order-alone",
            "--order-by needs --group-by",
            hint="name the column of the note with --group-by",
        )
    named = {"group": read.group_by, "text": read.text_column, "id": read.id_column}
    options = {"group": "--group-by", "text": "--text-column", "id": "--id-column"}
    told = columns_of_tables([source.columns for source in sources])
    for what, column in named.items():
        if column is not None and not any(column in source.columns for source in sources):
            raise DeidError(
                f"{what}-missing",
                f"no table has the column that {options[what]} names",
                hint=f"the name must equal the header exactly; {told}",
            )


def _decided(
    job: Job, unit: InputTable, source: RecordSource, people: People
) -> tuple[ColumnDecision, ...]:
    """Decide each column.

    If a header names a patient, it is not shown and not written. A column is not kept if its values
    are keys of patients.
    """
    leading = people.leading(unit.relative)
    return tuple(
        _corrected(d, job.policy, d.index in leading, people)
        for d in decide_columns(job.policy, unit.relative, source, job.strict_columns, job.read)
    )


def _corrected(
    decision: ColumnDecision, policy: Policy, leads: bool, people: People
) -> ColumnDecision:
    named = decision.header if decision.decided_by != "schema" else None
    if named and people.header_names_somebody(named):
        decision = withhold_name(decision)
    if decision.decided_by != "profiled" or not leads or decision.action != "keep":
        return decision
    transform = policy.transform_of("OTHER_ID").name
    numbered = transform == "tag" and policy.keys == "numbered"
    return replace(
        decision,
        action=ACTION if numbered else transform,
        reason="the values are keys of patients",
        identifier=Identifier.OTHERS,
        entity="OTHER_ID",
        shape="key",
    )
