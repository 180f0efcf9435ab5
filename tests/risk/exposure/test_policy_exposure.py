"""Golle's bins, g-distinct people, total risk, differentials and costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.errors import RiskError
from risk.exposure.attackers import Attacker, ReleasePolicy, Scenario, read_scenario, scenario_names
from risk.exposure.distinctness import bins_holding, g_distinct, total_risk
from risk.exposure.policy_exposure import compare_exposures, expose
from risk.population.table import Population
from risk.tables.coding import encode


def population(rows: list[tuple[object, ...]], columns: tuple[str, ...]) -> Population:
    *names, _ = columns
    table = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    counts = np.array([float(str(row[-1])) for row in rows])
    return Population("test", "test", "2000", False, encode(table), counts)


def test_the_papers_200_people_over_365_days() -> None:
    """Benitez & Malin 2010, below equation 1: "approximately 116" people are alone on their day.
    Below equation 2: 199.95 are 5-distinct, 99.975 %. As printed, equation 2 would give 154.13.
    """
    assert bins_holding(1, 200, 365) == pytest.approx(115.86, abs=0.005)
    assert float(g_distinct(200, 365, 5)) == pytest.approx(199.95, abs=0.002)
    assert float(g_distinct(200, 365, 5)) / 2 == pytest.approx(99.975, abs=0.001)
    printed = sum(bins_holding(i, 200, 365) for i in range(1, 6))
    assert printed == pytest.approx(154.13, abs=0.005)
    assert float(total_risk(200, 365)) == pytest.approx(154.139, abs=0.0005)


def test_millions_of_people_neither_overflow_nor_lose_bins() -> None:
    assert float(total_risk(33_871_648, 365)) == pytest.approx(365)
    assert float(g_distinct(33_871_648, 365, 20_000)) == pytest.approx(0, abs=1e-6)
    assert float(total_risk(10**9, 1)) == 1


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 6))
def test_small_groups_by_counting_every_case(people: int, bins: int, g: int) -> None:
    """All b^n ways of distributing the people over the bins are equally likely."""
    distinct = filled = 0
    ways = list(product(range(bins), repeat=people))
    for way in ways:
        held = np.bincount(way, minlength=bins)
        distinct += int(held[held <= g].sum())
        filled += int((held > 0).sum())
    assert float(g_distinct(people, bins, g)) == pytest.approx(distinct / len(ways))
    assert float(total_risk(people, bins)) == pytest.approx(filled / len(ways))


@given(st.floats(0.01, 5000), st.sampled_from([1, 5, 365]), st.integers(1, 50))
def test_exposed_people_are_between_none_and_all(people: float, bins: int, g: int) -> None:
    found = float(g_distinct(people, bins, g))
    assert -1e-9 <= found <= people * (1 + 1e-9)
    assert found <= float(g_distinct(people, bins, g + 1)) + 1e-9
    assert 0 <= float(total_risk(people, bins)) <= min(people, bins) * (1 + 1e-9) + 1e-9


CELLS = [
    ("DE", "10001", "40", "M", "white", 120),
    ("DE", "10003", "40", "M", "white", 80),
    ("DE", "10003", "41", "F", "black", 1),
    ("RI", "44001", "40", "F", "asian", 7),
    ("RI", "44001", "95", "F", "asian", 2),
    ("RI", "44003", "97", "F", "asian", 1),
]
PEOPLE = population(CELLS, ("state", "county", "age", "sex", "race", "count"))
SAFE = ReleasePolicy(
    "safe", {"state": "full", "age": "year_90_pooled", "sex": "full", "race": "full"}
)
SAFE_AGE = ReleasePolicy("age", {"age": "year_90_pooled"})
LIMITED = ReleasePolicy(
    "limited", {"state": "full", "county": "full", "age": "day", "sex": "full", "race": "full"}
)
GENERAL = Attacker("general")


def test_safe_harbor_risk_is_non_empty_groups_over_people() -> None:
    """risk.md: with b = 1 the total risk is the number of non-empty groups."""
    (found,) = expose(PEOPLE, SAFE, GENERAL)
    assert (found.groups, found.matches, found.people) == (4, 4.0, 211.0)
    assert found.distinct[1] == 1 and found.distinct[3] == 4


def test_states_are_separate_and_a_limited_data_set_has_days() -> None:
    delaware, rhode_island = expose(PEOPLE, LIMITED, GENERAL, by="state")
    assert delaware.place == "DE" and rhode_island.place == "RI"
    expected = sum(float(total_risk(n, 365)) for n in (120, 80, 1))
    assert delaware.matches == pytest.approx(expected)


def test_an_attacker_uses_the_shared_columns_at_the_coarser_level() -> None:
    voters = Attacker("voters", {"county": "full", "age": "year"}, price=8270)
    (found,) = expose(PEOPLE, LIMITED, voters)
    assert found.fields == ("county", "age") and found.groups == 6 and found.bins == 1
    (blind,) = expose(PEOPLE, SAFE, Attacker("blind", {"county": "full"}))
    assert (blind.fields, blind.groups, blind.matches) == ((), 1, 1.0)
    pooled = Attacker("five", {"age": "5_years"})
    (both,) = expose(PEOPLE, SAFE, pooled)
    assert both.groups == 2  # 40-44, and 90 and over as one group


def test_cost_of_a_reidentification() -> None:
    """Benitez & Malin 2010, Table 2, New Hampshire: $8,270 for ten people is $827 each."""
    (found,) = expose(PEOPLE, SAFE, replace(GENERAL, price=8270))
    assert replace(found, matches=10.0).cost == pytest.approx(827)
    assert replace(found, matches=0.0).cost is None


def test_trust_differential_is_the_ratio_of_risks() -> None:
    scenario = Scenario("", (LIMITED, SAFE), (GENERAL,))
    (limited, safe), (ratio,) = compare_exposures(PEOPLE, scenario)
    assert ratio.total_risk == pytest.approx(limited.matches / safe.matches)
    assert ratio.distinct[1] == pytest.approx(limited.distinct[1] / safe.distinct[1])


def test_pooled_ages_are_spread_over_the_years_that_the_policy_distinguishes() -> None:
    old = population([("100-104", 50)], ("age", "count"))
    (years,) = expose(old, ReleasePolicy("p", {"age": "year"}), GENERAL)
    assert years.matches == pytest.approx(float(total_risk(50, 5)))
    (days,) = expose(old, ReleasePolicy("p", {"age": "day"}), GENERAL)
    assert days.matches == pytest.approx(float(total_risk(50, 5 * 365)))
    (safe,) = expose(old, ReleasePolicy("p", {"age": "year_90_pooled"}), GENERAL)
    assert safe.matches == 1


def test_an_open_age_group_is_spread_over_single_years_first() -> None:
    """85+ contains the ages 85 to 99 and 100+. Under Safe Harbor these are six values, since 90+ is
    one.
    """
    known = population([("84", 5), ("85+", 1000)], ("age", "count"))
    (safe,) = expose(known, SAFE_AGE, GENERAL)
    assert (safe.groups, safe.people) == (7, pytest.approx(1005))
    assert safe.matches == pytest.approx(7, abs=0.01)
    (years,) = expose(known, ReleasePolicy("p", {"age": "year"}), GENERAL)
    assert years.groups == 17


def test_coarser_policies_expose_no_more() -> None:
    levels = ["day", "year", "5_years", "10_years"]
    policies = [ReleasePolicy(level, {"state": "full", "age": level}) for level in levels]
    risks = [expose(PEOPLE, policy, GENERAL)[0].matches for policy in policies]
    assert risks == sorted(risks, reverse=True)


@pytest.mark.parametrize("name", scenario_names())
def test_shipped_scenarios_are_complete(name: str) -> None:
    assert read_scenario(name).title


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[policies]]\nname = 'p'\nfields = { ages = 'year' }", "unknown field"),
        ("[[policies]]\nname = 'p'\nfields = { age = 'month' }", "unknown level"),
        ("[[policies]]\nnam = 'p'\nfields = {}", "unknown keys"),
        ("policy = 3", "unknown keys"),
        ("[[policies", "not valid TOML"),
        ("title = 'x'", "has no policy"),
    ],
)
def test_a_faulty_scenario_is_refused(tmp_path, text: str, told: str) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises(RiskError, match=told):
        read_scenario(str(path))


def test_a_field_the_population_lacks_is_named() -> None:
    with pytest.raises(RiskError) as caught:
        expose(PEOPLE, ReleasePolicy("p", {"zip3": "full"}), GENERAL)
    assert caught.value.code == "no-such-field"


def test_groups_of_the_modelled_states(populations) -> None:
    """Safe Harbor groups in the shared table of 2020: DE 1,083, 0.109 %; AK 1,092, 0.149 %."""
    import csv
    import gzip

    from risk.population.places import FIPS

    path = populations / "state_2020_single_year_sex_race6_MODEL.csv.gz"
    with gzip.open(path, "rt", newline="") as stream:
        rows = [
            (FIPS[r["state_fips"]], r["age"], r["sex"], r["race"], r["pop"])
            for r in csv.DictReader(stream)
        ]
    everyone = population(rows, ("state", "age", "sex", "race", "count"))
    assert everyone.total == 331_577_720
    found = {e.place: e for e in expose(everyone, SAFE, GENERAL, by="state")}
    expected = {"DE": (1083, 0.109), "RI": (1091, 0.099), "AK": (1092, 0.149), "NY": (1092, 0.0054)}
    for state, (groups, percent) in expected.items():
        assert found[state].groups == groups
        assert found[state].percent == pytest.approx(percent, rel=0.01)
