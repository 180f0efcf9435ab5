"""Rows must not give high strength to medical text that resembles their values."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder
from recognizers.text.normalized_text import NormalizedText

# Short lines need no confirmation by the network from this strength on.
SURE = 0.9


@cache
def finder() -> Finder:
    return Finder.load(model=False)


def sure(text: str) -> list[str]:
    """The values that some row finds with at least this strength."""
    page = NormalizedText.of(text)
    found = [f for f in finder().rules.search(page) if f.strength >= SURE]
    return sorted({text[f.start : f.end] for f in found})


@pytest.mark.parametrize(
    "text",
    [
        "AAA 45 mm 6 months ago",
        "US 12 and US 20 weeks",
        "OR 0730 AM start, in OR 1230 PM",
        "VA 2025 OS, VA 2040 OD",
        "32 yo female p2002 in labor",
        "titrated to keep at 92, then off; spiked at 101, cultures",
        "oxygen on 2-3, comfortable; repeat 2-3. Stop then",
        "case 25-30 kg",
    ],
)
def test_no_row_gives_high_strength_to_medical_text(text: str) -> None:
    assert sure(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("boat FL 3318 RN", "FL 3318 RN"),
        ("wreck at I-40 mm 118", "I-40 mm 118"),
        ("follow 1-12 with gyn", "1-12"),
        ("Incident 25-1318 filed", "25-1318"),
    ],
)
def test_rows_give_high_strength_to_their_own_values(text: str, value: str) -> None:
    assert value in sure(text)
