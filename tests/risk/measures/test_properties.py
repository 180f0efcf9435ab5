"""Properties that hold for any table: order, labels, coarsening, missing values, duplicates, empty
tables.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk.measures.assessment import RiskRequest, assess
from risk.measures.thresholds import Threshold
from risk.population.table import Population
from risk.tables.classes import Classes
from risk.tables.coding import encode

values = st.sampled_from([None, "a", "b", "c", 1, 2, 30])
tables = st.lists(st.tuples(values, values, st.integers(0, 9)), min_size=0, max_size=40)
QUASI = ["x", "y", "z"]


def frame(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=QUASI, dtype=object)


def figures(table: object, quasi: list[str], **options: object) -> dict[str, object]:
    question = RiskRequest(threshold=Threshold.of_cell_size(3), **options)  # type: ignore[arg-type]
    found = assess(table, quasi, question).as_json()
    found["quasi_identifiers"] = sorted(quasi)
    return found


@given(tables, st.integers(0, 2**31 - 1), st.permutations(QUASI))
def test_order_and_labels_change_no_figure(rows, seed: int, quasi: list[str]) -> None:
    table = frame(rows)
    moved = table.sample(frac=1, random_state=seed)
    moved.index = pd.Index(np.random.default_rng(seed).integers(0, 3, len(moved)))
    assert json.dumps(figures(moved[quasi], quasi)) == json.dumps(figures(table, QUASI))


@given(tables.filter(len), st.integers(1, 5))
def test_coarsening_never_raises_the_risk(rows, width: int) -> None:
    """With ages in wider groups, or without a column, the share at risk, maximum and average never
    rise.
    """
    table = frame(rows)
    fine = assess(table, QUASI).scores["prosecutor"]
    coarser = table.assign(z=[int(z) // width for z in table["z"]])
    for coarse in (assess(coarser, QUASI), assess(table, ["x", "z"])):
        found = coarse.scores["prosecutor"]
        assert found is not None and fine is not None
        assert found.at_risk <= fine.at_risk
        assert found.maximum <= fine.maximum
        assert found.average <= fine.average + 1e-12


@given(tables.filter(len), st.integers(2, 4))
def test_every_record_twice_halves_the_average(rows, times: int) -> None:
    once = assess(frame(rows), QUASI)
    again = assess(frame(rows * times), QUASI)
    assert again.classes == once.classes and again.records == times * once.records
    one, other = once.scores["prosecutor"], again.scores["prosecutor"]
    assert one is not None and other is not None
    assert other.average == pytest.approx(one.average / times)
    assert other.maximum == pytest.approx(one.maximum / times)


@given(tables.filter(len))
def test_missing_is_a_value_and_renaming_values_changes_nothing(rows) -> None:
    named = [tuple("absent" if v is None else v for v in row) for row in rows]
    missing = any(v is None for row in rows for v in row)
    one, other = figures(frame(rows), QUASI), figures(frame(named), QUASI)
    assert any("missing values" in note for note in one.pop("notes")) == missing  # type: ignore[union-attr]
    other.pop("notes")
    assert one == other


@settings(max_examples=40)
@given(tables, st.sampled_from([0.02, 0.1, 0.5, 1.0]))
def test_nothing_divides_by_zero(rows, fraction: float) -> None:
    """Every figure is None or finite: for empty tables, one class, only uniques, or an empty
    population.
    """
    nobody = Population(
        "none", "none", "2000", False, encode({"z": [1, 2]}), np.array([0.0, 3.0]), None
    )
    question = RiskRequest(sampling_fraction=fraction, leave_one_out=True, sensitive=("x",))
    found = assess(frame(rows), QUASI, question, population=nobody).as_json()
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["unmatched_records"] <= len(rows)
    for name in ("prosecutor", "journalist"):
        for risk in found[name].values():
            assert risk is None or 0 <= risk <= 1


@given(tables.filter(len))
def test_with_the_table_as_population_journalist_risk_is_prosecutor_risk(rows) -> None:
    classes = Classes.of(frame(rows).fillna("absent"), QUASI)
    itself = Population(
        "self", "self", "2000", False, classes.distinct, classes.sizes.astype(np.float64), None
    )
    found = assess(frame(rows).fillna("absent"), QUASI, population=itself).scores
    assert found["journalist"] is not None and found["prosecutor"] is not None
    assert found["journalist"].as_json() == pytest.approx(found["prosecutor"].as_json())
