"""Answers about cells are remembered, for a column holds few different ones; long cells are not.

A cell may be a whole note, and a process that remembers answers must not come to hold a table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, TypeVarTuple, cast

Places = TypeVarTuple("Places")
CellAnswer = TypeVar("CellAnswer")
# Characters; published names of tests (LOINC) stay below.
LONGEST_REMEMBERED = 256
MOST_REMEMBERED = 1 << 16


def remembered(ask: Callable[[*Places], CellAnswer]) -> Callable[[*Places], CellAnswer]:
    """The same question, answered from memory where its cell, the last argument, is short."""
    kept: Callable[..., CellAnswer] = lru_cache(maxsize=MOST_REMEMBERED)(ask)

    @wraps(ask)
    def answer(*places: Any) -> CellAnswer:
        if places[-1] and len(places[-1]) > LONGEST_REMEMBERED:
            return ask(*places)
        return kept(*places)

    return cast(Callable[[*Places], CellAnswer], answer)
