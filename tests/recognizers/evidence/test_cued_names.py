"""Names after a cue: a service with brackets, and a title that ends a sentence."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder
from recognizers.finding import PERSON


@cache
def finder(fast: bool) -> Finder:
    return Finder.load(fast=fast)


def names(text: str, fast: bool) -> list[str]:
    found = finder(fast).find(text)
    return [text[f.start : f.end] for f in found if f.entity == PERSON]


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Consults: neuro (Bhatt), anesthesia (Castellanos)", ["Bhatt", "Castellanos"]),
        ("Consults: derm (Park to see), renal (Fox)", ["Park", "Fox"]),
        ("neuro (Intact), ENT (Hoarse), renal (Foley out), cards (Negative)", []),
    ],
)
def test_a_name_in_brackets_after_a_service(text: str, expected: list[str], fast: bool) -> None:
    assert names(text, fast) == expected


@pytest.mark.parametrize("fast", [False, True])
def test_a_full_stop_after_an_unabbreviated_title_ends_a_sentence(fast: bool) -> None:
    assert names("Brought in by Aunt. Head normal. Seen by Doctor. Gauze given.", fast) == []
    assert names("Seen by Dr. Okonkwo", fast) == ["Okonkwo"]
