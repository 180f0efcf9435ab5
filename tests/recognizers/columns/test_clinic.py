"""Columns of the ward, the laboratory and interface feeds are kept, and identifiers under such
headers are not.
"""

from __future__ import annotations

import random

import pytest

from recognizers import conforms, holds_value, profile

ROWS = 120
DRAW = random.Random(11)


def _of(*values: str) -> list[str]:
    return [DRAW.choice(values) for _ in range(ROWS)]


def _whole(least: int, most: int) -> list[str]:
    return [str(DRAW.randint(least, most)) for _ in range(ROWS)]


KEPT = {
    "Dialyzer": _of("F180NR", "Optiflux 160NR", "Revaclear 300"),
    "UF removed (mL)": _whole(500, 4000),
    "Shift": _of("1", "2", "3"),
    "Transcript": _of("NM_004972.4", "NM_002520.7", "NM_000546.6"),
    "Gene": _of("FLT3", "NPM1", "KRAS", "ALK", "KIT"),
    "Model": _of("Alaris 8015", "CADD-Solis", "Dexcom G6", "LIFEPAK 15"),
    "Firmware": _of("9.33", "12.1.2"),
    "ampicillin": _of("R", "S", "I"),
    "fibrinogen": _whole(100, 600),
    "ethanol_mg_dl": _whole(0, 300),
    "SeriesNumber": _of("1", "2", "3", "4"),
    "VISIT": _of("BASELINE", "WEEK 4", "Follow-up 2"),
    "urine_color": _of("Yellow", "Amber", "Straw"),
    "employment": _of("Employed", "Retired", "Full time"),
    "household_size": _whole(1, 8),
    "TOBACCO_USER_C_NAME": _of("Never", "Former", "Every Day"),
}


@pytest.mark.parametrize("header", KEPT)
def test_clinical_counts_and_readings_are_kept(header: str) -> None:
    seen = profile(header, KEPT[header])
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, KEPT[header]))


HIDDEN = {
    "names": _of("Kasia Olejniczak", "Ngozi Okafor", "Wei Zhang"),
    "surnames": _of("Adeyemi", "Wieczorek", "Quintanilla", "Thibodeaux"),
    "initials": _of("KO", "NV", "WZ", "JB", "TR"),
    "record numbers": [f"{n:08d}" for n in DRAW.sample(range(10**8), ROWS)],
    "telephones": [f"715-555-0{100 + n % 100}" for n in range(ROWS)],
    "days": [f"2021-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(ROWS)],
    "months": _of("Jan", "Feb", "May", "Oct"),
    "months that are no names": _of("Jan", "Feb", "Mar", "Oct"),
    "days of the week": _of("Mon", "Wed", "Fri"),
    "zips": _of("05301", "70501", "43604"),
    "towns": _of("Putney", "Lafayette", "Toledo"),
    "wards": [f"{1 + n % 9}{'NSEW'[n % 4]}-{1 + n % 40}" for n in range(ROWS)],
}


@pytest.mark.parametrize(
    "header",
    ["dialyzer", "vtbi", "gene", "ampicillin", "Q7", "shift", "urine_color", "lead", "signal"],
)
@pytest.mark.parametrize("what", HIDDEN)
def test_identifiers_under_a_clinical_header_are_not_kept(header: str, what: str) -> None:
    assert profile(header, HIDDEN[what]).kind != "keep"


def test_ages_under_a_question_number_are_not_kept() -> None:
    assert profile("Q8", _whole(18, 97)).kind != "keep"


@pytest.mark.parametrize("header", ["ampicillin", "colonoscopy", "mammogram", "Q7"])
def test_a_few_ages_over_89_are_not_kept_as_results(header: str) -> None:
    assert profile(header, _of("78", "88", "90", "91", "95", "101")).kind != "keep"


def test_an_age_with_its_sex_is_an_age() -> None:
    seen = profile("Age/Sex", _of("45M", "67F", "93M"))
    assert (seen.entity, seen.transform) == ("AGE", "age_cap")
    assert not any(conforms(shape, "93F") for shape in ("term", "flag", "sex", "result", "brand"))
    assert conforms("number", "99F")


@pytest.mark.parametrize("header", ["Time since birth (days)", "Years since birth"])
def test_time_since_birth_is_an_age(header: str) -> None:
    assert profile(header, _whole(100, 30000)).entity == "AGE"


def test_an_ordinal_header_with_names_is_not_a_state() -> None:
    seen = profile("1st Assist", _of("Washington", "Okafor", "Virginia"))
    assert seen.identifier == "names"


def test_a_surname_is_not_taken_for_a_gene() -> None:
    assert (
        conforms("gene", "BRCA1")
        and not conforms("gene", "OKAFOR")
        and not conforms("gene", "ROSE")
    )
    assert not holds_value("gene_symbol")


def test_json_and_xml_fragments_are_not_headers() -> None:
    assert holds_value(' "last_name": "Olejniczak"}') and holds_value("<b>Olejniczak</b>")
    assert not holds_value("[mrn]") and not holds_value("BMI {kg/m2}")


def test_zip_codes_under_an_address_header_are_zip_codes() -> None:
    assert profile("AddressZip", _of("36801", "48197", "05301-1234")).shape == "zip"


def test_ambulance_units_are_not_units_of_measure() -> None:
    assert profile("EMS unit", _of("Medic 7", "Engine 41")).kind == "identifier"
