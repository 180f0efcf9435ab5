"""Units are never taken for initials, wherever a result is, and do not extend to other text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recognizers.search import Finder
from recognizers.text.measures import is_unit

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


@pytest.mark.parametrize("run", ["mmol/L", "mg/dL", "x10E3/uL", "10*3/uL", "K/uL", "mL/min/1.73m2"])
def test_units_are_recognized(run: str) -> None:
    assert is_unit(run)
