"""The line to executors: orders sent, answers heard, the dead replaced."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.arrow.work_partitions import error_from_message, worker_died
from deid.jobs.local.worker_pool import MOST_DEATHS, TaskFault
from deid.jobs.spark.allocation_requests import resolve_allocations
from deid.jobs.spark.encrypted_messages import EncryptedMessages, pack_message, unpack_message
from deid.jobs.spark.executors import SILENT, UNSEEN, Executors, TaskDied
from deid.jobs.spark.messages import AllocationQuestions, Order, ResolvedAllocations
from deid.transforms.contract import Allocate

_MOST_PASSES = 6
_MOMENT = 0.02
# Shared storage may show a new file late.
_LATE = 90.0


@dataclass(slots=True)
class ExecutorChannel:
    """A cargo that is there, and threads that each wait for one executor's answer."""

    executors: Executors
    pool: ThreadPoolExecutor
    name: str
    key: bytes = field(repr=False)
    parcels: EncryptedMessages
    _deaths: dict[int, int] = field(default_factory=dict)

    def ask(self, orders: Sequence[Order]) -> Iterator[Any]:
        """The answers to these orders."""
        for future in [self._send(order) for order in orders]:
            try:
                yield future.result()
            except TaskDied:
                yield SILENT

    def _send(self, order: Order) -> Future[Any]:
        return self.pool.submit(self._call, self.parcels.close(pack_message(order), "order"))

    def _call(self, order: bytes) -> Any:
        box = self.executors.call(self.name, self.key, order)
        return unpack_message(self.parcels.open(box, "answer"))

    # -- files -------------------------------------------------------------------------------

    def files(
        self, kind: str, groups: Sequence[Sequence[int]], desk: Allocate | None = None
    ) -> Iterator[tuple[int, Any]]:
        """What came of each file. A group that somebody died of is parted; a file that two died of
        has the fault `worker-died`."""
        waiting = deque(Order(kind, numbers) for numbers in groups)
        running: dict[Future[Any], Order] = {}
        passes: dict[int, int] = {}
        while waiting or running:
            while waiting and len(running) < 2 * self.executors.many:
                order = waiting.popleft()
                running[self._send(order)] = order
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                order = running.pop(future)
                for number, came in self._heard(future, order, waiting):
                    if not isinstance(came, AllocationQuestions):
                        yield number, came
                        continue
                    passes[number] = passes.get(number, 0) + 1
                    if desk is None or passes[number] > _MOST_PASSES:
                        yield number, TaskFault("internal", "what is asked for does not settle")
                    else:
                        waiting.appendleft(_again(order, number, came, desk))

    def _heard(
        self, future: Future[Any], order: Order, waiting: deque[Order]
    ) -> list[tuple[int, Any]]:
        try:
            came = future.result()
        except TaskDied:
            return self._buried(order, waiting)
        if isinstance(came, TaskFault):
            return [(number, came) for number in order.numbers]
        return list(came.items())

    def _buried(self, order: Order, waiting: deque[Order]) -> list[tuple[int, Any]]:
        if len(order.numbers) == 1:
            (number,) = order.numbers
            self._deaths[number] = self._deaths.get(number, 0) + 1
            if self._deaths[number] >= MOST_DEATHS:
                return [(number, TaskFault("worker-died"))]
        waiting.extendleft(Order(order.kind, [n], order.settled) for n in order.numbers)
        return []

    # -- shares of one table -----------------------------------------------------------------

    def shares(self, place: Path) -> Iterator[Any]:
        """What came of each batch, in order: executors write each result to a file of its own.

        Raises:
            DeidError, OSError, ValueError: what broke a share; `worker-died`, if two died of it;
                `worker-blind`, if what one wrote does not show here.
        """
        of = self.executors.many
        orders = [Order("share", share=share, of=of, place=place) for share in range(of)]
        at_work = [self._send(order) for order in orders]
        number, missed = 0, 0.0
        while True:
            share, path = number % of, place / str(number)
            if path.is_file():
                yield unpack_message(self.parcels.open(path.read_bytes(), f"batch {number}"))
                path.unlink()
                number, missed = number + 1, 0.0
            elif not at_work[share].done():
                time.sleep(_MOMENT)
            elif (total := self._total(at_work[share], share)) is None:
                again = Order("share", share=share, of=of, begin=number, place=place)
                at_work[share] = self._send(again)
            elif number >= total:
                return
            elif missed > _LATE:
                raise UNSEEN.error()
            else:
                time.sleep(_MOMENT)
                missed += _MOMENT

    def _total(self, future: Future[Any], share: int) -> int | None:
        """How many batches the table has; None where whoever had the share died of it, once."""
        try:
            came = future.result()
        except TaskDied:
            self._deaths[share] = self._deaths.get(share, 0) + 1
            if self._deaths[share] >= MOST_DEATHS:
                raise worker_died() from None
            return None
        if isinstance(came, TaskFault):
            raise came.error()
        kind, total = came
        if kind != "end":
            raise error_from_message(came)
        return int(total)


def _again(order: Order, number: int, asks: AllocationQuestions, desk: Allocate) -> Order:
    """The file once more, with what it asked for."""
    before = order.settled.get(number, ResolvedAllocations())
    outcomes = {**before.outcomes, **resolve_allocations(asks.questions, desk)}
    return Order(order.kind, [number], {number: ResolvedAllocations(outcomes, asks.found)})
