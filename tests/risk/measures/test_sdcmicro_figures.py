"""Figures that sdcMicro 5.7.9 prints in its reference pages (freqCalc, indivRisk, measure_risk,
localSuppression) for eight records of Capobianchi, Polettini & Lucarelli 2001."""

from __future__ import annotations

import numpy as np
import pytest

from risk import Classes, ClassSize, PlanRequest, plan_cells
from risk.estimators.matches import individual_risk

KEYS = {
    "Key1": [1, 1, 1, 3, 4, 4, 6, 1],
    "Key2": [2, 2, 2, 3, 3, 3, 2, 2],
    "Key3": [5, 1, 1, 1, 1, 1, 1, 5],
    "Key4": [1, 1, 1, 5, 4, 1, 5, 1],
}
WEIGHTS = np.array([18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0])
SAMPLE = [2, 2, 2, 1, 1, 1, 1, 2]
POPULATION = [110.0, 84.5, 84.5, 17.0, 541.0, 8.0, 5.0, 110.0]
RISK = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948]
RISK.append(0.01714426)


def test_sizes_of_classes_in_the_sample_and_by_weights() -> None:
    rows = list(zip(*KEYS.values(), strict=True))
    same = np.array([[row == other for other in rows] for row in rows])
    assert (same @ WEIGHTS).tolist() == POPULATION
    assert same.sum(axis=1).tolist() == SAMPLE
    classes = Classes.of(KEYS)
    assert sorted(np.repeat(classes.sizes, classes.sizes)) == sorted(SAMPLE)
    assert int(classes.sizes[classes.sizes < 2].sum()) == 4
    assert int(classes.sizes[classes.sizes < 3].sum()) == 8


def test_individual_risk() -> None:
    found = individual_risk(np.array(SAMPLE, float), np.array(POPULATION))
    assert found == pytest.approx(RISK, abs=5e-9)


@pytest.mark.parametrize(
    ("size", "people", "risk"),
    [
        (359, 35_900, 2.793218e-05),
        (351, 35_100, 2.857061e-05),
        (161, 16_100, 6.249609e-05),
        (150, 15_000, 6.710959e-05),
        (359, 359, 0.002785515),
        (161, 161, 0.006211180),
    ],
)
def test_individual_risk_of_large_classes(size: int, people: int, risk: float) -> None:
    found = individual_risk(np.array([float(size)]), np.array([float(people)]))
    assert found[0] == pytest.approx(risk, rel=2e-7)


def test_local_suppression_blanks_as_many_cells() -> None:
    """sdcMicro reads a blank as any value and blanks four cells; strictly, three suffice."""
    table = {name: KEYS[name] for name in ("Key2", "Key3", "Key4")}
    asked = PlanRequest((ClassSize(2),))
    wildcard = plan_cells(table, asked, reading="wildcard")
    assert wildcard.details["cells"] == 4 and wildcard.suppressed_records == 0
    strict = plan_cells(table, asked)
    assert strict.details["cells"] == 3 and strict.summary()["smallest_class"] >= 2
