"""Population uniqueness of Adult on all nine columns, as `TestRiskMetrics` of arx-deidentifier/arx
expects it (`testAverageRisk2`, `testDecisionRule2`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from risk import Classes
from risk.estimators.estimation import dankar_rule
from risk.estimators.frequencies import Frequencies
from risk.estimators.pitman import pitman_uniques
from risk.estimators.snb import snb_uniques
from risk.estimators.zayatz import zayatz_uniques
from risk.tables.reading import read_table


@pytest.fixture(scope="module")
def nine_columns(adult: Path) -> Classes:
    return Classes.of(read_table(adult))


@pytest.mark.parametrize(
    ("fraction", "estimator", "expected"),
    [
        (0.01, pitman_uniques, 0.1446083531167384),
        (0.1, pitman_uniques, 0.27684993883653597),
        (0.1, zayatz_uniques, 0.3207402393466189),
        (0.2, zayatz_uniques, 0.3577099234829125),
    ],
)
def test_share_of_population_uniques(
    nine_columns, fraction: float, estimator, expected: float
) -> None:
    found = Frequencies.of(nine_columns.histogram, fraction)
    assert estimator(found) / found.population == pytest.approx(expected, abs=1e-6)


def test_average_risk_and_uniques_of_the_sample_itself(nine_columns: Classes) -> None:
    """ARX's average risk, and its population uniques at a fraction of 1."""
    assert len(nine_columns) / nine_columns.records == 0.6465751607983555
    found = Frequencies.of(nine_columns.histogram, 1.0)
    assert found.number(1) / found.population == pytest.approx(0.5142895033485844, abs=1e-15)


def test_the_rule_differs_only_where_the_slide_negative_binomial_has_a_root(
    nine_columns: Classes,
) -> None:
    """ARX finds no root at any fraction and uses Zayatz at 20 %, where our SNB estimate is
    .3195.
    """
    for fraction, picked in ((0.01, "pitman"), (0.1, "pitman"), (0.2, "snb")):
        found = Frequencies.of(nine_columns.histogram, fraction)
        by_zayatz, by_snb = zayatz_uniques(found), snb_uniques(found)
        assert dankar_rule(fraction, by_zayatz, by_snb) == picked
    assert dankar_rule(0.2, by_zayatz, None) == "zayatz"
    assert by_snb / found.population == pytest.approx(0.3194593754, abs=1e-9)
