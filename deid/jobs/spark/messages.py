"""What is said between a parent and executors: the cargo of a stage, orders, and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.jobs.job import FileDone
from deid.jobs.spark.allocation_requests import AllocationRequest, Found, Key
from deid.text.scrubber import TextFinder
from deid.transforms import Outcome

Load = Callable[[], TextFinder]
OF_THE_WORKER = ("worker-unlike", "worker-blind", "worker-input-differs")
"""Codes of what is wrong with an executor, whatever the file."""


@dataclass(frozen=True, slots=True)
class SharedContext:
    """What all tasks of one kind have in common. `engine` is what the parent's finder is made of.

    `mark` is the name of an empty file in the job's folder: who does not see it works elsewhere.
    """

    mark: str
    root: Path = field(repr=False)
    engine: Mapping[str, Any]
    fast: bool
    load: Load = field(repr=False)
    files: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ResolvedAllocations:
    """What was settled for one file, and what was found in it the first time."""

    outcomes: Mapping[Key, Outcome | None] = field(default_factory=dict, repr=False)
    found: Found = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class AllocationQuestions:
    """What is to be settled before a file can be done."""

    questions: Sequence[AllocationRequest] = field(repr=False)
    found: Found = field(repr=False)


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file that is done, and the folder it lies in until it is put in its place."""

    done: FileDone
    work: Path = field(repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done: `greet`, `survey`, `scrub` or `share`.

    A share is every `of`-th batch of a table, from the one numbered `begin`, written to `place`.
    """

    kind: str
    numbers: Sequence[int] = ()
    settled: Mapping[int, ResolvedAllocations] = field(default_factory=dict, repr=False)
    share: int = 0
    of: int = 1
    begin: int = 0
    place: Path = field(default=Path(), repr=False)
