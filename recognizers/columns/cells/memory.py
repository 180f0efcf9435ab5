"""A cache of results for cells, because a column has few distinct cells. Long cells are excluded.

A cell may be a whole note, and the cache must not end up holding a table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, TypeVarTuple, cast

Places = TypeVarTuple("Places")
CellAnswer = TypeVar("CellAnswer")
# In characters; published names of tests (LOINC) are shorter.
LONGEST_REMEMBERED = 256
MOST_REMEMBERED = 1 << 16


def remembered(ask: Callable[[*Places], CellAnswer]) -> Callable[[*Places], CellAnswer]:
    """Return the function with a cache for calls whose last argument, the cell, is short."""
    kept: Callable[..., CellAnswer] = lru_cache(maxsize=MOST_REMEMBERED)(ask)

    @wraps(ask)
    def answer(*places: Any) -> CellAnswer:
        if places[-1] and len(places[-1]) > LONGEST_REMEMBERED:
            return ask(*places)
        return kept(*places)

    return cast(Callable[[*Places], CellAnswer], answer)
