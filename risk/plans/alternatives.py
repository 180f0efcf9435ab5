"""Alternatives to Safe Harbor: every combination of demographic detail that is no riskier on this
cohort.

Malin, Benitez & Masys 2011 (JAMIA 18:3), Tables 2-4. A policy chooses a level of detail for age,
ethnicity, sex and place; its risk is that of the cohort released in this form, matched to the
population. In the output, a star marks each model by which a policy is riskier than the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import text_of
from risk.measures.record_linkage import Linkage
from risk.plans.detail_levels import AGE_DETAILS, RACE_DETAILS, ColumnDetail, DetailLevel
from risk.population.matching import match_population
from risk.population.table import Population
from risk.spellings.days import parse_day
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest

_MOST_POLICIES = 5_000
# Sizes of groups in the graduated risk models.
_GROUPS = (10, 20_000)
_SLACK = 1e-9


@dataclass(frozen=True)
class Alternative:
    """A policy and its risk on the cohort by every model.

    A risk is a number of records (expected or counted) of `records`. `worse` lists the models by
    which the policy is riskier than Safe Harbor; `maximal` lists the models by which it is no
    riskier, although every finer policy is.
    """

    name: str
    detail: Mapping[str, str]
    records: int
    unmatched: int
    risk: Mapping[str, float]
    worse: tuple[str, ...] = ()
    maximal: tuple[str, ...] = ()

    @property
    def offered(self) -> bool:
        """Whether the policy is no riskier than Safe Harbor by every model."""
        return not self.worse


@dataclass(frozen=True)
class Comparison:
    """Safe Harbor and every other policy, the finest first.

    `left_out` lists columns that the population does not have: their risk cannot be measured, so no
    policy releases them.
    """

    reference: Alternative
    others: tuple[Alternative, ...]
    models: tuple[str, ...]
    left_out: tuple[str, ...]


def compare_policies(
    table: CodedTable,
    population: Population,
    detail_columns: Sequence[ColumnDetail],
    *,
    reference_year: int | None = None,
    listed: Iterable[Mapping[str, str]] = (),
) -> Comparison:
    """Compare every combination of levels, and the policies `listed`, with Safe Harbor.

    Records that match no person count as re-identified in every model. Raises `RiskError` if no
    column has levels, or for more than 5,000 policies.
    """
    if not detail_columns:
        raise _no_known_column()
    count = prod(len(column_detail.levels) for column_detail in detail_columns)
    if count > _MOST_POLICIES:
        raise RiskError(
            f"{count} policies are too many to compare",
            code="too-many-policies",
            hint="use fewer columns",
        )
    year = population.year if reference_year is None else reference_year
    judged = _PolicyScorer(table, population, tuple(detail_columns), year, _GROUPS)
    standard = {column_detail.column: column_detail.safe_harbor for column_detail in detail_columns}
    reference = judged.of(standard)
    details = [
        dict(zip([column_detail.column for column_detail in detail_columns], names, strict=True))
        for names in product(
            *([s.name for s in column_detail.levels] for column_detail in detail_columns)
        )
    ]
    details += [{**standard, **dict(more)} for more in listed]
    unique = {tuple(sorted(d.items())): d for d in details if d != standard}
    others = [_marked_worse(judged.of(detail), reference) for detail in unique.values()]
    others = [_marked_maximal(other, [*others, reference], detail_columns) for other in others]
    return Comparison(
        reference,
        tuple(others),
        tuple(reference.risk),
        tuple(name for name in table.names if name not in standard),
    )


def policy_risk(
    table: CodedTable,
    population: Population,
    detail_columns: Sequence[ColumnDetail],
    *,
    reference_year: int | None,
    groups: Sequence[int],
) -> Alternative:
    """The risk of a release of the cohort with the detail that Safe Harbor permits."""
    if not detail_columns:
        raise _no_known_column()
    year = population.year if reference_year is None else reference_year
    judge = _PolicyScorer(table, population, tuple(detail_columns), year, tuple(groups))
    return judge.of({one.column: one.safe_harbor for one in detail_columns})


def _no_known_column() -> RiskError:
    return RiskError(
        "the table and the population have no column in common that can be compared",
        code="no-shared-column",
        hint="use --quasi with age, race, sex or a place, and map names with --population-columns",
    )


@dataclass(frozen=True, eq=False)
class _PolicyScorer:
    table: CodedTable
    population: Population
    detail_columns: tuple[ColumnDetail, ...]
    year: int | None
    groups: tuple[int, ...]

    def of(self, detail: Mapping[str, str]) -> Alternative:
        """Match the cohort, as this policy would release it, to the population, and score it."""
        columns, mapping, bins = [], {}, 1
        extra = []
        for column_detail in self.detail_columns:
            setting = column_detail.level(detail[column_detail.column])
            released = _at_detail(self.table.column(column_detail.column), setting, self.year)
            if released is None:
                continue
            bins *= setting.bins
            columns.append(released)
            mapping[column_detail.column] = column_detail.population_column
            if setting.bins > 1:
                extra.append(_part_of_year(self.table.column(column_detail.column), setting))
        people, sizes = self._matched([*columns, *extra], mapping, len(columns), bins)
        scored = Linkage.of(sizes, people, groups=self.groups)
        lost = scored.unmatched
        risk = {"total": scored.total + lost, "uniques": float(scored.uniques + lost)}
        risk |= {f"graduated_{t}": scored.graduated[t] + lost for t in self.groups}
        risk |= {f"non_graduated_{t}": float(scored.non_graduated[t] + lost) for t in self.groups}
        name = _policy_name(detail, self.detail_columns)
        return Alternative(name, dict(detail), scored.records, lost, risk)

    def _matched(
        self, columns: list[CodedColumn], mapping: Mapping[str, str], width: int, bins: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        whole = Classes.of(CodedTable(tuple(columns), self.table.rows))
        if not width:
            total = np.array([self.population.total])
            return total, np.array([self.table.rows], np.int64)
        if bins == 1:
            found = match_population(whole, self.population, mapping, reference_year=self.year)
            return found.people, whole.sizes
        plain = Classes.of(CodedTable(tuple(columns[:width]), self.table.rows))
        found = match_population(plain, self.population, mapping, reference_year=self.year)
        first = np.zeros(len(whole), np.int64)
        first[whole.ids] = plain.ids
        part = np.maximum(found.people[first] / bins, whole.sizes)
        return np.where(found.people[first] > 0, part, 0.0), whole.sizes


def _at_detail(column: CodedColumn, setting: DetailLevel, year: int | None) -> CodedColumn | None:
    if setting.name == "none":
        return None
    labels = [None if v is None else setting.label(text_of(v), year or 0) for v in column.values]
    known: dict[str | None, int] = {}
    codes = np.array([known.setdefault(label, len(known)) for label in labels], np.int64)
    values = np.empty(len(known), object)
    values[:] = list(known)
    kind = smallest(max(1, len(known)))
    return CodedColumn(column.name, codes.astype(kind)[column.codes], values)


def _part_of_year(column: CodedColumn, setting: DetailLevel) -> CodedColumn:
    """The part of the year of a date, as an additional column."""
    parts = []
    for value in column.values:
        day = None if value is None else parse_day(text_of(value))
        month = 0 if day is None else day.month
        inside = (month + 2) // 3 if setting.bins == 4 else month
        parts.append(inside * 32 + (day.day if day is not None and setting.bins > 12 else 0))
    distinct, codes = np.unique(np.array(parts, np.int64), return_inverse=True)
    kind = smallest(max(1, len(distinct)))
    released = codes.astype(kind)[column.codes]
    return CodedColumn(f"part of {column.name}", released, distinct.astype(object))


def _marked_worse(other: Alternative, reference: Alternative) -> Alternative:
    worse = tuple(
        model
        for model, risk in other.risk.items()
        if risk > reference.risk[model] + _SLACK * max(1.0, reference.risk[model])
    )
    return replace(other, worse=worse)


def _marked_maximal(
    one: Alternative, others: Sequence[Alternative], detail_columns: Sequence[ColumnDetail]
) -> Alternative:
    """Mark the models by which this policy, but no finer one, is as safe as Safe Harbor."""
    finer = [other for other in others if _is_finer(other.detail, one.detail, detail_columns)]
    models = tuple(
        model
        for model in one.risk
        if model not in one.worse and all(model in other.worse for other in finer)
    )
    return replace(one, maximal=models)


def _is_finer(
    fine: Mapping[str, str], coarse: Mapping[str, str], detail_columns: Sequence[ColumnDetail]
) -> bool:
    """Whether one policy is finer than the other.

    It releases at least as much detail in every column, and more in at least one.
    """
    if fine == coarse:
        return False
    return all(
        fine[column_detail.column] == coarse[column_detail.column]
        or coarse[column_detail.column] in column_detail.level(fine[column_detail.column]).coarser
        for column_detail in detail_columns
    )


def _policy_name(detail: Mapping[str, str], detail_columns: Sequence[ColumnDetail]) -> str:
    """Return the paper's name of a policy if it has one, otherwise the levels."""
    if all(
        detail[column_detail.column] == column_detail.safe_harbor
        for column_detail in detail_columns
    ):
        return "Safe Harbor"
    ages = {"1 year": "", "5 years": "5 Year", "10 years": "10 Year"}
    age = next((k for k in detail_columns if k.levels is AGE_DETAILS), None)
    race_ = next((k for k in detail_columns if k.levels is RACE_DETAILS), None)
    others = [k for k in detail_columns if k not in (age, race_)]
    if age and race_ and all(detail[k.column] == k.safe_harbor for k in others):
        eth = {"as recorded": "", "three": "GenEth"}.get(detail[race_.column])
        years = ages.get(detail[age.column])
        if eth is not None and years is not None and (eth or years):
            return "-".join(part for part in (years, eth) if part)
    return ", ".join(f"{column} {setting}" for column, setting in detail.items())
