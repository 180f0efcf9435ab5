"""What merging makes of the model's findings beside the rules'."""

from __future__ import annotations

import numpy as np
import pytest

from recognizers import ENTITIES
from recognizers.decide.merging import bare, distinct, merge
from recognizers.finding import Finding
from recognizers.model.output import ModelOutput
from recognizers.text.normalized_text import NormalizedText
from safe_harbor import Identifier


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Wilma Oster APRN", "Wilma Oster"),
        ("Oster, RN", "Oster"),
        ("Lena K. DPT", "Lena K."),
        ("Loni H. CTR", "Loni H."),
        ("Wilma Oster", "Wilma Oster"),
        ("RN", "RN"),
        ("Oster, Ma", "Oster, Ma"),
        ("LINH MA", "LINH MA"),
        ("Minh DO", "Minh DO"),
        ("Minh Oster DO", "Minh Oster"),
    ],
)
def test_a_credential_is_not_of_the_name(value: str, name: str) -> None:
    text = f"seen by {value} today"
    found = Finding(8, 8 + len(value), Identifier.NAMES, "PERSON", 0.9, "model")
    assert text[8 : bare(found, text).end] == name


def merged(text: str, value: str) -> list[tuple[str, str]]:
    """What remains of a value that the model calls a ZIP code."""
    start = text.index(value)
    end = start + len(value)
    found = Finding(start, end, ENTITIES["US_ZIP_CODE"], "US_ZIP_CODE", 0.99, "model")
    offsets = np.array([[start, end]], dtype=np.int32)
    reading = ModelOutput.of((found,), offsets, np.array([0.99], dtype=np.float32))
    held = merge(NormalizedText.of(text), text, [], reading)
    return [(f.entity, text[f.start : f.end]) for f in held]


def test_six_digits_are_no_zip_code_but_a_number() -> None:
    assert merged("bed 4 Vance Orla 440182 stable", "440182") == [("OTHER_ID", "440182")]


def person(score: float, source: str, end: int = 6) -> Finding:
    return Finding(0, end, Identifier.NAMES, "PERSON", score, source)


def test_of_findings_that_say_the_same_one_stays_as_sure_as_any() -> None:
    assert distinct([person(0.61, "a"), person(0.64, "b")]) == [person(0.64, "a")]
    assert distinct([person(0.6, "a"), person(0.8, "b")]) == [person(0.8, "b")]
    assert distinct([person(0.8, "b"), person(0.6, "a")]) == [person(0.8, "b")]


def test_the_one_that_stays_keeps_its_place_in_their_order() -> None:
    longer = person(0.8, "c", 9)
    assert distinct([person(0.6, "a"), longer, person(0.8, "b")]) == [longer, person(0.8, "b")]
    assert distinct([person(0.8, "a"), longer, person(0.82, "b")]) == [person(0.82, "a"), longer]


def test_a_sure_finding_and_one_that_asks_the_model_are_two() -> None:
    assert len(distinct([person(0.86, "a"), person(0.92, "b")])) == 2
