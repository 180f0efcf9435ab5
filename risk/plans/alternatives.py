"""Alternatives to a policy: every way to tell the demographics that is no riskier on this cohort.

Malin, Benitez & Masys 2011 (JAMIA 18:3), Tables 2-4: the detail of age, ethnicity, sex and place
are knobs; a policy is a setting of each; its risk is that of the cohort told so, matched to the
population. Starred is what is worse than the policy compared with, by the same model.
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
from risk.hierarchies.rules import read_day
from risk.measures.record_linkage import Linkage
from risk.plans.detail_levels import AGES, RACES, Knob, Setting
from risk.population.matching import match
from risk.population.table import Population
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest

_MOST = 5_000
_SLACK = 1e-9


@dataclass(frozen=True)
class Alternative:
    """A policy and its risk on the cohort by every model: expected records or records, of
    `records`. `worse` are the models by which it is riskier than Safe Harbor, `maximal` those by
    which it is not and every finer policy is."""

    name: str
    detail: Mapping[str, str]
    records: int
    unmatched: int
    risk: Mapping[str, float]
    worse: tuple[str, ...] = ()
    maximal: tuple[str, ...] = ()

    @property
    def offered(self) -> bool:
        """Whether it is no riskier by any model."""
        return not self.worse


@dataclass(frozen=True)
class Comparison:
    """Safe Harbor and every other policy, the finest first; `left_out` are columns named that the
    population does not know: nothing can be said of them, so no policy tells them."""

    reference: Alternative
    others: tuple[Alternative, ...]
    models: tuple[str, ...]
    left_out: tuple[str, ...]


def compare_policies(
    table: CodedTable,
    population: Population,
    knobs: Sequence[Knob],
    *,
    reference_year: int | None = None,
    scaling: float = 1.0,
    groups: Sequence[int] = (10, 20_000),
    listed: Iterable[Mapping[str, str]] = (),
) -> Comparison:
    """Judge every setting of the knobs, and the policies `listed`, against Safe Harbor.

    Records that match nobody count as found, in every model. Raises `RiskError` without knobs, or
    for more than 5,000 policies.
    """
    if not knobs:
        raise _no_knobs()
    count = prod(len(knob.settings) for knob in knobs)
    if count > _MOST:
        raise RiskError(
            f"{count} policies are too many", code="too-many-policies", hint="name fewer columns"
        )
    year = population.year if reference_year is None else reference_year
    judged = _Judge(table, population, tuple(knobs), year, scaling, tuple(groups))
    standard = {knob.column: knob.safe_harbor for knob in knobs}
    reference = judged.of(standard)
    details = [
        dict(zip([knob.column for knob in knobs], names, strict=True))
        for names in product(*([s.name for s in knob.settings] for knob in knobs))
    ]
    details += [{**standard, **dict(more)} for more in listed]
    unique = {tuple(sorted(d.items())): d for d in details if d != standard}
    others = [_starred(judged.of(detail), reference) for detail in unique.values()]
    others = [_crowned(other, [*others, reference], knobs) for other in others]
    return Comparison(
        reference,
        tuple(others),
        tuple(reference.risk),
        tuple(name for name in table.names if name not in standard),
    )


def policy_risk(
    table: CodedTable,
    population: Population,
    knobs: Sequence[Knob],
    detail: Mapping[str, str] | None = None,
    *,
    reference_year: int | None = None,
    scaling: float = 1.0,
    groups: Sequence[int] = (10, 20_000),
) -> Alternative:
    """The risk of one policy on the cohort, Safe Harbor's settings where none are given."""
    if not knobs:
        raise _no_knobs()
    year = population.year if reference_year is None else reference_year
    judge = _Judge(table, population, tuple(knobs), year, scaling, tuple(groups))
    return judge.of({knob.column: knob.safe_harbor for knob in knobs} | dict(detail or {}))


def _no_knobs() -> RiskError:
    return RiskError(
        "no column of the table is known by name and counted by the population",
        code="no-shared-column",
        hint="name them: --quasi age,race,sex,state --population-columns mine=theirs",
    )


@dataclass(frozen=True, eq=False)
class _Judge:
    table: CodedTable
    population: Population
    knobs: tuple[Knob, ...]
    year: int | None
    scaling: float
    groups: tuple[int, ...]

    def of(self, detail: Mapping[str, str]) -> Alternative:
        """The cohort told so, matched, and scored."""
        columns, mapping, bins = [], {}, 1
        extra = []
        for knob in self.knobs:
            setting = knob.setting(detail[knob.column])
            told = _tell(self.table.column(knob.column), setting, self.year)
            if told is None:
                continue
            bins *= setting.bins
            columns.append(told)
            mapping[knob.column] = knob.meets
            if setting.bins > 1:
                extra.append(_part(self.table.column(knob.column), setting))
        people, sizes = self._matched([*columns, *extra], mapping, len(columns), bins)
        scored = Linkage.of(sizes, people, scaling=self.scaling, groups=self.groups)
        lost = scored.unmatched
        risk = {"total": scored.total + lost, "uniques": float(scored.uniques + lost)}
        risk |= {f"graduated_{t}": scored.graduated[t] + lost for t in self.groups}
        risk |= {f"non_graduated_{t}": float(scored.non_graduated[t] + lost) for t in self.groups}
        name = _name(detail, self.knobs)
        return Alternative(name, dict(detail), scored.records, lost, risk)

    def _matched(
        self, columns: list[CodedColumn], mapping: Mapping[str, str], width: int, bins: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        whole = Classes.of(CodedTable(tuple(columns), self.table.rows))
        if not width:
            total = np.array([self.population.total])
            return total, np.array([self.table.rows], np.int64)
        if bins == 1:
            found = match(whole, self.population, mapping, reference_year=self.year)
            return found.people, whole.sizes
        plain = Classes.of(CodedTable(tuple(columns[:width]), self.table.rows))
        found = match(plain, self.population, mapping, reference_year=self.year)
        first = np.zeros(len(whole), np.int64)
        first[whole.ids] = plain.ids
        part = np.maximum(found.people[first] / bins, whole.sizes)
        return np.where(found.people[first] > 0, part, 0.0), whole.sizes


def _tell(column: CodedColumn, setting: Setting, year: int | None) -> CodedColumn | None:
    if setting.name == "none":
        return None
    labels = [None if v is None else setting.tell(text_of(v), year or 0) for v in column.values]
    known: dict[str | None, int] = {}
    codes = np.array([known.setdefault(label, len(known)) for label in labels], np.int64)
    values = np.empty(len(known), object)
    values[:] = list(known)
    kind = smallest(max(1, len(known)))
    return CodedColumn(column.name, codes.astype(kind)[column.codes], values)


def _part(column: CodedColumn, setting: Setting) -> CodedColumn:
    """The part of the year that a date lies in, as one more column."""
    parts = []
    for value in column.values:
        day = None if value is None else read_day(text_of(value))
        month = 0 if day is None else day.month
        inside = (month + 2) // 3 if setting.bins == 4 else month
        parts.append(inside * 32 + (day.day if day is not None and setting.bins > 12 else 0))
    distinct, codes = np.unique(np.array(parts, np.int64), return_inverse=True)
    kind = smallest(max(1, len(distinct)))
    told = codes.astype(kind)[column.codes]
    return CodedColumn(f"part of {column.name}", told, distinct.astype(object))


def _starred(other: Alternative, reference: Alternative) -> Alternative:
    worse = tuple(
        model
        for model, risk in other.risk.items()
        if risk > reference.risk[model] + _SLACK * max(1.0, reference.risk[model])
    )
    return replace(other, worse=worse)


def _crowned(one: Alternative, others: Sequence[Alternative], knobs: Sequence[Knob]) -> Alternative:
    """Maximal by a model: no riskier, and nothing finer is no riskier either."""
    finer = [other for other in others if _finer(other.detail, one.detail, knobs)]
    models = tuple(
        model
        for model in one.risk
        if model not in one.worse and all(model in other.worse for other in finer)
    )
    return replace(one, maximal=models)


def _finer(fine: Mapping[str, str], coarse: Mapping[str, str], knobs: Sequence[Knob]) -> bool:
    """Whether one policy tells at least as much of every column, and more of one."""
    if fine == coarse:
        return False
    return all(
        fine[knob.column] == coarse[knob.column]
        or coarse[knob.column] in knob.setting(fine[knob.column]).coarser
        for knob in knobs
    )


def _name(detail: Mapping[str, str], knobs: Sequence[Knob]) -> str:
    """The paper's name where it has one, else the settings."""
    if all(detail[knob.column] == knob.safe_harbor for knob in knobs):
        return "Safe Harbor"
    ages = {"1 year": "", "5 years": "5 Year", "10 years": "10 Year"}
    age = next((k for k in knobs if k.settings is AGES), None)
    race_ = next((k for k in knobs if k.settings is RACES), None)
    others = [k for k in knobs if k not in (age, race_)]
    if age and race_ and all(detail[k.column] == k.safe_harbor for k in others):
        eth = {"as recorded": "", "three": "GenEth"}.get(detail[race_.column])
        years = ages.get(detail[age.column])
        if eth is not None and years is not None and (eth or years):
            return "-".join(part for part in (years, eth) if part)
    return ", ".join(f"{column} {setting}" for column, setting in detail.items())
