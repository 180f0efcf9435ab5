"""For every pattern, the prefilter gives the result of a search for that pattern, or says that it
does not know.
"""

from __future__ import annotations

import re2
from hypothesis import given
from hypothesis import strategies as st

from recognizers.evidence.matching import GROUP, Prefilter, may_match
from recognizers.text.normalized_text import NormalizedText

WORDS = [f"w{number}" for number in range(GROUP - 4)]
SHAPES = [r"(?i)\bdr\.? ([a-z]+)", r"\d{3}-\d{4}$", r"^mrn", r"x*"]


def full() -> Prefilter:
    prefilter = Prefilter()
    for regex in [*WORDS, *SHAPES]:
        prefilter.add(regex)
    prefilter.gather()
    assert len(prefilter._groups) == 1
    return prefilter


PREFILTER = full()


def absent(prefilter: Prefilter, text: str) -> set[str]:
    page = NormalizedText.of(text)
    prefilter.ask([page])
    return {regex for regex in [*WORDS, *SHAPES, "qqq"] if not may_match(regex, page)}


@given(st.lists(st.sampled_from(["w1", "w11", "Dr. ann", "555-0133", "mrn", " ", "\n"])))
def test_the_prefilter_excludes_exactly_the_patterns_that_a_search_does_not_find(
    parts: list[str],
) -> None:
    text = "".join(parts)
    missed = absent(PREFILTER, text)
    if not text:
        assert not missed
        return
    for regex in [*WORDS, *SHAPES]:
        assert (regex in missed) == (re2.search(regex, text) is None)


def test_patterns_of_an_incomplete_group_are_never_excluded() -> None:
    prefilter = full()
    prefilter.add("qqq")
    prefilter.gather()
    assert len(prefilter._groups) == 1
    assert "qqq" not in absent(prefilter, "w1") and "w2" in absent(prefilter, "w1")


def test_a_pattern_added_twice_stays_in_its_group() -> None:
    prefilter = full()
    for _ in range(GROUP):
        for regex in WORDS:
            prefilter.add(regex)
    prefilter.gather()
    assert len(prefilter._groups) == 1


def test_a_failed_pass_excludes_no_pattern() -> None:
    class Broken:
        def Match(self, data: bytes) -> list[int]:
            return []

    prefilter = full()
    prefilter._groups[0] = Broken(), [*WORDS, *SHAPES]
    assert absent(prefilter, "w1") == set()


def test_a_pattern_that_was_not_asked_for_may_match() -> None:
    page = NormalizedText.of("w1")
    assert all(may_match(regex, page) for regex in WORDS)
