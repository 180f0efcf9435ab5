"""Limits of time that hold on fast and on slow cores."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any core", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("any core")

#: Additions a CPU second of the core for which the limits are written, and those of one sample.
_ADDITIONS, _SAMPLE = 20_000_000, 2_000_000


def _slowness() -> float:
    """How many times longer than on that core a loop takes now, at least 1."""
    start = time.process_time()
    total = 0
    for number in range(_SAMPLE):
        total += number
    return max(1.0, (time.process_time() - start) * _ADDITIONS / _SAMPLE)


@contextmanager
def _cpu_seconds_below(limit: float) -> Iterator[None]:
    slowness = _slowness()
    start = time.process_time()
    yield
    taken = time.process_time() - start
    assert taken < limit * max(slowness, _slowness()), f"{taken:.1f} CPU seconds"


@pytest.fixture
def cpu_seconds_below() -> Callable[[float], AbstractContextManager[None]]:
    """A context that fails if its block takes as many CPU seconds, on a core of known speed.

    A shared core may be several times slower, so its speed is measured before and after.
    """
    return _cpu_seconds_below
