"""The messages between parent and executors: the shared context, orders, answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.jobs.job import FileBatch
from deid.jobs.spark.allocation_requests import AllocationKey, AllocationRequest, RecordedFindings
from deid.text.scrubber import TextFinder
from deid.transforms import Outcome

Load = Callable[[], TextFinder]
OF_THE_WORKER = ("worker-unlike", "worker-blind", "worker-input-differs")
"""The codes of faults for which the executor, and not the file, is responsible."""


@dataclass(frozen=True, slots=True)
class SharedContext:
    """The data that all tasks of one kind share. `engine` describes the parent's finder.

    `mark` is the name of an empty file in the job's folder: an executor that does not see this file
    is on another file system. `what` is what the tasks use, packed.
    """

    mark: str
    root: Path = field(repr=False)
    engine: Mapping[str, Any]
    fast: bool
    load: Load = field(repr=False)
    what: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ResolvedAllocations:
    """The outcomes of the requests of one file, and the findings of its first pass."""

    outcomes: Mapping[AllocationKey, Outcome | None] = field(default_factory=dict, repr=False)
    found: RecordedFindings = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class AllocationQuestions:
    """The requests that must be resolved before a file can be finished."""

    questions: Sequence[AllocationRequest] = field(repr=False)
    found: RecordedFindings = field(repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """An order to an executor. `kind` is `greet`, `survey`, `scrub` or `share`.

    `batches` are the closed files of the order by number, so that no executor holds all files.
    A share is every `of`-th batch of a table, from the batch numbered `begin`. The executor writes
    its results to `place`.
    """

    kind: str
    numbers: Sequence[int] = ()
    settled: Mapping[int, ResolvedAllocations] = field(default_factory=dict, repr=False)
    share: int = 0
    of: int = 1
    begin: int = 0
    place: Path = field(default=Path(), repr=False)
    batches: Mapping[int, FileBatch] = field(default_factory=dict, repr=False)
