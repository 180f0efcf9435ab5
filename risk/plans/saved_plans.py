"""Plans kept: saved with their recoding, applied to the next extract, checked against releases.

A saved plan holds hierarchies, so the values of their domains; it holds no record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.register import apply_rule, restore
from risk.hierarchies.rules import Rule
from risk.lattice.limits import (
    AverageRisk,
    ClassSize,
    Diversity,
    KMap,
    Limit,
    PopulationRisk,
    ShareAtRisk,
)
from risk.lattice.search import LevelRange
from risk.plans.full_domain import plan
from risk.plans.plan import Plan, PlanRequest
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest

FORMAT = 1


def save_plan(made: Plan, rules: Mapping[str, Rule] | None = None) -> str:
    """The plan as JSON. A column told by a rule keeps the rule, any other its hierarchy's rows."""
    if made.method != "full-domain":
        raise RiskError(
            "only a full-domain plan tells every value in one way, so only that can be repeated",
            code="not-repeatable",
            hint="plan the next extract anew, or use the full-domain method",
        )
    rules = rules or {}
    columns = {}
    for name, hierarchy in made.hierarchies.items():
        told: dict[str, Any] = {"level": int(made.levels[name])}
        if name in rules:
            told |= {"kind": rules[name].kind, "settings": rules[name].settings}
        else:
            told["rows"] = hierarchy.rows()
        columns[name] = told
    content = {
        "format": FORMAT,
        "quasi_identifiers": list(made.table.names),
        "loss": made.request.loss,
        "max_suppression": made.request.max_suppression,
        "limits": [limit.describe() for limit in made.request.limits],
        "columns": columns,
    }
    return json.dumps(content, indent=1)


@dataclass(frozen=True, eq=False, repr=False)
class SavedPlan:
    """What a saved plan tells: levels, hierarchies or rules, limits."""

    names: tuple[str, ...]
    levels: Mapping[str, int]
    hierarchies: Mapping[str, Hierarchy]
    rules: Mapping[str, Rule]
    request: PlanRequest

    def hierarchies_for(self, table: CodedTable) -> dict[str, Hierarchy]:
        """The hierarchies over the values of this table."""
        return {
            name: self.hierarchies[name]
            if name in self.hierarchies
            else apply_rule(self.rules[name], table.column(name))
            for name in self.names
        }

    def apply(self, table: CodedTable, **more: Any) -> Plan:
        """The same recoding of another extract. Its classes are judged anew: records in classes
        that break the limits are left out, up to the same share; more than that is refused."""
        fixed = {name: LevelRange(level, level) for name, level in self.levels.items()}
        table = table.select(self.names)
        return plan(table, self.hierarchies_for(table), replace(self.request, ranges=fixed), **more)


def load_plan(text: str) -> SavedPlan:
    """Read what `save_plan` wrote.

    Raises:
        RiskError: `plan-invalid`.
    """
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise KeyError
        columns = content["columns"]
        names = tuple(content["quasi_identifiers"])
        request = PlanRequest(
            tuple(read_limit(limit) for limit in content["limits"]),
            content["loss"],
            float(content["max_suppression"]),
        )
        rows = {name: c["rows"] for name, c in columns.items() if "rows" in c}
        return SavedPlan(
            names,
            {name: int(columns[name]["level"]) for name in names},
            {name: Hierarchy.of_rows(name, told) for name, told in rows.items()},
            {n: restore(c["kind"], c["settings"]) for n, c in columns.items() if n not in rows},
            request,
        )
    except (ValueError, KeyError, TypeError):
        raise RiskError(
            "the file is no saved plan, or of another version",
            code="plan-invalid",
            exit_code=6,
            hint="name a `.plan.json` that `deid plan -o` wrote",
        ) from None


def read_limit(told: Mapping[str, Any]) -> Limit:
    """A limit from what its `describe` gave."""
    if "k" in told:
        return ClassSize(int(told["k"]))
    if "k_map" in told:
        return KMap(int(told["k_map"]))
    if "l_diversity" in told:
        return Diversity(float(told["l_diversity"]), told["kind"], float(told.get("c", 3.0)))
    if "average" in told:
        return AverageRisk(float(told["average"]), bool(told["strict"]))
    if "at_risk" in told:
        return ShareAtRisk(int(told["cell_size"]), float(told["at_risk"]))
    return PopulationRisk(float(told["population_risk"]), float(told["scaling"]), told["group"])


@dataclass(frozen=True)
class Difference:
    """What an earlier release and this one tell together.

    `apart` counts classes whose size changed by fewer than k records: who was added or left is one
    of so few. `new_small` are classes of this release below k, `gone` classes of the earlier one
    that are no more. `records` is the number of records in classes that are apart or small;
    `other_labels` are columns told by labels the other release has none of: the two were recoded
    differently, and overlaid they may tell more than either.
    """

    release: int
    apart: int
    new_small: int
    gone: int
    records: int
    smallest_step: int
    other_labels: tuple[str, ...]

    @property
    def safe(self) -> bool:
        return self.apart == 0 and self.new_small == 0 and not self.other_labels


def compare_releases(
    current: CodedTable, earlier: Sequence[CodedTable], k: int
) -> tuple[Difference, ...]:
    """Compare the released quasi-identifiers with those of each release before."""
    return tuple(_difference(i, current, other, k) for i, other in enumerate(earlier, 1))


def _difference(number: int, current: CodedTable, other: CodedTable, k: int) -> Difference:
    other = other.select(current.names)
    both, strange = [], []
    for mine, theirs in zip(current.columns, other.columns, strict=True):
        column, alien = _joined(mine, theirs)
        both.append(column)
        if alien:
            strange.append(mine.name)
    joint = Classes.of(CodedTable(tuple(both), current.rows + other.rows))
    ids = joint.ids
    now = np.bincount(ids[: current.rows], minlength=len(joint))
    then = np.bincount(ids[current.rows :], minlength=len(joint))
    step = np.abs(now - then)
    apart = (step > 0) & (step < k) & (now > 0) & (then > 0)
    small = (now > 0) & (now < k)
    return Difference(
        release=number,
        apart=int(apart.sum()),
        new_small=int((small & (then == 0)).sum()),
        gone=int(((then > 0) & (now == 0)).sum()),
        records=int(now[apart | small].sum()),
        smallest_step=int(step[step > 0].min()) if (step > 0).any() else 0,
        other_labels=tuple(strange),
    )


def _joined(mine: CodedColumn, theirs: CodedColumn) -> tuple[CodedColumn, bool]:
    """One column of both, by text; and whether they share no label at all."""
    known: dict[Any, int] = {}
    coded = []
    for column in (mine, theirs):
        texts = [None if v is None else str(v) for v in column.values]
        places = [known.setdefault(text, len(known)) for text in texts]
        coded.append(np.array(places, np.int64)[column.codes])
    values = np.empty(len(known), object)
    values[:] = list(known)
    codes = np.concatenate(coded).astype(smallest(max(1, len(known))))
    alien = not {str(v) for v in mine.values} & {str(v) for v in theirs.values}
    return CodedColumn(mine.name, codes, values), alien
