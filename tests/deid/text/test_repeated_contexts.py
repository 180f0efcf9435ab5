"""What a later search finds once goes wherever it stands with the same words beside it."""

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


def test_figures_beside_it_may_differ_and_the_beginning_of_a_line_is_one() -> None:
    text = "Port 11:20 in\nPort 11:40 in\nthe Port 11:40 in"
    assert _found(text, _names(text, "Port")[:1], []) == [(14, 18)]


def test_a_note_of_many_values_does_not_repeat_itself() -> None:
    line = "".join(f"by O{number:05d}x on\n" for number in range(2 * MAX_REPEATED_VALUES))
    found = _names(line * 2, r"O\d+x")[: 2 * MAX_REPEATED_VALUES]
    assert len(_found(line * 2, found, [])) == MAX_REPEATED_VALUES


def test_a_place_that_is_taken_stays_with_whoever_took_it() -> None:
    text = "by Port today\nby Port today\nby Port today"
    first, second, third = _names(text, "Port")
    wide = _names(text, "by Port")[1]
    assert _found(text, [first], [wide]) == [(third.start, third.end)]
    assert _found(text, [first, third], [second]) == []


def test_of_places_that_overlap_the_first_goes() -> None:
    text = "ana ana ana ana"
    found = same_context_repeats("\n".join([text, text]), [_names(text, "ana ana")[0]], [])
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.text("ab \n1", max_size=80), st.integers(0, 79), st.integers(1, 5))
def test_places_are_free_disjoint_and_of_the_same_word(text: str, start: int, size: int) -> None:
    end = min(len(text), start + size)
    if start >= end:
        return
    one = Finding(start, end, Identifier.NAMES, "PERSON", 0.9, "model")
    found = sorted([one, *same_context_repeats(text, [one], [])], key=lambda f: f.start)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert {text[f.start : f.end] for f in found} == {text[start:end]}
