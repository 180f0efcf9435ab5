"""The progress line of a terminal: phase, rate, time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from deid.cli import stop_if_told
from deid.jobs import Progress, ProgressStatus
from deid.reports.wording import plural

_STAGE_LABELS = {
    "read": "reading the inputs",
    "learn": "learning from the notes",
    "scrub": "scrubbing",
    "release": "searching and joining",
}
_EVERY = 0.2


@dataclass(slots=True)
class Line:
    """A line that is overwritten as the job goes on; the clock gives seconds."""

    write: Callable[[str], object]
    clock: Callable[[], float] = time.monotonic
    _phase: str = ""
    _began: float = 0.0
    _first: ProgressStatus = field(default_factory=lambda: ProgressStatus(""))
    _shown: float = float("-inf")

    def show(self, standing: ProgressStatus) -> None:
        """Show the status; a call within a fifth of a second of the previous one is ignored."""
        now = self.clock()
        if standing.phase != self._phase:
            self._phase, self._began, self._first = standing.phase, now, standing
        elif now - self._shown < _EVERY:
            return
        self._shown = now
        self.write("\r\x1b[2Kdeid: " + self._text(standing, now - self._began))

    def _text(self, standing: ProgressStatus, seconds: float) -> str:
        words = [_STAGE_LABELS.get(standing.phase, standing.phase)]
        if standing.files:
            words.append(f"{standing.done} of {plural(standing.files, 'file')}")
        if standing.records:
            words.append(f"{standing.records:,} record{'' if standing.records == 1 else 's'}")
        if standing.records and seconds >= 1:
            words.append(f"{standing.records / seconds:,.0f} per second")
        gained = standing.share - self._first.share
        if gained > 0.01 and seconds >= 1 and standing.share < 1:
            words.append(f"{_shown_time((1 - standing.share) * seconds / gained)} left")
        return ", ".join(words)

    def end(self) -> None:
        """Erase the line."""
        if self._phase:
            self.write("\r\x1b[2K")


def _shown_time(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"


@contextmanager
def progress_line(silent: bool) -> Iterator[Progress]:
    """Yield the function that shows progress on one line of the terminal. The line is erased at the
    end.

    Without a terminal, or with `silent`, the function shows nothing. In every case it raises the
    interrupt of a signal that was received, which ends the job.
    """
    if silent or not sys.stderr.isatty():
        yield lambda standing: stop_if_told()
        return

    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    line = Line(write)

    def show(standing: ProgressStatus) -> None:
        stop_if_told()
        line.show(standing)

    try:
        yield show
    finally:
        line.end()
