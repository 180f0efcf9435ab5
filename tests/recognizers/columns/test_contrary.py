"""Values that cannot be what their header names, and identifiers under the same headers."""

from __future__ import annotations

from random import Random

import pytest

from recognizers import profile
from recognizers.columns.headers import header_words, other_meaning


def cells(*values: str, rows: int = 120) -> list[str]:
    return [values[n % len(values)] for n in range(rows)]


def whole(least: int, most: int, rows: int = 120) -> list[str]:
    drawn = Random(7)
    return [str(drawn.randint(least, most)) for _ in range(rows)]


def tenths(least: float, most: float) -> list[str]:
    drawn = Random(7)
    return [f"{drawn.uniform(least, most):.1f}" for _ in range(120)]


CLOCK = [f"{n % 24:02}{n * 7 % 60:02}" for n in range(120)]
NAMES = cells("Price", "Long", "Rose", "Banks", "Bell", "Stone")
GIVEN = cells("Hope", "Grace", "Faith", "Joy")
OTHER_SURNAMES = cells("Okafor", "Tran", "Smith")
INITIALS = cells("JS", "MK", "RB", "AL", "TD", "PW")
ORGANIZATIONS = cells("Sacred Heart", "Healing Hands", "Back Bay", "Helping Hand", "Heart Center")
CLINICS = cells("Hand Clinic", "Foot & Ankle", "Spine Institute", "Hip Center", "Chest")


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("FluoroTime", tenths(2, 40)),
        ("OPTIME", whole(20, 500)),
        ("OPTIME", cells("120", "95", "240", "1905", "1936", "1960")),
        ("GTIME_KI", whole(700, 2900)),
        ("PerfusTm", whole(50, 220)),
        ("TimeToECG", whole(0, 60)),
        ("time_point", cells("0h", "24h", "48h")),
        ("Start", cells("3 days", "30 min")),
        ("Beg", ["0", *whole(0, 60)]),
        ("days in status", whole(1, 180)),
        ("Start", whole(-30, 90)),
        ("End", whole(1, 600)),
        ("KOOS JR 1yr", tenths(40, 99)),
    ],
)
def test_numbers_that_cannot_be_dates_are_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind == "keep"


@pytest.mark.parametrize("header", ["RunTime", "BTIME", "COLLTM", "arrival_time"])
@pytest.mark.parametrize(
    "values",
    [
        CLOCK,
        [str(int(value)) for value in CLOCK],
        ["1896", "0655", "0492", "2198"] * 30,
        cells("2020", "2021", "830"),
        whole(1, 23),
        whole(40000, 46000),
        whole(20, 100),
        cells("8h", "14h"),
        cells("0012", "0045"),
        cells("8.30", "14.45", "23.05"),
        cells("0.3541", "0.7292", "0.5000"),
    ],
)
def test_times_of_day_and_ages_under_a_time_header_are_not_kept(
    header: str, values: list[str]
) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["Start", "Beg", "Onset", "death", "admit", "visit_date"])
@pytest.mark.parametrize(
    "values",
    [
        whole(1, 31),
        whole(1, 366),
        ["0", *whole(1, 366)],
        ["0", *whole(1, 97)],
        [f"{n % 12 + 1}{n % 28 + 1:02}" for n in range(120)],
        [f"{n % 28 + 1}.{n % 12 + 1}" for n in range(120)],
        [f"{n % 28 + 1:02}.{n % 12 + 1:02}" for n in range(120)],
        [f"{40 + n % 56}.5" for n in range(120)],
        whole(18000, 23000),
        whole(1930, 2020),
        [str(n) for n in range(301, 500)],
    ],
)
def test_dates_and_ages_under_a_date_header_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


def test_counts_that_look_like_years_are_withheld() -> None:
    for header in ("Start", "discharge", "visit_date", "DayNo"):
        assert profile(header, whole(1, 3000)).kind == "unsure"
        assert profile(header, whole(1990, 2024)).kind != "unsure"


def test_years_under_a_time_header_are_years() -> None:
    assert profile("Yr Dx", whole(1985, 2024)).shape == "year"
    assert profile("LON", whole(67, 124)).kind != "keep"
    assert profile("visit_time", whole(1990, 2024)).shape == "year"
    assert profile("visit_time", CLOCK).kind == "unsure"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("MR", cells("none", "trace", "mild", "mod", "severe")),
        ("REM lat.", whole(40, 200)),
        ("LON", cells("12", "3", "99")),
        ("KneeExtAROM", whole(-15, 0)),
        ("LOC", cells("0.5", "2.1", "12.5", "IOP")),
        ("Anes", cells("Epid", "Spinal", "GA", "Local")),
        ("CD4", whole(20, 1200)),
        ("BD resp", cells("Y", "N", "ND")),
        ("MEDICAID", cells("Y", "N", "U")),
        ("Site", cells("L nasal ala", "R forearm", "upper back", "scalp vertex", "L cheek")),
        ("site", cells("L deltoid", "R abd", "L hand PIV", "PICC")),
        ("Location", cells("Sacrum", "L heel", "R lat malleolus", "Coccyx")),
        ("Site_Name", cells("L Breast", "Prostate", "Brain Mets", "H&N", "R Lung SBRT")),
        ("Exit site", cells("R chest", "L chest", "abdomen", "R groin")),
        ("State", cells("Awake", "Drowsy", "Sleep", "Coma")),
        ("Stress", cells("Not at all", "A little bit", "Very much")),
    ],
)
def test_clinical_values_override_a_suspicious_header(header: str, values: list[str]) -> None:
    assert profile(header, values).kind == "keep"


@pytest.mark.parametrize("header", ["STATE_ID", "Lic St"])
def test_states_under_an_id_header_are_states(header: str) -> None:
    assert profile(header, cells("MT", "OH", "TX")).shape == "state"
    assert profile(header, INITIALS).kind in ("identifier", "unsure")
    assert profile(header, whole(10**6, 10**7)).kind == "identifier"


@pytest.mark.parametrize("header", ["Anes", "Tech", "MR", "PT", "tech_init"])
@pytest.mark.parametrize(
    "values",
    [NAMES, GIVEN, OTHER_SURNAMES, INITIALS, whole(1, 40), whole(10**5, 10**6),
     cells("Local", "Price", "Long", "Rose"), cells("Sunny", "Bear", "Doc", "Angel"),
     cells("Local", "Spinal", "Price"), cells("apple", "banana", "cherry"),
     cells("Bishop", "Cook", "Carter", "Fisher", "Baker"), cells("A1", "B2", "C7")],
)  # fmt: skip
def test_persons_under_an_abbreviated_header_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["Site", "Location", "LOC", "Site_Name", "BD"])
@pytest.mark.parametrize(
    "values",
    [ORGANIZATIONS, CLINICS, whole(1, 12), cells("Main", "North", "Downtown", "Eastside"),
     cells("Chest", "Heart", "Mercy Heart Institute", "Lung"), cells("101A", "101B", "202"),
     cells("Chest", "Heart", "Lung", "Breast", "Houston"), cells("Hand", "Foot", "Lakeview"),
     cells("Temple", "Palm", "Crown", "Cheek"), cells("KP", "KI", "LI")],
)  # fmt: skip
def test_organizations_under_a_site_header_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["lat", "LON"])
@pytest.mark.parametrize(
    "values",
    [whole(25, 49), whole(-124, -67), cells("41.88", "35.21", "-87.63"),
     cells("41", "-87", "35", "-80"), cells("35.2", "47.9", "44.1")],
)  # fmt: skip
def test_degrees_of_latitude_and_longitude_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["ext", "Phone ext", "Ext."])
@pytest.mark.parametrize("values", [whole(100, 999), whole(1000, 99999), cells("x123", "x4455")])
def test_telephone_extensions_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("MEDICAID", cells("Y", "U", "K")),
        ("MEDICAID", whole(1, 9)),
        ("State", cells("Jalisco", "Sonora", "Bavaria")),
        ("State", cells("Houston", "Mobile", "Reading")),
        ("CD4", whole(1000, 9999)),
        ("lineage", NAMES),
        ("Stress", cells("Elm Street", "Oak Lane")),
    ],
)
def test_identifiers_under_misleading_headers_are_not_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("STR", cells("10 mg", "500 MG", "0.5 %")),
        ("ADR", cells("rash", "nausea", "hives")),
        ("Retina OD", cells("attached", "detached", "normal")),
        ("ST dep", tenths(0, 3)),
        ("Phys Fx", cells("good", "fair", "poor")),
    ],
)
def test_findings_and_doses_under_headers_of_places_and_persons_are_kept(
    header: str, values: list[str]
) -> None:
    assert profile(header, values).kind == "keep"


@pytest.mark.parametrize("header", ["STR", "ADR", "signature", "Phys", "fingerprint", "FP"])
@pytest.mark.parametrize(
    "values",
    [cells("10 Elm St", "22 Oak Ave"), cells("Chestnut", "Walnut", "Maple", "Elm"),
     cells("Spring", "Valley", "Front", "Court"), cells("Church", "Main", "School"), NAMES,
     GIVEN, OTHER_SURNAMES, INITIALS, [f"{n * 7919:08x}" for n in range(120)]],
)  # fmt: skip
def test_places_and_persons_under_ambiguous_headers_are_not_kept(
    header: str, values: list[str]
) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["License", "Board Cert", "vehicle", "License plate"])
def test_licenses_and_plates_have_digits(header: str) -> None:
    assert profile(header, cells("Active", "Expired")).kind == "keep"
    for values in (NAMES, OTHER_SURNAMES, INITIALS, cells("HOTROD", "BIGDOG", "ROSEMD", "GOCUBS")):
        assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("header", ["License", "vehicle", "License plate"])
def test_short_words_on_no_list_are_not_taken_for_plates(header: str) -> None:
    assert profile(header, cells("ABIM", "ABFM")).kind == "unsure"


def test_whole_header_words_are_not_split() -> None:
    assert [header_words(word) for word in ("lineage", "Stress", "Subgroup", "rsID")] == [
        ("lineage",), ("stress",), ("subgroup",), ("rsid",)
    ]  # fmt: skip
    assert header_words("cellphone") == ("phone", "phone")
    assert header_words("patientid") == ("patient", "id")
    assert header_words("CD4 count") == ("cd4", "count")


def test_an_ambiguous_header_has_another_meaning() -> None:
    assert other_meaning("REM lat.") == "rem latency"
    assert other_meaning("latitude") is None


def _decimals(low: float, high: float) -> list[str]:
    chance = Random(7)
    return [f"{chance.uniform(low, high):.1f}" for _ in range(60)]


@pytest.mark.parametrize("header", ["S/N", "ImgMatchShift_mm", "photo_quality"])
def test_decimals_are_not_serial_numbers_or_photos(header: str) -> None:
    assert profile(header, _decimals(-5, 90)).kind == "keep"


def test_employers_and_device_serial_numbers_are_not_kept() -> None:
    assert profile("EMPLOYER", ["Tolbrook Foundry", "Quillfeather Mill"] * 20).kind == "identifier"
    assert profile("device_serial", [f"{n * 7919 % 100000}" for n in range(60)]).kind != "keep"
    assert profile("S/N", [f"1.{n}.{n + 3}" for n in range(60)]).kind != "keep"


_CHANCE = Random(11)


def _dated(form: str) -> list[str]:
    drawn = [tuple(map(_CHANCE.randint, (1, 1, 60), (28, 12, 99))) for _ in range(100)]
    return [form.format(day=day, month=month, year=year) for day, month, year in drawn]


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("death date", "{month:02}.{year}"),
        ("DOS", "{year}.{month:02}"),
        ("visit_date", "{day}.{month}"),
        ("onset time", "19{year}.{month:02}"),
        ("admit_time", "{day}{month:02}"),
    ],
)
def test_dates_in_unusual_forms_are_not_durations(header: str, form: str) -> None:
    assert profile(header, _dated(form)).kind != "keep"
    assert profile(header, _dated(form)[:93] + ["44.5"] * 7).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("lat", [f"{n}" for n in range(250, 490, 2)]),
        ("lat", [f"{n}" for n in range(2500, 4900, 20)]),
        ("tech", cells("Green", "Brown", "Gray", "White")),
        ("bed loc", cells("4.1", "3.2", "2.1")),
        ("PRN given", cells("JS", "MK", "TL")),
        ("exit site", cells("JS", "MK", "TL")),
        ("PlateWell", cells("Smith", "4412")),
        ("ward", cells("arm", "leg", "Bed 12")),
        ("witness initials", cells("Y", "N", "ND")),
        ("parent comment name", cells("JS", "MK", "TL")),
        ("staff comment initials", cells("JS", "MK", "TL")),
    ],
)
def test_values_that_may_be_the_identifier_are_not_kept(header: str, values: list[str]) -> None:
    found = profile(header, values)
    assert found.kind != "keep" or not any(map(found.may_stay, values))


def test_ages_under_an_age_units_header_are_ages() -> None:
    assert profile("AGE_UNITS", [str(n) for n in range(98)]).entity == "AGE"
    assert profile("AGE_UNITS", ["years", "months", "days"] * 20).kind == "keep"


@pytest.mark.parametrize("header", ["CoC_Code", "coc number", "CoC"])
def test_a_continuum_of_care_code_is_a_place_smaller_than_a_state(header: str) -> None:
    assert profile(header, ["WI-500", "IL-510", "MN-501"] * 30).kind == "identifier"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("num_encounters", [1, 2, 2, 4, 3]),
        ("n_claims", [37, 51, 31, 32, 48]),
        ("MaxParticipants", [100, 300, 200, 50, 150]),
        ("total_visits", [4, 9, 2, 2, 12]),
        ("years_of_experience", [15, 3, 4, 10, 9]),
        ("time.to.transplant", [5.16, 79.05, 95.58, 33.02, 11.4]),
        ("wait_time_hours", [1.666666667, 1.5, 2.75, 1.3333333, 2]),
        ("PatientResponsibility", ["50.0", "40.0", "36.0", "44.0", "170.0"]),
    ],
)
def test_counts_and_spans_under_headers_of_identifiers_are_kept(
    header: str, values: list[object]
) -> None:
    assert profile(header, list(map(str, values)) * 8).kind == "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("encounter_num", [40101, 40102, 40103, 40104, 40105]),
        ("claim_no", [1, 2, 3, 4, 5]),
        ("num_id", [1, 2, 3, 4, 5]),
        ("target_patient", [1000, 1037, 1074, 1111, 1148]),
        ("target_account", [4400, 4401, 4402, 4403, 4404]),
        ("min_subject", [101, 102, 103, 104, 105]),
        ("no_charts", [31, 32, 33, 34, 35]),
        ("num_accounts", [1311, 1311, 1622, 1622, 1933]),
        ("time_to_death", [71.53, 80.2, 98.9, 100.7, 88.01]),
        ("time_of_death", [71.53, 80.2, 99.47, 100.74, 88.01]),
        ("time_at_diagnosis", [71.53, 80.2, 99.47, 100.74, 88.01]),
        ("no_patients", ["Ann Lee", "Bo Rye", "Cy Orr", "Di Poe", "Ed Ray"]),
        ("year", [85, 86, 91, 78, 90]),
    ],
)
def test_numbers_of_events_are_not_taken_for_counts(header: str, values: list[object]) -> None:
    assert profile(header, list(map(str, values)) * 8).kind != "keep"


@pytest.mark.parametrize("header", ["zq", "obs", "ISDTC"])
def test_months_among_years_are_not_kept_as_codes(header: str) -> None:
    assert profile(header, ["2021-12", "2021", "2021-11", "2021", "2021"] * 8).kind != "keep"


@pytest.mark.parametrize("header", ["no_patients", "number_of_insured_persons", "total_members"])
def test_long_numbers_that_all_differ_are_no_counts(header: str) -> None:
    values = [str(2000 + 91 * n % 7000) for n in range(24)]
    assert profile(header, values).kind != "keep"


KARNOFSKY = cells("90", "80", "90", "100", "70", "90", "60", "80", "70", "90", "80", "90", "100")
KARNOFSKY[0] = "50"
SHARES = ["0.0"] * 30 + ["90.0"] * 29 + ["100.0"] * 28 + ["80.0"] * 18 + ["85.0"] * 7 + ["2.0"]


@pytest.mark.parametrize(
    ("header", "values", "shape"),
    [
        ("ph.karno", KARNOFSKY, "percent"),
        ("pat.karno", KARNOFSKY, "percent"),
        ("slides.percent_tumor_cells", [*SHARES, "'--"], "percent"),
        ("End IP", cells("0", "9", "0", "1", "9", "8"), "digit"),
        ("OUTRO_SIN", cells("2.0", "1.0", "2.0", "9.0"), "digit"),
        ("OUTRO_SIN", cells("0.5", "0.0", "0.5", "1.0"), "digit"),
        ("hiv_partner", ["0"], "yes_no"),
        ("interpreter_needed", ["0", "0", "1", "0"], "yes_no"),
        ("OFC_VISIT", ["Y"], "yes_no"),
        ("visit_lab_data_complete", ["2", "2", "1"], "yes_no"),
        ("contact_info_complete", ["2", "2", "0"], "yes_no"),
        ("TIMEPT", cells("15 MINS", "1 HR", "4 HR", "DAY 2", "DAY 15"), "time_point"),
        ("PCTPTREF", cells("Day 1 Dose", "Day 11 Dose", rows=12), "time_point"),
        ("visit", [*cells("Week 12", "W12", "EOT", "Visit 6", "baseline"), "BL"], "time_point"),
        ("loc_num_women_return", cells("2", "15", "4", "75", "3", "110"), "sequence"),
    ],
)
def test_values_that_are_no_piece_of_what_the_header_names_are_kept(
    header: str, values: list[str], shape: str
) -> None:
    found = profile(header, values)
    assert (found.kind, found.shape) == ("keep", shape)
    numbers = [] if shape == "sequence" else ["4127", "0417", "212"]
    assert not any(map(found.may_stay, [*numbers, "JS", "Bo", "Okafor", "4 West"]))


@pytest.mark.parametrize("header", ["sti_last12m", "tests last 7 days", "Last6Months_visits_done"])
def test_a_period_is_no_last_name(header: str) -> None:
    assert "last" not in header_words(header)


@pytest.mark.parametrize("header", ["last1", "last_2", "last4_ssn", "last name 2"])
def test_the_last_name_of_the_second_person_is_a_name(header: str) -> None:
    assert "last" in header_words(header)


def test_the_state_of_a_sample_may_be_a_status() -> None:
    assert profile("samples.state", ["released"] * 20).kind == "keep"
    assert profile("sample_state", cells("CA", "TX", "VT")).shape == "state"
    assert profile("sample_state", cells("delta", "rivers", "plateau")).kind != "keep"


def test_dates_under_a_header_of_social_security_numbers_are_dates() -> None:
    days = [f"2020-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(40)]
    assert profile("DT_SIN_PRI", days).transform == "year"


def _skewed(*values: str) -> list[str]:
    return [value for n, value in enumerate(values) for _ in range(2 ** (len(values) - n))]


PIECES = {
    "last four digits": whole(1000, 9999),
    "the same last four digits": cells("4127", "0417", "9032"),
    "area codes": _skewed("212", "415", "617", "206"),
    "area codes of two digits": _skewed("11", "21", "85", "31", "95"),
    "extensions": _skewed("12", "45", "30", "25"),
    "short record numbers": whole(1, 9999),
    "record numbers of few persons": _skewed("4", "1", "7", "12", "9"),
    "record numbers of one digit": whole(1, 9),
    "numbered in tens": [str(10 * (n // 12 + 1)) for n in range(120)],
    "counted from 1": [str(n) for n in range(1, 60)],
    "initials": INITIALS,
    "an initial": ["N"],
    "short names": cells("Bo", "Li", "Ng", "Wu", "Jo"),
    "a surname": ["No"],
    "house numbers": whole(1, 900),
    "ZIP codes": whole(10000, 99000),
    "ZIP codes of three digits": whole(100, 999),
    "years of birth": whole(1920, 2005),
    "ages": whole(30, 99),
    "rooms": whole(100, 430),
    "wards": _skewed("4 West", "5 East", "W4", "V7"),
    "keys like visits": _skewed("V12", "V3", "D4", "W7", "C2"),
    "ages in words": _skewed("45 years", "93 years", "67 years"),
    "hours of a day": _skewed("14 hr", "7 hr", "23 hr"),
    "days of a month": _skewed("Day 1", "Day 9", "Day 30"),
    "octets": _skewed("10", "0", "192", "25"),
    "halves of addresses": [f"{n % 200 + 11}.{n * 7 % 250}" for n in range(60)],
}
NO_PIECES = "the values are no pieces"
HEADERS_OF_PIECES = (
    *("phone", "ph.karno", "percent_tumor_cells", "office ext", "ssn_last4", "OUTRO_SIN", "ip_2"),
    *("End IP", "patient", "pat.karno", "patient_index", "pat.nr", "TIMEPT", "patient_complete"),
    *("OFC_VISIT", "acct", "visit_lab_data_complete", "member_id", "PCTPTREF", "hiv_partner"),
    *("doctor", "interpreter_needed", "contact_info_complete", "loc_num_women_return", "room"),
)


@pytest.mark.parametrize("header", HEADERS_OF_PIECES)
def test_pieces_of_identifiers_are_not_taken_for_something_else(header: str) -> None:
    found = {name: profile(header, values) for name, values in PIECES.items()}
    kept = {name for name, told in found.items() if told.reasons[-1].startswith(NO_PIECES)}
    # These may be the counts of persons at a place, or the days of visits, that the header names.
    counts = {"record numbers of one digit", "record numbers of few persons", "octets"}
    meant = {"loc_num_women_return": counts, "OFC_VISIT": {"days of a month"}}
    assert kept <= meant.get(header, set())
