"""Scores and readings under their name are kept; identifiers under such a header, or under a vague
one, are not.
"""

from __future__ import annotations

import random

import pytest

from recognizers import conforms, holds_value, is_header_word, profile

ROWS = 300
DRAW = random.Random(7)


def _of(*values: str) -> list[str]:
    return [DRAW.choice(values) for _ in range(ROWS)]


def _whole(least: int, most: int) -> list[str]:
    return [str(DRAW.randint(least, most)) for _ in range(ROWS)]


KEPT = {
    "bishop_score": _whole(0, 13),
    "Borg": _of("0", "0.5", "2", "3", "7"),
    "wells_pe": _of("0", "1.5", "4.5", "6"),
    "grace": _whole(60, 220),
    "child_pugh": _of("A5", "B7", "C10"),
    "va_od": _of("20/20", "20/40", "20/200", "CF", "HM"),
    "gtpal": _of("G2P1011", "G1P0", "G4P3013"),
    "recist": _of("CR", "PR", "SD", "PD"),
    "hunt_hess": _whole(1, 5),
    "nyha": _of("I", "II", "III", "IV"),
    "FiO2": _whole(21, 100),
    "lvad_rpm": _of("5400", "5600", "9000"),
    "add_power": _of("+1.50", "+2.00", "+2.50"),
    "first_careunit": _of("MICU", "Medical Intensive Care Unit (MICU)", "Neuro Stepdown"),
    "unit_type": _of("ICU", "Stepdown", "Ward", "ED"),
    "membranes": _of("Intact", "SROM", "AROM"),
    "perineal_laceration": _of("None", "1st degree", "2nd degree"),
    "container": _of("SST", "EDTA", "Lithium heparin"),
    "specimen": _of("Serum", "Whole blood", "Urine, clean catch"),
    "line_site": _of("R IJ", "L subclavian", "R femoral"),
    "encntr_class": _of("IMP", "AMB", "EMER"),
    "payor_type": _of("HMO", "PPO", "FFS"),
    "lens_status": _of("Phakic", "Pseudophakic", "Aphakic"),
    "position": _of("Supine", "Prone", "Semi-Fowler"),
}


@pytest.mark.parametrize("header", KEPT)
def test_scores_and_readings_under_their_name_are_kept(header: str) -> None:
    seen = profile(header, KEPT[header])
    assert seen.kind == "keep"
    assert all(conforms(seen.shape, value) for value in KEPT[header])


HIDDEN = {
    "names": _of("Kasia Olejniczak", "Ngozi Okafor", "Wei Zhang"),
    "rare names": _of("Xochiquetzal Vang", "Tlalli Huaman", "Szczepan Brzeczyk", "Nayeli Pech"),
    "rare surnames": _of("Brzeczyszczyk", "Ogunbanjo", "Quispe", "Huaman", "Tsosie"),
    "initials": _of("KO", "NV", "WZ", "JB", "TR"),
    "record numbers": [f"{n:08d}" for n in DRAW.sample(range(10**8), ROWS)],
    "short record numbers": [str(n) for n in DRAW.sample(range(1000, 9999), ROWS)],
    "telephones": [f"715-555-0{100 + n % 100}" for n in range(ROWS)],
    "local telephones": [f"555-0{100 + n % 100}" for n in range(ROWS)],
    "days": [f"2021-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(ROWS)],
    "days without a year": [f"{1 + n % 12}/{1 + n % 28}" for n in range(ROWS)],
    "years of birth": _whole(1925, 1999),
    "zips": _of("05301", "70501", "43604"),
    "towns": _of("Putney", "Lafayette", "Toledo"),
    "rooms": [f"{1 + n % 9}{'NSEW'[n % 4]}-{1 + n % 40}" for n in range(ROWS)],
    "remarks": _of("call back Quispe re ride", "Huaman drove her home today", "ask Tsosie"),
}  # fmt: skip
HEADERS = (
    "borg", "score", "result", "bishop_score", "grace", "first_careunit", "unit_type", "specimen",
    "membranes", "pupils", "svc_line", "position", "va_od", "fio2", "svr", "container",
)  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("what", HIDDEN)
def test_identifiers_under_a_score_or_vague_header_are_not_kept(header: str, what: str) -> None:
    assert profile(header, HIDDEN[what]).kind != "keep"


@pytest.mark.parametrize("header", ["borg", "membranes", "svr", "first_careunit"])
def test_a_name_among_scores_does_not_fit_the_column(header: str) -> None:
    shape = {"borg": "score", "membranes": "graded", "svr": "reading"}.get(header, "care_unit")
    assert not conforms(shape, "Okafor") and not conforms(shape, "Kasia Olejniczak")
    assert not conforms(shape, "00441672") and not conforms(shape, "715-555-0142")


def test_the_eponym_of_a_score_is_not_a_header_word() -> None:
    assert not is_header_word("berg") and not is_header_word("lawton")
    assert holds_value("Kowalczyk")
    assert profile("Berg", _whole(10, 56)).shape == "score"


def test_a_signed_decimal_is_not_a_telephone_number() -> None:
    assert profile("xq7", ["+1.50", "+2.00", "+2.50"] * 20).entity != "PHONE_NUMBER"
    assert profile("xq7", ["+1 715 555 0142", "+44 20 7946 0958"] * 20).entity == "PHONE_NUMBER"
