"""A small release to review: a finder for its names, a clock, and a review session."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.review.event_log import EventLog, event_log_path
from deid.review.released_notes import open_batch
from deid.review.review_session import ReviewSession, open_review
from deid.review.sampling.frame import sampling_frame
from deid.review.sampling.sampling_plan import Design
from recognizers import Finding
from safe_harbor import Identifier

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAME = re.compile(r"\bAda [A-Z][a-z]+")


class Rules:
    def find_all(
        self, texts: Sequence[str], knowns: object = None, groups: object = None
    ) -> list[tuple[Finding, ...]]:
        return [
            tuple(
                Finding(m.start(), m.end(), Identifier.NAMES, "PERSON", 0.9, "rule")
                for m in NAME.finditer(text)
            )
            for text in texts
        ]


def release(inputs: Path, out: Path) -> tuple[Path, Path]:
    """Scrub the folder `inputs`."""
    done = run_job(Job((inputs,), out, read_policy("safe_harbor"), date(2026, 1, 1)), Rules())
    assert done.out is not None
    return inputs, out


def minutes() -> Callable[[], datetime]:
    """A clock that advances by one minute whenever it is read."""
    asked = count()
    return lambda: NOW + timedelta(minutes=next(asked))


def sit(job: tuple[Path, Path], originals: bool = True, **design: object) -> ReviewSession:
    inputs, out = job
    batch = open_batch(out, (inputs,) if originals else ())
    event_log = EventLog(event_log_path(out), batch.digest, minutes())
    plan = Design(**design)  # type: ignore[arg-type]
    return open_review(batch, event_log, sampling_frame(batch, plan.stratify), plan)[0]
