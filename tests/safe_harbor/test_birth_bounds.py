"""One bound on a birth date from all facts about it: 45 CFR 164.514(b)(2)(i)(C)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safe_harbor import (
    AgeAt,
    Born,
    PartialDate,
    age_on,
    bound_birth,
    effective_reference,
    life_events,
    read_age,
)

REFERENCE = date(2026, 11, 23)
DAYS = st.dates(date(1890, 1, 1), date(2026, 11, 23))


def year(number):
    return PartialDate(number)


def shows(*facts, reference=REFERENCE):
    return bound_birth(facts, reference).shows_over_89(reference)


def at(age, when):
    return AgeAt(when, age, age)


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ([], False),
        ([Born(year(1936))], True),
        ([Born(year(1937))], False),
        ([Born(PartialDate(1936, 12))], False),
        ([Born(PartialDate(1936, 11, 23))], True),
        ([at(22, year(1950))], True),
        ([at(4, year(1934))], True),
        ([at(4, year(2015))], False),
        ([at(88, year(2025))], True),
        ([at(87, year(2025))], False),
        ([at(89, year(2026))], False),
        ([at(89, PartialDate(2026, 11, 23))], False),
        ([AgeAt(year(1950), 16, None)], True),
        ([AgeAt(year(1953), 16, None)], False),
        ([at(80, year(2010)), Born(year(1960))], False),
        ([at(80, year(2010)), at(20, year(2015))], True),
        ([AgeAt(year(1980), 14, None), at(40, year(2015))], False),
    ],
)
def test_facts_together_show_an_age_over_89(facts, shown):
    assert shows(*facts) is shown


@pytest.mark.parametrize(
    ("event", "last_that_shows"),
    [
        ("school_entry", 1943),
        ("high_school", 1955),
        ("college", 1959),
        ("graduate_school", 1963),
        ("marriage", 1952),
        ("widowhood", 1952),
        ("childbirth", 1948),
        ("employment", 1950),
        ("military_service", 1953),
        ("retirement", 1986),
        ("alive", 1936),
    ],
)
def test_the_year_of_an_event_shows_a_birth(event, last_that_shows):
    told = life_events()[event]
    assert shows(AgeAt.at_event(told, year(last_that_shows)))
    assert not shows(AgeAt.at_event(told, year(last_that_shows + 1)))


def test_a_decade_is_a_lower_bound():
    age = read_age("in her 80s")
    assert age is not None
    assert shows(AgeAt.of(age, year(2016)))
    assert not shows(AgeAt.of(age, year(2017)))


def test_later_dates_move_the_reference_date_at_most_to_the_day_of_the_run():
    run, before = date(2026, 11, 23), date(2010, 1, 1)
    assert effective_reference(before, [year(2009), PartialDate(2023, 2, 3)], run) == date(
        2023, 2, 3
    )
    assert effective_reference(before, [year(2023)], run) == date(2023, 12, 31)
    assert effective_reference(before, [year(2026)], run) == run
    assert effective_reference(before, [year(2031)], run) == before
    assert effective_reference(before, [], run) == before
    assert effective_reference(run, [year(2023)], run) == run


def test_no_repr_shows_a_birth():
    assert repr(bound_birth([Born(year(1931))], REFERENCE)) == "BirthBound()"


@given(DAYS, DAYS, DAYS)
def test_no_person_over_89_is_missed(born, seen, reference):
    born, seen, reference = sorted((born, seen, reference))
    age = age_on(born, seen)
    if age_on(born, reference) > 89:
        for when in (year(seen.year), PartialDate(seen.year, seen.month, seen.day)):
            fact = at(age, when)
            same_year = when.whole is None and seen.year == reference.year
            assert shows(fact, reference=reference) or (same_year and age <= 89)


@given(DAYS, DAYS, DAYS)
def test_a_full_date_overstates_an_age_by_less_than_a_year(born, seen, reference):
    born, seen, reference = sorted((born, seen, reference))
    fact = at(age_on(born, seen), PartialDate(seen.year, seen.month, seen.day))
    assert not shows(fact, reference=reference) or age_on(born, reference) >= 89
