"""The data of a job: the request, its tables, withheld records, and the result of each file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from deid.decision import ColumnDecision
from deid.formats import ReadOptions, RecordSource
from deid.policy.model import Policy
from deid.release.manifest import FileAccount, ReleaseCounts
from deid.residual.hits import ResidualHit
from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class Job:
    """The request of a user for a job. The `repr` hides paths, because names may identify patients.

    `workers` is the number of scrubbing processes; 0 uses this process. `resume` continues an
    interrupted or killed job. `strict`, `learned` (a folder of reviewers' lists) and
    `recognizers` (a YAML file) describe the finder, so that a job is not resumed with a different
    one. `diff` and `names_map` are files that will hold original values. If a record has dates
    after `reference_date`, its ages are judged at the latest such date that is not after
    `run_date`. `since` is an earlier release: input files that it already covers are read for the
    known values of their patients, but are not released again.
    """

    inputs: tuple[Path, ...] = field(repr=False)
    out: Path = field(repr=False)
    policy: Policy
    reference_date: date
    known: tuple[Path, ...] = field(default=(), repr=False)
    patient_key: str | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    strict_columns: bool = False
    diff: Path | None = field(default=None, repr=False)
    names_map: Path | None = field(default=None, repr=False)
    workers: int = 0
    resume: bool = False
    strict: bool = False
    learned: Path | None = field(default=None, repr=False)
    recognizers: Path | None = field(default=None, repr=False)
    run_date: date | None = None
    since: Path | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class InputTable:
    """One table of the inputs: its ordinal, the file that holds it, and its path in the job.

    In a file of several tables, `member` is the name of the table, and `relative` is the path of
    the file followed by that name. `code` says why the table cannot be read; otherwise it is "".
    """

    ordinal: int
    path: Path = field(repr=False)
    relative: str = field(repr=False)
    member: str = field(default="", repr=False)
    code: str = ""

    @property
    def file(self) -> str:
        """The path of the file within the job."""
        return self.relative.removesuffix(f"/{self.member}") if self.member else self.relative


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that could be opened, and the decisions on its columns."""

    unit: InputTable
    source: RecordSource
    decisions: tuple[ColumnDecision, ...]


@dataclass(frozen=True, slots=True)
class WithheldRecord:
    """A file or record that was withheld: `record` is None for a whole file or table.

    If a table was withheld after it was read, `records` is the number of its records, and `hits`
    are places of known values in its output.
    """

    file: int
    record: int | None
    code: str
    records: int | None = None
    hits: tuple[ResidualHit, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The line of `quarantine.jsonl`."""
        place = "file" if self.record is None else "record"
        line: dict[str, Any] = {"file": self.file, "record": self.record, "place": place}
        line["code"] = self.code
        if self.records is not None:
            line["records"] = self.records
        if self.hits:
            line["hits"] = [_hit_line(hit) for hit in self.hits]
        return line


def _hit_line(hit: ResidualHit) -> dict[str, Any]:
    line = {"record": hit.record, "identifier": hit.word.value, "kind": hit.kind}
    return line | {"element": hit.element} if hit.element else line


@dataclass(frozen=True, slots=True)
class FileBatch:
    """The tables of one input file, scrubbed by one worker; a plain file has one table."""

    tables: tuple[OpenedTable, ...]
    sha256: str
    size: int

    @property
    def number(self) -> int:
        """The ordinal of its first table."""
        return self.tables[0].unit.ordinal

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.tables[0].unit.path


@dataclass(frozen=True, slots=True)
class TableDone:
    """The result of one table. `output` is None if none of its records is released."""

    ordinal: int
    tally: ReleaseCounts
    fallen: tuple[WithheldRecord, ...]
    output: FileAccount | None


@dataclass(frozen=True, slots=True)
class FileDone:
    """The result of one input file, without values.

    It is sent to the parent process and kept in the ledger. `name` is the file's path in the
    release, and `changes` is the hash of its part of `changes.jsonl`. `told` counts the known
    values that came from the file's own records. `sought` lists the identifiers with known values
    that were searched for. `unlinked` counts records that name no known patient.
    """

    number: int
    name: str
    tables: tuple[TableDone, ...]
    changes: str
    hits: tuple[ResidualHit, ...] = ()
    searched_bytes: int = 0
    told: int = 0
    sought: tuple[Identifier, ...] = ()
    unlinked: int = 0

    def as_json(self) -> dict[str, Any]:
        """The entry for the ledger."""
        return {
            "number": self.number,
            "name": self.name,
            "tables": [_table_json(table) for table in self.tables],
            "changes": self.changes,
            "hits": _hits_json(self.hits),
            "searched_bytes": self.searched_bytes,
            "told": self.told,
            "sought": [word.value for word in self.sought],
            "unlinked": self.unlinked,
        }

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> FileDone:
        """Read an entry of the ledger."""
        return cls(
            number=told["number"],
            name=told["name"],
            tables=tuple(_table_of(table) for table in told["tables"]),
            changes=told["changes"],
            hits=_hits_of(told["hits"]),
            searched_bytes=told["searched_bytes"],
            told=told["told"],
            sought=tuple(map(Identifier, told["sought"])),
            unlinked=told["unlinked"],
        )


def _hits_json(hits: Iterable[ResidualHit]) -> list[list[Any]]:
    return [[hit.file, hit.record, hit.word.value, hit.kind, hit.element] for hit in hits]


def _hits_of(told: Iterable[Sequence[Any]]) -> tuple[ResidualHit, ...]:
    return tuple(ResidualHit(file, n, Identifier(word), *more) for file, n, word, *more in told)


def _table_json(table: TableDone) -> dict[str, Any]:
    tally = table.tally
    return {
        "ordinal": table.ordinal,
        "counts": [
            tally.documents,
            tally.rows,
            tally.records_in,
            tally.records_out,
            tally.quarantined,
            tally.dated_later,
        ],
        "words": [
            [word.value, tally.found[word], tally.replaced[word]]
            for word in Identifier
            if tally.found[word]
        ],
        "blanked": [[*place, cells] for place, cells in sorted(tally.blanked.items())],
        "cells": [[*place, cells] for place, cells in sorted(tally.cells.items())],
        "fallen": [[f.record, f.code, f.records, _hits_json(f.hits)] for f in table.fallen],
        "output": None if table.output is None else table.output.as_json(),
    }


def _table_of(told: Mapping[str, Any]) -> TableDone:
    tally = ReleaseCounts(*told["counts"])
    for name, found, replaced in told["words"]:
        word = Identifier(name)
        tally.found[word], tally.replaced[word] = found, replaced
    for position, why, cells in told["blanked"]:
        tally.blanked[position, why] = cells
    for position, fate, cells in told["cells"]:
        tally.cells[position, fate] = cells
    ordinal = told["ordinal"]
    return TableDone(
        ordinal,
        tally,
        tuple(
            WithheldRecord(ordinal, record, code, records, _hits_of(hits))
            for record, code, records, hits in told["fallen"]
        ),
        None if told["output"] is None else FileAccount(**told["output"]),
    )


def withhold_table(
    ordinal: int, code: str, records: int | None = None, hits: tuple[ResidualHit, ...] = ()
) -> TableDone:
    """The result of a withheld table. Without a count of its records, it counts as one record."""
    count = 1 if records is None else records
    return TableDone(
        ordinal,
        ReleaseCounts(records_in=count, quarantined=count),
        (WithheldRecord(ordinal, None, code, records, hits),),
        None,
    )


def withhold_whole_file(batch: FileBatch, code: str) -> tuple[TableDone, ...]:
    """The results of a withheld file: each of its tables counts as one withheld record."""
    return tuple(withhold_table(table.unit.ordinal, code) for table in batch.tables)
