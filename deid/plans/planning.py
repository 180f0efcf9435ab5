"""Make the plan of a request: read the table, find the hierarchies, run the search."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.plans.request import PlanArguments
from risk import (
    CodedTable,
    Hierarchy,
    HierarchyRule,
    Plan,
    PlanRequest,
    Population,
    PopulationRisk,
    RiskError,
    build_hierarchy,
    column_details,
    guess_hierarchy,
    load_plan,
    missing_lines,
    open_population,
    plan,
    plan_cells,
    plan_locally,
    policy_risk,
    read_hierarchies,
    read_table,
    subsample,
    to_intervals,
)

METHODS = ("full-domain", "local", "mondrian", "cells", "cells-wildcard", "columns")
_OF_PERSONS = ("full-domain", "columns")


@dataclass(frozen=True, eq=False, repr=False)
class MadePlan:
    """The plan, the table it was made for (all columns read), the rules of its hierarchies, and the
    columns that were rewritten before the plan (dates as intervals)."""

    plan: Plan
    whole: CodedTable
    rules: Mapping[str, HierarchyRule]
    rewritten: tuple[str, ...] = ()


def make_plan(wish: PlanArguments, *, whole: bool) -> MadePlan:
    """Read the table (all of it, or only the columns needed), build hierarchies, and search.

    Raises:
        DeidError, RiskError: what was asked cannot be done, with the way out.
    """
    if wish.method not in METHODS:
        raise DeidError("unknown-method", "no such method", hint=f"known: {', '.join(METHODS)}")
    saved = None
    if wish.apply is not None:
        saved = load_plan(_text(wish.apply))
        wish = replace(wish, quasi=saved.names)
    table = _read(wish, whole)
    mine = table.select(wish.quasi)
    if saved is not None:
        repeated = saved.apply(mine, **_extras(wish, table))
        return MadePlan(repeated, table, saved.rules, wish.intervals)
    if wish.risk_model is not None:
        wish = replace(wish, limits=(*wish.limits, limit_of_safe_harbor(wish, mine)))
    if not wish.limits:
        raise DeidError("no-limit", "no limit of risk is given", hint="--k 5, say")
    return _searched(wish, table, mine)


def _read(wish: PlanArguments, whole: bool) -> CodedTable:
    """The table, with all columns or those needed, sampled and with dates as intervals on
    request."""
    if not wish.quasi:
        raise DeidError("no-quasi", "no quasi-identifier is named", hint="--quasi A,B")
    if len(set(wish.quasi)) < len(wish.quasi):
        raise DeidError("repeated-column", "a quasi-identifier is named twice", place="--quasi")
    more = [name for name in (wish.sensitive, wish.person) if name]
    names = None if whole else list(dict.fromkeys([*wish.quasi, *more, *wish.intervals]))
    return _prepared(wish, read_table(wish.table, names, delimiter=wish.delimiter))


def _searched(wish: PlanArguments, table: CodedTable, mine: CodedTable) -> MadePlan:
    """The plan for the quasi-identifiers `mine` of a table, by the requested method."""
    request = PlanRequest(
        wish.limits, wish.loss, wish.max_suppression, dict(wish.weights), dict(wish.ranges)
    )
    if wish.person is not None and wish.method not in _OF_PERSONS:
        raise DeidError(
            "no-persons-here",
            "this method counts records, so the rows of a person would count as several people",
            place="--method",
            hint="take full-domain, or plan a table of one row a person without --person-column",
        )
    if wish.method.startswith("cells"):
        wild = wish.method == "cells-wildcard"
        blanked = plan_cells(mine, request, reading="wildcard" if wild else "strict")
        return MadePlan(blanked, table, {})
    hierarchies, rules = hierarchies_for(wish, mine)
    if wish.method == "local":
        return MadePlan(plan_locally(mine, hierarchies, request), table, rules)
    if wish.method == "mondrian":
        return MadePlan(plan_locally(mine, hierarchies, request, way="mondrian"), table, rules)
    made = plan(mine, hierarchies, request, **_extras(wish, table))
    return MadePlan(made, table, rules, wish.intervals)


def hierarchies_for(
    wish: PlanArguments, table: CodedTable
) -> tuple[dict[str, Hierarchy], dict[str, HierarchyRule]]:
    """A hierarchy for each quasi-identifier: from the folder, as named, or guessed. The lines that
    a file lacks are written on request, before the search checks the coverage."""
    if wish.method == "columns":
        kinds: Mapping[str, str] = dict.fromkeys(table.names, "flat")
        found: dict[str, Hierarchy] = {}
    else:
        kinds = wish.kinds
        unknown = set(kinds) - set(table.names)
        if unknown:
            raise DeidError(
                "unknown-column",
                "--hierarchy names a column not in --quasi",
                hint="name it in --quasi, too, or leave it out",
            )
        named = [name for name in table.names if name not in kinds]
        found = read_hierarchies(wish.folder, named) if wish.folder else {}
    rules: dict[str, HierarchyRule] = {}
    for column in table.columns:
        if column.name in found:
            continue
        kind = kinds.get(column.name) or (
            "number" if column.name in wish.intervals else guess_hierarchy(column)
        )
        found[column.name], rules[column.name] = build_hierarchy(kind, column)
    if wish.missing_lines is not None:
        _write_missing(wish.missing_lines, found, table)
    return found, rules


def limit_of_safe_harbor(wish: PlanArguments, table: CodedTable) -> PopulationRisk:
    """The risk of this cohort, released at Safe Harbor's levels of detail, by the requested model
    of Malin et al., as a limit.

    Raises:
        DeidError: an unknown model, no population.
    """
    name, _, group = (wish.risk_model or "total").replace("-", "_").rpartition("_")
    known = {"graduated": 1.0, "non_graduated": 0.0}
    if wish.risk_model != "total" and not (name in known and group.isdigit()):
        raise DeidError(
            "unknown-model",
            "there is no such model of risk",
            place="--risk-model",
            hint="total, graduated-10, non-graduated-20000, or another group size",
        )
    people = open_people(wish, wish.quasi)
    if people is None:
        raise DeidError(
            "no-population", "--risk-model needs --population", hint="deid population list"
        )
    detail_columns = column_details(wish.quasi, people, wish.population_columns or None)
    groups = (int(group),) if group.isdigit() else ()
    told = policy_risk(
        table, people, detail_columns, reference_year=wish.reference_year, groups=groups
    )
    model = "total" if not groups else f"{name}_{group}"
    scaling = 1.0 if not groups else known[name]
    return PopulationRisk(told.risk[model], scaling, groups[0] if groups else None)


def open_people(wish: PlanArguments, names: tuple[str, ...]) -> Population | None:
    """The requested population, reduced to the requested part."""
    if wish.population is None:
        return None
    wanted = [*names, *wish.population_columns.values(), *wish.population_where]
    found = open_population(wish.population, wanted)
    for column, values in wish.population_where.items():
        found = found.where(column, values.split("|"))
    return found


def _prepared(wish: PlanArguments, table: CodedTable) -> CodedTable:
    """The table, sampled and with dates as intervals on request."""
    if wish.sampling_fraction is not None:
        table = table.take(subsample(table.rows, wish.sampling_fraction, wish.seed))
    if not wish.intervals:
        return table
    if wish.person is None:
        raise DeidError(
            "no-person",
            "--intervals needs --person-column",
            hint="--intervals admitted --person-column id",
        )
    person = table.column(wish.person)
    columns = tuple(
        to_intervals(column, person) if column.name in wish.intervals else column
        for column in table.columns
    )
    return CodedTable(columns, table.rows)


def _extras(wish: PlanArguments, table: CodedTable) -> dict[str, Any]:
    until = None if wish.time_limit is None else time.monotonic() + wish.time_limit
    return {
        "sensitive": None if wish.sensitive is None else table.column(wish.sensitive),
        "person": None if wish.person is None else table.column(wish.person),
        "population": open_people(wish, wish.quasi),
        "population_columns": wish.population_columns or None,
        "reference_year": wish.reference_year,
        "give_up": lambda: until is not None and time.monotonic() > until,
    }


def _write_missing(path: Path, hierarchies: Mapping[str, Hierarchy], table: CodedTable) -> None:
    lines = [
        [column.name, *line]
        for column in table.columns
        for line in missing_lines(hierarchies[column.name], column)
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=";", lineterminator="\n").writerows(lines)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise RiskError(
            "the saved plan cannot be read",
            code="plan-unreadable",
            exit_code=6,
            hint="name a `.plan.json` that `deid plan -o` wrote",
        ) from None
