"""The year of a date may stay: 45 CFR 164.514(b)(2)(i)(C)."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safe_harbor import PartialDate, birth_year, read_date, year_of

REFERENCE = date(2026, 11, 21)


@pytest.mark.parametrize(
    "value",
    [
        "03/14/2023",
        "3/14/2023",
        "3/14/23",
        "03-14-2023",
        "3 / 14 / 2023",
        "14/03/2023",
        "14.03.2023",
        "2023-03-14",
        "2023/03/14",
        "2023.03.14",
        "2023-3-4",
        "20230314",
        20230314,
        "20230314.0",
        20230314.0,
        "202303141005",
        "2023031410",
        "20230314100530",
        "20230314100530.1234-0500",
        "202303",
        "2023-03",
        "03/2023",
        "2023",
        2023,
        "2023-03-14T10:05:00-05:00",
        "2023-03-14T10:05:00.123456Z",
        "2023-03-14T10:05:00-05:00[America/New_York]",
        "2023-03-14 10:05",
        "2023-03-14 10:05:00 EST",
        "2023-03-14T00:00:00.000000000",
        "3/14/2023 10:05 AM",
        "03/14/2023 10:05:33 p.m.",
        "03/14/2023 1405",
        "14-MAR-2023",
        "14-MAR-23",
        "14-MAR-23 09.30.00.000000 AM",
        "14MAR2023",
        "14MAR2023:09:30:00",
        "14 Mar 2023",
        "14 march 23",
        "Mar 14, 2023",
        "Mar. 14, 2023",
        "March 14th, 2023",
        "March 14 2023",
        "MARCH 14TH 2023",
        "14th of March, 2023",
        "the 14th of March 2023",
        "Tuesday, March 14, 2023",
        "Tue Mar 14 2023",
        "Tue Mar 14 10:05:00 EDT 2023",
        "Mar 2023",
        "March of 2023",
        "Mar '23",
        "2023 Mar 14",
        "2023-Mar-14",
        "2023-073",
        "2023-Q1",
        "Q1 2023",
        "spring 2023",
        "Christmas Eve 2023",
        "early 2023",
        "circa 2023",
        "?/?/23",
        "??/??/2023",
        "XX/XX/2023",
        "UN-UNK-2023",
        "UNK/UNK/2023",
        "2023---14",
        "2023-00-00",
        "20230000",
        "'2023-03-14",
        "on 3/14/2023",
        "03142023",
        "031423",
        "3 14 2023",
        "O3/l4/2023",
        "O3 / 14 / 2O23",
        "March&nbsp;14,&nbsp;2023",
        "14 Mar-\n  ch 2023",
        "this 14th day of March, 2023",
        "first of August, 2023",
        "Good Friday, 2023",
        "April Fools Day 2023",
        "14 de marzo de 2023",
        "15 février 2023",
        "New Year's Day 2023",
        "Weds 3/14/23",
        "UNMAR2023",
        "UN MAR 2023",
        "14-UNK-2023",
        "twenty twenty-three",
        "two thousand and twenty-three",
        date(2023, 3, 14),
        datetime(2023, 3, 14, 10, 5),
    ],
)
def test_every_form_of_a_date_leaves_its_year(value):
    assert year_of(value, REFERENCE) == "2023"
    assert year_of(value, REFERENCE, birth=True) == "2023"


@pytest.mark.parametrize(
    "value",
    [
        "1/1/1900",
        "01/01/1900",
        "1900-01-01",
        "19000101",
        "19000101000000",
        "1900-01-01T00:00:00Z",
        "01/01/0001",
        "0001-01-01",
        "9999-12-31",
        "12/31/9999",
        "00/00/0000",
        "0000-00-00",
        "1753-01-01",
        "1840-12-31",
        "1899-12-30",
    ],
)
@pytest.mark.parametrize("birth", [True, False])
def test_placeholder_dates_leave_nothing(value, birth):
    assert year_of(value, REFERENCE, birth) == ""


@pytest.mark.parametrize(
    "value",
    [
        "",
        None,
        "NULL",
        "N/A",
        "none",
        "NaT",
        float("nan"),
        True,
        "March 14",
        "March 14th",
        "3/14",
        "5/97",
        "10/20",
        "3/5",
        "L4-5",
        "120/80",
        "POD 2",
        "3 days later",
        "x5 days",
        "last Tuesday",
        "Mar-23",
        "Marching 5, 2020",
        "13/13/2023",
        "02/30/2023",
        "2/29/2023",
        "2023-13-01",
        "12345",
        "44999",
        "123-45-6789",
        "802-555-0143",
        "1679875200000",
        "1930s",
        "V26-000918",
        "2023 mg",
        "room 2023",
        "20-2050",
        "12 abc 2023",
        "abc2023",
        "twenty three",
        "nineteen five",
        "10.44.7.18",
    ],
)
def test_text_without_a_date_and_year_leaves_nothing(value):
    assert year_of(value, REFERENCE) == ""


def test_january_first_may_be_a_real_birthday():
    assert year_of("01/01/1958", REFERENCE, birth=True) == "1958"
    assert year_of("1/1/00", REFERENCE, birth=True) == "2000"


@pytest.mark.parametrize(
    ("value", "year"),
    [("1/1/26", "2026"), ("1/1/27", "90+"), ("1/1/99", "1999"), ("?/?/58", "1958")],
)
def test_two_digits_are_the_latest_year_not_after_the_reference(value, year):
    assert year_of(value, REFERENCE) == year
    assert read_date("6/7/27", date(2030, 1, 1)) == PartialDate(2027, 6, 7)


def test_a_birth_does_not_lie_in_the_future():
    assert read_date("12/25/26", REFERENCE) == PartialDate(2026, 12, 25)
    assert read_date("12/25/26", REFERENCE, birth=True) == PartialDate(1926, 12, 25)
    assert year_of("2029-01-31", REFERENCE, birth=True) == ""
    assert year_of("20290131", REFERENCE) == "2029"


def test_birth_years_over_89_are_aggregated():
    assert year_of("06/14/1936", REFERENCE, birth=True) == "90+"
    assert year_of("11/21/1936", REFERENCE, birth=True) == "90+"
    assert year_of("11/22/1936", REFERENCE, birth=True) == "1936"
    assert year_of("born in 1931", REFERENCE, birth=True) == "90+"
    assert year_of("DOB: 9/5/31", REFERENCE, birth=True) == "90+"
    assert year_of("nineteen thirty-two", REFERENCE, birth=True) == "90+"
    assert year_of("nineteen and twenty-one", REFERENCE, birth=True) == "90+"
    assert year_of("nineteen oh five", REFERENCE, birth=True) == "90+"
    assert year_of("32", REFERENCE, birth=True) == "90+"
    assert year_of("'58", REFERENCE, birth=True) == "1958"
    assert year_of("32", REFERENCE) == "", "two digits alone are a year for a birth only"
    assert year_of("90+", REFERENCE, birth=True) == "90+"


def test_an_event_of_ninety_years_ago_shows_the_age_as_well():
    assert year_of("09/05/1931", REFERENCE) == "90+"
    assert year_of("09/05/1944", REFERENCE) == "1944"


def test_known_parts_of_a_date_are_distinguished():
    assert read_date("?/?/58", REFERENCE) == PartialDate(1958)
    assert read_date("1958-03", REFERENCE) == PartialDate(1958, 3)
    assert read_date("1958---15", REFERENCE) == PartialDate(1958, None, 15)
    assert read_date("04/03/1958", REFERENCE) == PartialDate(1958, 4, 3), "month first"
    assert read_date("23/03/1958", REFERENCE) == PartialDate(1958, 3, 23)
    assert read_date("04.03.1958", REFERENCE) == PartialDate(1958, 3, 4), "points: day first"
    assert read_date("1958-03-04", REFERENCE).whole == date(1958, 3, 4)
    assert read_date("1958-03", REFERENCE).whole is None


FORMS = [
    "%m/%d/%Y",
    "%m/%d/%y",
    "%d-%b-%Y",
    "%Y%m%d",
    "%Y-%m-%d",
    "%Y-%m-%dT%H:%M:%S-05:00",
    "%Y%m%d%H%M%S",
    "%B %d, %Y",
    "%d %b %Y",
    "%A, %B %d, %Y",
    "%m/%d/%Y %I:%M %p",
    "%Y-%m",
    "%b %Y",
    "%d%b%Y",
    "%c",
]


@given(st.datetimes(datetime(1940, 1, 1), datetime(2026, 11, 20)), st.sampled_from(FORMS))
def test_every_day_in_every_form_leaves_its_year_only(moment, form):
    assert year_of(moment.strftime(form), REFERENCE) == f"{moment:%Y}"
    assert year_of(moment, REFERENCE) == f"{moment:%Y}"


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.dates()), st.booleans())
def test_any_value_leaves_four_digits_the_category_or_nothing(value, birth):
    year = year_of(value, REFERENCE, birth)
    assert year in {"", "90+"} or (len(year) == 4 and 1936 <= int(year) <= 2076)


@given(st.dates(date(1850, 1, 2), date(2026, 11, 21)), st.booleans())
def test_reducing_a_date_to_its_year_again_changes_nothing(day, birth):
    once = year_of(day, REFERENCE, birth)
    assert year_of(once, REFERENCE, birth) in {once, "90+"}


@pytest.mark.parametrize(
    ("value", "birth", "year"),
    [
        ("45969", False, "2025"),
        ("46341.375", False, "2026"),
        ("13475", True, "90+"),
        ("13475", False, ""),
        ("1683554400", False, "2023"),
        ("1683554400000", False, "2023"),
        ("-1064286400", True, "90+"),
        ("664286400", True, "1991"),
        ("3230506.1205", False, "2023"),
        ("0", True, ""),
        ("0000000000", True, ""),
        ("9999999", False, ""),
    ],
)
def test_a_number_is_read_as_a_count_of_days_only_in_a_date_cell(value, birth, year):
    found = read_date(value, REFERENCE, birth, counted=True)
    assert (birth_year(found.year, REFERENCE, found.month, found.day) if found else "") == year
    assert year_of(value, REFERENCE, birth) == ""


@pytest.mark.parametrize(
    ("value", "year"),
    [("20220499", "2022"), ("20229999", "2022"), ("03/06/24@14:05", "2024"), ("99999999", "")],
)
def test_registry_codes_99_and_times_after_an_at_sign_are_read(value, year):
    assert year_of(value, REFERENCE) == year


def test_seconds_that_lead_far_into_the_future_count_from_another_epoch() -> None:
    assert read_date("2190000000", date(2024, 6, 1), counted=True) is None
    assert read_date("1714380800", date(2024, 6, 1), counted=True) == PartialDate(2024, 4, 29)


@pytest.mark.parametrize("birth", [False, True])
@pytest.mark.parametrize("clock", ["", "T08:15:00", " 23:59:59", "T08:15:00Z"])
@pytest.mark.parametrize(
    "day",
    [
        *("2023-03-14", "2024-02-29", "2023-02-29", "2023-02-30", "2023-13-01", "2023-00-10"),
        *("1900-01-01", "1899-12-30", "9999-12-31", "0000-01-01", "0001-01-01", "1849-05-05"),
        *("2076-11-21", "2077-01-01", "1936-11-21", "1936-11-22", "2026-11-22"),
    ],
)
def test_a_date_is_read_alike_with_a_leading_blank(day: str, clock: str, birth: bool) -> None:
    written = day + clock
    assert read_date(written, REFERENCE, birth) == read_date(f" {written}", REFERENCE, birth)
    assert read_date(written, REFERENCE, counted=True) == read_date(
        f" {written}", REFERENCE, counted=True
    )
