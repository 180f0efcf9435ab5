"""Words of the sentence at the edges of a value are not of it."""

from __future__ import annotations

import pytest

from recognizers import ENTITIES, Finding
from recognizers.decide.heads import stripped


def whole(text: str, entity: str) -> Finding:
    return Finding(0, len(text), ENTITIES[entity], entity, 0.9, "model")


@pytest.mark.parametrize(
    ("entity", "text", "left"),
    [
        ("PERSON", "Neighbor Odum", "Odum"),
        ("DATE_TIME", "of Sept 8", "Sept 8"),
        ("FACILITY", "Concourse first", "Concourse"),
        ("EMPLOYER", "Odum Iron Works 1971", "Odum Iron Works"),
        ("EMPLOYER", "Local 1971", "Local 1971"),
        ("FACILITY", "VFW Post 2019", "VFW Post 2019"),
        ("EMPLOYER", "Pathway Odum visits", "Pathway Odum"),
        ("EMPLOYER", "uber evenings", "uber"),
        ("FACILITY", "at Tamarack Combined", "Tamarack Combined"),
        ("FACILITY", "Tamarack General if", "Tamarack General"),
        ("CITY", "of Okar", "Okar"),
        ("FACILITY", "Haven of", "Haven of"),
        ("PERSON", "HIM Gail Okar", "Gail Okar"),
        ("PERSON", "OTV S. Okar", "OTV S. Okar"),
        ("PERSON", "w Hodan", "Hodan"),
        ("PERSON", "ED Okar", "ED Okar"),
        ("PERSON", "RA Okar", "RA Okar"),
        ("PERSON", "Okar-Pike ngt", "Okar-Pike"),
        ("PERSON", "Bergen VNA", "Bergen VNA"),
        ("PERSON", "Kit Leo", "Kit Leo"),
        ("PHONE_NUMBER", "ext 2270", "ext 2270"),
        ("LICENSE_NUMBER", "CDL K04-77-1182", "K04-77-1182"),
        ("OTHER_ID", "ID", "ID"),
        ("VEHICLE_ID", "ACC 4821", "ACC 4821"),
        ("PERSON", "minh to", "minh to"),
        ("PERSON", "terri um", "terri"),
        ("PERSON", "hey dragon odum okar", "odum okar"),
        ("PERSON", "Ok Odum", "Ok Odum"),
        ("PERSON", "COPD, Odum D", "Odum D"),
        ("PERSON", "MS like Odum D", "Odum D"),
        ("PERSON", "LEE, Odum D", "LEE, Odum D"),
        ("STREET_ADDRESS", "Elk Road for Kids", "Elk Road for Kids"),
        ("STREET_ADDRESS", "1200 n great neck road", "1200 n great neck road"),
        ("STREET_ADDRESS", "203 lake happy drive", "203 lake happy drive"),
        ("OTHER_ID", "PCR 2503-00718", "2503-00718"),
    ],
)
def test_what_is_of_the_sentence_goes_and_the_value_stays(
    entity: str, text: str, left: str
) -> None:
    finding = stripped(text, whole(text, entity))
    assert text[finding.start : finding.end] == left


def test_a_word_that_joins_two_findings_stays() -> None:
    text = "Bethany on 42nd"
    first = Finding(0, 10, ENTITIES["FACILITY"], "FACILITY", 0.9, "model")
    assert stripped(text, first, {10, 15}, {0, 11}).end == 10
    assert stripped(text, first, {10, 15}, {0}).end == 7
    assert stripped(text, first).end == 7
    joined = Finding(8, 15, ENTITIES["FACILITY"], "FACILITY", 0.9, "model")
    assert stripped(text, joined, {7, 15}).start == 8


@pytest.mark.parametrize(
    ("text", "name", "left"),
    [
        ("Patient: CM Okar", "CM Okar", "CM Okar"),
        ("seen by Dr. BH Okar", "BH Okar", "BH Okar"),
        ("Patient: HIM Okar", "HIM Okar", "Okar"),
        ("escorted by CO Okar", "CO Okar", "Okar"),
        ("minh to, 44F", "minh to", "minh to"),
        ("minh to clinic", "minh to", "minh"),
        ("grandson malik he's", "malik he", "malik"),
        ("ms huh is fine", "ms huh", "ms huh"),
        ("oh sung min said", "oh sung min", "sung min"),
        ("the patient is oh sung min", "oh sung min", "oh sung min"),
        ("seen by dr. so young kim", "so young kim", "so young kim"),
        ("to Odum L, 40", "Odum L", "Odum L"),
    ],
)
def test_what_stands_beside_tells_initials_from_a_post_and_a_name_from_a_preposition(
    text: str, name: str, left: str
) -> None:
    start = text.index(name)
    end = start + len(name)
    found = stripped(text, Finding(start, end, ENTITIES["PERSON"], "PERSON", 0.9, "model"))
    assert text[found.start : found.end] == left


@pytest.mark.parametrize(
    ("text", "house", "left"),
    [
        ("from Odum Hospital for chest pain", "Odum Hospital for", "Odum Hospital"),
        ("at UC Odum Dr Kit Loftis", "UC Odum Dr", "UC Odum"),
        ("at Odum Home for Aged Women", "Odum Home for", "Odum Home for"),
    ],
)
def test_a_house_ends_before_a_word_of_the_sentence(text: str, house: str, left: str) -> None:
    start = text.index(house)
    end = start + len(house)
    found = stripped(text, Finding(start, end, ENTITIES["FACILITY"], "FACILITY", 0.9, "model"))
    assert text[found.start : found.end] == left
