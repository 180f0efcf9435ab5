"""The main job: it reads files and writes a complete release or nothing.

The job lists and hashes the inputs, gathers the patients, decides every column and learns from all
texts. It scrubs file by file in a folder next to OUT and searches each output. Then it joins the
parts, checks the release, and moves it to OUT. Workers are processes or executors of a cluster; the
released bytes do not depend on the kind or the number of the workers.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions, local_processes
from deid.errors import UNREADABLE, DeidError, TaskFault
from deid.jobs.folder import START, JobFolder, job_folder
from deid.jobs.input_listing import list_inputs
from deid.jobs.job import FileBatch, FileDone, Job, OpenedTable
from deid.jobs.job_plan import JobPlan, plan_job
from deid.jobs.joining import JobResult, is_whole, release_job
from deid.jobs.local.file_survey import patients_with_several_texts
from deid.jobs.local.local_workers import FileWorkers, LocalWorkers
from deid.jobs.local.table_worker import JobContext, has_text
from deid.jobs.local.withheld_files import withhold_file, withhold_files_with_hits
from deid.jobs.progress import Meter, Progress, ProgressStatus, ignore_progress
from deid.jobs.released_names import name_outputs
from deid.jobs.resume_terms import (
    HashedInput,
    hash_inputs,
    refuse_changed_while_read,
    refuse_changes,
    terms_of,
)
from deid.jobs.risk_limits import risk_limit_checks
from deid.jobs.spark.cluster_job import Cluster
from deid.people.gathering import hold_in_memory
from deid.people.key_numbers import ACTION as NUMBERED
from deid.release.earlier_release import read_earlier_release
from deid.release.releasing import Release
from deid.release.run_record import WITHHELD_OPERATOR, RunRecord
from deid.residual.search import ResidualSearch
from deid.tables.question_columns import label_columns
from deid.text.scrubber import Scrubber, Survey, TextFinder
from deid.transforms.contract import CodeSource
from deid.vocabularies.quarantine_codes import reason


def run_job(
    job: Job,
    finder: TextFinder,
    *,
    allocate: CodeSource | None = None,
    crosswalk: Mapping[str, Any] | None = None,
    engine: Mapping[str, Any] | None = None,
    progress: Progress = ignore_progress,
    cluster: Cluster | None = None,
    run: RunRecord | None = None,
) -> Release:
    """Run the whole job. The release is moved to OUT only if no check holds it.

    With a cluster, its executors learn and scrub; this process does everything else. `run` records
    who runs the job and with which software; a resumed job keeps the start of the first run.

    Raises:
        DeidError: `out-exists`, `out-in-use`, `job-unfinished`, `resume-...-changed`,
            `input-missing`, `nothing-readable`, errors of the policy and of formats;
            `worker-blind`, `worker-unlike` and other errors of executors; `cluster-lost`, after
            which `Job.resume` continues the job.
        OSError: the disk is full or refuses a read or write.
        KeyboardInterrupt: the user interrupted; `Job.resume` continues if a file was done.
    """
    refuse_out(job)
    _refuse_without_crosswalk(job, allocate)
    with job_folder(job.out, resume=job.resume) as folder:
        _refuse_existing(job, folder)
        progress(ProgressStatus("read"))
        scrubber = Scrubber(job.policy, finder, job.reference_date, allocate, job.run_date)
        account = _prepare_job(
            job, folder, scrubber, crosswalk, engine or {}, cluster, run or RunRecord()
        )
        batches = _batches(account.plan.opened, account.hashes)
        if account.earlier is not None:
            account = account.without_unchanged()
            _refuse_unfit_for_since(job, account.plan)
        new = _batches(account.plan.opened, account.hashes)
        done = _done_before(account.shared, new)
        left = [batch for batch in new if batch.number not in done]
        _learn_from_files(account.shared, cluster, batches if left else [], progress)
        done |= _scrub_files(account.shared, cluster, left, progress)
        refuse_changed_while_read(account.hashes, account.units)
        progress(ProgressStatus("release", len(new), len(new), 0, 1.0))
        released = withhold_files_with_hits(folder, [done[batch.number] for batch in new])
        return release_job(replace(account, done=released))


def _prepare_job(
    job: Job,
    folder: JobFolder,
    scrubber: Scrubber,
    crosswalk: Mapping[str, Any] | None,
    engine: Mapping[str, Any],
    cluster: Cluster | None,
    run: RunRecord,
) -> JobResult:
    """List and hash the inputs, gather the patients, decide every column; scrub no file yet."""
    earlier = None if job.since is None else read_earlier_release(job.since, job.policy)
    units = list_inputs(job.inputs, job.read)
    hashes = hash_inputs(units)
    _start_or_resume(job, folder, terms_of(job, units, hashes, engine, crosswalk))
    run = _with_first_start(run, folder)
    if cluster is not None:
        cluster.check_executors(folder)
    everybody = local_processes(job.workers) if cluster is None else cluster.spread(folder)
    plan = plan_job(job, units, scrubber.finder, everybody)
    if not plan.opened:
        raise _nothing_readable(plan)
    measures = risk_limit_checks(job.policy.risk, plan.opened)
    policy, people = job.policy, plan.people
    searched = people.without("provider") if policy.providers == "keep" else people
    _hold_in_memory(plan, scrubber, everybody)
    names = name_outputs(plan.opened, people)
    compiled = ResidualSearch(
        searched,
        policy.may_stay_in_text(),
        reference=job.reference_date,
        spread=people.partitions(everybody),
    )
    spread = _partitions(job, plan, cluster, folder)
    shared = JobContext(job, folder, scrubber, people, compiled, names, spread)
    run = _without_known(run, compiled)
    return JobResult(shared, plan, units, hashes, measures, engine, crosswalk, run, earlier=earlier)


def _refuse_unfit_for_since(job: Job, plan: JobPlan) -> None:
    """Refuse a job without new inputs, or with the patient numbers of the earlier release."""
    if not plan.opened:
        raise DeidError(
            "nothing-new",
            "no input is new: the release named by --since already holds all of them",
            hint="nothing was written; run the command again when there are new files",
        )
    numbered = any(d.action == NUMBERED for o in plan.opened for d in o.decisions)
    if numbered or job.policy.tags == "numbered":
        raise DeidError(
            "since-needs-codes",
            "the policy numbers patients within one release, so the same number may mean another "
            "patient in the earlier release",
            hint="use codes: --set keys=as_transforms --set transforms.mrns=code "
            "--set transforms.others=code, and the --crosswalk of the earlier release",
        )


def _hold_in_memory(plan: JobPlan, scrubber: Scrubber, spread: WorkPartitions) -> None:
    """Hold a single table's patients in memory if its rows cannot be scrubbed one by one."""
    for opened in plan.opened:
        personal = scrubber.allocate is not None or scrubber.policy.tags != "plain"
        alone = any(d.leaves for d in opened.decisions) and not any(
            d.action == "text" or d.other_column is not None for d in opened.decisions
        )
        if plan.people.is_single_table(opened.unit.relative) and (
            personal or not alone or label_columns(opened.decisions)
        ):
            hold_in_memory(plan.people, spread)


def _partitions(
    job: Job,
    plan: JobPlan,
    cluster: Cluster | None,
    folder: JobFolder,
) -> WorkPartitions:
    """Return the workers that share the batches of a table: all of them if the job is one file.

    Numbered tags continue from batch to batch, so then one process scrubs all batches.
    """
    if cluster is not None and any(
        plan.people.is_single_table(o.unit.relative) for o in plan.opened
    ):
        return cluster.spread(folder)
    files = {opened.unit.path for opened in plan.opened}
    if cluster is not None or len(files) > 1 or job.policy.tags == "numbered":
        return THIS_PROCESS
    return local_processes(job.workers)


def _start_or_resume(job: Job, folder: JobFolder, terms: Mapping[str, str]) -> None:
    """Start the job, or continue it under the same terms; a refusal changes nothing."""
    began = folder.ledger.terms()
    # Numbered tags continue from file to file, so a job with them restarts at its first file.
    again = bool(began) and len(folder.ledger) > 0
    if again:
        refuse_changes(began, terms)
    if not again or job.policy.tags == "numbered":
        folder.ledger.begin(terms)
        folder.clear(everything=True)
    else:
        folder.clear(everything=False)
    folder.spared = False


def _with_first_start(run: RunRecord, folder: JobFolder) -> RunRecord:
    """Return the run record; if the job was resumed, with the start time of the first run."""
    if run.start is None:
        return run
    start = folder.ledger.terms().get(START)
    if start is None:
        folder.ledger.record(START, run.start)
    return replace(run, start=start or run.start)


def _without_known(run: RunRecord, search: ResidualSearch) -> RunRecord:
    """Remove the operator's name from the record if it is a known value."""
    look = search.again()
    look.sweep(0, run.operator or "", ())
    return replace(run, operator=WITHHELD_OPERATOR) if look.hits else run


def _nothing_readable(plan: JobPlan) -> DeidError:
    return DeidError(
        "nothing-readable",
        "no input could be read",
        place="; ".join(f"file {f.file}: {reason(f.code)}" for f in plan.fallen[:5]),
        hint=reason(plan.fallen[0].code).way_out if plan.fallen else "",
        exit_code=UNREADABLE,
    )


def _batches(opened: Sequence[OpenedTable], hashes: Mapping[Path, HashedInput]) -> list[FileBatch]:
    """The tables of each file together, in order."""
    batches = []
    for path, tables in groupby(opened, lambda o: o.unit.path):
        account = hashes[path].account
        batches.append(FileBatch(tuple(tables), account.sha256, account.bytes))
    return batches


def _done_before(shared: JobContext, batches: Sequence[FileBatch]) -> dict[int, FileDone]:
    found = {}
    for batch in batches:
        done = shared.folder.ledger.find(batch, shared.job.policy.sha256)
        if done is not None and is_whole(shared.folder, done):
            found[batch.number] = done
    return found


def _workers(
    shared: JobContext, cluster: Cluster | None, batches: Sequence[FileBatch]
) -> FileWorkers:
    """The executors of a cluster, if they take whole files; else processes of this machine.

    This process takes all files if tags are numbered, because the numbers continue from file to
    file, or if the executors share the batches of a single table.
    """
    tables = [table.unit.relative for batch in batches for table in batch.tables]
    numbered = shared.job.policy.tags == "numbered"
    if cluster is None:
        return LocalWorkers(0 if numbered else shared.job.workers)
    alone = any(map(shared.people.is_single_table, tables))
    return LocalWorkers(0) if alone or numbered else cluster


def _learn_from_files(
    shared: JobContext, cluster: Cluster | None, batches: Sequence[FileBatch], progress: Progress
) -> None:
    """Learn from the texts of every file, in job order.

    A resumed job learns again from all files: learned data holds values and is never written.
    """
    told = [batch for batch in batches if any(map(has_text, batch.tables))]
    tables = [table for batch in told for table in batch.tables if has_text(table)]
    scrubber = shared.scrubber
    several = patients_with_several_texts(tables, scrubber, shared.people)
    scrubber.several = several
    if not told or (several is not None and not len(several)):
        return
    meter = Meter.of("learn", progress, told)
    found: dict[int, Survey] = {}
    for number, survey in _workers(shared, cluster, told).survey(shared, told, meter.add):
        meter.finish(number)
        if isinstance(survey, Survey):  # a fault occurs again, and is reported, in the scrub phase
            found[number] = survey
    for number in sorted(found):
        scrubber.take(found[number])


def _scrub_files(
    shared: JobContext, cluster: Cluster | None, batches: Sequence[FileBatch], progress: Progress
) -> dict[int, FileDone]:
    """Scrub these files; record each in the ledger once its output is in place."""
    by_number = {batch.number: batch for batch in batches}
    ledger = shared.folder.ledger
    meter = Meter.of("scrub", progress, batches)
    done: dict[int, FileDone] = {}
    faults: dict[int, TaskFault] = {}
    working = _workers(shared, cluster, batches).scrub(shared, batches, meter.add)
    with closing(working) as results:  # a fault stops the workers
        for number, came in results:
            if isinstance(came, TaskFault):
                faults[number] = came
                done[number] = _withheld_batch(shared, by_number[number], came)
            else:
                done[number] = came.put_in_place(shared.folder)
            ledger.record_file(by_number[number], shared.job.policy.sha256, done[number])
            meter.finish(number)
    if faults and len(faults) == len(batches):
        raise next(iter(faults.values())).error()
    return done


def _withheld_batch(shared: JobContext, batch: FileBatch, fault: TaskFault) -> FileDone:
    """Withhold a file on which a worker failed; end the job if the fault affects all files."""
    if fault.ends_the_job:
        raise fault.error()
    shutil.rmtree(shared.folder.work(batch.number), ignore_errors=True)
    code = "engine-error" if fault.code == "internal" else fault.code
    return withhold_file(shared.folder, batch, code)


def _refuse_without_crosswalk(job: Job, allocate: CodeSource | None) -> None:
    if job.policy.needs_crosswalk and allocate is None:
        raise DeidError(
            "crosswalk-missing",
            "the policy draws codes, but no crosswalk is given",
            hint="give one with --crosswalk; `deid crosswalk init` makes it",
        )


def refuse_out(job: Job) -> None:
    """Refuse a wrong place for OUT or for files that hold original values.

    Raises:
        DeidError: `out-is-a-link`, `out-inside-input`, `diff-inside-out`,
            `names-map-inside-out`.
    """
    out = job.out
    if out.is_symlink():
        raise DeidError("out-is-a-link", "OUT is a symbolic link", hint="name a new folder")
    for root in job.inputs:
        if out.resolve() == root.resolve() or out.resolve().is_relative_to(root.resolve()):
            raise DeidError(
                "out-inside-input",
                "OUT lies inside an input",
                hint="name a folder outside the inputs",
            )
    for name, path in _with_originals(job):
        if path.resolve().is_relative_to(out.resolve()):
            what = f"the {name.replace('-', ' ')} holds originals and must lie outside OUT"
            raise DeidError(f"{name}-inside-out", what, hint="name a file outside OUT")


def _with_originals(job: Job) -> list[tuple[str, Path]]:
    """The requested files that hold original values, each with its kind."""
    asked = [("diff", job.diff), ("names-map", job.names_map)]
    return [(name, path) for name, path in asked if path is not None]


def _refuse_existing(job: Job, folder: JobFolder) -> None:
    """Refuse existing files at OUT or at the paths of the diff and names map.

    Files that a killed job for this OUT left behind are accepted.
    """
    out = job.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DeidError(
            "out-exists", "OUT exists and is not an empty folder", hint="name a new folder"
        )
    for name, path in _with_originals(job):
        if path.exists() and not folder.taken_back:
            what = f"the file for the {name.replace('-', ' ')} exists"
            raise DeidError(f"{name}-exists", what, hint="name a new file")
