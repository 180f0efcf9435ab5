"""`deid find`: the findings of every document of the inputs, without its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats import ReadOptions, Record, RecordFault, RecordSource, open_source
from deid.jobs import InputTable, list_inputs
from deid.naming.columns import column_name, header_name, shown_columns
from deid.people.gathering import gather_people
from deid.people.patients import People
from deid.policy.model import read_policy
from deid.spool import spooled
from deid.tables.column_decisions import decide_columns
from deid.text.document import Document
from deid.text.scrubber import TextFinder, find_each
from recognizers import Finding, KnownValues, Reason

DOCUMENTS_PER_BATCH = 32
Explain = Callable[[str, int, int], tuple[Reason, ...]]


_Note = tuple[str, Document]
"""The id of a note, and the note."""


def find_documents(
    inputs: Sequence[str],
    finder: TextFinder,
    known: Sequence[Path],
    patient_key: str | None,
    options: ReadOptions,
    explain: Explain | None = None,
    *,
    texts: bool = False,
) -> Iterator[dict[str, Any]]:
    """One entry per document, as `deid find` prints it.

    With `explain`, each finding has its reasons. With `texts`, an entry also has the text, which
    `deid find` does not print. A record or file that cannot be read has a `fault`; a file that
    could not be read at all also has `unread`.
    """
    with spooled(inputs) as paths:
        units = list_inputs(paths, options)
        alone = len(units) == 1
        opened = [(u.relative, _open_input(u, options, alone)) for u in units]
        sources = [(name, source) for name, source in opened if not isinstance(source, str)]
        people = gather_people(sources, known, patient_key)
        for name, source in opened:
            if isinstance(source, str):
                yield {"id": name, "findings": [], "fault": source, "unread": True}
                continue
            try:
                for note, line in _find_in_source(name, source, finder, people, options, explain):
                    yield {**line, "text": note.text} if texts and note is not None else line
            except DeidError as error:
                if alone:
                    raise
                yield {"id": name, "findings": [], "fault": error.code}


def _open_input(unit: InputTable, options: ReadOptions, alone: bool) -> RecordSource | str:
    """Open the table; return its error code if only this input is unreadable."""
    if unit.code and not alone:
        return unit.code
    try:
        return open_source(unit.path, options, unit.member)
    except DeidError as error:
        if alone:
            raise
        return error.code


def _find_in_source(
    name: str,
    source: RecordSource,
    finder: TextFinder,
    people: People,
    options: ReadOptions,
    explain: Explain | None,
) -> Iterator[tuple[Document | None, dict[str, Any]]]:
    columns = _text_columns(name, source, options)
    records = source.records()
    while batch := list(islice(records, DOCUMENTS_PER_BATCH)):
        notes = [
            note for record in batch for note in _notes_of(name, source, record, people, columns)
        ]
        found = find_each(finder, [note for _, note in notes])
        for (name_of_note, note), findings in zip(notes, found, strict=True):
            if findings is None:
                yield note, {"id": name_of_note, "findings": [], "fault": "engine-error"}
            else:
                shown = [finding_json(f) | _reasons(note, f, explain) for f in findings]
                yield note, {"id": name_of_note, "findings": shown}
        for record in batch:
            if isinstance(record, RecordFault):
                yield None, {"id": f"{name}:{record.ordinal}", "findings": [], "fault": record.code}


def _reasons(note: Document, finding: Finding, explain: Explain | None) -> dict[str, Any]:
    if explain is None:
        return {}
    reasons = explain(note.text, finding.start, finding.end)
    return {"evidence": [{"what": r.evidence, "weight": r.weight} for r in reasons]}


@dataclass(frozen=True, slots=True)
class _Columns:
    texts: tuple[int, ...]
    id: int | None


def _text_columns(name: str, source: RecordSource, options: ReadOptions) -> _Columns:
    named = options.text_column or "text"
    if named in source.columns:
        texts: tuple[int, ...] = (source.columns.index(named),)
    else:
        decisions = decide_columns(read_policy("safe_harbor"), name, source, False, options)
        texts = tuple(d.index for d in decisions if d.action == "text")
    if not texts:
        raise DeidError(
            "no-text-column",
            "no column of an input holds text",
            hint="name the column with --text-column; "
            f"the columns are: {shown_columns(source.columns)}",
        )
    wanted = options.id_column or "id"
    return _Columns(texts, source.columns.index(wanted) if wanted in source.columns else None)


def _notes_of(
    name: str, source: RecordSource, record: Record | RecordFault, people: People, columns: _Columns
) -> Iterator[_Note]:
    if isinstance(record, RecordFault):
        return
    patient = people.key_for(name, record.cells, record.patient)
    known = people.of(patient) or KnownValues()
    known += KnownValues.of(record.known or {})
    for index in columns.texts:
        text = record.cells[index]
        if text:
            note = Document(record.ordinal, text, patient, known)
            yield _id(name, source, record, columns, index), note


def _id(name: str, source: RecordSource, record: Record, columns: _Columns, index: int) -> str:
    """The record's own id; the file name for a text file; otherwise file, record and column."""
    if columns.id is not None and (own := record.cells[columns.id]):
        return own if len(columns.texts) == 1 else f"{own}:{_released_header(source, index)}"
    if len(source.columns) == 1:
        return name
    return f"{name}:{record.ordinal}:{index + 1}"


def _released_header(source: RecordSource, index: int) -> str:
    return header_name(source.columns[index], index) or column_name(index)


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding in the form that `deid find` prints."""
    return {
        "start": finding.start,
        "end": finding.end,
        "identifier": finding.identifier.value,
        "entity": finding.entity,
        "score": round(finding.score, 4),
        "source": finding.source,
    }
