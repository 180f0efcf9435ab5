"""`deid find`: the findings of every document of the inputs, and nothing of its text."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from deid.formats import ReadOptions, Source, open_source
from deid.formats.contract import Fault, Record
from deid.job import list_inputs
from deid.people import People, gather
from deid.scrubbing import Finds
from recognizers import Finding, KnownValues

BATCH = 32


@dataclass(frozen=True, slots=True)
class _Note:
    id: str = field(repr=False)
    text: str = field(repr=False)
    patient: str | None = field(repr=False)
    known: KnownValues | None = field(repr=False)


def find_documents(
    inputs: Sequence[str],
    finder: Finds,
    known: Sequence[Path],
    patient_key: str | None,
    options: ReadOptions,
) -> Iterator[dict[str, Any]]:
    """One line a document, as `deid find` prints it; a record that cannot be read has a `fault`."""
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        paths = [_as_path(name, Path(folder)) for name in inputs]
        units = list_inputs(paths)
        sources = [(unit.relative, open_source(unit.path, options)) for unit in units]
        people = gather(sources, known, patient_key)
        for name, source in sources:
            yield from _of_source(name, source, finder, people, options)


def _as_path(name: str, folder: Path) -> Path:
    if name != "-":
        return Path(name)
    data = sys.stdin.buffer.read()
    path = folder / ("stdin.jsonl" if data.lstrip().startswith(b"{") else "stdin.txt")
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path


def _of_source(
    name: str, source: Source, finder: Finds, people: People, options: ReadOptions
) -> Iterator[dict[str, Any]]:
    records = source.records()
    while batch := list(islice(records, BATCH)):
        notes = [
            note
            for record in batch
            if isinstance(record, Record)
            for note in _notes(name, source, record, people, options)
        ]
        found = finder.find_all(
            [note.text for note in notes],
            [note.known for note in notes],
            [note.patient for note in notes],
        )
        for note, findings in zip(notes, found, strict=True):
            yield {"id": note.id, "findings": [finding_json(f) for f in findings]}
        for record in batch:
            if isinstance(record, Fault):
                yield {"id": f"{name}:{record.ordinal}", "findings": [], "fault": record.code}


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding as the contract has it."""
    return {
        "start": finding.start,
        "end": finding.end,
        "identifier": finding.identifier.value,
        "entity": finding.entity,
        "score": round(finding.score, 4),
        "source": finding.source,
    }
