"""Random draws, each kept: one key of one person always gets the same surrogate."""

from __future__ import annotations

import re
import secrets
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

KeepDraw = Callable[[str, str | None, str, Callable[[], str]], str]
"""(kind, person, key, draw) -> the surrogate, drawn on the first request and kept."""
Below = Callable[[int], int]
"""Takes n and returns a random number from 0 to n - 1; `secrets.randbelow` except in tests."""
_TRIES = 40


@dataclass(frozen=True, slots=True)
class Draws:
    """The surrogates of one person. `avoid` holds lower-case words that no surrogate may be."""

    keep: KeepDraw = field(repr=False)
    person: str | None = field(default=None, repr=False)
    avoid: frozenset[str] = field(default=frozenset(), repr=False)
    below: Below = field(default=secrets.randbelow, repr=False)

    def kept(self, kind: str, key: str, draw: Callable[[], str]) -> str:
        """Return the surrogate of a key of this person."""
        return self.keep(f"surrogate.{kind}", self.person, key, draw)

    def shared(self, kind: str, key: str, draw: Callable[[], str]) -> str:
        """Return the surrogate of a key that several persons may share, such as a domain."""
        return self.keep(f"surrogate.{kind}", None, key, draw)

    def fresh(self, kind: str, key: str, draw: Callable[[], str], *pools: Sequence[str]) -> str:
        """Return a draw that differs from the key, has no word in `avoid` and replaces no other
        key.

        If random draws fail, take one from the first pool that has a free item.
        """
        for _ in range(_TRIES):
            found = draw()
            if self._is_free(kind, found, key):
                return found
        for pool in pools:
            start = self.below(len(pool))
            turned = (pool[(start + step) % len(pool)] for step in range(len(pool)))
            free = (item for item in turned if self._is_free(kind, item, key))
            if (first := next(free, None)) is not None:
                return first
        return found

    def _is_free(self, kind: str, found: str, key: str) -> bool:
        low = found.lower()
        words = {low, *re.split(r"[\s-]+", low)}
        return low != key and self.avoid.isdisjoint(words) and self._claim(kind, low, key)

    def _claim(self, kind: str, found: str, key: str) -> bool:
        return self.kept(f"{kind}.taken", found, lambda: key) == key

    def one_of(self, items: Sequence[str]) -> str:
        """Draw one of these items, all equally likely."""
        return items[self.below(len(items))]


@dataclass(frozen=True, slots=True)
class WeightedNames:
    """Names weighted by their number of bearers: common names are drawn more often."""

    items: tuple[str, ...]
    sums: tuple[int, ...]

    @classmethod
    def of(cls, weighed: Sequence[tuple[str, int]]) -> WeightedNames:
        """Make weighted names from (name, weight) pairs."""
        return cls(
            tuple(name for name, _ in weighed), tuple(accumulate(weight for _, weight in weighed))
        )

    def draw(self, below: Below) -> str:
        """One name."""
        return self.items[bisect_right(self.sums, below(self.sums[-1]))]
