"""What a job is made of: what was asked for, its units, what was withheld, what came of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from deid.decision import Decision
from deid.formats import ReadOptions, RecordSource
from deid.policy.model import Policy
from deid.release.manifest import FileAccount, Tally
from deid.residual.search import ResidualHit
from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class Job:
    """What the user asked for. Paths are not shown by the `repr`: their names may identify.

    `workers` is how many processes scrub; with 0 it is done in this one. `resume` goes on with a
    job that was interrupted or killed. `strict` and `learned` (a folder of reviewers' lists) say
    how the finder was made, so that a resumed job is refused another. `diff` and `names_map` are
    files that hold originals.
    A record with dates after `reference_date` is judged on the latest of them that is not after
    `run_date`.
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
    run_date: date | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """One table of the inputs: its ordinal in the job, the file it lies in, its path in the job.

    `member` names it within a file of several tables; `relative` is then the file's path and the
    member. `code` says why nothing of it can be read, if so.
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
    """A table that could be opened, and what happens to each of its columns."""

    unit: Unit
    source: RecordSource
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class WithheldRecord:
    """A file or record that was withheld: `record` is None for a whole file."""

    file: int
    record: int | None
    code: str

    def as_json(self) -> dict[str, Any]:
        """The line of `quarantine.jsonl`."""
        place = "file" if self.record is None else "record"
        return {"file": self.file, "record": self.record, "place": place, "code": self.code}


@dataclass(frozen=True, slots=True)
class FileBatch:
    """The tables of one input file, which one worker scrubs: a plain file has one."""

    tables: tuple[OpenedTable, ...]
    sha256: str
    size: int

    @property
    def number(self) -> int:
        """The ordinal of its first table."""
        return self.tables[0].unit.ordinal

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self.tables[0].unit.path


@dataclass(frozen=True, slots=True)
class TableDone:
    """What came of one table. `output` is None where no record of it left."""

    ordinal: int
    tally: Tally
    fallen: tuple[WithheldRecord, ...]
    output: FileAccount | None


@dataclass(frozen=True, slots=True)
class FileDone:
    """What came of one input file. Value-free: it crosses to the parent and lies in the ledger.

    `name` is the file's path in the release, `changes` the hash of its part of `changes.jsonl`,
    `told` how many values its records themselves told, beside what is known of the patients,
    `sought` the identifiers of which known values were searched for, `unlinked` how many of its
    records name no known patient.
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
        """For the ledger."""
        return {
            "number": self.number,
            "name": self.name,
            "tables": [_table_json(table) for table in self.tables],
            "changes": self.changes,
            "hits": [[h.file, h.record, h.word.value, h.kind] for h in self.hits],
            "searched_bytes": self.searched_bytes,
            "told": self.told,
            "sought": [word.value for word in self.sought],
            "unlinked": self.unlinked,
        }

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> FileDone:
        """From the ledger."""
        return cls(
            number=told["number"],
            name=told["name"],
            tables=tuple(_table_of(table) for table in told["tables"]),
            changes=told["changes"],
            hits=tuple(ResidualHit(f, r, Identifier(w), kind) for f, r, w, kind in told["hits"]),
            searched_bytes=told["searched_bytes"],
            told=told["told"],
            sought=tuple(map(Identifier, told["sought"])),
            unlinked=told["unlinked"],
        )


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
            [word.value, tally.found[word], tally.replaced[word], tally.second_search[word]]
            for word in Identifier
            if tally.found[word]
        ],
        "blanked": [[*place, cells] for place, cells in sorted(tally.blanked.items())],
        "fallen": [[f.record, f.code] for f in table.fallen],
        "output": None if table.output is None else table.output.as_json(),
    }


def _table_of(told: Mapping[str, Any]) -> TableDone:
    tally = Tally(*told["counts"])
    for name, found, replaced, second in told["words"]:
        word = Identifier(name)
        tally.found[word], tally.replaced[word] = found, replaced
        tally.second_search[word] = second
    for position, why, cells in told["blanked"]:
        tally.blanked[position, why] = cells
    ordinal = told["ordinal"]
    return TableDone(
        ordinal,
        tally,
        tuple(WithheldRecord(ordinal, record, code) for record, code in told["fallen"]),
        None if told["output"] is None else FileAccount(**told["output"]),
    )


def whole_file_fell(units: Sequence[Unit], code: str) -> tuple[TableDone, ...]:
    """Each table of a file counted as one record that was withheld."""
    return tuple(
        TableDone(
            unit.ordinal,
            Tally(records_in=1, quarantined=1),
            (WithheldRecord(unit.ordinal, None, code),),
            None,
        )
        for unit in units
    )
