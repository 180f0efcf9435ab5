"""Utility before and after a release, compared with the definitions of the measures."""

from __future__ import annotations

import numpy as np
import pytest

from risk import ClassSize, PlanRequest, RiskError, compare_release, encode, plan

GENERATOR = np.random.default_rng(3)
AGE = GENERATOR.integers(20, 80, 400)
CHARGE = 100 + 5 * AGE + GENERATOR.normal(0, 20, 400)
ROWS = {
    "age": [str(age) for age in AGE],
    "sex": ["F" if n % 3 else "M" for n in range(400)],
    "charge": [f"{charge:.3f}" for charge in CHARGE],
}
EVERYONE = np.ones(400, bool)


def test_an_unchanged_table_has_unchanged_utility() -> None:
    table = encode(ROWS)
    found = compare_release(table, table, EVERYONE, ("charge", ("age", "sex")))
    assert all(m.mean[0] == m.mean[1] for m in found.moments)
    assert found.largest_change == 0 and found.propensity is not None
    assert found.propensity.pmse == pytest.approx(0, abs=1e-12)
    assert [t.overlap for t in found.terms] == [1.0, 1.0, 1.0]


def test_the_regression_agrees_with_numpy() -> None:
    table = encode(ROWS)
    found = compare_release(table, table, EVERYONE, ("charge", ("age", "sex")))
    male = np.array([float(s == "M") for s in ROWS["sex"]])
    target = np.array([float(c) for c in ROWS["charge"]])
    design = np.column_stack((np.ones(400), AGE, male))
    expected = np.linalg.lstsq(design, target, rcond=None)[0]
    assert [t.term for t in found.terms] == ["(constant)", "age", "sex: M"]
    assert [t.before[0] for t in found.terms] == pytest.approx(expected.tolist())


def test_bands_change_the_measures_and_this_is_reported() -> None:
    table = encode(ROWS)
    made = plan(table.select(["age", "sex"]), {}, PlanRequest((ClassSize(20),)))
    after = encode({
        **{c.name: c.values[c.codes] for c in made.table.columns},
        "charge": ROWS["charge"],
    })  # fmt: skip
    found = compare_release(table, after, made.kept, ("charge", ("age",)))
    (age,) = [m for m in found.moments if m.column == "age"]
    assert age.mean[0] == pytest.approx(AGE.mean()) and age.deviation[0] == pytest.approx(
        AGE.std(ddof=1)
    )
    assert age.mean[1] == pytest.approx(AGE.mean(), abs=3)
    assert age.mean[1] != age.mean[0]
    (pair,) = found.correlations
    assert pair.columns == ("age", "charge") and pair.after is not None
    assert pair.before == pytest.approx(np.corrcoef(AGE, CHARGE)[0, 1], abs=1e-6)
    assert 0 < pair.before - pair.after < 0.1
    slope = found.terms[1]
    assert slope.overlap is not None and slope.overlap < 1


def test_suppressed_rows_raise_the_propensity_ratio() -> None:
    table = encode(ROWS)
    young = AGE < 40
    some = compare_release(table, table.take(young), young)
    none = compare_release(table, table.take(EVERYONE), EVERYONE)
    assert some.propensity is not None and none.propensity is not None
    assert some.propensity.ratio > 0.1 > none.propensity.ratio
    assert some.propensity.ratio <= 1


def test_completely_different_tables_have_a_propensity_ratio_near_one() -> None:
    before = encode({"x": [str(n) for n in range(200)]})
    after = encode({"x": [str(n + 1000) for n in range(200)]})
    found = compare_release(before, after, np.ones(200, bool))
    assert found.propensity is not None and found.propensity.ratio > 0.95


def test_a_fully_suppressed_column_has_no_figure_after_the_release() -> None:
    table = encode(ROWS)
    after = encode({**ROWS, "age": ["*"] * 400})
    found = compare_release(table, after, EVERYONE, ("charge", ("age", "sex")))
    age = next(m for m in found.moments if m.column == "age")
    assert age.mean[1] is None and found.correlations[0].after is None
    assert next(t for t in found.terms if t.term == "age").after is None


def test_a_column_needs_enough_numbers_to_have_moments() -> None:
    rows = {"born": ["1950", "1960", "1990", "90+"] * 5, "zip": ["02139", "10001"] * 10}
    table, everyone = encode(rows), np.ones(20, bool)
    found = compare_release(table, table, everyone, categories=["zip"])
    assert found.moments == (), "a quarter of the values are none"
    rows["born"][3] = "1990"
    rows["born"] = rows["born"][:8] + ["1950", "1960"] * 6
    table = encode(rows)
    (born,) = compare_release(table, table, everyone, categories=["zip"]).moments
    years = [int(v) for v in rows["born"] if v != "90+"]
    assert born.mean[0] == pytest.approx(sum(years) / len(years))
    old = encode({"age": ["70", "80", "90+"] * 5})
    (age,) = compare_release(old, old, np.ones(15, bool)).moments
    assert age.mean[0] == pytest.approx(80)


def test_an_empty_release_has_no_propensity_and_a_wrong_outcome_is_refused() -> None:
    table = encode(ROWS)
    nobody = np.zeros(400, bool)
    found = compare_release(table, table.take(nobody), nobody)
    assert found.propensity is None and found.records == (400, 0)
    with pytest.raises(RiskError, match="not a column of numbers"):
        compare_release(table, table, EVERYONE, ("sex", ("age",)))
