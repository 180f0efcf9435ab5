"""Units are never taken for initials, wherever a result is, and do not extend to other text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recognizers.finding import ENTITIES, Finding
from recognizers.search import Finder
from recognizers.text.measures import is_sure, is_unit, measure_around, measured

RESULTS = (
    "Sodium 138 mmol/L", "Chloride 101 mEq/L", "Glucose 104 mg/dL", "AST 31 U/L", "ALT 28 IU/L",
    "WBC 11.2 x10E3/uL", "WBC 7.2 K/uL", "Platelets 231 x10^9/L", "ANC 3.1 10*3/uL", "MCV 88 fL",
    "Troponin 14 ng/L", "BNP 312 pg/mL", "TSH 2.31 uIU/mL", "Ferritin 88 ng/mL", "Zinc 80 µg/dL",
    "eGFR 71 mL/min/1.73 m2", "eGFR 71 mL/min/1.73m2", "Serum osm 291 mOsm/kg", "pCO2 41 mm Hg",
    "HCV RNA 1.2 log IU/mL", "HIV RNA 41 copies/mL", "CD4 412 cells/mm3", "D-dimer 0.41 mg/L FEU",
    "norepinephrine 0.08 mcg/kg/min", "heparin 18 units/kg/hr", "UO 0.5 mL/kg/hr", "KCl 20 mEq",
    "VZV IgG 1,200 mIU/mL", "PEEP 5 cm H2O", "dose 10.2 mCi", "IgE 88 kU/L", "ESR 22 mm/hr",
)  # fmt: skip
FRAMES = (
    "{}.", "Call 607-555-0101. {}.\n", "Seen today. {}, ", "Labs: {} (H)\n", "labs today {} wnl",
    "- {}\n", "  {}   [ref]", "Pt doing well. {}, repeat in AM.",
)  # fmt: skip


def texts() -> Iterator[str]:
    for result in RESULTS:
        for frame in FRAMES:
            yield frame.format(result)
            yield frame.format(result.lower())


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load()


def test_results_are_kept(finder: Finder) -> None:
    cases = list(texts())
    taken = [
        text[f.start : f.end]
        for text, found in zip(cases, finder.find_all(cases), strict=True)
        for f in found
        if f.entity != "PHONE_NUMBER"
    ]
    assert len(taken) <= 0.01 * len(cases), taken


def found(text: str, value: str, entity: str) -> Finding:
    start = text.index(value)
    return Finding(start, start + len(value), ENTITIES[entity], entity, 0.6, "model")


@pytest.mark.parametrize("run", ["mmol/L", "mg/dL", "x10E3/uL", "10*3/uL", "K/uL", "mL/min/1.73m2"])
def test_units_are_recognized(run: str) -> None:
    assert is_unit(run)


@pytest.mark.parametrize("run", ["KW/mb", "d/w", "A9", "c/o", "RN/kl"])
def test_ambiguous_abbreviations_are_not_certain_units(run: str) -> None:
    assert not is_sure(run)


@pytest.mark.parametrize(
    ("text", "value", "entity"),
    [
        ("K 4.1 mmol/L", "mmol/L", "PERSON"),
        ("K 4.1 mmol/L", "L", "PERSON"),
        ("TSH 2.3 uIU/mL (H)\n", "mL (H", "PERSON"),
        ("Glucose (mg/dL) 104", "mg/dL", "PERSON"),
        ("Wt (kg)   108.9   103.6", "kg", "PERSON"),
        ("CA 19 U/mL", "19 U/mL", "VEHICLE_ID"),
        ("pachymetry 545 um", "545", "PHONE_NUMBER"),
    ],
)
def test_a_finding_that_is_only_a_measurement_is_recognized(
    text: str, value: str, entity: str
) -> None:
    assert not value.isalpha() or measured(text, found(text, value, entity))


@pytest.mark.parametrize(
    ("text", "value", "entity"),
    [
        ("heparin 5 mg Lisa called", "mg Lisa", "PERSON"),
        ("lives at 1020 cr 204", "1020 cr 204", "STREET_ADDRESS"),
        ("lives at 1020 cr 204", "cr 204", "STREET_ADDRESS"),
        ("turns 100 in June", "100", "AGE_OVER_89"),
        ("0430 mg at bedside", "mg", "PERSON"),
        ("told by phone (kg) at once", "kg", "PERSON"),
        ("1435 KG RN", "KG", "PERSON"),
        ("ref 5521-0042-A9 (spoken)", "5521-0042-A9", "OTHER_ID"),
    ],
)
def test_a_finding_with_other_text_is_not_taken_for_a_measurement(
    text: str, value: str, entity: str
) -> None:
    assert not measured(text, found(text, value, entity))


def test_no_unit_is_skipped_as_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    words = " seen by Okafor (kg) 4 few/HPF, trace N 1+ L  H\nWt (kg)   108.9\n"
    places = [(x + words, at) for x in list(texts())[::9] for at in range(len(x + words))]
    quickly = [measure_around(text, at, at + 3) for text, at in places]
    monkeypatch.setattr("recognizers.text.measures.begins_word", lambda text, start: False)
    assert quickly == [measure_around(text, at, at + 3) for text, at in places]
