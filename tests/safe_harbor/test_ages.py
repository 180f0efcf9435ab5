"""Ages: 89 is kept, 90 is pooled, however they are written: 45 CFR 164.514(b)(2)(i)(C)."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safe_harbor import (
    Age,
    AgeAt,
    AgeUnit,
    Born,
    Fact,
    PartialDate,
    Residue,
    age_on,
    birth_year,
    bound_birth,
    cap_age,
    oldest_birth_year,
    read_age,
)

REFERENCE = date(2026, 11, 21)
DAYS = st.dates(date(1880, 1, 1), date(2060, 12, 31))


@pytest.mark.parametrize(
    "told",
    [
        "90",
        90,
        90.0,
        "90 y",
        "93F",
        "93 F",
        "F93",
        "93/M",
        "93M",
        "93 y.o.",
        "93yo",
        "93 y/o F",
        "93 yo woman",
        "93-year-old",
        "93 year old man",
        "93 years-old",
        "93 yr. old",
        "aged 93",
        "age: 93 yrs",
        "Age 126",
        "120",
        "093Y",
        "P93Y",
        "93 a",
        "93y 4m",
        "ninety",
        "ninety-two",
        "Ninety Two",
        "ninety-two-year-old",
        "ninety-first",
        "ninetieth birthday",
        "90th birthday",
        "turned 90",
        "ninety tomorrow",
        "ninety-something",
        "a hundred and two",
        "one hundred and four years old",
        "hundred",
        "in her 90s",
        "in his nineties",
        "early 90s",
        "mid-nineties",
        "90s",
        "nonagenarian",
        "a centenarian",
        "supercentenarian",
        "90+",
        "89+",
        ">89",
        "> 89",
        "≥90",
        "over 89",
        "90 or older",
        "90 and over",
        "1100 months",
        "33000 days",
        "90.5",
        "90-94",
        "90 to 99 years",
        "1O3",
        "nine-\nty-seven",
        "noventa y cuatro",
        "90 y pico",
        "ninety and four",
    ],
)
def test_every_age_over_89_becomes_the_one_category(told):
    capped = cap_age(told)
    assert (capped.text, capped.residue) == ("90+", Residue.AGE_90_PLUS)


@pytest.mark.parametrize(
    "told",
    [
        "<1",
        "< 1 month",
        "under 5",
        "<90",
        "85-89",
        "0-4",
        "85+",
        "mid-to-late 80s",
        "an octogenarian",
        "89",
        "89Y",
        "89 y",
        "0",
        "7",
        "76 y",
        "eighty-nine",
        "89-year-old",
        "in her 80s",
        "age 45",
    ],
)
def test_every_age_up_to_89_is_kept_as_written(told):
    assert (cap_age(told).text, cap_age(told).residue) == (told, Residue.AGE)


@pytest.mark.parametrize(
    ("told", "unit"),
    [
        ("6 days", AgeUnit.DAYS),
        ("11 d", AgeUnit.DAYS),
        ("003D", AgeUnit.DAYS),
        ("DOL 3", AgeUnit.DAYS),
        ("4 wk", AgeUnit.WEEKS),
        ("six weeks", AgeUnit.WEEKS),
        ("018W", AgeUnit.WEEKS),
        ("5 mo", AgeUnit.MONTHS),
        ("5 months old", AgeUnit.MONTHS),
        ("006M", AgeUnit.MONTHS),
        ("18 hours old", AgeUnit.HOURS),
        ("30 min", AgeUnit.MINUTES),
        ("1 year and 3 months", AgeUnit.MONTHS),
        ("35 months", AgeUnit.MONTHS),
    ],
)
def test_infants_keep_their_unit(told, unit):
    """HHS, December 2000: an age in months, days, or hours is not prohibited."""
    age = read_age(told)
    assert age is not None
    assert age.unit is unit
    assert cap_age(told).text == told


@pytest.mark.parametrize(
    ("told", "stays"),
    [
        ("48 months", "4"),
        ("5.5", "5"),
        ("89.9", "89"),
        ("34.5", "34"),
        ("89 years, 11 months", "89"),
        ("12000 days", "32"),
    ],
)
def test_older_persons_keep_whole_years_only(told, stays):
    assert cap_age(told).text == stays


@pytest.mark.parametrize(
    "told",
    [
        "",
        None,
        True,
        "abc",
        "-5",
        "999",
        "131",
        "120/80",
        "90 mg",
        "ninety percent",
        "90 mmHg",
        "38 weeks gestation",
        "born in 1931",
        "Jane Roe in her 80s",
        "Jane, 45",
        "45 Main Street",
        "85-94",
        "89-85",
        "80-84 y Roe",
        "Jane is an octogenarian",
        "1930s",
        "June 14, 1936",
        "87, born 6/14/36",
        "NULL",
        float("nan"),
    ],
)
def test_text_that_is_not_an_age_leaves_nothing(told):
    assert read_age(told) is None
    assert (cap_age(told).text, cap_age(told).residue) == ("", Residue.NOTHING)


def test_an_age_is_not_negative():
    with pytest.raises(ValueError, match="cannot be negative"):
        Age(-1)
    with pytest.raises(ValueError, match="cannot be negative"):
        Age(float("nan"))


def _aged(years: int, day: date) -> AgeAt:
    return AgeAt(PartialDate(day.year, day.month, day.day), years, years)


def shows(*facts: Fact) -> bool:
    return bound_birth(facts, REFERENCE).shows_over_89(REFERENCE)


def test_the_birthday_decides():
    born = date(1936, 11, 22)
    assert age_on(born, date(2026, 11, 21)) == 89
    assert age_on(born, date(2026, 11, 22)) == 90
    assert birth_year(1936, REFERENCE, 11, 22) == "1936"
    assert birth_year(1936, REFERENCE, 11, 21) == "90+"


def test_a_leap_day_birthday_is_on_the_first_of_march():
    born = date(1936, 2, 29)
    assert age_on(born, date(2026, 2, 28)) == 89
    assert age_on(born, date(2026, 3, 1)) == 90
    assert age_on(born, date(2024, 2, 29)) == 88
    assert birth_year(1936, date(2026, 2, 28), 2, 29) == "1936"
    assert birth_year(1936, date(2026, 3, 1), 2, 29) == "90+"


def test_a_year_alone_is_pooled_if_the_person_could_be_90():
    assert birth_year(1936, REFERENCE) == "90+"
    assert birth_year(1937, REFERENCE) == "1937" == str(oldest_birth_year(REFERENCE))
    assert birth_year(1936, REFERENCE, 11) == "90+"
    assert birth_year(1936, REFERENCE, 12) == "1936"


def test_an_earlier_age_with_its_date_shows_the_birth_year():
    seen = date(2021, 3, 1)
    assert shows(_aged(87, seen))
    assert cap_age("87", over_89=shows(_aged(87, seen))).text == "90+"
    assert cap_age("83", over_89=shows(_aged(83, seen))).text == "83"
    assert not shows(_aged(84, seen), Born(PartialDate(1936, 11, 22)))
    assert shows(_aged(84, seen)), "might have turned 90 already"


@given(DAYS, DAYS, DAYS)
def test_a_person_over_89_keeps_no_age_that_shows_it(born, seen, reference):
    born, seen, reference = sorted((born, seen, reference))
    age = age_on(born, seen)
    if age_on(born, reference) > 89 and age <= 130:
        birth = Born(PartialDate(born.year, born.month, born.day))
        for facts in ([_aged(age, seen)], [_aged(age, seen), birth]):
            over = bound_birth(facts, reference).shows_over_89(reference)
            assert cap_age(age, over_89=over).text == "90+"


@given(DAYS, DAYS)
def test_a_birth_year_is_kept_exactly_up_to_age_89(born, reference):
    text = birth_year(born.year, reference, born.month, born.day)
    assert text == ("90+" if age_on(born, reference) > 89 else str(born.year))
    alone = birth_year(born.year, reference)
    assert alone == "90+" or text == alone


@given(DAYS, st.integers(0, 40_000))
def test_age_counts_completed_years(born, days):
    day = born + timedelta(days=days)
    age = age_on(born, day)
    assert (born.month, born.day) == (2, 29) or born.replace(year=born.year + age) <= day
    assert age <= days / 365 <= age + 1.1


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none()))
def test_any_value_leaves_an_age_up_to_89_the_category_or_nothing(value):
    capped = cap_age(value)
    again = read_age(capped.text)
    assert capped.text in {"", "90+"} or (again is not None and not again.over_89)


@given(st.integers(0, 2_000), st.sampled_from(["", " y", " yo", " months", " weeks", " days"]))
def test_capping_an_age_again_changes_nothing(number, unit):
    once = cap_age(f"{number}{unit}").text
    assert cap_age(once).text == once


@given(st.integers(0, 130))
def test_an_age_is_read_alike_in_digits_and_words(number):
    words = _in_words(number)
    assert read_age(words) == read_age(number) == read_age(f"{number} years old") == Age(number)


def _in_words(number):
    tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    ones += " fifteen sixteen seventeen eighteen nineteen"
    if number >= 100:
        rest = number - 100
        return "one hundred" + (f" and {_in_words(rest)}" if rest else "")
    if number < 20:
        return ones.split()[number]
    return tens[number // 10] + (f"-{ones.split()[number % 10]}" if number % 10 else "")
