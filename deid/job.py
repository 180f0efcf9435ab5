"""The main job: files in, a release out, or nothing at all.

Order of work: list the inputs, say who the patients are, decide every column, scrub into a staging
folder beside OUT, search every byte of it, judge, and only then move it to OUT.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, TextIO

from deid.columns import decide
from deid.decision import Decision, RowOut, told
from deid.errors import UNREADABLE, DeidError
from deid.filenames import released_names
from deid.formats import ReadOptions, Source, format_of, open_source
from deid.manifest import Account, FileAccount, Tally
from deid.people import People, gather
from deid.policy import Policy
from deid.release import FOLDER, Release, hold_or_write
from deid.reports.diff import DiffPage
from deid.residual import Owner, Residual, search_release
from deid.scrubbing import Finds, Scrubber
from deid.table import scrub_rows, survey_rows
from deid.transforms.contract import Allocate
from safe_harbor import Census, Identifier, zip3_table


@dataclass(frozen=True, slots=True)
class Job:
    """What the user asked for. Paths are not shown by the `repr`: their names may identify."""

    inputs: tuple[Path, ...] = field(repr=False)
    out: Path = field(repr=False)
    policy: Policy
    reference_date: date
    known: tuple[Path, ...] = field(default=(), repr=False)
    patient_key: str | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    strict_columns: bool = False
    diff: Path | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """One input file: its ordinal in the job, where it lies, its path within the job."""

    ordinal: int
    path: Path = field(repr=False)
    relative: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that could be opened, and what happens to each of its columns."""

    unit: Unit
    source: Source
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Fallen:
    """A file or record that was withheld: `record` is None for a whole file."""

    file: int
    record: int | None
    code: str

    def as_json(self) -> dict[str, Any]:
        """The line of `quarantine.jsonl`."""
        place = "file" if self.record is None else "record"
        return {"file": self.file, "record": self.record, "place": place, "code": self.code}


def list_inputs(inputs: Sequence[Path]) -> tuple[Unit, ...]:
    """Every file of the inputs, folders walked in name order, hidden files left out.

    Raises:
        DeidError: `input-missing`.
    """
    units: list[Unit] = []
    for number, root in enumerate(inputs, 1):
        if not root.exists():
            raise DeidError(
                "input-missing",
                "an input does not exist",
                place=f"input {number}",
                exit_code=UNREADABLE,
            )
        for path in sorted(_files(root)):
            relative = path.name if root.is_file() else path.relative_to(root).as_posix()
            units.append(Unit(len(units) + 1, path, relative))
    _refuse_same_names(units)
    if not units:
        raise DeidError("input-empty", "the inputs hold no file", exit_code=UNREADABLE)
    return tuple(units)


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for path in root.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if path.is_file() and not hidden:
            yield path


def _refuse_same_names(units: Sequence[Unit]) -> None:
    seen: dict[str, int] = {}
    for unit in units:
        if unit.relative in seen:
            raise DeidError(
                "input-name-twice",
                "two inputs would have the same name in OUT",
                place=f"file {seen[unit.relative]} and file {unit.ordinal}",
                hint="name their common folder as the input",
            )
        seen[unit.relative] = unit.ordinal


def plan(job: Job, units: Sequence[Unit]) -> tuple[tuple[Opened, ...], tuple[Fallen, ...], People]:
    """Open every file, say who the patients are, decide every column. Nothing is written."""
    sources: list[tuple[Unit, Source]] = []
    fallen: list[Fallen] = []
    for unit in units:
        if format_of(unit.path) is None:
            fallen.append(Fallen(unit.ordinal, None, "unknown-format"))
            continue
        _refuse_unreadable(unit)
        try:
            sources.append((unit, open_source(unit.path, job.read)))
        except DeidError as error:
            fallen.append(Fallen(unit.ordinal, None, error.code))
    people = gather(
        [(unit.relative, source) for unit, source in sources], job.known, job.patient_key
    )
    opened = tuple(
        Opened(unit, source, _decided(job, unit, source, people)) for unit, source in sources
    )
    return opened, tuple(fallen), people


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
        decision = replace(
            decision,
            action=policy.transform_of("OTHER_ID").name,
            reason="the values are keys of patients",
            identifier=Identifier.OTHERS,
            entity="OTHER_ID",
            shape="key",
        )
    if decision.header and people.heads_somebody(decision.header):
        return replace(decision, header=None, out_header=f"column_{decision.index + 1}")
    return decision


def _refuse_unreadable(unit: Unit) -> None:
    try:
        unit.path.open("rb").close()
    except OSError:
        raise DeidError(
            "input-unreadable",
            "an input may not be read",
            place=f"file {unit.ordinal}",
            hint="look at its permissions",
            exit_code=UNREADABLE,
        ) from None


def _zip3(census: Census) -> dict[str, str]:
    return {"census": census, "sha256": zip3_table(census).sha256}


Progress = Callable[[int, int, int], None]
"""(file, files, records so far)."""


def scrub(
    job: Job,
    finder: Finds,
    *,
    allocate: Allocate | None = None,
    crosswalk: Mapping[str, Any] | None = None,
    engine: Mapping[str, Any] | None = None,
    progress: Progress = lambda file, files, records: None,
) -> Release:
    """Run the whole job. The release is on disk only if nothing holds it.

    Raises:
        DeidError: `out-exists`, `input-missing`, `nothing-readable`, what policy and formats say.
    """
    _refuse_out(job)
    if job.policy.needs_crosswalk and allocate is None:
        raise DeidError(
            "crosswalk-missing",
            "the policy draws codes, and no crosswalk is given",
            hint="name one with --crosswalk, made by `deid crosswalk init`",
        )
    units = list_inputs(job.inputs)
    opened, fallen, people = plan(job, units)
    if not opened:
        raise DeidError(
            "nothing-readable",
            "no input could be read",
            place=", ".join(f"file {f.file}: {f.code}" for f in fallen[:5]),
            exit_code=UNREADABLE,
        )
    new_parents = [folder for folder in job.out.absolute().parents if not folder.exists()]
    staging = _staging(job.out)
    try:
        scrubber = Scrubber(job.policy, finder, job.reference_date, allocate)
        run = _Run(job, staging, scrubber, people, list(fallen), progress)
        run.tally.records_in = run.tally.quarantined = len(fallen)  # a whole file counts as one
        account = run.through(opened, units, crosswalk, engine or {})
        return hold_or_write(account, staging, job.out)
    except BaseException:
        if job.diff is not None:  # made by this run, and it holds originals
            job.diff.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        for folder in new_parents:
            with suppress(OSError):  # it holds the release
                folder.rmdir()


def _refuse_out(job: Job) -> None:
    out = job.out
    if out.is_symlink():
        raise DeidError("out-is-a-link", "OUT is a symbolic link", hint="name a new folder")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DeidError(
            "out-exists", "OUT exists and is not an empty folder", hint="name a new folder"
        )
    for root in job.inputs:
        if out.resolve() == root.resolve() or out.resolve().is_relative_to(root.resolve()):
            raise DeidError("out-inside-input", "OUT lies inside an input", hint="name another")
    if job.diff is not None and job.diff.resolve().is_relative_to(out.resolve()):
        raise DeidError("diff-inside-out", "the diff holds originals and must lie outside OUT")
    if job.diff is not None and job.diff.exists():
        raise DeidError("diff-exists", "the file for the diff exists", hint="name a new file")


def _staging(out: Path) -> Path:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=".deid-", dir=out.parent))
    except OSError:
        raise DeidError(
            "out-not-writable", "the folder that is to hold OUT cannot be written"
        ) from None


@dataclass(slots=True)
class _Run:
    """One pass over the files: the effects of the job, all inside the staging folder."""

    job: Job
    staging: Path = field(repr=False)
    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    fallen: list[Fallen]
    progress: Progress
    tally: Tally = field(default_factory=Tally)
    outputs: dict[int, tuple[Path, list[Owner]]] = field(default_factory=dict, repr=False)
    names: dict[int, str] = field(default_factory=dict, repr=False)

    def through(
        self,
        opened: Sequence[Opened],
        units: Sequence[Unit],
        crosswalk: Mapping[str, Any] | None,
        engine: Mapping[str, Any],
    ) -> Account:
        ordinals = [o.unit.ordinal for o in opened]
        relatives = [o.unit.relative for o in opened]
        names = released_names(relatives, self.people, self.scrubber.finder, ordinals)
        self.names = dict(zip(ordinals, names, strict=True))
        release = self.staging / FOLDER
        release.mkdir(mode=0o755)
        for o in opened:
            survey_rows(
                o.source.records(), o.unit.relative, o.decisions, self.scrubber, self.people
            )
        page = None if self.job.diff is None else DiffPage(self.job.diff)
        try:
            with (release / "changes.jsonl").open("w", encoding="utf-8", newline="\n") as log:
                counted = {o.unit.ordinal: self._file(o, len(units), log, page) for o in opened}
            self._write_quarantine(release)
        finally:
            if page is not None:
                page.close()
        residual = self._search_again(opened)
        return Account(
            policy=self.job.policy,
            tally=self.tally,
            reference_date=self.job.reference_date,
            known_values=residual.known_values,
            searched_bytes=residual.searched_bytes,
            hits=residual.by_word,
            places=residual.places,
            engine=engine,
            zip3=_zip3(self.job.policy.zip3_census),
            crosswalk=crosswalk,
            inputs={u.ordinal: FileAccount.of(u.path, counted.get(u.ordinal, 0)) for u in units},
            outputs={n: FileAccount.of(p, len(owners)) for n, (p, owners) in self.outputs.items()},
            columns=tuple(line for o in opened for line in told(o.unit.ordinal, o.decisions)),
        )

    def _file(self, opened: Opened, files: int, log: TextIO, page: DiffPage | None) -> int:
        leaving = {d.index: d.out_header for d in opened.decisions if d.leaves}
        target = self.staging / self.names[opened.unit.ordinal]
        target.parent.mkdir(parents=True, exist_ok=True)
        found = format_of(opened.unit.path)
        if found is None:
            raise DeidError("unknown-format", "an input changed while it was read")
        records = 0
        owners: list[Owner] = []
        sink = found.create(target, opened.source, leaving)
        try:
            for row in scrub_rows(
                opened.source.records(),
                opened.unit.relative,
                opened.decisions,
                self.scrubber,
                self.people,
            ):
                records += 1
                self.tally.records_in += 1
                if row.cells is None:
                    self._fall(opened.unit, row)
                    continue
                sink.write([row.cells[index] for index in leaving], row.skeleton)
                owners.append(row.told or row.owner)
                self._note(opened, row, log, page)
                if records % 100 == 0:
                    self.progress(opened.unit.ordinal, files, records)
        finally:
            sink.close()
        self.outputs[opened.unit.ordinal] = (target, owners)
        self.progress(opened.unit.ordinal, files, records)
        return records

    def _fall(self, unit: Unit, row: RowOut) -> None:
        self.tally.quarantined += 1
        self.fallen.append(Fallen(unit.ordinal, row.ordinal, row.code))

    def _note(self, opened: Opened, row: RowOut, log: TextIO, page: DiffPage | None) -> None:
        self.tally.records_out += 1
        whole = len(opened.source.columns) == 1
        self.tally.documents += len(row.texts)
        self.tally.rows += not (whole and row.texts)
        for index, changes in sorted(row.changes.items()):
            for change in changes:
                self.tally.count(change.identifier, change.residue, change.round)
            if changes:
                line = {
                    "file": opened.unit.ordinal,
                    "record": row.ordinal,
                    "column": index + 1,
                    "changes": [change.as_json() for change in changes],
                }
                log.write(json.dumps(line, separators=(",", ":")) + "\n")
        if page is not None:
            for index, (before, after) in sorted(row.texts.items()):
                title = f"file {opened.unit.ordinal}, record {row.ordinal}, column {index + 1}"
                page.add(title, before, after, row.changes.get(index, ()))

    def _write_quarantine(self, release: Path) -> None:
        lines = [json.dumps(f.as_json(), separators=(",", ":")) + "\n" for f in self.fallen]
        (release / "quarantine.jsonl").write_text("".join(lines), "utf-8")

    def _search_again(self, opened: Sequence[Opened]) -> Residual:
        """Read what was written as a stranger would, and search all of it."""
        policy = self.job.policy
        stands = {
            o.unit.ordinal: {
                position
                for position, d in enumerate(d for d in o.decisions if d.leaves)
                if policy.stands_in_column(d.action, d.identifier, d.entity)
            }
            for o in opened
        }
        return search_release(
            self.staging,
            self.outputs,
            self.job.read,
            self.people.without("provider") if policy.providers == "keep" else self.people,
            self.job.reference_date,
            leave=policy.stands(),
            stands=stands,
        )
