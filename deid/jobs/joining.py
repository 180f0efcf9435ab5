"""The end of a job: join the parts of all files, search the documents, check, and release."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deid.decision import decisions_as_json
from deid.formats import ReadOptions, left_behind
from deid.jobs.folder import RELEASING, JobFolder
from deid.jobs.job import FileDone, InputTable, WithheldRecord
from deid.jobs.job_plan import JobPlan
from deid.jobs.local.table_worker import JobContext
from deid.jobs.released_names import renamed_of
from deid.jobs.resume_terms import HashedInput
from deid.jobs.risk_limits import RiskLimitCheck, measure_risk_limits, released_of
from deid.naming.renamed import Renamed, write_map
from deid.release.earlier_release import EarlierRelease
from deid.release.manifest import Account, FileAccount, ReleaseCounts
from deid.release.releasing import Release, hold_or_write
from deid.release.run_record import RunRecord
from deid.release.sealing import RELEASE_FOLDER, tree_sha256, written_documents
from deid.reports.diff import write_diff
from deid.residual.hits import ResidualHit
from deid.residual.released_files import file_chunks, search_release
from safe_harbor import Census, Identifier, zip3_table


@dataclass(frozen=True, slots=True)
class JobResult:
    """A job and its results so far. `done` is empty at first and holds all files at the end."""

    shared: JobContext
    plan: JobPlan
    units: Sequence[InputTable]
    hashes: Mapping[Path, HashedInput]
    measures: Sequence[RiskLimitCheck]
    engine: Mapping[str, Any]
    crosswalk: Mapping[str, Any] | None = field(repr=False)
    run: RunRecord
    done: Sequence[FileDone] = ()
    earlier: EarlierRelease | None = None

    @property
    def unchanged(self) -> list[int]:
        """The ordinals of the tables that this release omits: an earlier release holds them."""
        if self.earlier is None:
            return []
        held = self.earlier.held([self.hashes[unit.path].account.sha256 for unit in self.units])
        return [unit.ordinal for unit, is_held in zip(self.units, held, strict=True) if is_held]

    def without_unchanged(self) -> JobResult:
        """The job without the tables that an earlier release holds."""
        known = set(self.unchanged)
        opened = tuple(o for o in self.plan.opened if o.unit.ordinal not in known)
        fallen = tuple(f for f in self.plan.fallen if f.file not in known)
        return replace(self, plan=replace(self.plan, opened=opened, fallen=fallen))

    @property
    def fallen(self) -> list[WithheldRecord]:
        """Everything that was withheld: unopened files first, then the rest in order."""
        return [*self.plan.fallen, *(f for d in self.done for t in d.tables for f in t.fallen)]

    @property
    def renamed(self) -> list[Renamed]:
        """Every file, table and column that has another name in the release than in the input."""
        return [
            found
            for table in self.plan.opened
            for found in renamed_of(table.unit, table.decisions, self.shared.names)
        ]

    @property
    def tally(self) -> ReleaseCounts:
        """The counts of all tables; a file that could not be opened counts as one record."""
        whole = ReleaseCounts(records_in=len(self.plan.fallen), quarantined=len(self.plan.fallen))
        for done in self.done:
            for table in done.tables:
                whole.add(table.tally)
        return whole


def release_job(whole: JobResult) -> Release:
    """Write the release's documents, check the release, and move it to OUT unless it is held."""
    job, folder = whole.shared.job, whole.shared.folder
    _sweep(folder.out, whole.done)
    documents = folder.out / RELEASE_FOLDER
    documents.mkdir(mode=0o755)
    _join(whole, documents)
    page = folder.root / "diff"
    if job.diff is not None:
        page.unlink(missing_ok=True)
        parts = ((done.name, folder.diff(done.number)) for done in whole.done)
        write_diff(page, [(name, part) for name, part in parts if part.exists()])
    names = folder.root / "names"
    if job.names_map is not None:
        names.unlink(missing_ok=True)
        write_map(names, whole.renamed)
    account = _account(whole)
    made = hold_or_write(
        account, folder.out, job.out, lambda sha256: folder.ledger.record(RELEASING, sha256)
    )
    for path, wanted in ((page, job.diff), (names, job.names_map)):
        if wanted is not None:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, wanted)
    return made


def _sweep(out: Path, done: Sequence[FileDone]) -> None:
    """Remove files that no result lists: a worker wrote them before it died."""
    told = {out / one.name for one in done if one.name}
    for path in sorted(out.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in told:
            path.unlink()


def _join(whole: JobResult, documents: Path) -> None:
    with (documents / "changes.jsonl").open("wb") as log:
        for done in whole.done:
            with whole.shared.folder.changes(done.number).open("rb") as part:
                shutil.copyfileobj(part, log)
        log.flush()
        os.fsync(log.fileno())
    lines = [json.dumps(f.as_json(), separators=(",", ":")) + "\n" for f in whole.fallen]
    (documents / "quarantine.jsonl").write_text("".join(lines), "utf-8")


def _account(whole: JobResult) -> Account:
    shared = whole.shared
    job, policy = shared.job, shared.job.policy
    own = search_release(
        shared.folder.out / RELEASE_FOLDER,
        {},
        job.read,
        shared.people,
        leave=policy.may_stay_in_text(),
        compiled=shared.search,
    )
    places = (*(hit for done in whole.done for hit in done.hits), *own.places)
    tables = [table for done in whole.done for table in done.tables]
    counts = {table.ordinal: table.tally for table in tables}
    records = {table.ordinal: table.tally.records_in for table in tables if table.tally.records_in}
    fallen_whole = {f.file for f in whole.fallen if f.record is None}
    return Account(
        policy=policy,
        verdict=policy.verdict(),
        tally=whole.tally,
        reference_date=job.reference_date,
        known_values=shared.search.looked_for + sum(done.told for done in whole.done),
        searched_bytes=own.searched_bytes + sum(done.searched_bytes for done in whole.done),
        hits=_by_word(places),
        places=places,
        engine=whole.engine,
        zip3=_zip3_entry(policy.zip3_census),
        crosswalk=whole.crosswalk,
        inputs={
            unit.ordinal: replace(
                whole.hashes[unit.path].account,
                records=0 if unit.ordinal in fallen_whole else records.get(unit.ordinal, 0),
            )
            for unit in whole.units
        },
        outputs={table.ordinal: table.output for table in tables if table.output is not None},
        columns=tuple(
            line
            for o in whole.plan.opened
            for line in decisions_as_json(o.unit.ordinal, o.decisions, counts[o.unit.ordinal].cells)
        ),
        left_behind=tuple(_left_behind(whole.units, whole.shared.job.read)),
        tables=counts,
        known_roles=shared.people.roles(),
        risk=_risk(whole),
        sought=own.sought.union(*(done.sought for done in whole.done)),
        known_tables=len(job.known),
        names_known=_names_known(shared, whole.done),
        unlinked=sum(done.unlinked for done in whole.done),
        run=whole.run.ended(),
        since=_since(whole),
        documents=written_documents(shared.folder.out),
        tree_sha256=tree_sha256(_released_files(whole.done)),
    )


def _since(whole: JobResult) -> dict[str, Any] | None:
    """Return what the manifest says about the earlier release; None if there is none.

    The job that made the earlier release searched it for the values known at that time. Here
    every byte of the earlier release is searched for the distinctive values known now.
    """
    if whole.earlier is None:
        return None
    look = whole.shared.search.again()
    for number, path in enumerate(whole.earlier.files(), 1):
        look.sweep(number, path.relative_to(whole.earlier.root).as_posix(), file_chunks(path))
    hits = Counter(hit.word.value for hit in look.hits)
    sha256 = whole.earlier.manifest_sha256
    hashes = {unit.ordinal: whole.hashes[unit.path].account.sha256 for unit in whole.units}
    rows = whole.earlier.records
    return {
        "manifest_sha256": sha256,
        "unchanged": whole.unchanged,
        "records": {str(n): rows[hashes[n]] for n in whole.unchanged if hashes[n] in rows},
        "hits": dict(hits),
    }


def _names_known(shared: JobContext, done: Sequence[FileDone]) -> bool:
    """Whether any patient's name is known, from a known table or from the rows themselves."""
    if not len(shared.people):
        return any(Identifier.NAMES in one.sought for one in done)
    values = (value for _, known in shared.people.all() for value in known)
    return any(v.identifier is Identifier.NAMES and v.role == "patient" for v in values)


def _released_files(done: Sequence[FileDone]) -> dict[str, str]:
    """The SHA-256 of each released file, by its path below OUT."""
    outputs = ((one.name, table.output) for one in done for table in one.tables)
    return {name: output.sha256 for name, output in outputs if output is not None}


def _risk(whole: JobResult) -> tuple[dict[str, Any], ...] | None:
    """The measured risk for each risk limit of the policy; None if the policy has no limit."""
    if not whole.measures:
        return None
    released = released_of(whole.plan.opened, whole.done, whole.shared.folder.out)
    return tuple(measure_risk_limits(whole.measures, released, whole.shared.job.read))


def _by_word(places: Sequence[ResidualHit]) -> dict[Any, int]:
    return dict(Counter(hit.word for hit in places))


def _left_behind(units: Sequence[InputTable], options: ReadOptions) -> list[dict[str, Any]]:
    """Counts of input content that the output format never holds, under any policy."""
    return [
        {"file": unit.ordinal, "what": what, "count": count}
        for unit in units
        if not unit.code
        for what, count in sorted(left_behind(unit.path, unit.member, options).items())
    ]


def _zip3_entry(census: Census) -> dict[str, str]:
    return {"census": census, "sha256": zip3_table(census).sha256}


def is_whole(folder: JobFolder, done: FileDone) -> bool:
    """Whether the output on disk is complete; after a power failure, some of it may be lost."""
    changes = folder.changes(done.number)
    if not changes.is_file() or FileAccount.of(changes, 0).sha256 != done.changes:
        return False
    outputs = [table.output for table in done.tables if table.output is not None]
    if not outputs:
        return True
    path = folder.out / done.name
    return path.is_file() and FileAccount.of(path, 0).sha256 == outputs[0].sha256
