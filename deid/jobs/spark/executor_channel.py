"""The channel to executors: it sends orders, receives answers, and resends orders after a death."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deid.arrow.work_partitions import unlike_input, worker_died
from deid.errors import TaskFault
from deid.jobs.job import FileBatch
from deid.jobs.local.worker_pool import MAX_CRASHES
from deid.jobs.spark.allocation_requests import resolve_allocations
from deid.jobs.spark.encrypted_messages import EncryptedMessages, pack_message, unpack_message
from deid.jobs.spark.executor_side import closed_batch
from deid.jobs.spark.executors import SILENT_WORKER, UNSEEN_OUTPUT, Executors, TaskDied
from deid.jobs.spark.messages import AllocationQuestions, Order, ResolvedAllocations
from deid.transforms.contract import CodeSource

_MOST_PASSES = 6
POLL_SECONDS = 0.02
# The seconds to wait for a new file to appear on shared storage.
_LATE = 90.0


@dataclass(slots=True)
class ExecutorChannel:
    """Sends orders to executors that hold a shared context; each thread waits for one answer."""

    executors: Executors
    pool: ThreadPoolExecutor
    name: str
    key: bytes = field(repr=False)
    messages: EncryptedMessages
    _crashes: dict[int, int] = field(default_factory=dict)

    def ask(self, orders: Sequence[Order]) -> Iterator[Any]:
        """The answers to these orders."""
        for future in [self._send(order) for order in orders]:
            try:
                yield future.result()
            except TaskDied:
                yield SILENT_WORKER

    def _send(self, order: Order) -> Future[Any]:
        return self.pool.submit(self._call, self.messages.close(pack_message(order), "order"))

    def _call(self, order: bytes) -> Any:
        box = self.executors.call(self.name, self.key, order)
        return unpack_message(self.messages.open(box, "answer"))

    # -- files -------------------------------------------------------------------------------

    def files(
        self,
        kind: str,
        groups: Sequence[Sequence[FileBatch]],
        allocator: CodeSource | None = None,
    ) -> Iterator[tuple[int, Any]]:
        """The result of each file.

        A group of files that killed an executor is split; a file that killed two executors has the
        fault `worker-died`.
        """
        batches = {batch.number: batch for group in groups for batch in group}
        waiting = deque(Order(kind, [batch.number for batch in group]) for group in groups)
        running: dict[Future[Any], Order] = {}
        passes: dict[int, int] = {}
        while waiting or running:
            while waiting and len(running) < 2 * self.executors.many:
                order = waiting.popleft()
                told = {n: closed_batch(batches[n]) for n in order.numbers}
                running[self._send(replace(order, batches=told))] = order
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                order = running.pop(future)
                for number, answer in self._received(future, order, waiting):
                    if not isinstance(answer, AllocationQuestions):
                        yield number, answer
                        continue
                    passes[number] = passes.get(number, 0) + 1
                    if allocator is None or passes[number] > _MOST_PASSES:
                        yield (
                            number,
                            TaskFault("internal", "the requests of a file cannot be resolved"),
                        )
                    else:
                        waiting.appendleft(_again(order, number, answer, allocator))

    def _received(
        self, future: Future[Any], order: Order, waiting: deque[Order]
    ) -> list[tuple[int, Any]]:
        try:
            answer = future.result()
        except TaskDied:
            return self._after_crash(order, waiting)
        if isinstance(answer, TaskFault):
            return [(number, answer) for number in order.numbers]
        return list(answer.items())

    def _after_crash(self, order: Order, waiting: deque[Order]) -> list[tuple[int, Any]]:
        if len(order.numbers) == 1:
            (number,) = order.numbers
            self._crashes[number] = self._crashes.get(number, 0) + 1
            if self._crashes[number] >= MAX_CRASHES:
                return [(number, TaskFault.of(worker_died()))]
        waiting.extendleft(Order(order.kind, [n], order.settled) for n in order.numbers)
        return []

    # -- shares of one table -----------------------------------------------------------------

    def shares(self, place: Path) -> Iterator[Any]:
        """The result of each batch, in order: executors write each result to a file of its own.

        Raises:
            DeidError, OSError, ValueError: a share failed; `worker-died`, if the share
                killed two executors; `worker-blind`, if a file that an executor wrote does not
                appear here; `worker-input-differs`, if executors read different numbers of batches.
        """
        of = self.executors.many
        orders = [Order("share", share=share, of=of, place=place) for share in range(of)]
        running = [self._send(order) for order in orders]
        number, told, waited = 0, 0, 0.0
        while True:
            share, path = (number + told) % of, place / str(number)
            if path.is_file():
                yield unpack_message(self.messages.open(path.read_bytes(), f"batch {number}"))
                path.unlink()
                number, waited = number + 1, 0.0
            elif not running[share].done():
                time.sleep(POLL_SECONDS)
            elif (total := self._total(running[share], share)) is None:
                again = Order("share", share=share, of=of, begin=number, place=place)
                running[share] = self._send(again)
            elif told or number >= total:
                # The table seems to end here: each executor has to say so.
                if number != total:
                    raise unlike_input()
                told += 1
                if told == of:
                    return
            elif waited > _LATE:
                raise UNSEEN_OUTPUT.error()
            else:
                time.sleep(POLL_SECONDS)
                waited += POLL_SECONDS

    def _total(self, future: Future[Any], share: int) -> int | None:
        """The number of batches of the table; None after the first death of an executor."""
        try:
            answer = future.result()
        except TaskDied:
            self._crashes[share] = self._crashes.get(share, 0) + 1
            if self._crashes[share] >= MAX_CRASHES:
                raise worker_died() from None
            return None
        if isinstance(answer, TaskFault):
            raise answer.error()
        return int(answer)


def _again(order: Order, number: int, asks: AllocationQuestions, allocator: CodeSource) -> Order:
    """Return a second order for the file, with the outcomes of its requests."""
    before = order.settled.get(number, ResolvedAllocations())
    outcomes = {**before.outcomes, **resolve_allocations(asks.questions, allocator)}
    return Order(order.kind, [number], {number: ResolvedAllocations(outcomes, asks.found)})
