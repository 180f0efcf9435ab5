"""Headers in the style of other systems, and values that are more informative than their header."""

from __future__ import annotations

from random import Random

import pytest

from recognizers import conforms, profile

ICDS = ["E11.9, I10", "I10; J45.909", "Z38.00|P07.18", "O80"] * 5
DAYS = ["20260105", "20260302", "20251130", "20260617", "20260411"] * 4
NUMBERS = [f"{2901 + i * 37}" for i in range(30)]
CLERKS = ["BH", "ES", "MK", "TJ", "DL"] * 8


@pytest.mark.parametrize(
    ("header", "values", "kind", "shape"),
    [
        # Epic: category codes, abbreviations without vowels, lists of codes.
        ("CHIEF_CMPLNT", ["Fever x 3 days", "Cough; mother worried"] * 9, "text", "text"),
        ("CURRENT_ICD10_LIST", ICDS, "keep", "code"),
        ("PED_DELIVR_METH_C", ["1", "2"] * 10, "keep", "term"),
        ("WALKER_AID_C", ["1", "4"] * 10, "keep", "short_code"),
        ("TEMP_C", ["36.9", "37.2"] * 10, "keep", "number"),
        ("mem_rel_to_sub_c_name", ["Self", "Child", "Stepchild"] * 8, "keep", "relation"),
        ("TOBACCO_PAK_PER_DY", ["0.5", "1"] * 10, "keep", "number"),
        ("ALCOHOL_OZ_PER_WK", ["3.5", "1"] * 10, "keep", "number"),
        ("REFERRAL_SOURCE_ID", NUMBERS, "unsure", ""),
        ("EMPR_ID_CMT", ["Acme Foundry", "Cityline Bus Co"] * 4, "identifier", "organization"),
        ("RESULTING_LAB", ["Quest Boise", "Teche Regional Lab"] * 9, "identifier", "facility"),
        # Cerner: numbers of the hospital's own code sets.
        ("RACE_CD", ["309318", "309315", "0"] * 8, "keep", "concept"),
        ("MARITAL_TYPE_CD", ["312991", "312992"] * 8, "keep", "concept"),
        ("CMRN", ["00402817", "00402818"] * 8, "identifier", "patient_key"),
        # The VA.
        ("TIUDocumentSID", NUMBERS, "identifier", "key"),
        ("EDIPI", ["1203344556", "1893344021"] * 8, "identifier", "patient_key"),
        ("travelMi", ["196", "13", "45"] * 9, "keep", "number"),
        ("clerkInit", CLERKS, "identifier", "name"),
        # Claims.
        ("PTNT_DSCHRG_STUS_CD", ["01", "30"] * 9, "keep", "term"),
        ("REV_CNTR", ["0450", "0300"] * 9, "keep", "code"),
        ("Ins Group", ["58525", "62935"] * 9, "identifier", "plan"),
        ("PX_CD", ["0DTJ4ZZ", "5A1221Z"] * 9, "keep", "code"),
        ("ACCT_BAL", ["190.30", "520.55"] * 9, "keep", "number"),
        ("SPCMN_SRC", ["Blood", "Urine"] * 9, "keep", "term"),
        ("TRANS_BY", ["kf", "lm"] * 9, "identifier", "name"),
        # Registries, the ward, the nursery.
        ("County at DX", ["Lincoln", "Bannock", "Madison"] * 8, "identifier", "county"),
        ("Addr at DX--City", ["Afton", "Lovell"] * 8, "identifier", "city"),
        ("RX Summ--Surg Prim Site", ["00", "30", "50"] * 8, "keep", "term"),
        ("Date Last Contact", DAYS, "quasi", "date"),
        ("Ward/Unit", ["4 West", "NICU"] * 9, "identifier", "facility"),
        ("GEST_AGE_WKS", ["39.2", "38 3/7", "40w1d", "36"] * 5, "keep", "number"),
        ("Height", ["5'4\"", "5'11\"", "6'0\""] * 5, "keep", "number"),
        ("Weight", ["12.4 kg", "3.1 kg"] * 8, "keep", "number"),
        ("Site", ["L thigh", "R deltoid"] * 9, "keep", "term"),
        ("Site", ["Main campus", "Teche Clinic"] * 9, "identifier", "facility"),
        ("Regimen", ["Carbo/Pem", "DOCE q21d"] * 9, "keep", "term"),
        ("Surv Months", ["9", "17", "104"] * 9, "keep", "number"),
        ("Mfr", ["Abbott", "Medtronic", "Baxter", "Cook"] * 5, "keep", "device_maker"),
        ("Payor", ["Humana", "Molina", "Kaiser"] * 5, "keep", "brand"),
    ],
)
def test_columns_of_other_systems_are_understood(
    header: str, values: list[str], kind: str, shape: str
) -> None:
    seen = profile(header, values)
    assert (seen.kind, seen.shape) == (kind, shape), seen.reasons
    assert kind != "keep" or all(seen.may_stay(value) for value in values)


def test_towns_under_a_diagnosis_header_are_not_kept() -> None:
    assert profile("dx_txt_cd_name", ["Slidell", "Opelousas", "Bogalusa"] * 8).kind != "keep"


def test_names_under_a_text_header_are_names() -> None:
    seen = profile("CC To", ["Okafor, Marcus", "Novak, Priscilla", "Petrosyan, Ivan"] * 3)
    assert (seen.kind, seen.identifier) == ("identifier", "names")


@pytest.mark.parametrize("header", ["Next Of Kin", "Guarantor", "City"])
def test_telephone_numbers_under_a_person_header_are_telephone_numbers(header: str) -> None:
    assert profile(header, ["601-555-0144", "318-555-0120"] * 5).identifier == "phones"


def test_unexplained_initials_are_not_country_codes() -> None:
    assert profile("x9", CLERKS).kind == "unsure"


def test_a_column_of_makers_accepts_no_number_or_person() -> None:
    seen = profile("Mfr", ["Abbott", "Medtronic", "Baxter", "Cook"] * 5)
    assert not seen.may_stay("Priscilla Novak")
    assert not seen.may_stay("58525117")


@pytest.mark.parametrize("shape", ["term", "flag", "unit", "measure", "result", "short_code"])
@pytest.mark.parametrize(
    "cell",
    [
        "OKAFOR^MARCUS",
        "call Marcus Okafor",
        "Wife Yolanda Novak",
        "Slidell",
        "Teche Regional Clinic",
        "St Anne Medical Center",
        "Bayou Oncology Associates",
        "12 LARKSPUR LANE",
        "40 Tamarack Trace",
    ],
)
def test_no_kept_column_accepts_a_name_town_or_organization(shape: str, cell: str) -> None:
    assert not conforms(shape, cell)


@pytest.mark.parametrize(
    "cell",
    [
        "World War II",
        "Factor VIII",
        "Class III",
        "Marcus Gunn pupil",
        "Wolff Parkinson White",
        "Outpatient clinic",
        "Hospital admission",
        "Hemoglobin^LN",
        "2 View CT Chest",
        "Carbo/Pem",
    ],
)
def test_terms_that_only_resemble_names_or_places_are_kept(cell: str) -> None:
    assert conforms("term", cell)


def test_hospitals_under_a_harmless_header_are_not_kept() -> None:
    seen = profile("category", ["Teche Regional Clinic", "Lakeview Pediatrics"] * 9)
    assert (seen.kind, seen.identifier) == ("identifier", "places")


def test_a_column_of_numbers_accepts_units_and_fractions_but_no_name() -> None:
    seen = profile("GEST_AGE_WKS", ["39.2", "36", "40", "38"] * 9)
    assert seen.may_stay("38 3/7") and seen.may_stay("40 wk")
    assert not seen.may_stay("104 Novak") and not seen.may_stay("555-0143")
    assert not seen.may_stay("12 LARKSPUR LANE")


def test_a_plan_in_sentences_is_searched_as_text() -> None:
    told = ["Wean oxygen, full feeds, mother updated at bedside today", "Recheck in the morning"]
    assert profile("Plan", [f"{text} {n}" for n, text in enumerate(told * 6)]).kind == "text"


def test_a_recurring_serial_number_is_not_kept() -> None:
    serials = [f"8F2-{n:02}K{4471 + 3 * n}" for n in range(12)] * 4
    assert profile("dev", serials).kind == "unsure"


def test_an_occupation_is_searched_as_text() -> None:
    values = ["ranch cook", "crane operator at Bethlehem Steel, Lackawanna", "welder", "clerk"]
    assert profile("textUsualOccupation", values).kind == "text"


@pytest.mark.parametrize(
    ("header", "values", "kind", "shape"),
    [
        ("bday", ["1931-04-02", "1978-11-23"], "quasi", "birth_date"),
        ("URN", ["M0038817", "M0041902"], "identifier", "patient_key"),
        ("hosp_no", ["0038817", "0041902"], "identifier", "patient_key"),
        ("resid_zip", ["59729", "85301"], "quasi", "zip"),
        ("twitter_hdl", ["@teague_m78"], "identifier", "url"),
        ("followUpContactName", ["MAEVE LOWE", "R HALE"], "identifier", "name"),
        ("Variable / Field Name", ["record_id", "phq9_total"], "keep", "term"),
    ],
)
def test_headers_of_forms_dumps_and_registries_are_understood(
    header: str, values: list[str], kind: str, shape: str
) -> None:
    found = profile(header, values)
    assert (found.kind, found.shape) == (kind, shape), found.reasons


KEYS = [f"{101_119 + i * 7919}" for i in range(30)]
ZIPS = [f"{5301 + i * 1733:05}" for i in range(30)]
TOWNS = ["Brattleboro", "Natchitoches", "Petaluma", "Muskegon", "Winnemucca", "Tonopah"] * 5
SMALL = ["beatriz haverkamp", "chidi okafor", "desmond szymanski"] * 10


@pytest.mark.parametrize(
    ("header", "values", "kinds"),
    [
        ("COMMENT", KEYS, {"unsure", "identifier"}),
        ("VAL_TXT", ZIPS, {"unsure", "identifier"}),
        ("COMMENT", TOWNS, {"identifier"}),
        ("COMMENT", DAYS, {"quasi"}),
        ("ANSWER", ZIPS, {"unsure"}),
        ("RESULT", ZIPS, {"unsure"}),
        ("UNIT", ["4W", "5E", "MICU", "3 North"] * 8, {"identifier"}),
        ("CONGREGATION", ["First Baptist", "St. Mary Parish"] * 8, {"identifier"}),
    ],
)
def test_numbers_and_places_under_harmless_headers_are_not_kept(
    header: str, values: list[str], kinds: set[str]
) -> None:
    seen = profile(header, values)
    assert seen.kind in kinds, seen.reasons


@pytest.mark.parametrize("header", ["TYPE", "DESCR", "UNIT_TXT", "METHOD", "VALUE"])
def test_names_in_lower_case_are_not_kept(header: str) -> None:
    seen = profile(header, SMALL)
    assert not any(seen.may_stay(value) for value in SMALL)


@pytest.mark.parametrize("name", ["Darlene Rose", "Chidi Rose", "Hope Vandermeer"])
def test_a_name_with_one_part_that_is_a_word_is_not_kept(name: str) -> None:
    assert not conforms("term", name) and not conforms("measure", name)


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("SOFA", ["0", "4", "11"] * 10),
        ("MAP_MMHG", ["65", "72", "88"] * 10),
        ("O2_FLOW_LPM", ["2", "4", "15"] * 10),
        ("TUMOR_SZ_MM", ["9", "12", "40"] * 10),
        ("FLOWSHEET_ROW", ["R BP", "R PULSE"] * 10),
        ("DIET_ORDER", ["NPO", "Regular", "Cardiac"] * 10),
        ("CARC", ["45", "1", "96"] * 10),
        ("CPT_DESC", ["Office visit, established", "Injection sc/im"] * 10),
        ("EDEMA", ["1+", "2+", "None"] * 10),
        ("ADMITTING_SOURCE", ["ED", "HO"] * 10),
        ("itemid", Random(5).choices(["220045", "220179", "220210", "223761", "51221"], k=60)),
        ("WBC_ABS", ["12500", "8100", "9900", "10200", "7400", "11000"] * 5),
    ],
)
def test_clinical_measurements_are_kept(header: str, values: list[str]) -> None:
    seen = profile(header, values)
    assert seen.kind == "keep" and all(map(seen.may_stay, values)), seen.reasons
