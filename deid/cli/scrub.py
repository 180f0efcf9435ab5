"""`deid scrub INPUT... -o OUT`: de-identify notes and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from deid.cli.arguments import day
from deid.cli.load_told import columns_named, tell_loaded
from deid.cli.option_groups import command, command_app
from deid.cli.scrub_arguments import ScrubOptions, spooled_job
from deid.cli.scrub_progress import progress_line
from deid.cli.scrub_told import tell_done, tell_interrupt, tell_plan, tell_release
from deid.errors import DeidError
from deid.formats.targets.contract import Target
from deid.jobs import Job, done_already, prepared_job, refuse_engine, unfinished
from deid.object_stores.staged_release import StagedRelease, release_place
from deid.policy.model import Policy, read_policy
from deid.release.loading import load_release, refuse_target, target_of
from deid.release.run_record import begin_run, utc_now
from deid.standard_streams import is_dash

_CROSSWALK_UNUSED = (
    "deid: hint: no transform of this policy uses the crosswalk; try --set transforms.mrns=code"
)

app = command_app()


@command(app)
def run(asked: ScrubOptions) -> int:
    """De-identify notes and tables, and search the output for known values.

    Exit codes: 0 done; 2 wrong usage or policy; 3 held, nothing released; 4 done, but some
    records quarantined; 5 key or crosswalk problem; 6 input unreadable; 130 interrupted.
    """
    out = _place_of_release(asked.out, asked.dry_run)
    refuse_engine(asked.engine)
    begun = begin_run(asked.shown, asked.operator, utc_now)
    policy = read_policy(asked.policy, asked.settings or ())
    if asked.crosswalk is not None and not policy.needs_crosswalk and not asked.quiet:
        print(_CROSSWALK_UNUSED, file=sys.stderr)
    if asked.dry_run:
        with spooled_job(asked, out, policy, day(asked.reference_date) or date.today()) as job:
            return tell_plan(job, asked.as_json)
    target = None if asked.to is None else target_of(asked.to, columns_named(asked.partition_by))
    if target is not None and not asked.resume:
        refuse_target(target)
    with _placed_job(asked, out, policy) as (staged, job):
        if asked.resume and (manifest := done_already(job)) is not None:
            code = tell_done(manifest, asked.as_json)
            staged.publish()
            _load(job.out, target)
            return code
        try:
            with (
                progress_line(asked.quiet or asked.no_progress) as show,
                prepared_job(
                    job,
                    asked.crosswalk,
                    asked.key_file,
                    engine=asked.engine,
                    fast=asked.fast,
                ) as run_prepared,
            ):
                release = run_prepared(progress=show, run=begun)
        except KeyboardInterrupt:
            return tell_interrupt(job.out)
        if release.out is not None:
            staged.publish()
        code = tell_release(release, staged.shown, asked.as_json, asked.quiet)
        _load(release.out, target)
    return code


@contextmanager
def _placed_job(
    asked: ScrubOptions, out: Path, policy: Policy
) -> Iterator[tuple[StagedRelease, Job]]:
    """The job with its inputs as files, and the folder of its release."""
    with release_place(out, asked.inputs, resume=asked.resume) as staged:
        reckoned_on = day(asked.reference_date) or _began(staged.path, asked.resume) or date.today()
        with spooled_job(asked, staged.path, policy, reckoned_on) as job:
            yield staged, job


def _load(out: Path | None, target: Target | None) -> None:
    """Load a release that is not on hold."""
    if out is not None and target is not None:
        tell_loaded(load_release(out, target))


def _place_of_release(out: Path | None, dry_run: bool) -> Path:
    """The folder of the release. A dry run writes nothing and needs none."""
    if out is None and not dry_run:
        raise DeidError("usage", "Missing option '--out' / '-o'.", hint="name a new folder")
    if is_dash(out):
        raise DeidError(
            "out-is-a-folder", "OUT must be a folder, not stdout", hint="name a new folder"
        )
    return out or Path("release")


def _began(out: Path, resume: bool) -> date | None:
    """The reference date of the job to resume, because that job may have begun yesterday."""
    before = unfinished(out) if resume else None
    told = None if before is None else before[1].get("reference_date")
    return None if told is None else date.fromisoformat(told)
