"""The prefilter passes every known value that the search finds in a damaged, spoken or escaped
spelling.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from recognizers import KnownValue, KnownValuePrefilter, KnownValues
from safe_harbor import Identifier as I

WALL = "\n\n¦¦¦\n\n"
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
MISREAD = {"0": "O", "1": "l", "2": "z", "5": "S", "8": "B"}
DAY_SHAPES = ("%m/%d/%Y", "%Y%m%d", "%d %B %Y", "%B %d", "%m-%d-%y", "%m%d%y", "%d%b%y", "%m %d %Y")
BETWEEN = (" ", ", ", "-", "", "\n", ".", "\u200b", "/")
BESIDE = ("Glucose", "mg", "last four", "ends in", "age", "room 4", "Mrs.", "(a)", "SSN")
CELLS, LEAST_FOUND = 900, 250


def known_day(chance: random.Random) -> date:
    return date(1925, 1, 1) + timedelta(chance.randrange(36000))


def person(chance: random.Random) -> KnownValues:
    number, day = chance.randrange, known_day(chance)
    return KnownValues(
        (
            KnownValue(I.NAMES, chance.choice(("Theodora", "Al", "Mary Ann")), part="first"),
            KnownValue(I.NAMES, chance.choice(("Okonkwo", "O'Brien", "Ng")), part="last"),
            KnownValue(I.DATES, day.isoformat(), part="birth"),
            KnownValue(I.DATES, known_day(chance).strftime("%m/%d/%Y"), part="event"),
            KnownValue(I.SSNS, f"{number(100, 900)}-{number(10, 99)}-{number(1000, 9999)}"),
            KnownValue(I.MRNS, chance.choice((f"00{number(10**7)}", f"E-{number(10**8)}"))),
            KnownValue(I.OTHERS, f"{number(16**8):08x}-{number(16**4):04x}"),
            KnownValue(I.PHONES, f"({number(201, 989)}) 555-{number(10**4):04}"),
            KnownValue(I.PLACES, f"{number(1001, 99950):05}", part="zip"),
            KnownValue(I.PLACES, "4500 N Main St", part="street"),
        )
    )


def written(value: KnownValue, chance: random.Random) -> str:
    text = value.value
    if value.identifier is I.DATES and text[4:5] == "-":
        text = date.fromisoformat(text).strftime(chance.choice(DAY_SHAPES))
    spoken = " ".join(DIGITS[int(c)] if c.isdigit() else c for c in text if c not in "-/")
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    shapes = (text, text, text.lower(), text.replace("-", ""), text[-4:], spoken, wide)
    return damaged(chance.choice(shapes), chance)


def damaged(text: str, chance: random.Random) -> str:
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        at = chance.randrange(len(text))
        one = text[at]
        text = (
            text[:at]
            + chance.choice(("", chance.choice("0123456789"), MISREAD.get(one, one), f"{one} "))
            + text[at + 1 :]
        ) or "0"
    return text


@pytest.mark.parametrize("seed", range(4))
def test_values_found_in_any_spelling_pass_the_prefilter(seed: int) -> None:
    chance = random.Random(seed)
    found = 0
    for _ in range(CELLS):
        values = person(chance).values
        known = KnownValues(tuple(chance.sample(values, chance.choice((1, 2, len(values))))))
        pieces = [written(chance.choice(known.values), chance), chance.choice(BESIDE)]
        cell = chance.choice(BETWEEN).join(chance.sample(pieces, 2))
        if known.find(cell + WALL):
            found += 1
            assert passes(cell, known)
    assert found > LEAST_FOUND


def passes(cell: str, known: KnownValues) -> bool:
    prefilter = KnownValuePrefilter()
    prefilter.add([cell])
    return (
        cell in prefilter.live
        or any(prefilter.meets(v.identifier, v.part, v.value, v.role) for v in known)
        or prefilter.signs(v.value for v in known if v.identifier is I.NAMES)
    )
