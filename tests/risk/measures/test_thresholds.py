"""Thresholds are cell sizes. A decimal that was meant as 1/k is read as 1/k, and this is
reported.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from risk.errors import RiskError
from risk.measures.assessment import RiskRequest, assess
from risk.measures.thresholds import Threshold


@pytest.mark.parametrize(
    ("tau", "cell_size"),
    [
        ("0.33", 3),
        ("0.333", 3),
        ("0.2", 5),
        ("0.09", 11),
        ("0.0909", 11),
        ("0.05", 20),
        ("0.04", 25),
        ("0.1", 10),
        ("0.15", 7),  # 1/7 is 0.14: taken literally, classes of six are at risk
        ("0.3", 4),  # one digit does not suggest a third
        ("1", 1),
    ],
)
def test_a_decimal_tau_is_a_cell_size(tau: str, cell_size: int) -> None:
    assert Threshold.of_tau(tau).cell_size == cell_size


def test_the_reading_of_a_decimal_is_reported() -> None:
    assert Threshold.of_tau("0.33").stated == "tau 0.33, read as 1/3"
    assert Threshold.of_tau("0.2").stated == "tau 0.2"
    assert Threshold.of_tau("0.33", literal=True).cell_size == 4


@pytest.mark.parametrize("size", [3, 5, 11, 20])
def test_a_class_of_the_cell_size_is_not_at_risk(size: int) -> None:
    threshold = Threshold.of_cell_size(size)
    assert not threshold.exceeded_by(Fraction(1, size))
    assert threshold.exceeded_by(Fraction(1, size - 1))


@pytest.mark.parametrize("tau", ["0", "-0.1", "1.5", "many", "nan"])
def test_a_tau_that_is_not_a_probability_is_refused(tau: str) -> None:
    with pytest.raises(RiskError) as caught:
        Threshold.of_tau(tau)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("size", range(1, 60))
def test_a_float_at_the_threshold_is_not_above_it(size: int) -> None:
    """One class of k records has an average and a maximum of 1/k, which is not above 1/k in any
    digit.
    """
    threshold = Threshold.of_cell_size(size)
    assert not threshold.exceeded_by(1 / size)
    assert threshold.exceeded_by(1 / size + 1e-9)
    report = assess({"a": [1] * size + [2] * size}, ["a"], RiskRequest(threshold=threshold))
    assert report.decision == {"at_risk": "LOW", "maximum": "LOW", "average": "LOW"}
