"""Reports what a plan costs: figures, and a page that describes columns and compares analyses."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from deid.plans.applied_plan import columns_kept
from deid.plans.planning import MadePlan
from deid.plans.request import PlanArguments
from risk import (
    Classes,
    ClassSize,
    CodedTable,
    ColumnChange,
    DocumentFacts,
    FrontierPoint,
    PlanPage,
    ReleaseUtility,
    compare_release,
    frontier_of,
    group_by_person,
    level_words,
    numbers_rows,
    records_by_size,
)

#: A frontier with more generalizations is not drawn, because the page would open slowly.
_MOST_DRAWN = 20_000
_METHOD_WORDS = {
    "local": "each record as far as needed",
    "mondrian": "each class as far as needed",
    "cells": "as recorded, some cells blank",
    "cells-wildcard": "as recorded, some cells blank",
}
#: Kinds of hierarchy whose values may look like numbers but are not.
_NO_NUMBERS = ("zip", "state", "icd10cm", "date")
Regression = tuple[str, tuple[str, ...]]


def utility_of(
    made: MadePlan, keep: tuple[str, ...], regression: Regression | None
) -> ReleaseUtility:
    """Compare quasi-identifiers and other columns to be written before and after the plan."""
    quasi = made.plan.table.names
    kept = () if made.quasi_only else columns_kept(made.whole, quasi, keep).stays
    named = (regression[0], *regression[1]) if regression else ()
    kept = tuple(n for n in kept if n in named or not numbers_rows(made.whole.column(n)))
    names = [*quasi, *kept]
    rows = made.whole.take(made.plan.kept)
    after = [*made.plan.table.columns, *(rows.column(name) for name in kept)]
    return compare_release(
        (made.before or made.whole).select(names),
        CodedTable(tuple(after), rows.rows),
        np.asarray(made.plan.kept),
        regression,
        [name for name, rule in made.rules.items() if rule.kind in _NO_NUMBERS],
    )


def plan_page(
    made: MadePlan,
    arguments: PlanArguments,
    summary: dict[str, Any],
    utility: ReleaseUtility,
    facts: DocumentFacts,
    keep: tuple[str, ...],
) -> PlanPage:
    """The page of a plan, with the frontier if every generalization can be drawn."""
    quasi = made.plan.table.names
    size, points = _frontier(made, arguments)
    units = made.whole.select(quasi)
    if arguments.person is not None:
        units = group_by_person(units, made.whole.column(arguments.person))
    histograms = (_histogram(units), _histogram(made.plan.units))
    return PlanPage(
        summary=summary,
        columns=tuple(_column_change(made, name) for name in quasi),
        utility=utility,
        facts=facts,
        frontier=points,
        cell_size=size,
        words={name: words_of_levels(made, name) for name in quasi} if points else {},
        class_sizes=(records_by_size(histograms[0]), records_by_size(histograms[1])),
        withheld=columns_kept(made.whole, quasi, keep).withheld,
        unit="record" if arguments.person is None else "person",
    )


def _column_change(made: MadePlan, name: str) -> ColumnChange:
    released = made.plan.table.column(name)
    level = made.plan.levels.get(name)
    words = _METHOD_WORDS.get(made.plan.method, "")
    if level is not None:
        words = level_words(made.plan.hierarchies[name], level, made.rules.get(name))
    return ColumnChange(
        name,
        len(np.unique(made.whole.column(name).codes)),
        words,
        len(np.unique(released.codes)),
    )


def words_of_levels(made: MadePlan, name: str) -> tuple[str, ...]:
    """What a column shows at each of its levels, in words."""
    hierarchy, rule = made.plan.hierarchies[name], made.rules.get(name)
    return tuple(level_words(hierarchy, i, rule) for i in range(len(hierarchy.labels)))


def _frontier(made: MadePlan, arguments: PlanArguments) -> tuple[int, tuple[FrontierPoint, ...]]:
    """Each generalization with its loss and its records in small classes, if size is the limit."""
    sizes = [limit.k for limit in made.plan.request.limits if isinstance(limit, ClassSize)]
    plain = made.plan.method == "full-domain" and arguments.person is None and sizes
    nodes = prod(len(h.labels) for h in made.plan.hierarchies.values())
    if not plain or len(made.plan.request.limits) > 1 or nodes > _MOST_DRAWN:
        return 0, ()
    mine = made.whole.select(made.plan.table.names)
    found = frontier_of(mine, made.plan.hierarchies, loss=arguments.loss, sizes=sizes[:1])
    return sizes[0], found


def _histogram(table: CodedTable) -> dict[int, int]:
    sizes, times = Classes.of(table).histogram
    return dict(zip(sizes.tolist(), times.tolist(), strict=True))
