"""`deid review OUT`: the sampling plan, the reviewer's page, and the results."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from deid.cli import say
from deid.cli.option_groups import command, command_app
from deid.errors import HELD
from deid.reports.wording import plural

if TYPE_CHECKING:
    from deid.crosswalk.keys.master_keys import MasterKey
    from deid.review.event_log import EventLog
    from deid.review.released_notes import ReviewBatch
    from deid.review.review_session import ReviewSession
    from deid.review.sampling.sampling_plan import Design

app = command_app()


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of `deid review`, as given."""

    out: Path
    originals: list[Path] | None = None
    port: int = 0
    no_browser: bool = False
    plan: bool = False
    export: Path | None = None
    learn: Path | None = None
    reviewer: list[str] | None = None
    adjudicator: str | None = None
    overlap: float | None = None
    share: bool = False
    rate: float = 0.01
    confidence: float = 0.95
    leaks: int = 0
    stratify: str = ""
    stratum_minimum: int = 0
    per_patient: int = 1
    correlation: float = 1.0
    patient_column: str = ""
    known: list[Path] | None = None
    patient_key: str | None = None
    two_stage: bool = False
    seeded_leaks: int = 0
    sensitivity: float = 1.0
    seed: str | None = None
    key_file: Path | None = None
    delimiter: str | None = None
    bind: str = "127.0.0.1"
    remote: bool = False
    host_name: list[str] | None = None
    certificate: Path | None = None
    certificate_key: Path | None = None
    idle_minutes: float = 10.0
    as_json: bool = False


@command(app)
def run(asked: ReviewOptions) -> int:
    """Review a fair sample of a release, mark mistakes, and bound the leak rate.

    Exit codes: 0 done; 2 wrong usage; 3 a leak is confirmed and the release is on hold; 6 OUT or
    the originals do not match the manifest.
    """
    originals = tuple(asked.originals or ())
    patients = asked.patient_column, tuple(asked.known or ()), asked.patient_key
    with _opened_review(asked.out, originals, asked.delimiter, asked.key_file) as opened:
        review, fresh = _review_session(*opened, _design(asked), patients)
        if asked.plan:
            return _tell_plan(review, fresh, asked.as_json)
        if asked.export is not None or asked.learn is not None:
            return _finish(review, asked.export, asked.learn, asked.as_json)
        return _serve_page(review, asked)


def _design(asked: ReviewOptions) -> Design:
    from deid.review.sampling.sampling_plan import Design

    return Design(
        rate=asked.rate,
        confidence=asked.confidence,
        leaks=asked.leaks,
        stratify=asked.stratify,
        per_patient=asked.per_patient,
        correlation=asked.correlation,
        minimum=asked.stratum_minimum,
        two_stage=asked.two_stage,
        seeded=asked.seeded_leaks,
        sensitivity=asked.sensitivity,
        seed=asked.seed or secrets.token_hex(16),
    )


@contextmanager
def _opened_review(
    out: Path, originals: tuple[Path, ...], delimiter: str | None, key_file: Path | None
) -> Iterator[tuple[ReviewBatch, EventLog]]:
    """The release, and the marks made so far."""
    from deid.formats import ReadOptions
    from deid.review.event_log import EventLog, event_log_path
    from deid.review.released_notes import open_batch

    batch = open_batch(out, originals, ReadOptions(delimiter))
    event_log = EventLog(
        event_log_path(out), batch.digest, lambda: datetime.now(UTC), _master_key(key_file)
    )
    try:
        yield batch, event_log
    finally:
        event_log.close()


def _serve_page(review: ReviewSession, asked: ReviewOptions) -> int:
    """Serve the page until it is stopped, then record the result."""
    from deid.review.outcome import record_review
    from deid.review.web.server import ServerSettings, default_reviewer, serve_review

    reviewers = tuple(asked.reviewer or ())
    serving = ServerSettings(
        reviewers or (() if asked.adjudicator else (default_reviewer(),)),
        asked.adjudicator,
        port=asked.port,
        bind=asked.bind,
        remote=asked.remote,
        names=tuple(asked.host_name or ()),
        certificate=asked.certificate,
        certificate_key=asked.certificate_key,
        share=asked.share,
        browser=not asked.no_browser,
        idle_minutes=asked.idle_minutes,
    )

    def record_signature() -> None:
        record_review(review, datetime.now(UTC))
        say("signed; the evidence is written; Ctrl-C ends the review")

    if len(reviewers) > 1 or (reviewers and asked.overlap is not None):
        review.assign(reviewers, 1.0 if asked.overlap is None else asked.overlap)
    serve_review(review, serving, say, record_signature)
    held = record_review(review, datetime.now(UTC))
    say(review.standing().sentence)
    return _told_hold(held)


def _master_key(path: Path | None) -> MasterKey | None:
    from deid.crosswalk.keys.master_keys import read_key_file

    return None if path is None else read_key_file(path)


def _review_session(
    batch: ReviewBatch,
    event_log: EventLog,
    design: Design,
    patients: tuple[str, tuple[Path, ...], str | None],
) -> tuple[ReviewSession, bool]:
    from deid.review.review_session import has_plan, open_review
    from deid.review.sampling.frame import sampling_frame

    units = None if has_plan(event_log) else sampling_frame(batch, design.stratify, *patients)
    return open_review(batch, event_log, units, design)


def _tell_plan(review: ReviewSession, fresh: bool, as_json: bool) -> int:
    told = review.plan.as_json()
    if as_json:
        print(json.dumps(told, indent=2))
        return 0
    design = review.plan.design
    if not fresh:
        say("the sample was already drawn and does not change")
    print(
        f"read {told['notes_to_read']} of {plural(told['notes_in_batch'], 'note')} of "
        f"{plural(told['patients'], 'patient')}: finding at most {plural(design.leaks, 'leak')} "
        f"excludes a leak rate above {design.rate:.2%} at {design.confidence:.0%} confidence "
        f"({told['method']})"
    )
    for name, layer in told["strata"].items():
        if name:
            print(f"  {name}: {layer['to_read']} of {layer['notes']}")
    if stages := told["stages"]:
        print(
            f"  read {stages['first']} first; stop at no more than "
            f"{plural(stages['accept'], 'leak')}, otherwise read {stages['second']} more"
        )
    print(f"  seed {design.seed}, {plural(len(review.seeded), 'seeded leak')}")
    return 0


def _finish(review: ReviewSession, export: Path | None, learn: Path | None, as_json: bool) -> int:
    from deid.review.exports import write_export
    from deid.review.learning import write_learned
    from deid.review.outcome import record_review

    now = datetime.now(UTC)
    if export is not None:
        write_export(review, export, now)
    if learn is not None:
        write_learned(review, learn)
    held = record_review(review, now)
    standing = review.standing()
    if as_json:
        print(json.dumps(standing.as_json(), indent=2))
    say(standing.sentence)
    return _told_hold(held)


def _told_hold(held: bool) -> int:
    if held:
        say("error: held: a leak was confirmed; scrub again before release [leak-confirmed]")
    return HELD if held else 0
