"""The published worked examples, and ARX's figures on Adult, to 1e-6."""

from __future__ import annotations

import json

import numpy as np
import pytest

from risk.measures.assessment import RiskRequest, assess
from risk.measures.attacker_risk import prosecutor_risk
from risk.measures.risk_report import DecisionLimits
from risk.measures.scores import MetricInput, Score
from risk.measures.thresholds import Threshold
from risk.population.matching import match_population
from risk.population.table import read_population
from risk.tables.classes import Classes
from risk.tables.reading import read_table

#: El Emam 2011 (Genome Medicine 3:25), appendix, Table 4: the classes of Figure 1.
TABLE_4 = {
    "gender": ["Male"] * 7 + ["Female"] * 4,
    "born": ["1970-1979"] * 3 + ["1980-1989"] * 2 + ["1990-1999"] * 2 * 2 + ["1980-1989"] * 2,
}


def test_prosecutor_risk_of_table_5() -> None:
    """Appendix, Table 5 (equations 1, 3, 5 with 7): R_a 0.73, R_b 0.5, R_c 0.45 at tau = 0.33."""
    question = RiskRequest(threshold=Threshold.of_tau("0.33"))
    found = assess(TABLE_4, ["gender", "born"], question).scores["prosecutor"]
    assert found is not None
    assert [round(v, 2) for v in (found.at_risk, found.maximum, found.average)] == [0.73, 0.5, 0.45]


def test_tau_of_table_5_taken_literally_puts_every_record_at_risk() -> None:
    """1/3 > 0.33: taken literally, tau would put every record of Table 4 at risk."""
    question = RiskRequest(threshold=Threshold.of_tau("0.33", literal=True))
    found = assess(TABLE_4, ["gender", "born"], question).scores["prosecutor"]
    assert found is not None and found.at_risk == 1.0


def test_decisions_of_the_appendix_example() -> None:
    """Appendix, below Table 1: 100 records, two with theta 0.3, the others with 0.1; tau = lambda =
    0.2, alpha = 0. D_a is HIGH, D_c is LOW, and ten correct matches are expected.
    """
    limits = DecisionLimits(Threshold.of_tau("0.2"), 0.0, Threshold.of_tau("0.2"))
    average = (2 * 0.3 + 98 * 0.1) / 100
    decided = limits.decide(Score(0.02, 0.3, average, 1 / 0.3))
    assert decided == {"at_risk": "HIGH", "maximum": "HIGH", "average": "LOW"}
    assert round(100 * average) == 10


def test_strict_average_needs_a_maximum_of_a_third() -> None:
    """Review of 2015, Tables B-4 and B-5: with a unique record the strict average is the maximum,
    1; without uniques and doubles it is the average.
    """
    open_table = assess({"a": [1, 1, 1, 2]}, ["a"]).strict_average
    assert open_table == {"holds": False, "value": 1.0}
    closed = assess({"a": [1, 1, 1, 2, 2, 2]}, ["a"]).strict_average
    assert closed["holds"] and closed["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("columns", ["Q3", "Q6"])
def test_adult_as_arx_measures_it(adult, figures, columns: str) -> None:
    quasi = figures["quasi_identifiers"][columns]
    expected = figures["risk"][f"adult/{columns}"]
    table = read_table(adult, quasi)
    report = assess(table, quasi)
    assert report.records == expected["records"]
    assert report.classes == expected["classes"]
    assert report.uniques == expected["uniques"]
    assert report.smallest_class == expected["k"]
    histogram = {int(size): n for size, n in expected["class_size_histogram"].items()}
    assert report.histogram == histogram
    for g, people in expected["g_distinct"].items():
        assert report.g_distinct[int(g)] == people
    prosecuted, marketed = report.scores["prosecutor"], report.scores["marketer"]
    assert prosecuted is not None and marketed is not None
    assert prosecuted.maximum == pytest.approx(expected["prosecutor_max"], abs=1e-6)
    assert prosecuted.average == pytest.approx(expected["prosecutor_avg"], abs=1e-6)
    assert marketed.average == pytest.approx(expected["marketer_no_population"], abs=1e-6)
    classes = Classes.of(table, quasi)
    for tau, share in expected["records_at_risk_strictly_above"].items():
        case = MetricInput(classes.sizes, None, Threshold.of_tau(tau, literal=True))
        assert prosecutor_risk(case).at_risk == pytest.approx(share, abs=1e-6)
    for cell_size, records in expected["below_k"].items():
        case = MetricInput(classes.sizes, None, Threshold.of_cell_size(int(cell_size)))
        assert prosecutor_risk(case).at_risk == pytest.approx(records / 30162, abs=1e-9)


def test_adult_sample_against_its_population_as_arx_measures_it(adult, figures) -> None:
    quasi = figures["quasi_identifiers"]["Q6"]
    expected = figures["risk_with_population"]["adult/Q6"]
    everyone = read_table(adult, quasi)
    sample = everyone.take(np.arange(0, everyone.rows, 10))
    population = read_population(adult, quasi)
    linked = match_population(Classes.of(sample), population)
    for g, records in expected["records_with_F_at_most"].items():
        assert int(linked.sizes[linked.people <= int(g)].sum()) == records
    for tau, share in expected["journalist"]["at_risk"].items():
        question = RiskRequest(threshold=Threshold.of_tau(tau, literal=True))
        report = assess(sample, quasi, question, population=population)
        found, marketed = report.scores["journalist"], report.scores["marketer"]
        assert found is not None and marketed is not None
        assert found.at_risk == pytest.approx(share, abs=1e-6)
        assert found.maximum == pytest.approx(expected["journalist"]["max"], abs=1e-6)
        assert found.average == pytest.approx(expected["journalist"]["avg"], abs=1e-6)
        assert marketed.average == pytest.approx(expected["marketer"], abs=1e-6)
    assert report.classes == expected["sample_classes"]
    assert report.uniques == expected["sample_uniques"]


def test_figures_do_not_depend_on_the_order_of_rows_or_columns(adult, figures) -> None:
    quasi = figures["quasi_identifiers"]["Q6"]
    table = read_table(adult, quasi)
    order = np.random.default_rng(5).permutation(table.rows)
    one = assess(table, quasi).as_json()
    other = assess(table.take(order), quasi[::-1]).as_json()
    other["quasi_identifiers"] = one["quasi_identifiers"]
    assert json.dumps(one) == json.dumps(other)
