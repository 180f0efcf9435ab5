"""The sieve says of every pattern what a search for it alone says, or that it does not know."""

from __future__ import annotations

import re2
from hypothesis import given
from hypothesis import strategies as st

from recognizers.sieve import GROUP, Sieve

WORDS = [f"w{number}" for number in range(GROUP - 4)]
SHAPES = [r"(?i)\bdr\.? ([a-z]+)", r"\d{3}-\d{4}$", r"^mrn", r"x*"]


def full() -> tuple[Sieve, dict[str, tuple[int, int]]]:
    sieve = Sieve()
    return sieve, {regex: sieve.add(regex.encode()) for regex in [*WORDS, *SHAPES]}


SIEVE, PLACES = full()


@given(st.lists(st.sampled_from(["w1", "w27", "Dr. ann", "555-0133", "mrn", " ", "\n"])))
def test_what_it_finds_is_what_a_search_finds(parts: list[str]) -> None:
    text = "".join(parts)
    found = SIEVE.found(0, text.encode())
    if found is None:
        assert not text
        return
    for regex, (_, number) in PLACES.items():
        assert (number in found) == bool(re2.search(regex, text))


def test_a_group_that_is_not_full_knows_nothing() -> None:
    sieve = Sieve()
    sieve.add(b"a")
    assert sieve.found(0, b"a") is None
    assert SIEVE.add(b"a") == (1, 1)


def test_a_pass_that_broke_off_knows_nothing() -> None:
    class Broken:
        def Match(self, data: bytes) -> None:
            return None

    sieve, _ = full()
    sieve._full[0] = Broken()
    assert sieve.found(0, b"w1") is None
