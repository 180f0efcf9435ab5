from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.crosswalk.normalization import SINGLE_OWNER_NUMBERS, normalize_value
from safe_harbor import Identifier as I

ONE = [
    (
        I.PHONES,
        ["(555) 010-2030", "555.010.2030", "+1 555 010 2030", "5550102030", "1-555-010-2030"],
    ),
    (I.PHONES, ["555-010-2030 ext. 12", "555.010.2030 x12", "(555) 010-2030 Extension 12"]),
    (I.SSNS, ["078-05-1120", "078051120", "078 05 1120"]),
    (I.MRNS, ["MRN-00123", "mrn 00123", "MRN00123"]),
    (I.EMAILS, ["Ana@Example.org", "mailto:ana@example.org", " ana@example.org"]),
    (I.URLS, ["https://www.Example.org/a/", "example.org/a", "http://example.org/a"]),
    (I.PLACES, ["12 Elm St., Apt 4", "12 elm st apt 4"]),
    (I.NAMES, ["Garcia, Ana", "Ana García", "ANA  GARCIA", "ana garcía"]),
    (I.NAMES, ["O'Brien, Mary-Ann", "Mary Ann O’Brien"]),
]
APART = [
    (I.PHONES, "555-010-2030", "555-010-2031"),
    (I.PHONES, "555-010-2030 x12", "555-010-2030 x13"),
    (I.PHONES, "555-010-2030", "555-010-2030 x1"),
    (I.MRNS, "00123", "123"),
    (I.NAMES, "Ana García", "Ana M García"),
    (I.DATES, "1931-07-23", "1931-07-24"),
    (I.OTHERS, "--", "++"),
]


@pytest.mark.parametrize(("word", "spellings"), ONE)
def test_spellings_of_one_identifier_agree(word: I, spellings: list[str]) -> None:
    assert len({normalize_value(word, "p", value) for value in spellings}) == 1


@pytest.mark.parametrize(("word", "one", "two"), APART)
def test_two_different_identifiers_are_not_merged(word: I, one: str, two: str) -> None:
    assert normalize_value(word, "p", one) != normalize_value(word, "p", two)


def test_the_same_name_of_different_or_unknown_patients_is_not_merged() -> None:
    assert normalize_value(I.NAMES, None, "Garcia, Ana") != normalize_value(
        I.NAMES, None, "Ana García"
    )
    assert normalize_value(I.NAMES, "p", "Ana") != normalize_value(I.NAMES, "q", "Ana")


@given(st.sampled_from(list(I)), st.text())
def test_a_normal_form_is_stable_and_ignores_surrounding_space(word: I, value: str) -> None:
    for person in (None, "p"):
        owner, form = normalize_value(word, person, value)
        assert owner == (None if word in SINGLE_OWNER_NUMBERS else person)
        assert normalize_value(word, person, value) == (owner, form)
        assert normalize_value(word, person, f"  {value} ") == (owner, form)
