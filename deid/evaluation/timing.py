"""Runs a finder over annotated text and measures the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

# Documents per batch of an evaluation.
EVALUATION_BATCH = 32


def timed_findings(
    find_all: Callable[[Sequence[str]], Iterable[tuple[Any, ...]]], texts: Sequence[str]
) -> tuple[list[tuple[Any, ...]], float]:
    """The findings of the texts, and the seconds the search took."""
    began = time.perf_counter()
    found: list[tuple[Any, ...]] = []
    for at in range(0, len(texts), EVALUATION_BATCH):
        found += find_all(texts[at : at + EVALUATION_BATCH])
    return found, time.perf_counter() - began
