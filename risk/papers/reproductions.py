"""Compute the tables of the papers again, with the populations that are available.

The result is exact if the paper prints its data, or if the Census table that it used was fetched.
Otherwise another population is used (a later, modelled table; a drawn cohort): the note says so,
and only the order of magnitude and the stars can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from risk.errors import RiskError
from risk.exposure.attackers import read_scenario
from risk.exposure.distinctness import bins_holding, g_distinct
from risk.exposure.policy_exposure import Exposure, compare_exposures
from risk.measures.assessment import RiskRequest, assess
from risk.measures.release_context import PRECEDENT_SOURCES
from risk.measures.thresholds import Threshold
from risk.packaged import packaged_rows
from risk.plans.alternatives import compare_policies
from risk.plans.detail_levels import column_details
from risk.population.catalog import open_population
from risk.population.table import Population
from risk.tables.coding import CodedTable

SHIPPED_POPULATION = "state-acs2022"
_CENSUS_2000 = "sf1-2000"
_DRAWN_BY = 2011
_YOUNGEST = 40


@dataclass(frozen=True)
class ReproducedFigure:
    """One figure: as published (with `<` or a star, as printed) and as computed.

    `reproduced` is None if the available data do not allow the computation.
    """

    row: str
    column: str
    published: str
    reproduced: float | None
    starred: bool | None = None


@dataclass(frozen=True)
class Reproduction:
    """A table of a paper.

    `exact` is True if it was computed from the data of the paper; otherwise `note` names the data
    that were used.
    """

    table: str
    title: str
    exact: bool
    note: str
    figures: tuple[ReproducedFigure, ...]


Computed = dict[tuple[str, str], tuple[float, bool | None]]


def reproduce(name: str) -> Reproduction:
    """Compute the table with this name.

    >>> round(reproduce("el-emam-2011-table-5").figures[0].reproduced or 0, 2)
    0.73

    Raises:
        RiskError: `unknown-table`.
    """
    if name not in PAPER_TABLES:
        raise RiskError(
            "no table of a paper has this name",
            code="unknown-table",
            hint=f"use one of: {', '.join(PAPER_TABLES)}",
        )
    title, compute = PAPER_TABLES[name]
    found, exact, note = compute()
    figures = []
    for row, column, published in _published_figures(name):
        value, starred = found.get((row, column), (None, None))
        figures.append(ReproducedFigure(row, column, published, value, starred))
    return Reproduction(name, title, exact, note, tuple(figures))


@cache
def _shipped_rows(name: str) -> tuple[Mapping[str, str], ...]:
    return tuple(packaged_rows("risk.papers", name))


def _published_figures(table: str) -> Iterator[tuple[str, str, str]]:
    for row in _shipped_rows("published.csv"):
        if row["table"] == table:
            yield row["row"], row["column"], row["published"]


def _el_emam_table_5() -> tuple[Computed, bool, str]:
    sizes = {("M", "1970"): 3, ("M", "1980"): 2, ("M", "1990"): 2, ("F", "1990"): 2}
    sizes[("F", "1980")] = 2
    rows = [key for key, times in sizes.items() for _ in range(times)]
    table = {"sex": [sex for sex, _ in rows], "born": [born for _, born in rows]}
    found = assess(table, ["sex", "born"], RiskRequest(Threshold.of_tau("0.33")))
    score = found.scores["prosecutor"]
    assert score is not None
    figures = {"R_a": score.at_risk, "R_b": score.maximum, "R_c": score.average}
    return {("prosecutor", k): (v or 0.0, None) for k, v in figures.items()}, True, ""


def _el_emam_thresholds() -> tuple[Computed, bool, str]:
    sizes = PRECEDENT_SOURCES
    found = {(f"cell size {k}", "tau"): (float(Threshold.of_cell_size(k).tau), None) for k in sizes}
    return dict(found), True, "; ".join(f"{k}: {why}" for k, why in sizes.items())


def _benitez_malin_example() -> tuple[Computed, bool, str]:
    people = "200 people in 365 days"
    cost = Exposure("", "", None, (), 1, 1, 10.0, 10.0, {}, 8270.0).cost
    return (
        {
            (people, "1-distinct"): (bins_holding(1, 200, 365), None),
            (people, "5-distinct %"): (float(g_distinct(200, 365, 5)) / 2, None),
            ("10 re-identifications for $8270", "cost each"): (cost or 0.0, None),
        },
        True,
        "equation 2 is summed with the factor i, which gives the figure of the text",
    )


def _benitez_malin_table_1() -> tuple[Computed, bool, str]:
    """Both policies from the 2000 census if that table was fetched, otherwise Safe Harbor alone."""
    names = {"limited_data_set": "limited %", "safe_harbor_as_published": "safe harbor %"}
    people, exact = _best_population()
    columns = [c for p, c in names.items() if exact or p != "limited_data_set"]
    scenario = read_scenario("benitez_malin_2010" if exact else "states")
    found: Computed = {}
    policies = names if exact else {"safe_harbor": "safe harbor %"}
    for state in dict.fromkeys(
        row for row, _, _ in _published_figures("benitez-malin-2010-table-1")
    ):
        exposures, _ = compare_exposures(people.where("state", [state]), scenario)
        for one in exposures:
            column = policies.get(one.policy)
            if column in columns and one.attacker == "general" and one.percent is not None:
                found[state, column] = (one.percent, None)
    note = "" if exact else (
        f"from {SHIPPED_POPULATION}, a modelled table of 2022 without counties, ages pooled at 90: "
        f"only Safe Harbor can be compared; `deid population fetch {_CENSUS_2000}` fetches the "
        "table of the paper"
    )  # fmt: skip
    return found, exact, note


def _best_population() -> tuple[Population, bool]:
    try:
        return open_population(_CENSUS_2000), True
    except RiskError:
        return open_population(SHIPPED_POPULATION), False


def _malin_table_4() -> tuple[Computed, bool, str]:
    """Compute Table 4 of Malin et al. for drawn cohorts, because the paper's are not public.

    Cohorts of the same size, state and number of patients over 89 are drawn from the state's people
    of at least 40 years.
    """
    people, _ = _best_population()
    found: Computed = {}
    for cohort in _shipped_rows("cohorts.csv"):
        of_state = people.where("state", [cohort["state"]])
        table = _draw_cohort(of_state, int(cohort["patients"]), int(cohort["over_89"]))
        details = column_details(table.names, of_state)
        compared = compare_policies(table, of_state, details)
        for one in compared.others:
            percent = 100 * one.risk["total"] / one.records
            found[cohort["cohort"], one.name] = (percent, "total" in one.worse)
    note = (
        f"the cohorts are drawn from {people.name} (seed {_DRAWN_BY}), and are not those of the "
        "paper: compare only which policies are starred"
    )
    return found, False, note


def _draw_cohort(people: Population, patients: int, over_89: int) -> CodedTable:
    """Draw a cohort of `patients` people, `over_89` of them aged 90 or older."""
    chance = np.random.default_rng(_DRAWN_BY)
    ages = people.cells.column("age")
    low = np.array([int(str(value).split("-")[0].rstrip("+")) for value in ages.values])[ages.codes]
    picked = []
    for inside, count in ((low >= 90, over_89), ((low >= _YOUNGEST) & (low < 90), None)):
        weights = np.where(inside, people.counts, 0.0)
        size = patients - over_89 if count is None else count
        picked.append(chance.choice(len(weights), size, p=weights / weights.sum()))
    return people.cells.select(["age", "sex", "race"]).take(np.concatenate(picked))


#: Every table by its name: its title, and the function that computes it.
PAPER_TABLES: Mapping[str, tuple[str, Callable[[], tuple[Computed, bool, str]]]] = {
    "el-emam-2011-table-5": ("El Emam 2011, appendix, Table 5", _el_emam_table_5),
    "el-emam-thresholds": ("El Emam 2015, cell sizes with precedent", _el_emam_thresholds),
    "benitez-malin-2010-example": (
        "Benitez and Malin 2010, figures in the text",
        _benitez_malin_example,
    ),
    "benitez-malin-2010-table-1": (
        "Benitez and Malin 2010, Table 1, GENERAL",
        _benitez_malin_table_1,
    ),
    "malin-2011-table-4": ("Malin, Benitez and Masys 2011, Table 4, total risk", _malin_table_4),
}
