"""Pairs such as `3/5`: the words beside a pair and the other dates of the text decide whether it is
a date.
"""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder
from recognizers.evidence.figures import (
    LEFTS,
    RIGHTS,
    SHAPES,
    WEIGHTS,
    pair_hits,
    pairs,
    words_beside_pairs,
)
from recognizers.text.normalized_text import NormalizedText

TIMES = {"within a week", "within a month", "within a season", "far", "no dates"}
OTHERS = {"beside a day", "beside a part", "near a sure day", "the range's end"}
MONTH = {"in the month of a sure day"}


def chances(text: str) -> dict[str, float]:
    return {text[hit.start : hit.end]: hit.strength for hit in pair_hits(NormalizedText.of(text))}


def test_every_weight_belongs_to_a_feature() -> None:
    near = {"score, near", "study, near"}
    listed = {name for _, name in words_beside_pairs()}
    seen = {*listed, "falling", *LEFTS, *RIGHTS, *SHAPES, *TIMES, *OTHERS, *MONTH, *near}
    assert set(WEIGHTS) <= seen


SCORES = {8, 9, 11, 12, 14, 15, 24, 28, 30}
PAIRS = [(a, b) for a in range(1, 32) for b in range(1, 32) if a < 13 or b < 13]


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("of ten", {(a, b) for a, b in PAIRS if b == 10 and a <= b}),
        ("of five", {(a, b) for a, b in PAIRS if b == 5 and a <= b}),
        ("of four or six", {(a, b) for a, b in PAIRS if b in {4, 6} and a <= b}),
        ("of two or three", {(a, b) for a, b in PAIRS if b in {2, 3} and a <= b}),
        ("of seven", {(a, b) for a, b in PAIRS if b == 7 and a < b}),
        ("of another score", {(a, b) for a, b in PAIRS if b in SCORES and a <= b}),
        ("of a drug", {(8, 2), (4, 2), (4, 1), (2, 1), (12, 3)}),
        ("alike", {(a, b) for a, b in PAIRS if a == b}),
        ("past the scores", {(a, b) for a, b in PAIRS if b > 12 and b not in SCORES | {18}}),
    ],
)
def test_the_shape_of_a_pair_follows_from_its_numbers(name: str, pairs: set[object]) -> None:
    assert {(a, b) for a, b in PAIRS if SHAPES[name].fullmatch(f"{a}/{b}")} == pairs


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seen 3/1/26. bilateral us 3/4 neg", "3/4"),
        ("03/02/2026 admit; line placed 3/5, out 3/9", "3/5"),
        ("Dec 20 2025: leave 12/22 until 1/4", "1/4"),
        ("2/6 0715 nurse in; note dated 2/5/26", "2/6"),
    ],
)
def test_a_pair_close_to_other_dates_is_a_date(text: str, value: str) -> None:
    assert chances(text)[value] > 0.5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Admitted 28/2/2026, seen 17/3, review on 2/4", "17/3"),
        ("Admitted 28/2/2026, seen 17/3, review on 2/4", "2/4"),
        ("born 30.11.1950; fell on 24/7, back 3/8", "24/7"),
        ("seen 25/12 at 10:30", "25/12"),
    ],
)
def test_a_pair_may_have_the_day_first(text: str, value: str) -> None:
    assert chances(text)[value] > 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Admitted 02/28/2026, on call 17/3", {}),
        ("on call 24/7", {"24/7": 0.0}),
        ("DOB 11/30/1950; aides 24/7", {"24/7": 0.0}),
    ],
)
def test_a_pair_is_not_day_first_if_other_dates_are_month_first(
    text: str, expected: dict[str, float]
) -> None:
    assert chances(text) == expected


def test_the_date_order_of_a_text_decides_the_distance_of_a_pair() -> None:
    day_first, month_first = "seen 13/6/2026. Pain 5/6", "seen 6/13/2026. Pain 5/6"
    near = {
        text: pairs(NormalizedText.of(text), [(21, 24)])[0] for text in (day_first, month_first)
    }
    assert near[day_first].day - near[month_first].day == round(30.4) - 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Strength 4/5 throughout", "4/5"),
        ("Apgars 8/9, pain 7/10 on exam", "7/10"),
        ("III/VI, 2/6 systolic murmur at apex", "2/6"),
        ("Took 1/2 tab with food", "1/2"),
        ("Katz 5/6 and Lawton 4/8", "5/6"),
        ("He ate 3/4 of the tray", "3/4"),
    ],
)
def test_scores_and_shares_are_not_dates(text: str, value: str) -> None:
    assert chances(text).get(value, 0.0) < 0.25


def test_a_pair_without_a_possible_month_is_not_considered() -> None:
    assert chances("BP 120/80, 13/14 and 25/30, 5/325 and 24/7") == {"24/7": 0.0}


def found(text: str, value: str) -> bool:
    return any(text[f.start : f.end] == value for f in finder().find(text))


@cache
def finder() -> Finder:
    return Finder.load()


def test_a_motor_strength_is_not_a_date() -> None:
    assert not found("Motor strength 4/5 on exam", "4/5")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("GAD-7   2-2-1-3-0-1-2 = 11/21", "11/21"),
        ("pT3 pN1 (2/12) M0", "2/12"),
        ("TJC 4/28, SJC 2/28", "4/28"),
        ("3/8 in. laceration", "3/8"),
        ("5/8 in x 2 in", "5/8"),
        ("on bup/nx films 12/3 daily", "12/3"),
        ("baby girl, 3410 g, AP 8/9", "8/9"),
    ],
)
def test_sums_and_fractions_are_not_dates(text: str, value: str) -> None:
    assert chances(text).get(value, 0.0) < 0.25


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("buprenorphine began 8/2 at home", "8/2"),
        ("chest AP 8/9 clear", "8/9"),
        ('said to her daughter "I was there on 3/4" and left', "3/4"),
        ("seen 3/4 in clinic", "3/4"),
        ("seen 3/4 in x-ray", "3/4"),
        ("belly was tender 4/28", "4/28"),
        ("stopped bup/nx 3/14 at home", "3/14"),
    ],
)
def test_a_date_beside_similar_words_is_still_a_date(text: str, value: str) -> None:
    assert chances(text)[value] > 0.5
