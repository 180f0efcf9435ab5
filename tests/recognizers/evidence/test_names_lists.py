"""Bed lists: rows that spell a person out show what the rows beside them are."""

from __future__ import annotations

import pytest

from recognizers.evidence.names.lists import beds
from recognizers.text.normalized_text import NormalizedText


def found(text: str) -> list[str]:
    return [text[h.start : h.end] for h in beds(NormalizedText.of(text)) if h.score > 0.91]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2204  xiong, kao 44f cp\n2206  flowers, jerome 19m bottle rocket\n2219 empty",
            ["xiong, kao", "flowers, jerome"],
        ),
        (
            (
                "503 petrosyan, armen 60m pna\n505 graves, has hashimoto's\n"
                "506 early, early sepsis\n"
                "508 hernandez, rosa 41f hip\n509 empty, dirty"
            ),
            ["petrosyan, armen", "graves", "early", "hernandez, rosa"],
        ),
        (
            "1    NGUYEN, D        71  SOB\n8    GRAVES, P        63  palps\n9    -- dirty --",
            ["NGUYEN, D", "GRAVES, P"],
        ),
        (
            "RM 1 SNOW, OPAL, 90, fall\nRM 3 CROWE, JOE, 40, DKA\nRM 7 GALLAGHER, chest pain",
            ["SNOW, OPAL", "CROWE, JOE", "GALLAGHER"],
        ),
    ],
)
def test_a_list_of_beds(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. Sepsis, likely urinary\n2. Pain, chronic 10 mg\n3. Gout, stable, 4 mg",
        "1 Lasix 40 mg, daily\n2 Coreg 25, bid\n3 Celexa 20, qd",
        "1. Price, 10 mg\n2. Drain, right, 10 Fr\n3. Wound, deep, 4 cm",
        "2. Rice, white, 2 cups\n3. Beans, black, 1 cup\n4. Rose, water, 2 oz",
        "1. Anemia 40 yo woman\n2. Melena 3 d",
        "1 | Baker cyst, 3 cm | stable\n2 | Berry aneurysm, 4 mm | clip",
        "1. Mitral stenosis, 12 mm\n2. Stone, left, 5 mm\n3. Foley, 16 Fr, 10 mL",
        "10 Bishop score 6, 90%\n11 Young, 20, G1",
        "507 flowers, dust and pollen\n",
    ],
)
def test_a_numbered_list_of_other_things(text: str) -> None:
    assert found(text) == []
