"""Save a plan, and apply it to the next extract.

A saved plan holds hierarchies, and therefore the values of their domains; it holds no record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.register import apply_rule, restore_rule
from risk.hierarchies.rules import HierarchyRule
from risk.lattice.limits import (
    AverageRisk,
    ClassSize,
    Diversity,
    KMap,
    PlanLimit,
    PopulationRisk,
    ShareAtRisk,
)
from risk.lattice.search import LevelRange
from risk.plans.full_domain import plan
from risk.plans.plan import Plan, PlanRequest
from risk.tables.coding import CodedTable

PLAN_FORMAT = 1


def save_plan(made: Plan, rules: Mapping[str, HierarchyRule] | None = None) -> str:
    """Return the plan as JSON.

    A column with a rule is saved as the rule, any other with the rows of its hierarchy.
    """
    if made.method != "full-domain":
        raise RiskError(
            "only a full-domain plan can be saved, because it recodes each value in one way",
            code="not-repeatable",
            hint="plan the next extract separately, or use the full-domain method",
        )
    rules = rules or {}
    columns = {}
    for name, hierarchy in made.hierarchies.items():
        entry: dict[str, Any] = {"level": int(made.levels[name])}
        if name in rules:
            entry |= {"kind": rules[name].kind, "settings": rules[name].settings}
        else:
            entry["rows"] = hierarchy.rows()
        columns[name] = entry
    content = {
        "format": PLAN_FORMAT,
        "quasi_identifiers": list(made.table.names),
        "loss": made.request.loss,
        "max_suppression": made.request.max_suppression,
        "limits": [limit.describe() for limit in made.request.limits],
        "columns": columns,
    }
    return json.dumps(content, indent=1)


@dataclass(frozen=True, eq=False, repr=False)
class SavedPlan:
    """The content of a saved plan: levels, hierarchies or rules, limits."""

    names: tuple[str, ...]
    levels: Mapping[str, int]
    hierarchies: Mapping[str, Hierarchy]
    rules: Mapping[str, HierarchyRule]
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
        """Recode another extract in the same way.

        Its classes are checked again: records in classes that break the limits are suppressed, up
        to the same share. If more would have to be suppressed, a `RiskError` is raised.
        """
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
        if content["format"] != PLAN_FORMAT:
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
            {name: Hierarchy.of_rows(name, entry) for name, entry in rows.items()},
            {
                n: restore_rule(c["kind"], c["settings"])
                for n, c in columns.items()
                if n not in rows
            },
            request,
        )
    except (ValueError, KeyError, TypeError):
        raise RiskError(
            "the file is not a saved plan, or has another version",
            code="plan-invalid",
            exit_code=6,
            hint="name a `.plan.json` file that `deid plan -o` wrote",
        ) from None


def read_limit(entry: Mapping[str, Any]) -> PlanLimit:
    """Read a limit from the result of its `describe` method."""
    if "k" in entry:
        return ClassSize(int(entry["k"]))
    if "k_map" in entry:
        return KMap(int(entry["k_map"]))
    if "l_diversity" in entry:
        return Diversity(float(entry["l_diversity"]), entry["kind"], float(entry.get("c", 3.0)))
    if "average" in entry:
        return AverageRisk(float(entry["average"]), bool(entry["strict"]))
    if "at_risk" in entry:
        return ShareAtRisk(int(entry["cell_size"]), float(entry["at_risk"]))
    return PopulationRisk(float(entry["population_risk"]), float(entry["scaling"]), entry["group"])
