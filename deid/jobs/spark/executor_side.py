"""The executor's side of a cluster job. It does not use Spark.

The answer is always an encrypted message, even after an error: the traceback of an exception would
appear in logs that other people read. A process keeps one shared context at a time, and keeps its
finder until the process ends. Each task writes to a folder of its own, so it may run twice, even at
the same time; the parent puts one of the results in place.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deid.errors import DeidError, TaskFault
from deid.formats import ReadOptions, Record, RecordSource
from deid.formats import RecordFault as FaultOfRecord
from deid.jobs.job import FileBatch, OpenedTable
from deid.jobs.job_plan import open_unit
from deid.jobs.local.file_survey import survey_file
from deid.jobs.local.file_worker import StagedFile, stage_file
from deid.jobs.local.table_worker import JobContext
from deid.jobs.spark.allocation_requests import (
    RecallingFinder,
    RemoteAllocator,
    UnresolvedAllocations,
)
from deid.jobs.spark.encrypted_messages import EncryptedMessages, pack_message, unpack_message
from deid.jobs.spark.messages import (
    AllocationQuestions,
    Load,
    Order,
    ResolvedAllocations,
    SharedContext,
)
from deid.release.manifest import FileAccount
from deid.text.engine import describe
from deid.text.scrubber import TextFinder
from recognizers import Finding, KnownValues

# The seconds to wait for a new file to appear on shared storage.
PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class ClosedSource:
    """The placeholder for a source that must be opened before it is read."""

    columns: tuple[str, ...] = field(repr=False)

    def records(self) -> Iterator[Record | FaultOfRecord]:
        """Always an error: the source is not open."""
        raise RuntimeError("not opened")


def closed_batch(batch: FileBatch) -> FileBatch:
    """The file with closed tables, as it is sent.

    An opened table may have unpacked its data on one machine only.
    """
    return _with_sources(batch, lambda table: ClosedSource(table.source.columns))


def _opened_batch(batch: FileBatch, read: ReadOptions) -> FileBatch:
    """The file with its tables opened on this machine.

    Raises:
        DeidError: `worker-blind`, `worker-input-differs`, and errors of the format.
    """
    _refuse_blind_to(batch)
    return _with_sources(batch, lambda table: open_unit(table.unit, read))


def _with_sources(batch: FileBatch, source: Callable[[OpenedTable], RecordSource]) -> FileBatch:
    return replace(batch, tables=tuple(replace(t, source=source(t)) for t in batch.tables))


@dataclass(slots=True)
class _UnpackedContext:
    """The current shared context. `what` is None until it is unpacked."""

    name: str = ""
    context: SharedContext | None = None
    what: Any = field(default=None, repr=False)


_UNPACKED = _UnpackedContext()
_FINDERS: dict[bytes, TextFinder] = {}


def run_order(order: bytes, context: Callable[[], bytes], name: str, key: bytes) -> bytes:
    """Carry out an order. `context` returns the encrypted context; `key` is the job's key."""
    messages = EncryptedMessages.under(key, os.urandom)
    try:
        wanted: Order = unpack_message(messages.open(order, "order"))
        answer = _answer(wanted, context, name, messages)
    except BaseException as error:
        answer = _fault(error)
    _keep_what_is_loaded()
    return messages.close(pack_message(answer), "answer")


def _keep_what_is_loaded() -> None:
    """Collect the garbage of this order, and exempt all else until the next context.

    Spark collects garbage after each task, and would go through the context and all lists.
    """
    gc.collect()
    gc.freeze()


def _fault(error: BaseException) -> TaskFault:
    return (
        TaskFault.of(error)
        if isinstance(error, Exception)
        else TaskFault("internal", "the executor was stopped")
    )


def _answer(
    order: Order, context: Callable[[], bytes], name: str, messages: EncryptedMessages
) -> Any:
    if _UNPACKED.name != name:
        _unpack(unpack_message(messages.open(context(), "context")))
        _UNPACKED.name = name
    held = _UNPACKED.context
    assert held is not None
    _refuse_blind(held)
    if order.kind == "share":
        return _share_context(_UNPACKED.what, order, messages)
    if order.kind == "survey":
        return {
            n: _attempt_remotely(_survey_one, _UNPACKED.what, batch)
            for n, batch in order.batches.items()
        }
    if order.kind == "scrub":
        return {
            n: _attempt_remotely(
                _scrub, _UNPACKED.what, batch, order.settled.get(n, ResolvedAllocations())
            )
            for n, batch in order.batches.items()
        }
    return None


def _unpack(context: SharedContext) -> None:
    """Hold this context instead of the last one."""
    _UNPACKED.name, _UNPACKED.context, _UNPACKED.what = "", None, None
    gc.unfreeze()
    _refuse_unlike(context)
    _refuse_blind(context)
    try:
        _UNPACKED.what = (
            unpack_message(context.what, _Later(context.load)) if context.what else None
        )
    except FileNotFoundError:
        raise _blind() from None
    _UNPACKED.context = replace(context, what=b"")


@dataclass(frozen=True, slots=True)
class _Later:
    """A finder loaded on first use, once per process: tables without text never need it."""

    load: Load

    @property
    def _finder(self) -> TextFinder:
        made_by = pack_message(self.load)
        if made_by not in _FINDERS:
            _FINDERS.clear()
            _FINDERS[made_by] = self.load()
        return _FINDERS[made_by]

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        return self._finder.find_all(texts, knowns, groups)

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> Any:
        return self._finder.learn(texts, founds)

    def propagate(self, text: str, found: tuple[Finding, ...], known: Any) -> tuple[Finding, ...]:
        return self._finder.propagate(text, found, known)


def _refuse_unlike(context: SharedContext) -> None:
    if describe(fast=context.fast) != dict(context.engine):
        raise DeidError(
            "worker-unlike",
            "a worker has a different version of this engine, its model or a package",
            hint="install the same versions on every machine of the cluster",
        )


def _refuse_blind(context: SharedContext) -> None:
    until = time.monotonic() + PATIENCE
    while not (context.root / "work" / context.mark).is_file():
        if time.monotonic() < until:
            time.sleep(0.1)
            continue
        raise _blind()


def _blind() -> DeidError:
    return DeidError(
        "worker-blind",
        "a worker cannot see the job's folder next to OUT",
        place="OUT",
        hint="put OUT and the inputs on a file system that every worker has under the same "
        "path and may write to as the same user",
    )


def _refuse_blind_to(batch: FileBatch) -> None:
    """Check that the executor sees the same file that the parent listed."""
    place = f"file {batch.number}"
    try:
        same = FileAccount.of(batch.path, 0).sha256 == batch.sha256
    except OSError:
        raise DeidError(
            "worker-blind",
            "a worker cannot see an input",
            place=place,
            hint="put the inputs on a file system that every worker has under the same path",
        ) from None
    if not same:
        raise DeidError(
            "worker-input-differs",
            "a worker reads an input that differs from the listed file",
            place=place,
            hint="put the inputs on a file system that every worker has, and do not change them",
        )


def _attempt_remotely(work: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return work(*arguments)
    except BaseException as error:
        return _fault(error)


def _silent(records: int, characters: int) -> None:
    """Ignore progress: an executor does not report it."""


def _survey_one(shared: JobContext, closed: FileBatch) -> Any:
    return survey_file(shared, _opened_batch(closed, shared.job.read), _silent)


def _scrub(
    shared: JobContext, closed: FileBatch, settled: ResolvedAllocations
) -> StagedFile | AllocationQuestions:
    batch = _opened_batch(closed, shared.job.read)
    allocator, recalling = (
        RemoteAllocator(settled.outcomes),
        RecallingFinder(shared.scrubber.finder, settled.found),
    )
    if isinstance(shared.scrubber.allocate, RemoteAllocator):
        scrubber = replace(shared.scrubber, finder=recalling, allocate=allocator)
        shared = replace(shared, scrubber=scrubber)
    try:
        return stage_file(shared, batch, _silent, f"-{os.urandom(8).hex()}")
    except UnresolvedAllocations:
        return AllocationQuestions(tuple(allocator.questions.values()), recalling.recorded)


def _share_context(
    what: tuple[Callable[[], Iterable[Any]], Callable[[Iterable[Any]], Iterator[Any]]],
    order: Order,
    messages: EncryptedMessages,
) -> Any:
    """Process every `of`-th batch of a table; write each result to a file of its own.

    Return the number of batches of the table, or the fault of the share.
    """
    batches, work = what
    total = 0
    try:
        for number, batch in enumerate(batches()):
            total += 1
            if number >= order.begin and number % order.of == order.share:
                (result,) = work([batch])
                box = messages.close(pack_message(result), f"batch {number}")
                _write_whole(order.place, number, box)
    except Exception as error:
        return TaskFault.of(error)
    return total


def _write_whole(place: Path, number: int, box: bytes) -> None:
    half = place / f"{number}-{os.urandom(8).hex()}"
    half.write_bytes(box)
    half.replace(place / f"{number}")
