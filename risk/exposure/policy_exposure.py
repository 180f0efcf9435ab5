"""How much of a population a policy leaves exposed to an attacker (Benitez & Malin 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from risk.errors import RiskError
from risk.exposure.attackers import AGE_LEVELS, Attacker, ReleasePolicy, Scenario
from risk.exposure.distinctness import DAYS, FloatArray, g_distinct, total_risk
from risk.measures.scores import exact_sum
from risk.population.open_ages import split_open_ages
from risk.population.table import Population
from risk.population.values import parse_ages
from risk.spellings.words import parse_race
from risk.tables.classes import pack_rows
from risk.tables.coding import CodedColumn, CodedTable

#: The group sizes reported by default (the paper's 1, 3, 5, 10), and the group sizes of the curves.
G_SIZES: tuple[int, ...] = (1, 3, 5, 10)
CURVE_SIZES: tuple[int, ...] = (
    1,
    2,
    3,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1000,
    2000,
    5000,
    10000,
    20000,
)


@dataclass(frozen=True)
class Exposure:
    """One policy under one attacker.

    `groups` is the number of groups of people with equal `fields`, each spread over `bins` finer
    values (more if the population pools ages that the release separates). `matches` is the expected
    number of re-identifications if the attacker tries everyone. `distinct[g]` is the number of
    people who are g-distinct. `place` is the part of the population, None for all of it.
    """

    policy: str
    attacker: str
    place: str | None
    fields: tuple[str, ...]
    bins: int
    groups: int
    people: float
    matches: float
    distinct: dict[int, float]
    price: float | None

    @property
    def percent(self) -> float | None:
        """Expected re-identifications per hundred people; None if there are no people."""
        return 100 * self.matches / self.people if self.people else None

    @property
    def cost(self) -> float | None:
        """The price of the attacker's list per expected re-identification (C/R, "Cost
        analysis")."""
        return None if self.price is None or not self.matches else self.price / self.matches

    def as_json(self) -> dict[str, Any]:
        people = self.people or 1.0
        return {
            "policy": self.policy,
            "attacker": self.attacker,
            "place": self.place,
            "fields": list(self.fields),
            "bins": self.bins,
            "groups": self.groups,
            "people": self.people,
            "total_risk": self.matches,
            "percent": self.percent,
            "g_distinct": {str(g): found for g, found in self.distinct.items()},
            "g_distinct_percent": {str(g): 100 * n / people for g, n in self.distinct.items()},
            "price": self.price,
            "cost_per_reidentification": self.cost,
        }


@dataclass(frozen=True)
class Differential:
    """Trust differential: the risk under one policy divided by the risk under another.

    It is None if the divisor is 0.
    """

    policy: str
    against: str
    attacker: str
    place: str | None
    total_risk: float | None
    distinct: dict[int, float | None]

    @classmethod
    def of(cls, one: Exposure, other: Exposure) -> Differential:
        return cls(
            one.policy,
            other.policy,
            one.attacker,
            one.place,
            _ratio(one.matches, other.matches),
            {g: _ratio(one.distinct[g], other.distinct[g]) for g in one.distinct},
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "against": self.against,
            "attacker": self.attacker,
            "place": self.place,
            "total_risk": self.total_risk,
            "g_distinct": {str(g): value for g, value in self.distinct.items()},
        }


def expose(
    population: Population,
    policy: ReleasePolicy,
    attacker: Attacker,
    *,
    g_sizes: Sequence[int] = G_SIZES,
    by: str | None = None,
) -> tuple[Exposure, ...]:
    """Measure a policy under an attacker, for the whole population or for each value of `by`.

    The population is grouped by the fields that the policy releases and the attacker's list also
    holds, each at the coarser of the two levels. Raises `RiskError` if the population lacks such a
    field.

    >>> from risk.tables.coding import encode
    >>> cells = encode({"state": ["DE", "DE", "RI"], "sex": ["M", "F", "F"]})
    >>> people = Population("three cells", "made up", "2020", False, cells, np.array([1.0, 4, 5]))
    >>> policy = ReleasePolicy("both", {"state": "full", "sex": "full"})
    >>> (found,) = expose(people, policy, Attacker("general"), g_sizes=(1, 5))
    >>> found.groups, found.matches, found.percent, found.distinct
    (3, 3.0, 30.0, {1: 1.0, 5: 10.0})
    """
    seen = attacker.sees(policy)
    if "age" in seen:
        population = split_open_ages(population, _own_column(population, "age").name)
    columns, bins = _released(population, seen)
    if by is None:
        groups = _groups(columns, population.counts, bins)
        return (_measured(groups, policy, attacker, tuple(seen), None, g_sizes),)
    places = _own_column(population, by)
    found = []
    for code, place in enumerate(places.values):
        rows = np.flatnonzero(places.codes == code)
        own = tuple(CodedColumn(c.name, c.codes[rows], c.values) for c in columns)
        groups = _groups(own, population.counts[rows], bins)
        found.append(_measured(groups, policy, attacker, tuple(seen), str(place), g_sizes))
    return tuple(sorted(found, key=lambda exposure: exposure.place or ""))


def compare_exposures(
    population: Population,
    scenario: Scenario,
    *,
    g_sizes: Sequence[int] = G_SIZES,
    by: str | None = None,
) -> tuple[tuple[Exposure, ...], tuple[Differential, ...]]:
    """Measure every policy under every attacker, and compare each policy with the last one.

    >>> from risk import open_population, read_scenario
    >>> delaware = open_population("state-acs2022").where("state", ["DE"])
    >>> exposures, ratios = compare_exposures(delaware, read_scenario("states"))
    >>> (ratios[0].policy, ratios[0].attacker, ratios[0].total_risk > 100)
    ('date_of_birth', 'general', True)
    """
    exposures: list[Exposure] = []
    differentials: list[Differential] = []
    for attacker in scenario.attackers:
        rows = [
            expose(population, policy, attacker, g_sizes=g_sizes, by=by)
            for policy in scenario.policies
        ]
        exposures += [one for row in rows for one in row]
        differentials += [
            Differential.of(one, last)
            for row in rows[:-1]
            for one, last in zip(row, rows[-1], strict=True)
        ]
    return tuple(exposures), tuple(differentials)


RecordGroups = dict[int, FloatArray]


def _measured(
    groups: RecordGroups,
    policy: ReleasePolicy,
    attacker: Attacker,
    fields: tuple[str, ...],
    place: str | None,
    g_sizes: Sequence[int],
) -> Exposure:
    matches = 0.0
    distinct = dict.fromkeys(g_sizes, 0.0)
    for bins, people in groups.items():
        sizes, times = np.unique(_rounded_counts(people), return_counts=True)
        matches += exact_sum(times * total_risk(sizes, bins))
        for g in g_sizes:
            distinct[g] += exact_sum(times * g_distinct(sizes, bins, g))
    return Exposure(
        policy=policy.name,
        attacker=attacker.name,
        place=place,
        fields=fields,
        bins=min(groups, default=1),
        groups=sum(len(people) for people in groups.values()),
        people=sum(exact_sum(people) for people in groups.values()),
        matches=matches,
        distinct=distinct,
        price=attacker.price,
    )


def _rounded_counts(groups: FloatArray) -> FloatArray:
    """Round modelled counts to five digits: millions of groups then share a few sizes."""
    fractional = groups[groups != np.floor(groups)]
    if not len(fractional):
        return groups
    scale = 10.0 ** (4 - np.floor(np.log10(np.maximum(groups, 1e-300))))
    rounded = np.round(groups * scale) / scale
    return np.where(groups == np.floor(groups), groups, rounded)


def _groups(
    columns: tuple[CodedColumn, ...], counts: FloatArray, bins: list[int] | None
) -> RecordGroups:
    """Return the people in each non-empty group, by the number of finer values over which they
    spread.

    `bins` holds that number for each value of the column `age`; it is None if age is not released.
    """
    if not columns:
        return {1: np.array([counts.sum()])} if counts.any() else {}
    table = CodedTable(columns, len(counts))
    if bins is None:
        return {1: _summed(table, counts)}
    ages_seen = table.column("age")
    per_row = np.array(bins, np.int64)[ages_seen.codes]
    found: RecordGroups = {}
    for number in sorted(set(bins)):
        rows = np.flatnonzero(per_row == number)
        people = _summed(table.take(rows), counts[rows])
        if len(people):
            found[number] = people
    return found


def _summed(table: CodedTable, counts: FloatArray) -> FloatArray:
    key, packing = pack_rows(table)
    if packing.space <= 4 * max(len(key), 2**16):
        sums = np.bincount(key.astype(np.int64), counts)
    else:
        _, ids = np.unique(key, return_inverse=True)
        sums = np.bincount(ids, counts)
    held: FloatArray = sums[sums > 0].astype(np.float64)
    return held


def _released(
    population: Population, seen: Mapping[str, str | tuple[str, str]]
) -> tuple[tuple[CodedColumn, ...], list[int] | None]:
    """The population's columns at the released levels, and the number of finer values per age."""
    columns = []
    bins: list[int] | None = None
    for field, level in seen.items():
        levels = (level,) if isinstance(level, str) else level
        column = _own_column(population, field)
        if field == "age":
            column, bins = _grouped_ages(column, levels)
        elif field == "race" and "three" in levels:
            column = _three_races(column)
        columns.append(column)
    return tuple(columns), bins


def _own_column(population: Population, field: str) -> CodedColumn:
    for name in population.columns:
        if name.lower() == field:
            return population.cells.column(name)
    raise RiskError(
        f"the population has no column {field!r}, but the policy releases it",
        code="no-such-field",
        place=population.name,
        hint=f"choose among its columns: {', '.join(population.columns)}",
    )


def _grouped_ages(column: CodedColumn, levels: tuple[str, ...]) -> tuple[CodedColumn, list[int]]:
    """Return ages at the coarsest of the levels, and the number of finer values per counted age.

    The people of each counted age are spread over that many days, years or groups of years. It is
    365 for a single year released by day, and 5 for 100-104 released by year.
    """
    width = max(AGE_LEVELS[level][0] for level in levels)
    tops = [top for level in levels if (top := AGE_LEVELS[level][1]) is not None]
    top = min(tops, default=None)
    days = DAYS if all(AGE_LEVELS[level][2] for level in levels) else 1
    labels: dict[tuple[str, int], int] = {}
    mapping = []
    for value in column.values:
        span = parse_ages(value)
        if span is None:
            mapping.append(labels.setdefault((str(value), 1), len(labels)))
            continue
        last = span.high if top is None else min(span.high, top)
        first = span.low if top is None else min(span.low, top)
        start, end = first // width * width, last // width * width
        label = str(start) if start == end else f"{start}-{end}"
        mapping.append(labels.setdefault((label, (end - start) // width + 1), len(labels)))
    values = np.array([label for label, _ in labels], object)
    found = column.recode(np.array(mapping, np.int64), values)
    return CodedColumn("age", found.codes, found.values), [days * spread for _, spread in labels]


def _three_races(column: CodedColumn) -> CodedColumn:
    """Recode races as African-American, white or other (GenEth of Malin et al. 2011, Table 2)."""
    names = {"black": 0, "white": 1}
    mapping = np.array([names.get(parse_race(value) or "", 2) for value in column.values], np.int64)
    return column.recode(mapping, np.array(["AA", "WH", "OT"], object))


def _ratio(one: float, other: float) -> float | None:
    return one / other if other else None
