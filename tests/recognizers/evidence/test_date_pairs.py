"""Pairs such as `3/5`: what stands beside them and the text's other dates tell days from parts."""

from __future__ import annotations

import numpy as np
import pytest

from recognizers import ENTITIES, Finding
from recognizers.decide.merging import merge
from recognizers.evidence.dates.day_pairs import LEFTS, LISTS, RIGHTS, SHAPES, WEIGHTS, pair_hits
from recognizers.model.output import ModelOutput
from recognizers.text.normalized_text import NormalizedText

TIMES = {"within a week", "within a month", "within a season", "far", "no dates"}
OTHERS = {"beside a day", "beside a part", "near a sure day", "the range's end"}
MONTH = {"in the month of a sure day"}


def chances(text: str) -> dict[str, float]:
    return {text[hit.start : hit.end]: hit.score for hit in pair_hits(NormalizedText.of(text))}


def test_every_weight_is_of_something_that_can_be_seen() -> None:
    near = {"score, near", "study, near"}
    seen = {*LISTS, *LEFTS, *RIGHTS, *SHAPES, *TIMES, *OTHERS, *MONTH, *near}
    assert set(WEIGHTS) <= seen


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seen 3/1/26. bilateral us 3/4 neg", "3/4"),
        ("03/02/2026 admit; line placed 3/5, out 3/9", "3/5"),
        ("Dec 20 2025: leave 12/22 until 1/4", "1/4"),
        ("2/6 0715 nurse in; note dated 2/5/26", "2/6"),
    ],
)
def test_near_dates_make_a_day(text: str, value: str) -> None:
    assert chances(text)[value] > 0.5


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
def test_scores_and_shares_are_no_day(text: str, value: str) -> None:
    assert chances(text).get(value, 0.0) < 0.25


def test_a_number_of_no_month_is_not_weighed() -> None:
    assert chances("BP 120/80, 13/14 and 25/30, 5/325 and 24/7") == {}


def read(text: str, value: str, score: float) -> ModelOutput:
    start = text.index(value)
    end = start + len(value)
    found = Finding(start, end, ENTITIES["DATE_TIME"], "DATE_TIME", score, "model")
    offsets = np.array([[start, end]], dtype=np.int32)
    return ModelOutput.of((found,), offsets, np.array([score], dtype=np.float32))


def merged(text: str, value: str) -> list[Finding]:
    page = NormalizedText.of(text)
    hits = [
        Finding(h.start, h.end, ENTITIES[h.entity], h.entity, h.score, "dates")
        for h in pair_hits(page)
    ]
    return merge(page, text, hits, read(text, value, 0.999))


def test_a_pair_surely_no_day_overrules_the_model() -> None:
    assert merged("Motor strength 4/5 on exam", "4/5") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("GAD-7   2-2-1-3-0-1-2 = 11/21", "11/21"),
        ("wk 61. bup/nx 8/2 film 2 qd", "8/2"),
        ("baby girl, 3340 g, AP 8/9, LOA", "8/9"),
        ("8# 3  Ap 9/9   0420 plac intact", "9/9"),
    ],
)
def test_sums_strengths_and_scores_of_the_newborn_are_no_day(text: str, value: str) -> None:
    assert merged(text, value) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("buprenorphine began 8/2 at home", "8/2"), ("chest AP 8/9 clear", "8/9")],
)
def test_a_day_beside_such_words_stays_a_day(text: str, value: str) -> None:
    assert merged(text, value)


def test_a_pair_in_doubt_is_left_to_the_model() -> None:
    assert merged("Her cousin, 3/4, came", "3/4")
