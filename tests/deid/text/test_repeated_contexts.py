"""A word found by a later search is also found wherever it is surrounded by the same words."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deid.text.repeated_contexts import MAX_REPEATED_VALUES, same_context_repeats
from recognizers import Finding
from safe_harbor import Identifier


def _names(text: str, pattern: str) -> list[Finding]:
    spans = [m.span() for m in re.finditer(pattern, text)]
    return [Finding(a, b, Identifier.NAMES, "PERSON", 0.9, "model") for a, b in spans]


def _found(text: str, found: list[Finding], taken: list[Finding]) -> list[tuple[int, int]]:
    return [(f.start, f.end) for f in same_context_repeats(text, found, taken)]


def test_contexts_may_differ_in_digits_and_a_line_start_is_part_of_the_context() -> None:
    text = "Port 11:20 in\nPort 11:40 in\nthe Port 11:40 in"
    assert _found(text, _names(text, "Port")[:1], []) == [(14, 18)]


def test_the_number_of_repeated_values_per_note_is_limited() -> None:
    line = "".join(f"by O{number:05d}x on\n" for number in range(2 * MAX_REPEATED_VALUES))
    found = _names(line * 2, r"O\d+x")[: 2 * MAX_REPEATED_VALUES]
    assert len(_found(line * 2, found, [])) == MAX_REPEATED_VALUES


def test_places_that_other_findings_cover_are_left_to_them() -> None:
    text = "by Port today\nby Port today\nby Port today"
    first, second, third = _names(text, "Port")
    wide = _names(text, "by Port")[1]
    assert _found(text, [first], [wide]) == [(third.start, third.end)]
    assert _found(text, [first, third], [second]) == []


def test_repeats_do_not_overlap() -> None:
    text = "ana ana ana ana"
    found = same_context_repeats("\n".join([text, text]), [_names(text, "ana ana")[0]], [])
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.text("ab \n1", max_size=80), st.integers(0, 79), st.integers(1, 5))
def test_repeats_are_disjoint_and_of_the_same_word(text: str, start: int, size: int) -> None:
    end = min(len(text), start + size)
    if start >= end:
        return
    one = Finding(start, end, Identifier.NAMES, "PERSON", 0.9, "model")
    found = sorted([one, *same_context_repeats(text, [one], [])], key=lambda f: f.start)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert {text[f.start : f.end] for f in found} == {text[start:end]}
