"""Columns of a few short values that nothing else explains, and identifiers that must not be taken
for them.
"""

from __future__ import annotations

import csv
import random

import pytest

from recognizers import conforms, profile
from recognizers.words.folder import WORDS

ROWS = 150
DRAW = random.Random(21)
UNKNOWN = ("XQZ", "fld7", "grp_b", "wqv_3")


def _of(*values: str) -> list[str]:
    return [DRAW.choice(values) for _ in range(ROWS)]


def _whole(least: int, most: int, width: int = 1) -> list[str]:
    return [f"{DRAW.randint(least, most):0{width}d}" for _ in range(ROWS)]


def _initials(different: int, length: int = 2) -> list[str]:
    staff = ["".join(DRAW.choices("ABCDEFGHJKLMNPRSTW", k=length)) for _ in range(different)]
    return _of(*staff)


KEPT = {
    "a scale of ten": _whole(0, 10),
    "letters and figures": _of("4", "3", "2", "0", "X"),
    "yes, no, partly": _of("Yes", "No", "Yes", "No", "Partial"),
    "versions": _of("v2", "v4.1", "v3"),
    "numerals": _of("I", "II", "III", "IV", "V"),
    "spans of time": _of("PRN", "1 yr", "4 wks", "6 mo"),
    "p values": _of("0.04", "0.32", "<0.001", "NS"),
}


@pytest.mark.parametrize("sort", KEPT)
@pytest.mark.parametrize("header", UNKNOWN)
def test_few_short_values_in_many_rows_are_kept(header: str, sort: str) -> None:
    seen = profile(header, KEPT[sort])
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, KEPT[sort]))


# Without an informative header, such a code could also mean an organization, a crew or a clerk.
KEPT_BY_HEADER = {
    "severity_cd": _of("1", "2", "3", "4"),
    "fall_risk": _of("Y", "N", "U", "P"),
}


@pytest.mark.parametrize("header", KEPT_BY_HEADER)
def test_a_few_codes_are_kept_where_their_header_is_known(header: str) -> None:
    assert profile(header, KEPT_BY_HEADER[header]).kind == "keep"
    for nameless in UNKNOWN:
        assert profile(nameless, KEPT_BY_HEADER[header]).kind == "unsure"


NOT_SURE = {
    "initials of many": _initials(40),
    "initials of five": _of("JS", "KP", "TW", "RB", "LM"),
    "initials of two": _of("JS", "KP"),
    "three initials": _initials(12, 3),
    "letters of few rows": _of(*"BHKM")[:60],
    "middle initials": _of(*"ABCDEGHJKLMRST"),
    "letters of weekdays": _of("M", "T", "W", "R", "F"),
    "letters of months": _of("J", "F", "M", "A"),
    "weekdays": _whole(1, 7),
    "weekdays from Monday to Friday": _whole(2, 6),
    "months": _whole(1, 12),
    "days of the month": _whole(1, 31),
    "padded days": _whole(1, 31, 2),
    "hours": _whole(0, 23),
    "ages": _whole(18, 101),
    "ages over 89": _whole(90, 99),
    "groups of old ages": _of("80-84", "85-89", "90-94", "95-99"),
    "open groups of old ages": _of("75-84", "85-94", "95+"),
    "groups of birth years": _of("1930-1939", "1940-1949", "1950-1959"),
    "ZIP3": _of("053", "281", "940", "606", "100"),
    "row keys": [str(n) for n in range(1, ROWS + 1)],
    "few rows": [str(n) for n in range(1, 6)],
    "rooms": _whole(101, 140),
    "rooms with beds": [f"{DRAW.randint(101, 140)}-{DRAW.randint(1, 2)}" for _ in range(ROWS)],
    "beds of few rooms": _of("412-1", "412-2", "413-1", "413-2"),
    "beds": _whole(1, 30),
    "extensions": _whole(2000, 7999),
    "few extensions": _of("4417", "4418", "5120"),
    "local telephones": _of("555-1234", "555-7788", "682-9001"),
    "birth years": _whole(1931, 2008),
    "short record numbers": _whole(1000, 9999),
    "record numbers": _whole(100_000, 999_999),
    "days of a year": _of("3/14", "4/2", "5/9"),
    "the tenth of each month": _of("3/10", "7/10", "11/10"),
    "few dates": _of("9-14", "9-21", "10-5"),
    "times": _of("1:30", "2:00", "13:15"),
    "old ages with their unit": _of("88 yr", "91 yr", "95 yr", "PRN"),
    "months and names": _of("6 mo", "1 yr", "Kowalczyk", "Nguyen"),
    "ages, some missing": _of("-9", *map(str, range(18, 99))),
    "whole longitudes": _of(*map(str, range(-124, -68))),
    "coordinates": [f"{DRAW.uniform(30, 45):.5f}" for _ in range(ROWS - 3)] + ["none"] * 3,
    "names and numbers": _of("Kowalczyk", "2", "3"),
}


@pytest.mark.parametrize("sort", NOT_SURE)
@pytest.mark.parametrize("header", UNKNOWN)
def test_few_values_that_may_identify_a_person_are_not_kept(header: str, sort: str) -> None:
    seen = profile(header, NOT_SURE[sort])
    assert seen.kind != "keep", seen.reasons


@pytest.mark.parametrize("third", ["JS", "DAB", "KIM", "Kim", "Levi", "Hunter Green"])
def test_a_name_or_initials_among_answers_are_not_kept(third: str) -> None:
    assert profile("XQZ", _of("Y", "N", "Y", "N", third)).kind != "keep"
    assert not profile("XQZ", _of("Y", "N", "Partial", "Y", "N")).may_stay(third)
    assert conforms("answer", "no") and not conforms("answer", third)


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("yrgrp", ["80-89", "90-96", ">97"]),
        ("band", ["18-44", "45-64", "65-96", ">=97"]),
        ("x", ["80-99", "100-119"]),
        ("mths", ["960-1079", "1080-1199"]),
        ("svc", [f"{month}/98" for month in range(1, 9)]),
        ("svc", [f"{month}/5" for month in range(1, 6)]),
        ("rmbed", ["12/40", "13/40"]),
        ("gx", ["-91.64", "-90.45", "-89.55", "-90.11", "0", "1", "9.99"]),
        ("ini", [*"JKMR"]),
        ("bld", [*"1234"]),
        ("BlkGrp", [*"1234"]),
        ("ver", [f"v{n}" for n in range(1, 60)]),
    ],
)
def test_few_old_ages_dates_rooms_and_initials_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values * 30).kind != "keep"


MEASURED = {
    "Carbs g": _whole(5, 90),
    "QBL mL": _whole(150, 1800),
    "Vol_uL": _of("500", "1000", "250"),
    "BW_grams": _whole(1200, 4600),
    "Exposure hrs": _whole(3, 380),
    "fluoro_s": _whole(15, 90),
    "ROC_MG": _of("30", "50", "70"),
    "walk ft": _whole(200, 1600),
    "TIR %": _whole(10, 99),
    "n_stents": _whole(0, 12),
    "Num of transfers": _whole(0, 14),
    # From 0 to 6, they would look like weekdays.
    "VT episodes": _whole(0, 8),
    "vas_post": _whole(0, 7),
}


@pytest.mark.parametrize("header", MEASURED)
def test_a_unit_or_count_in_the_header_keeps_the_column(header: str) -> None:
    seen = profile(header, MEASURED[header])
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, MEASURED[header]))


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("Vol mL", _whole(10_000, 99_999)),
        ("Vol mL", _whole(1_000_000, 9_999_999)),
        ("bag mL", ["03301", "05401", "28104"] * 20),
        ("kept yrs", _whole(30, 99)),
        ("bed_G", _whole(1, 30)),
        ("seen g", _whole(1931, 2008)),
        ("kept g", _of("JS", "KP", "TW")),
        ("# cama", _whole(1, 30)),
        ("# oocytes", _whole(1000, 9999)),
        ("n_zimmer", _whole(1, 30)),
        ("4k", _whole(30, 99)),
    ],
)
def test_a_unit_in_the_header_does_not_keep_identifying_numbers(
    header: str, values: list[str]
) -> None:
    assert profile(header, values).kind != "keep"


KEYS = [str(n) for n in DRAW.sample(range(1000, 1900), ROWS)]


@pytest.mark.parametrize(
    "header",
    [
        *("Kid's", "Kid’s", "Applicant's", "Locker(s)", "Permit(s)", "Kit_s", "KitDb", "BookPg"),
        *("Deed pg", "Trial pts", "Roster pts", "sales reps", "staff ms", "programs"),
        *("officehours", "holograms", "Crate g", "Crate mL"),
    ],
)
def test_identifying_numbers_under_a_header_like_a_unit_are_not_kept(header: str) -> None:
    assert profile(header, KEYS).kind != "keep"
    assert profile(header, _of(*KEYS[:12])).kind != "keep" or header.startswith("Crate")


@pytest.mark.parametrize("header", ["Crate mL", "Vol mL"])
def test_recurring_five_digit_numbers_under_a_unit_are_not_kept(header: str) -> None:
    assert profile(header, _of("24417", "60312", "81153", "10277")).kind != "keep"


@pytest.mark.parametrize("header", ["# bus", "no. census", "# congress", "No. business", "# ages"])
def test_numbers_of_single_things_are_not_counts(header: str) -> None:
    assert profile(header, _whole(1, 99)).kind != "keep"


@pytest.mark.parametrize("header", ["ADMMO", "op_mon", "STARTDAY", "adm_dow", "KWQTR"])
def test_few_months_or_weekdays_under_a_calendar_header_are_not_kept(header: str) -> None:
    assert profile(header, _whole(1, 5)).kind != "keep"


ELEMENTS = {
    "SYSBP": _whole(90, 180),
    "DIABP": _whole(50, 110),
    "DBWT": [str(n) for n in DRAW.sample(range(800, 4600), ROWS)],
    "OPTIME": [str(n) for n in DRAW.sample(range(20, 600), ROWS)],
    "PerfusTm": _whole(50, 220),
    "TOTHLOS": _whole(1, 41),
    "regionalNodesExamined": _whole(0, 40),
    "M_Ht_In": _whole(56, 74),
    "DIABP_RAW": _whole(50, 110),
}


@pytest.mark.parametrize("header", ELEMENTS)
def test_registry_elements_are_kept_as_measurements(header: str) -> None:
    seen = profile(header, ELEMENTS[header])
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, ELEMENTS[header]))


@pytest.mark.parametrize("header", ELEMENTS)
@pytest.mark.parametrize("sort", ["record numbers", "birth years"])
def test_the_name_of_a_registry_element_does_not_keep_identifying_numbers(
    header: str, sort: str
) -> None:
    values = NOT_SURE[sort]
    seen = profile(header, values)
    assert seen.kind != "keep" or not any(map(seen.may_stay, values))


LIKE_A_WORD = ["cig", "tir", "prag", "prpt", "prbun", "htooday", "push", "thi"]


@pytest.mark.parametrize("header", LIKE_A_WORD)
@pytest.mark.parametrize("keys", [range(1000, 1900), range(101, 999), range(9200, 9899)])
def test_distinct_keys_are_not_taken_for_registry_elements(header: str, keys: range) -> None:
    assert profile(header, [str(n) for n in DRAW.sample(keys, 60)]).kind != "keep"


def test_four_digit_keys_are_not_sequence_numbers() -> None:
    assert profile("sequence number hospital", KEYS).kind != "keep"


@pytest.mark.parametrize("header", ["MHR", "rhr", "cbg", "amh", "qmax", "afc", *LIKE_A_WORD])
def test_recurring_four_digit_keys_are_not_readings(header: str) -> None:
    values = _of("9297", "4471", "8132", "6605", "7790")
    assert profile(header, values).kind != "keep"
    assert not conforms("reading", "9297") and conforms("reading", "129.7")


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("SYSBP", [str(n) for n in DRAW.sample(range(101, 190), 12)]),
        ("cd4", _of("1204", "350", "88", "910", "1105")),
        ("MHR", _whole(100, 190)),
        ("cig", _whole(0, 40)),
    ],
)
def test_readings_under_the_name_of_an_element_are_kept(header: str, values: list[str]) -> None:
    seen = profile(header, values)
    assert seen.kind == "keep" and all(map(seen.may_stay, values))


def test_each_element_is_named_once_with_its_standard() -> None:
    with (WORDS / "columns" / "elements.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert row["shape"] in ("reading", "wide_reading", "score")
        assert not row["most"] or 0 < float(row["most"]) < 10_000
        assert len(row["name"]) > 2
        assert row["standard"]


@pytest.mark.parametrize("header", ["ADMYR", "OPERYR", "SEERCTYR", "xyz_year", "QXDAT_YYYY"])
def test_event_years_are_kept_as_years(header: str) -> None:
    seen = profile(header, _whole(2015, 2024))
    assert (seen.kind, seen.transform) == ("quasi", "year")


@pytest.mark.parametrize("header", ["MOBYR", "QRYR", "XQZ"])
def test_years_that_may_be_birth_years_are_not_kept(header: str) -> None:
    assert profile(header, _whole(1928, 2004)).kind in ("unsure", "identifier")
    assert profile(header, _whole(1951, 2008)).kind in ("unsure", "identifier")


def test_recent_years_need_a_header_for_years() -> None:
    assert profile("XQZ", _whole(2015, 2024)).kind == "unsure"


ANSWERS = {
    "Mod": _of("CT", "MR", "US", "CR", "MG", "NM"),
    "Degree": _of("MD", "DO", "NP", "PA-C"),
    "Disc": _of("MSW", "CH", "HHA", "SN", "VOL"),
    "HD05": _of("FAM", "IND", "EMP", "ESP"),
    "PGT-A": _of("euploid", "aneuploid", "mosaic"),
    "regimen": _of("FOLFOX", "R-CHOP", "AC-T", "ABVD"),
    "BBPS": _of("3-3-3", "2-2-2", "1-2-3"),
    "VA OD sc": _of("20/20", "20/25-2", "CF @ 3ft", "HM"),
}


@pytest.mark.parametrize("header", ANSWERS)
def test_abbreviations_of_the_list_that_the_header_names_are_kept(header: str) -> None:
    seen = profile(header, ANSWERS[header])
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, ANSWERS[header]))


@pytest.mark.parametrize("header", ["Mod", "Degree", "Disc", "HD05", "Style", "Fert", "PGT-A"])
@pytest.mark.parametrize("sort", ["initials of many", "initials of five", "three initials"])
def test_initials_under_the_same_headers_are_not_kept(header: str, sort: str) -> None:
    assert profile(header, NOT_SURE[sort]).kind != "keep"


def test_a_word_in_a_column_of_numbers_is_refused() -> None:
    """`Mobile` is a town and not an answer to a question with the answers 0 to 3."""
    found = profile("outreach_ct", [*"0123"] * 20)
    assert found.kind == "keep"
    assert conforms(found.shape, "3") and not conforms(found.shape, "Mobile")


def test_a_negative_code_means_a_missing_value() -> None:
    assert profile("LIVARAG", [*"1233", "-9"] * 12).kind == "keep"


@pytest.mark.parametrize("values", [["2", "2"], ["0"], ["1", "0", "2"]])
@pytest.mark.parametrize("header", ["lab_data_complete", "survey_complete", "phone_confirmed"])
def test_whether_a_form_is_complete_stays_in_small_tables(header: str, values: list[str]) -> None:
    assert profile(header, values).transform == "keep"


def test_a_name_or_number_under_such_a_header_does_not_stay() -> None:
    for values in (["Kasia"], ["7155550142"], ["17", "44"]):
        assert profile("phone_confirmed", values).transform != "keep"
