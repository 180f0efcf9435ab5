"""What merging makes of the model's findings beside the rules'."""

from __future__ import annotations

import numpy as np
import pytest

from recognizers import ENTITIES
from recognizers.finding import Finding
from recognizers.merging import bare, merge
from recognizers.page import Page
from recognizers.reading import Reading
from safe_harbor import Identifier


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Wilma Oster APRN", "Wilma Oster"),
        ("Oster, RN", "Oster"),
        ("Lena K. DPT", "Lena K."),
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
    reading = Reading.of((found,), offsets, np.array([0.99], dtype=np.float32))
    held = merge(Page.of(text), text, [], reading)
    return [(f.entity, text[f.start : f.end]) for f in held]


def test_six_digits_are_no_zip_code_but_a_number() -> None:
    assert merged("bed 4 Vance Orla 440182 stable", "440182") == [("OTHER_ID", "440182")]


def test_four_digits_are_neither() -> None:
    assert merged("bed 4 Vance Orla 4401 stable", "4401") == []
