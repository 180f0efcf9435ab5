"""Names in brackets after a service."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder


@cache
def finder(fast: bool) -> Finder:
    return Finder.load(fast=fast)


def names(text: str, fast: bool) -> list[str]:
    found = finder(fast).find(text)
    return [text[f.start : f.end] for f in found]


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Consults: neuro (Bhatt), anesthesia (Castellanos)", ["Bhatt", "Castellanos"]),
        ("Consults: surgery (Park 22x), uro (Villanueva)", ["Park", "Villanueva"]),
        ("neuro (Intact), ENT (Hoarse), renal (Foley out), cards (Negative)", []),
    ],
)
def test_a_name_in_brackets_after_a_service(text: str, expected: list[str], fast: bool) -> None:
    assert names(text, fast) == expected
