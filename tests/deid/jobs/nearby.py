"""Executors in this process: they stand in for a cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from small_extract import KnownOnly

from deid.jobs.spark import executor_side as remote
from deid.jobs.spark.cluster_job import Cluster
from deid.jobs.spark.encrypted_messages import EncryptedMessages, unpack_message
from deid.jobs.spark.executors import TaskDied
from deid.jobs.spark.messages import Order
from deid.text.engine import describe


def nothing(order: Order) -> None:
    """A hook that does nothing."""


@dataclass
class Nearby:
    """Serves one order after another, each `times` times. `before` is called first and may raise an
    error.

    `seen` collects all bytes sent in either direction.
    """

    before: Callable[[Order], None] = nothing
    times: int = 1
    many: int = 2
    cargos: dict[str, bytes] = field(default_factory=dict)
    seen: list[bytes] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    stopped: bool = False
    lock: Any = field(default_factory=threading.Lock)

    def ship(self, name: str, cargo: bytes) -> None:
        self.cargos[name] = cargo
        self.seen.append(cargo)

    def call(self, name: str, key: bytes, order: bytes) -> bytes:
        with self.lock:
            if self.stopped:
                raise TaskDied
            told: Order = unpack_message(
                EncryptedMessages.under(key, os.urandom).open(order, "order")
            )
            self.orders.append(told)
            self.before(told)
            for _ in range(self.times):
                answer = remote.run_order(order, lambda: self.cargos[name], name, key)
                self.seen += [order, answer]
            return answer

    def drop(self, name: str) -> None:
        self.cargos.pop(name)

    def stop(self) -> None:
        self.stopped = True


def cluster(executors: Any, engine: Mapping[str, Any] | None = None) -> Cluster:
    """A cluster of these executors, with a fast finder."""
    return Cluster(executors, describe() if engine is None else engine, KnownOnly)
