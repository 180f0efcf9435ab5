"""A stop signal takes effect even where the exception that it raises is swallowed."""

from __future__ import annotations

import contextlib
import signal

import pytest

import deid.cli
from deid.cli.scrub_progress import progress_line
from deid.jobs import ProgressStatus


def test_a_swallowed_interrupt_ends_the_job_at_its_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deid.cli, "_STOP_SIGNALS", [])
    with progress_line(True) as show:
        show(ProgressStatus("read"))
        with contextlib.suppress(KeyboardInterrupt):  # as native code does
            deid.cli._interrupt(signal.SIGTERM, None)
        with pytest.raises(KeyboardInterrupt):
            show(ProgressStatus("scrub"))
