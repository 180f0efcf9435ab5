"""Surrogates of places, numbers and addresses keep the form of the value and none of its
content.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deid.surrogates import Draws, replace
from deid.surrogates.lists import towns
from recognizers import ENTITIES
from safe_harbor import Identifier as I

Make = Callable[..., Draws]


def shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


def make(entity: str, value: str, draws: Draws) -> str:
    return replace(ENTITIES[entity], entity, value, draws)


@pytest.mark.parametrize(
    ("entity", "spellings"),
    [
        ("PHONE_NUMBER", ["(802) 555-0143", "802.555.0143", "8025550143", "+1 802 555 0143"]),
        ("US_SSN", ["912-34-4471", "912344471", "912 34 4471"]),
        ("MEDICAL_RECORD_NUMBER", ["00402817", "0040 2817", "0040-2817"]),
        ("HEALTH_PLAN_NUMBER", ["2HX7-QF4-RN18", "2hx7qf4rn18"]),
    ],
)
def test_a_number_has_one_surrogate_in_every_layout(
    draws_of: Make, entity: str, spellings: list[str]
) -> None:
    made = [make(entity, value, draws_of("p")) for value in spellings]
    assert [shape(text) for text in made] == [shape(text) for text in spellings]
    digits = {re.sub(r"\W", "", text).lower()[-9:] for text in made}
    assert len(digits) == 1
    assert digits.isdisjoint({re.sub(r"\W", "", text).lower()[-9:] for text in spellings})


def test_a_street_keeps_its_form_and_its_parts_stay_consistent(draws_of: Make) -> None:
    draws = draws_of("p")
    full = make("STREET_ADDRESS", "118 Canal Street, Apt 3B", draws)
    found = re.fullmatch(r"([1-9]\d\d) (\w+) Street, Apt ([1-9])([A-Z])", full)
    assert found is not None and found[1] != "118" and found[2] != "Canal"
    assert make("STREET_ADDRESS", "118 CANAL ST", draws) == f"{found[1]} {found[2].upper()} ST"
    assert re.fullmatch(r"PO Box \d{4}", make("STREET_ADDRESS", "PO Box 1123", draws))


def test_a_drawn_name_contains_no_known_word_of_the_person(draws_of: Make) -> None:
    known = [town.lower() for town in towns().items if " " not in town][::3]
    for number in range(200):
        draws = draws_of(f"p{number}", *known, seed=number)
        words = make("EMPLOYER", "Neptune Avenue Auto", draws).lower().split()
        assert draws.avoid.isdisjoint(words)


@pytest.mark.parametrize(
    ("entity", "value", "form"),
    [
        ("COUNTY", "Windham County", r"[A-Z][\w ]+ County"),
        ("CITY", "Brattleboro", r"[A-Z][a-zA-Z ]+"),
        ("FACILITY", "Whetstone Valley Family Health", r"\w+ \w+ Family Health"),
        ("FACILITY", "St. Mary's Hospital", r"[A-Z][\w ]+ Hospital"),
        ("FACILITY", "MGH", r"[A-Z]{3}"),
        ("EMPLOYER", "Grafton Lumber Inc.", r"[A-Z][\w ]+ Lumber Inc\."),
        (
            "EMAIL_ADDRESS",
            "hal.lowe36@valleynet.example",
            r"[a-z]+\.[a-z]+\d\d@[a-z]+\.(com|net|org)",
        ),
        ("URL", "https://www.valley.example/p/1234", r"https://www\.[a-z]+\.\w+/\w+/\d{4}"),
        ("URL", "@hlowe36", r"@[a-z]+\d\d"),
        ("IP_ADDRESS", "10.2.33.4", r"\d{1,3}(\.\d{1,3}){3}"),
        ("MAC_ADDRESS", "00:1A:2B:3C:4D:5E", r"[0-9a-f]{2}(:[0-9a-f]{2}){5}"),
        ("COORDINATES", "42.8509, -72.5579", r"\d\d\.\d{4}, -\d{2,3}\.\d{4}"),
        ("US_ZIP_CODE", "05301-1234", r"\d{5}-\d{4}"),
    ],
)
def test_the_kind_of_place_is_kept_and_the_name_replaced(
    draws_of: Make, entity: str, value: str, form: str
) -> None:
    draws = draws_of("p")
    made = make(entity, value, draws)
    assert re.fullmatch(form, made), made
    assert made.lower() != value.lower()
    assert make(entity, value, draws) == made


def test_an_email_address_made_of_a_name_uses_the_surrogate_of_that_name(draws_of: Make) -> None:
    draws = draws_of("p", "Harlan Lowe")
    first, last = make("PERSON", "Harlan Lowe", draws).lower().split()
    local = make("EMAIL_ADDRESS", "harlan.lowe@valleynet.example", draws).split("@")[0]
    assert local == f"{first}.{last}"


def test_all_addresses_of_one_domain_get_the_same_domain(draws_of: Make) -> None:
    domains = {
        make("EMAIL_ADDRESS", f"a{n}@valleynet.example", draws_of(f"p{n}", seed=n)).split("@")[1]
        for n in range(5)
    }
    assert len(domains) == 1 and "valleynet" not in domains.pop()


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(ENTITIES)), st.text(min_size=1, max_size=30))
def test_any_value_of_any_kind_gets_a_surrogate(draws_of: Make, entity: str, value: str) -> None:
    if ENTITIES[entity] is I.DATES:
        return
    made = make(entity, value, draws_of("p", value))
    # No number of six digits or more remains.
    for number in re.findall(r"(?<!\d)\d{6,}(?!\d)", value):
        if number.isascii():
            assert number not in made


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("PHONE_NUMBER", "four one three five five five eight three one six"),
        ("PHONE_NUMBER", "eight oh two 555 0143"),
        ("PHONE_NUMBER", "1-800-FLOWERS"),
        ("FAX_NUMBER", "fax: five five five oh one four three"),
        ("IP_ADDRESS", "SMITH-LAPTOP"),
        ("IP_ADDRESS", "wojc-pc.local"),
        ("COORDINATES", "forty two north"),
        ("CITY", "Center"),
        ("STREET_ADDRESS", "45 North Street"),
        ("STREET_ADDRESS", "Court Street"),
        ("STREET_ADDRESS", "N St"),
        ("FACILITY", "Memorial Hospital"),
        ("FACILITY", "Children's Hospital"),
        ("EMPLOYER", "Police Department"),
    ],
)
def test_a_value_written_in_words_does_not_remain(draws_of: Make, entity: str, value: str) -> None:
    made = make(entity, value, draws_of("p", value))
    kinds = {"fax", "street", "st", "hospital", "department", "local"}
    words = set(re.findall(r"[a-z]{3,}|[a-z](?= st)", value.lower())) - kinds
    assert words.isdisjoint(re.findall(r"[a-z]{3,}|[a-z](?= st)", made.lower()))


@pytest.mark.parametrize(
    ("entity", "value"),
    [("FACILITY", "the hospital"), ("EMPLOYER", "the bank"), ("STREET_ADDRESS", "PO Box")],
)
def test_a_kind_of_place_without_a_name_is_kept(draws_of: Make, entity: str, value: str) -> None:
    assert make(entity, value, draws_of("p", value)) == value


def test_words_beside_a_telephone_number_are_kept(draws_of: Make) -> None:
    made = make("PHONE_NUMBER", "555-0143 x12 (home)", draws_of("p"))
    assert re.fullmatch(r"\d{3}-\d{4} x\d\d \(home\)", made)


@pytest.mark.parametrize(
    ("entity", "value"), [("IP_ADDRESS", "x1"), ("LOCATION", "q"), ("PHONE_NUMBER", "call B")]
)
def test_a_short_value_is_never_replaced_by_itself(draws_of: Make, entity: str, value: str) -> None:
    made = {make(entity, value, draws_of(f"p{seed}", seed=seed)) for seed in range(400)}
    assert value not in made
