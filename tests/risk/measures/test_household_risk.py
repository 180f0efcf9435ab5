"""Household risk: 1 - product of (1 - risk) over the members."""

from __future__ import annotations

import pytest

from risk import RiskError, RiskRequest, Threshold, assess

TABLE = {
    "age": ["30", "31", "31", "40", "40", "40", "50"],
    "home": ["a", "a", "b", "b", "c", None, None],
}


def test_the_risk_of_members_combines_to_the_household_risk() -> None:
    asked = RiskRequest(threshold=Threshold.of_cell_size(2), household="home")
    found = assess(TABLE, ["age"], asked).household
    assert found is not None
    risks = [1, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1]
    b = 1 - (1 - 1 / 2) * (1 - 1 / 3)
    assert found.alone == pytest.approx(sum(risks))
    assert found.expected == pytest.approx(1 + 1 + b + b + 1 / 3 + 1 / 3 + 1)
    assert (found.households, found.largest_household) == (5, 2)
    assert found.largest == pytest.approx(1)
    assert found.at_risk == pytest.approx(5 / 7)


def test_households_of_one_person_change_nothing() -> None:
    table = {"age": ["1", "1", "2"], "home": ["a", "b", "c"]}
    found = assess(table, ["age"], RiskRequest(household="home")).household
    assert found is not None and found.expected == pytest.approx(found.alone) == 2.0
    assert assess({"age": [], "home": []}, ["age"], RiskRequest(household="home")).household is None


def test_households_need_one_row_per_person() -> None:
    with pytest.raises(RiskError):
        RiskRequest(household="home", person="id")
