"""Values that the prefilter excludes would not have been found: the prefilter is compared with the
search.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recognizers import (
    KnownValue,
    KnownValuePrefilter,
    KnownValues,
    feature_hash,
    value_features,
)
from recognizers.known.dates.calendar import all_holidays
from safe_harbor import Identifier as I

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
WALL = "\n\n¦¦¦\n\n"
# header of patients.csv: identifier, part
COLUMNS = {
    "mrn": (I.MRNS, ""),
    "lastName": (I.NAMES, "last"),
    "firstName": (I.NAMES, "first"),
    "middleName": (I.NAMES, "middle"),
    "preferredName": (I.NAMES, "preferred"),
    "maidenName": (I.NAMES, "maiden"),
    "birthDate": (I.DATES, "birth"),
    "ssn": (I.SSNS, ""),
    "streetAddress": (I.PLACES, "street"),
    "city": (I.PLACES, "city"),
    "county": (I.PLACES, "county"),
    "postalCode": (I.PLACES, "zip"),
    "homePhone": (I.PHONES, ""),
    "emailAddress": (I.EMAILS, ""),
    "memberId": (I.PLANS, ""),
    "driversLicense": (I.LICENSES, ""),
}


def _patients() -> dict[str, KnownValues]:
    with (CLINIC / "patients.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["patientId"]: KnownValues(
                tuple(
                    KnownValue(word, row[name], part=part)
                    for name, (word, part) in COLUMNS.items()
                    if row[name]
                )
            )
            for row in csv.DictReader(file)
        }


def _passes(cell: str, known: KnownValues) -> bool:
    prefilter = KnownValuePrefilter()
    prefilter.add([cell])
    if cell in prefilter.live:
        return True
    if any(prefilter.meets(v.identifier, v.part, v.value, v.role) for v in known):
        return True
    return prefilter.signs(v.value for v in known if v.identifier is I.NAMES)


def _lines() -> dict[str, list[str]]:
    lines: dict[str, list[str]] = defaultdict(list)
    with (CLINIC / "notes.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for line in re.split(r"\n|(?<=[.;]) ", row["BODY"]):
                lines[row["PATIENT_ID"]] += [line, *re.findall(r"\S+(?: \S+)?", line)]
    return lines


def test_the_prefilter_excludes_nothing_that_the_search_finds_in_the_clinics_notes() -> None:
    patients = _patients()
    found = missed = 0
    for patient, lines in _lines().items():
        for cell in sorted({line for line in lines if line.strip()}):
            if patient in patients and patients[patient].find(cell + WALL):
                found += 1
                missed += not _passes(cell, patients[patient])
    assert found > 400
    assert missed == 0


VALUES = st.sampled_from(
    [
        (I.NAMES, "last", "Quillfeather"), (I.NAMES, "last", "O'Brien"), (I.NAMES, "last", "Li"),
        (I.NAMES, "first", "William"), (I.NAMES, "first", "Sofia"), (I.NAMES, "first", "Mary Ann"),
        (I.NAMES, "full", "Smith, John A"), (I.NAMES, "organization", "Tolliver & Sons Printing"),
        (I.PLACES, "city", "North Vernon"), (I.PLACES, "city", "Reno"),
        (I.PLACES, "street", "118 Canal Street, Apt 3B"), (I.PLACES, "zip", "05301"),
        (I.PLACES, "facility", "Whetstone Valley Family Health"), (I.PLACES, "", "PO Box 318"),
        (I.PLACES, "", "Reno Nevada US"), (I.PLACES, "", "118 Canal St, Windham County, VT 05301"),
        (I.SSNS, "", "912-34-4471"), (I.MRNS, "", "00402817"), (I.PLANS, "", "2HX7-QF4-RN18"),
        (I.PHONES, "", "(802) 555-0143"), (I.EMAILS, "", "j.quill42@valley.example"),
        (I.DATES, "birth", "06/14/1936"), (I.DATES, "event", "2026-03-10"),
        (I.URLS, "", "https://remote.example/p/CVT88214K"), (I.DEVICES, "", "CVT88214K"),
        (I.OTHERS, "", "24417"), (I.OTHERS, "", "3c1c5636-2c43-bd4b"), (I.DATES, "age", "97"),
    ]
)  # fmt: skip
_PIECES = (
    "quillfeather Quilfeather QUILLFEATHERS Bill Will Wm J.S. JS SOFIA Sophia Sofi Smith JSmith "
    "jonhsmith smythe obrien O'B Li Mary Ann maryann Tolliver Tol. Sons N. Vernon Reno Canal St "
    "Cnl WVFH Whetstone Health Box 318 05301 5301 912344471 912 34 4471 4470 ending in 402817 "
    "00402817 4O2817 2hx7qf4rn18 5550143 802 j.quill42 jquill CVT 88214K 6/14 June 14 1936 "
    "3/10/26 2026 mg/dL test (a) no. MCH zip VT 06141936 19360614 14061936 061436 360614 260310 "
    "Nevada Nev US Windham county "
    "20261003 two four oh one seventeen twenty eight 97 aged years 110 ninety 24417 double"
)
PIECES = st.sampled_from(_PIECES.split())


@settings(max_examples=400, deadline=None)
@given(
    values=st.lists(VALUES, min_size=1, max_size=4),
    pieces=st.lists(PIECES, min_size=1, max_size=4),
    between=st.sampled_from([" ", "-", "", "/", ", "]),
)
@example([(I.PLACES, "street", "118 Canal Street, Apt 3B")], ["Cnl", "N."], " ")
def test_the_prefilter_excludes_nothing_that_the_search_finds(
    values: list[tuple[I, str, str]], pieces: list[str], between: str
) -> None:
    known = KnownValues(tuple(KnownValue(word, value, part=part) for word, part, value in values))
    cell = between.join(pieces)
    if known.find(cell + WALL):
        assert _passes(cell, known)


@pytest.mark.parametrize("cell", ["92311958", "A12311959", "123 11959", "92 311958", "213119586"])
@pytest.mark.parametrize("written", ["1958-12-31", "12/31/1958", "31Dec1958"])
def test_a_birth_date_written_as_a_number_with_a_wrong_digit_is_searched_for(
    cell: str, written: str
) -> None:
    known = KnownValues((KnownValue(I.DATES, written, part="birth"),))
    assert _passes(cell, known) >= bool(known.find(cell + WALL))
    assert bool(known.find(cell + WALL)) == (len(cell.replace(" ", "")) < 10 and cell[-1] != "6")


@pytest.mark.parametrize("cell", ["mg/dL", "E11.9", "10*3/uL", "abnormal", "mmol/L"])
def test_units_and_codes_pass_almost_no_known_value(cell: str) -> None:
    assert sum(_passes(cell, known) for known in _patients().values()) < 4


def test_the_repr_of_a_prefilter_shows_no_cell() -> None:
    prefilter = KnownValuePrefilter()
    prefilter.add(["Quillfeather"])
    assert repr(prefilter) == "KnownValuePrefilter(1 cells)"


@given(st.lists(st.lists(st.text("abQ01 -.\n", max_size=12), max_size=3), max_size=6))
def test_a_prefilter_filled_in_steps_equals_one_of_all_cells(parts: list[list[str]]) -> None:
    grown, whole = KnownValuePrefilter(), KnownValuePrefilter()
    for part in parts:
        grown.add(part)
    whole.add([cell for part in parts for cell in part])
    assert grown.last_digits == whole.last_digits
    assert grown.short_numbers == whole.short_numbers
    assert (grown.live, grown.rows, grown.version) == (whole.live, whole.rows, whole.version)
    for value in {cell for part in parts for cell in part}:
        assert grown.meets(I.NAMES, "", value) == whole.meets(I.NAMES, "", value)
        assert grown.meets(I.MRNS, "", value) == whole.meets(I.MRNS, "", value)


REMARKS = (
    "Daughter Ann-Marie LOWE, THERESA J called from 802-555-0143, acct 8847291-03",
    "Mr. O'Brien of Maple Grove Manor; MRN 00402817 ends in 817; seen 03/10/1958",
    "no further information, 12 of 80, refill of metformin",
)


@pytest.mark.parametrize("remark", REMARKS)
def test_known_names_in_a_remark_pass_and_other_cells_are_excluded(remark: str) -> None:
    known = KnownValues((KnownValue(I.OTHERS, remark, part="comment"),))
    told = [*re.findall(r"\S+(?: \S+)?", remark), "T.J.L.", "Maple Grove", "signed TL", "MGM"]
    other = ["E78.5", "10*3/uL", "mg/dL", "U/L", "abnormal", "Cardiology"]
    for cell in [*told, *other]:
        assert _passes(cell, known) or not known.find(cell + WALL), cell
    assert not any(_passes(cell, known) for cell in other)


BIRTHPLACE = "Springfield Massachusetts US"
WHOLE_ADDRESS = "12 Elm Street, Brattleboro, VT 05301"


@pytest.mark.parametrize(
    "cell",
    ["US of the abdomen", "Mass", "Springfield", "Seen at Springfield Massachusetts US", "Mas."],
)
def test_a_town_of_several_words_is_checked_by_all_its_words(cell: str) -> None:
    known = KnownValues((KnownValue(I.PLACES, BIRTHPLACE),))
    assert _passes(cell, known) == bool(known.find(cell)) == ("Springfield Mass" in cell)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (WHOLE_ADDRESS, "came from Brattleboro"),
        (WHOLE_ADDRESS, "lives at 12 Elm St"),
        (WHOLE_ADDRESS, "ZIP 05301"),
        ("05301", "ZIP 05301"),
        ("Windham County", "county of Windham"),
        ("Grace Cottage Hospital", "at Grace Cottage Hosp"),
        ("Grace Cottage Hospital; Brattleboro", "Brattleboro"),
        ("Brattleboro VT 05301", "ZIP 05301"),
        ("7 Elm Street", "7 ELM"),
    ],
)
@pytest.mark.parametrize("part", ["", "full"])
def test_a_place_without_a_part_is_checked_in_every_reading(
    value: str, cell: str, part: str
) -> None:
    known = KnownValues((KnownValue(I.PLACES, value, part=part),))
    assert known.find(cell)
    assert _passes(cell, known)


_DEVICE = "(01)67677988606464(11)200905(17)451120(10)93812655(21)8430AB77{}X9901-22-77120045"
_LONG_CODES = (_DEVICE.format("Q" * 40), "0" * 9 + "8A7" * 30, "41" * 40, "MRN-" + "7" * 70)


@settings(max_examples=300, deadline=None)
@given(
    code=st.sampled_from(_LONG_CODES),
    start=st.integers(0, 90),
    before=st.sampled_from(("", "UDI ", "00", "part of (", "3 of 4 ")),
    wrong=st.integers(-1, 90),
    identifier=st.sampled_from((I.DEVICES, I.OTHERS, I.MRNS, I.ACCOUNTS)),
)
@example(_LONG_CODES[0], 0, "UDI ", -1, I.DEVICES)
@example(_LONG_CODES[2], 0, "", 33, I.ACCOUNTS)
@example(_LONG_CODES[2], 0, "", 0, I.ACCOUNTS)
@example(_LONG_CODES[2], 0, "00", 70, I.ACCOUNTS)
def test_a_code_longer_than_the_longest_run_is_not_excluded(
    code: str, start: int, before: str, wrong: int, identifier: I
) -> None:
    known = KnownValues((KnownValue(identifier, code),))
    cell = before + code[start:]
    if 0 <= wrong < len(cell) and cell[wrong].isdigit():
        cell = cell[:wrong] + "5" + cell[wrong + 1 :]
    assert not known.find(cell + WALL) or _passes(cell, known)


def test_a_long_code_is_not_searched_for_in_every_cell() -> None:
    prefilter = KnownValuePrefilter()
    prefilter.add(
        ["Fracture of bone (disorder)", "0.09 MG/ACTUAT Metered Dose Inhaler", "73761001"]
    )
    assert not prefilter.meets(I.DEVICES, "", _LONG_CODES[0])
    assert not prefilter.meets(I.DEVICES, "", "41" * 40)
    prefilter.add(["UDI " + "41" * 16 + "5" + "1" + "41" * 23])
    assert prefilter.meets(I.DEVICES, "", "41" * 40)  # one digit may be wrong


def _shares_a_feature(cells: list[str], identifier: I, value: str) -> bool:
    prefilter = KnownValuePrefilter()
    prefilter.add(cells)
    features = value_features(identifier, "", value) or ()
    return not set(prefilter.feature_hashes()).isdisjoint(map(feature_hash, features))


def test_a_number_shares_no_feature_with_a_code_that_only_its_middle_resembles() -> None:
    """Most visit numbers used to resemble one of a table's hundreds of codes in four digits."""
    cells = ["48211003", "Fracture of bone (disorder)"]
    assert not _shares_a_feature(cells, I.ACCOUNTS, "d2948211-7730-4e51-b8a1-06d4f2c9a7e5")
    assert not _shares_a_feature(cells, I.MRNS, "9482117730")
    assert _shares_a_feature(cells, I.ACCOUNTS, "d-48217730")
    assert _shares_a_feature(cells, I.MRNS, "00048217730")


@settings(max_examples=400, deadline=None)
@given(
    letters=st.sampled_from(("", "AC-", "b", "SN 0", "00", "0o", "I1-")),
    number=st.from_regex(r"[0-9]{5,12}([- ][0-9]{1,6})?", fullmatch=True),
    place=st.integers(0, 17),
    digit=st.integers(0, 9),
    start=st.integers(0, 4),
    identifier=st.sampled_from((I.DEVICES, I.OTHERS, I.MRNS, I.ACCOUNTS, I.LICENSES)),
)
def test_a_number_shares_a_feature_with_each_cell_in_which_it_is_found(
    letters: str, number: str, place: int, digit: int, start: int, identifier: I
) -> None:
    """The cell may lack the beginning of the number and have one wrong digit."""
    value = letters + number
    cell = value[start:]
    if place < len(cell) and cell[place].isdigit():
        cell = f"{cell[:place]}{digit}{cell[place + 1 :]}"
    known = KnownValues((KnownValue(identifier, value),))
    if known.find(cell + WALL):
        prefilter = KnownValuePrefilter()
        prefilter.add([cell])
        asked = value_features(identifier, "", value) is None
        assert asked or cell in prefilter.live or _shares_a_feature([cell], identifier, value)


@pytest.mark.parametrize("holiday", sorted(all_holidays()))
def test_a_cell_with_a_holiday_is_searched(holiday: str) -> None:
    """The prefilter used not to read `New Year's` as a date, although the search finds a known
    January 1 in it.
    """
    prefilter = KnownValuePrefilter()
    prefilter.add([holiday])
    assert holiday in prefilter.dated or holiday in prefilter.live
