"""A text that is only a short number, or a range of two, identifies nobody."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder


@cache
def finder(fast: bool) -> Finder:
    return Finder.load(fast=fast)


@pytest.mark.parametrize("fast", [False, True])
def test_a_bare_number_is_no_finding(fast: bool) -> None:
    texts = [*map(str, range(1000)), *(f"{n / 10:.1f}" for n in range(1000))]
    texts += [
        "13.5 - 18",
        "< 0.5",
        ">90",
        "1.015",
        "7.40",
        "1.21",
        "7 %",
        "2 to 2.5",
        "81 ",
        "\n44\n",
    ]
    found = finder(fast).find_all(texts)
    assert [text for text, findings in zip(texts, found, strict=True) if findings] == []


@pytest.mark.parametrize(
    "text",
    [
        "555-1234",
        "12/2/2020",
        "3/14",
        "age 95",
        "MRN 447",
        "ext 271",
        "12-31",
        "12.31",
        "7-4",
        "617-555",
    ],
)
def test_numbers_with_the_form_or_the_label_of_an_identifier_are_found(text: str) -> None:
    assert finder(False).find(text)


@pytest.mark.parametrize(
    "text",
    [
        "stored 2015-09-08T20:51:17.123Z by it",
        "stored 2015-09-08T20:51:17Z",
        "2015-09-08T20:51:17-05:00",
    ],
)
def test_a_time_stamp_is_one_finding(text: str) -> None:
    found = finder(False).find(text)
    assert [(f.entity, text[f.start : f.end].startswith("2015-09-08T20:51:17")) for f in found] == [
        ("DATE_TIME", True)
    ]
