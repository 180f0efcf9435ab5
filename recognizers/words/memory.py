"""A cache for functions of one word, because the same words recur.

The cache holds a limited number of short words. A long run of digits or bytes without a blank is
also a word, and thousands of such runs would fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

WORDS_KEPT, LONGEST = 1 << 14, 64
WordAnswer = TypeVar("WordAnswer")


def kept(ask: Callable[[str], WordAnswer]) -> Callable[[str], WordAnswer]:
    """Return the function with a cache for short words."""
    remembered = lru_cache(maxsize=WORDS_KEPT)(ask)

    @wraps(ask)
    def answer(word: str) -> WordAnswer:
        return remembered(word) if len(word) <= LONGEST else ask(word)

    return answer
