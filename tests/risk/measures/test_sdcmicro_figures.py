"""Figures that sdcMicro 5.7.9 prints: in its reference pages (freqCalc, indivRisk, measure_risk,
localSuppression) for eight records of Capobianchi, Polettini & Lucarelli 2001, in its tests
(`test_suda2.R`), and in its practice guide.
"""

from __future__ import annotations

import numpy as np
import pytest

from risk import Classes, ClassSize, PlanRequest, RiskRequest, Threshold, assess, plan_cells
from risk.estimators.matches import individual_risk
from risk.measures.key_subsets import KeySubsets, spread_chance

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


def test_class_sizes_in_the_sample_and_by_weights_agree_with_sdcmicro() -> None:
    rows = list(zip(*KEYS.values(), strict=True))
    same = np.array([[row == other for other in rows] for row in rows])
    assert (same @ WEIGHTS).tolist() == POPULATION
    assert same.sum(axis=1).tolist() == SAMPLE
    classes = Classes.of(KEYS)
    assert sorted(np.repeat(classes.sizes, classes.sizes)) == sorted(SAMPLE)
    assert int(classes.sizes[classes.sizes < 2].sum()) == 4
    assert int(classes.sizes[classes.sizes < 3].sum()) == 8


def test_individual_risk_agrees_with_sdcmicro() -> None:
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
    """sdcMicro reads a blank as any value and blanks four cells; with strict counting three
    suffice.
    """
    table = {name: KEYS[name] for name in ("Key2", "Key3", "Key4")}
    asked = PlanRequest((ClassSize(2),))
    wildcard = plan_cells(table, asked, reading="wildcard")
    assert wildcard.details["cells"] == 4 and wildcard.suppressed_records == 0
    strict = plan_cells(table, asked)
    assert strict.details["cells"] == 3 and strict.summary()["smallest_class"] >= 2


#: Ten records of the practice guide of sdcMicro (Benschop & Welch, "Measuring risk", Table 41).
RESPONDENTS = {
    "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
    "gender": [*"FFFMFMFMFF"],
    "education": ["si", "si", "pi", "sc", "sc", "sc", "pc", "ps", "si", "si"],
    "labor": ["E", "E", "N", "E", "U", "E", "N", "U", "N", "N"],
}
PER_RECORD = [2, 2, 1, 2, 1, 2, 1, 1, 2, 2]
BY_WEIGHTS = [360, 360, 215, 152, 186, 152, 180, 215, 262, 262]
HEALTH = ["y", "y", "y", "y", "y", "n", "n", "y", "n", "y"]


def test_figures_of_ten_respondents_agree_with_sdcmicro() -> None:
    """Sample frequencies, violations of 2- and 3-anonymity, individual risk, l-diversity."""
    report = assess(
        {**RESPONDENTS, "health": HEALTH},
        [*RESPONDENTS],
        RiskRequest(Threshold.of_cell_size(2), sensitive=("health",)),
    ).as_json()
    assert report["histogram"] == {"1": 4, "2": 3} and report["prosecutor"]["at_risk"] == 0.4
    assert report["g_distinct"]["2"] == 10
    assert report["disclosure"][0]["distinct_l"] == 1
    assert report["disclosure"][0]["homogeneous_records"] == 0.6
    risk = individual_risk(np.array(PER_RECORD, float), np.array(BY_WEIGHTS, float))
    assert risk == pytest.approx(
        [0.005424520, 0.005424520, 0.025096439, 0.012563425, 0.028247279, 0.012563425,
         0.029010932, 0.025096439, 0.007403834, 0.007403834], abs=5e-9,
    )  # fmt: skip


def test_suda_scores_of_ten_respondents() -> None:
    """Four special uniques: 6, 12, 6 and 10, if at most three of the four columns are searched. The
    fifth record is unique by {rural} and by three pairs: 6 + 2 + 2 + 2.
    """
    found = KeySubsets.of(Classes.of(RESPONDENTS), 3)
    assert found.suda_scores == {6: 2, 10: 1, 12: 1}
    assert found.minimal_uniques[1] == 4
    alone = KeySubsets.of(Classes.of(RESPONDENTS), 4)
    assert alone.suda_scores == found.suda_scores and alone.minimal_uniques[4] == 0
    # Of 34 points in total, 6 come from {rural} and 2 from {urban, unemployed}.
    assert found.contributions["residence"] == pytest.approx(8 / 34)


def test_dis_suda_of_ten_respondents() -> None:
    """The practice guide ("Measuring risk", Table 4.5 and Example 4.7) for a sampling fraction of 1
    %. It scores like sdcMicro up to 5.0.2: 1.75 for one column, 0.5 for two.
    """
    older = np.array([1.75, 3.25, 2.75])
    chance = 4 * 0.01 / (4 * 0.01 + 6 * 0.99)
    found = spread_chance(older, np.array([2.0, 1, 1]), chance, 4)
    assert found == pytest.approx([0.005120313, 0.010702061, 0.008775093], abs=1e-9)
    report = assess(
        RESPONDENTS, [*RESPONDENTS], RiskRequest(subsets=3, sampling_fraction=0.01)
    ).as_json()
    told = report["key_subsets"]["dis_suda"]
    by_scores = spread_chance(np.array([6.0, 10, 12]), np.array([2.0, 1, 1]), chance, 4)
    assert [*told] == ["6", "10", "12"] and [*told.values()] == pytest.approx(by_scores.tolist())


def test_dis_suda_distributes_the_chance_of_the_table() -> None:
    """Equal scores leave the chance unchanged, and a higher score never has a lower chance, for any
    number of columns.
    """
    equal = spread_chance(np.array([6.0]), np.array([3.0]), 0.2, 4)
    assert equal == pytest.approx([0.2])
    for columns in (3, 8, 28, 29, 60):
        found = spread_chance(np.array([1.0, 5, 90]), np.array([4.0, 2, 1]), 0.1, columns)
        assert (np.diff(found) > 0).all() and found.max() < 1
    assert KeySubsets.of(Classes.of({"a": [1, 2]}), 1, 1.0).dis_suda == {1: 1.0}
    assert not KeySubsets.of(Classes.of({"a": [1, 1]}), 1, 0.5).dis_suda


def test_suda_scores_of_the_book() -> None:
    """`suda2 book example` of sdcMicro's tests (Templ 2017): scores 4, 2, 6, 8 for the last four of
    eight records. The ten respondents of its guide have 0, 0, 6, 0, 12, 0, 6, 10, 0, 0 there as
    well.
    """
    table = {
        "age": ["20s"] * 7 + ["60s"],
        "gender": ["male"] * 4 + ["female"] * 3 + ["male"],
        "income": ["50k+"] * 2 + ["50k-"] * 6,
        "education": [
            *(["highschool"] * 4),
            "university",
            "highschool",
            "middleschool",
            "university",
        ],
    }
    found = KeySubsets.of(Classes.of(table), 4)
    assert found.suda_scores == {2: 1, 4: 1, 6: 1, 8: 1}


def test_missing_values_are_a_value_of_their_own() -> None:
    """The practice guide's Table 4.2 counts 2, 2 and 3 records, because a missing value may be any
    other. Decision 0010 counts 1, 1 and 1: an attacker sees the blank.
    """
    table = {
        "gender": ["m"] * 3,
        "education": ["complete", "incomplete", None],
        "labor": ["employed"] * 3,
    }
    assert Classes.of(table).sizes.tolist() == [1, 1, 1]
