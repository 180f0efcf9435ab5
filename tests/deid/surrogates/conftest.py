from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from deid.surrogates import Draws, words_to_avoid


class Kept:
    """A crosswalk in memory."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str | None, str], str] = {}

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        asked = (kind, person, key)
        if asked not in self.entries:
            self.entries[asked] = draw()
        return self.entries[asked]


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def draws_of(kept: Kept) -> Callable[..., Draws]:
    """`draws_of(person, *known, seed=)`: the surrogates of a person with these known values."""

    def make(person: str | None, *known: str, seed: int = 514) -> Draws:
        return Draws(kept.keep, person, words_to_avoid(known), random.Random(seed).randrange)

    return make
