"""Progress of a job, without values. The listener measures the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from deid.jobs.job import FileBatch


@dataclass(frozen=True, slots=True)
class ProgressStatus:
    """How far a job is: `phase` is `read`, `learn`, `scrub` or `release`; `share` is 0 to 1."""

    phase: str
    files: int = 0
    done: int = 0
    records: int = 0
    share: float = 0.0


Progress = Callable[[ProgressStatus], None]


def ignore_progress(progress: ProgressStatus) -> None:
    """Ignore progress."""


@dataclass(slots=True)
class Meter:
    """Add up the progress of workers: bytes of finished files, characters read from open files."""

    phase: str
    show: Progress
    sizes: Mapping[int, int]
    done: int = 0
    records: int = 0
    _whole: int = field(init=False)
    _read: dict[int, int] = field(default_factory=dict)
    _finished: int = 0

    def __post_init__(self) -> None:
        self._whole = sum(self.sizes.values()) or 1

    @classmethod
    def of(cls, phase: str, show: Progress, batches: Iterable[FileBatch]) -> Meter:
        """A meter for these files. It reports the start of the phase."""
        meter = cls(phase, show, {batch.number: batch.size + 1 for batch in batches})
        meter.report()
        return meter

    def add(self, number: int, records: int, characters: int) -> None:
        """Count what a worker has read from a file since its last report."""
        self.records += records
        self._read[number] = self._read.get(number, 0) + characters
        self.report()

    def finish(self, number: int) -> None:
        """Count a file as done."""
        self.done += 1
        self._finished += self.sizes[number]
        self._read.pop(number, None)
        self.report()

    def report(self) -> None:
        """Report the progress. An unfinished file never counts as done."""
        reading = sum(min(r, 0.98 * self.sizes[n]) for n, r in self._read.items())
        share = (self._finished + reading) / self._whole
        self.show(ProgressStatus(self.phase, len(self.sizes), self.done, self.records, share))
