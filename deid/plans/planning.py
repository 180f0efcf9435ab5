"""Make the plan of a request: read the table, find the hierarchies, run the search."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any, Literal

from deid.errors import DeidError, unreadable
from deid.plans.population_limits import limit_of_safe_harbor, planned_people
from deid.plans.request import PlanArguments
from risk import (
    ClassSize,
    CodedTable,
    Hierarchy,
    HierarchyRule,
    Plan,
    PlanRequest,
    RiskError,
    SamplingPrivacy,
    SavedPlan,
    build_hierarchy,
    counted_noun,
    guess_hierarchy,
    load_plan,
    missing_lines,
    outlying_values,
    perturb,
    plan,
    plan_cells,
    plan_locally,
    read_hierarchies,
    read_table,
    spelling_variants,
    subsample,
    to_intervals,
)

METHODS = ("full-domain", "local", "mondrian", "cells", "cells-wildcard", "columns")
_OF_PERSONS = ("full-domain", "columns")
#: Kinds of hierarchy whose bands depend on the values of the table.
_FROM_VALUES = ("number", "quantile")


@dataclass(frozen=True, eq=False, repr=False)
class MadePlan:
    """A plan and the table it was made for.

    `whole` is that table with all columns that were read; `before` is the table before it was
    perturbed. `rules` are the rules of the hierarchies. `rewritten` are the columns that were
    rewritten before the plan (dates as intervals). `notes` are what a reader must know about the
    columns. `told` describes further steps (perturbations, differential privacy). With
    `quasi_only`, only quasi-identifiers may be written.
    """

    plan: Plan
    whole: CodedTable
    rules: Mapping[str, HierarchyRule]
    rewritten: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    quasi_only: bool = False
    before: CodedTable | None = None

    @property
    def perturbed(self) -> tuple[str, ...]:
        """The columns whose values were perturbed."""
        return tuple(name for p in self.told.get("perturbations", ()) for name in p["columns"])


def make_plan(arguments: PlanArguments, *, whole: bool) -> MadePlan:
    """Read the table (all of it, or only the columns needed), build hierarchies, and search.

    Raises:
        DeidError, RiskError: the request cannot be met; the hint says what to do.
    """
    if arguments.method not in METHODS:
        raise DeidError(
            "unknown-method",
            "--method names an unknown method",
            hint=f"use one of: {', '.join(METHODS)}",
        )
    saved = None
    if arguments.apply is not None:
        saved = load_plan(_hierarchy_text(arguments.apply))
        arguments = replace(arguments, quasi=saved.names)
    table = _read_table(arguments, whole)
    if arguments.perturbations:
        return _perturbed(arguments, table, saved)
    return _made_from(arguments, table, saved)


def _perturbed(arguments: PlanArguments, table: CodedTable, saved: SavedPlan | None) -> MadePlan:
    """Return the plan of the table. Columns that the plan does not use are perturbed."""
    named = {name for p in arguments.perturbations for name in p.columns}
    if named & {*arguments.quasi, arguments.person, arguments.link, arguments.sensitive}:
        raise DeidError(
            "bad-perturbation",
            "--perturb names a quasi-identifier, or the sensitive, person or link column",
            place="--perturb",
            hint="perturb other columns; the plan generalizes the quasi-identifiers",
        )
    changed = perturb(table, arguments.perturbations, arguments.seed or None)
    made = _made_from(arguments, changed, saved)
    told = [p.describe() for p in arguments.perturbations]
    return replace(made, told={**made.told, "perturbations": told}, before=table)


def _made_from(arguments: PlanArguments, table: CodedTable, saved: SavedPlan | None) -> MadePlan:
    if arguments.privacy is not None:
        return private_plan(arguments, arguments.privacy, table)
    mine = table.select(arguments.quasi)
    if saved is not None:
        repeated = saved.apply(mine, **_extras(arguments, table))
        return MadePlan(repeated, table, saved.rules, arguments.intervals)
    if arguments.risk_model is not None:
        arguments = replace(
            arguments, limits=(*arguments.limits, limit_of_safe_harbor(arguments, mine))
        )
    if not arguments.limits:
        raise DeidError("no-limit", "no risk limit is given", hint="give one, for example --k 5")
    if not table.rows:
        raise unreadable(
            "empty-table",
            "the table has no rows, so there is nothing to plan",
            "check the file, or the step that made it",
        )
    return _searched(arguments, table, mine)


def private_plan(arguments: PlanArguments, privacy: SamplingPrivacy, table: CodedTable) -> MadePlan:
    """Make a differentially private release.

    Rows are drawn at random, levels are fixed beforehand, and classes below k are left out.

    Raises:
        DeidError: something would depend on the data (levels to choose, bands made from the values,
            other columns), so the guarantee would not hold.
    """
    open_ranges = [
        name
        for name in arguments.quasi
        if (span := arguments.ranges.get(name)) is None or span.low is None or span.low != span.high
    ]
    beside = (
        *(arguments.person, arguments.link, arguments.sampling_fraction, arguments.population),
        *(arguments.apply, *arguments.perturbations, *arguments.limits),
    )
    if open_ranges or arguments.method != "full-domain" or any(beside):
        raise DeidError(
            "levels-not-fixed",
            "a quasi-identifier has no fixed level, or another option depends on the data",
            place="--differential-privacy",
            hint="fix all levels before you see the data (--levels age=3,zip=2); omit other limits",
        )
    _, rules = hierarchies_for(arguments, table.select(arguments.quasi))
    if made_of_data := [name for name, rule in rules.items() if rule.kind in _FROM_VALUES]:
        raise DeidError(
            "levels-not-fixed",
            "--differential-privacy cannot use levels that depend on the values of the table: "
            f"{', '.join(made_of_data)}",
            place="--differential-privacy",
            hint="give --hierarchies, or choose age, zip or flat with --hierarchy",
        )
    drawn = table.take(privacy.drawn(table.rows))
    strict = replace(arguments, limits=(ClassSize(privacy.k),), max_suppression=1.0)
    made = _searched(strict, drawn, drawn.select(arguments.quasi))
    told = {"differential_privacy": {**privacy.describe(), "drawn": drawn.rows}}
    return replace(made, told=told, quasi_only=True)


def _read_table(arguments: PlanArguments, whole: bool) -> CodedTable:
    """The table, with all columns or those needed, sampled and with dates as intervals on
    request."""
    if not arguments.quasi:
        raise DeidError("no-quasi", "no quasi-identifier is named", hint="use --quasi A,B")
    if len(set(arguments.quasi)) < len(arguments.quasi):
        raise DeidError(
            "repeated-column",
            "a quasi-identifier is named twice",
            place="--quasi",
            hint="name each one once",
        )
    wanted = (arguments.sensitive, arguments.person, arguments.link)
    more = [name for name in wanted if name]
    more += [name for p in arguments.perturbations for name in p.columns]
    names = None if whole else list(dict.fromkeys([*arguments.quasi, *more, *arguments.intervals]))
    return _prepared(arguments, read_table(arguments.table, names, delimiter=arguments.delimiter))


def _searched(arguments: PlanArguments, table: CodedTable, mine: CodedTable) -> MadePlan:
    """The plan for the quasi-identifiers `mine` of a table, by the requested method."""
    request = PlanRequest(
        arguments.limits,
        arguments.loss,
        arguments.max_suppression,
        dict(arguments.weights),
        dict(arguments.ranges),
    )
    if arguments.person is not None and arguments.method not in _OF_PERSONS:
        raise DeidError(
            "no-persons-here",
            "this method counts records, so the rows of a person would count as several people",
            place="--method",
            hint="use full-domain, or plan a table of one row per person without --person-column",
        )
    if arguments.method.startswith("cells"):
        wild = arguments.method == "cells-wildcard"
        limit = {"give_up": _extras(arguments, table)["give_up"]}
        blanked = plan_cells(mine, request, reading="wildcard" if wild else "strict", **limit)
        return MadePlan(blanked, table, {})
    hierarchies, rules = hierarchies_for(arguments, mine)
    notes = column_notes(mine, rules)
    if arguments.method in ("local", "mondrian"):
        way: Literal["local", "mondrian"] = (
            "mondrian" if arguments.method == "mondrian" else "local"
        )
        made = plan_locally(mine, hierarchies, request, way=way)
        return MadePlan(made, table, rules, notes=notes)
    made = plan(mine, hierarchies, request, **_extras(arguments, table))
    return MadePlan(made, table, rules, arguments.intervals, notes)


def column_notes(table: CodedTable, rules: Mapping[str, HierarchyRule]) -> tuple[str, ...]:
    """Return what a reader must know about the columns.

    These are numbers far outside the others, and values that differ in spelling only.
    """
    found = []
    for column in table.columns:
        rule = rules.get(column.name)
        if rule is not None and (many := outlying_values(column, rule)):
            found.append(
                f"{counted_noun(many, 'value')} of {column.name} far outside the others, in the "
                "outer bands; if such a value stands for a missing one, leave the cell empty"
            )
        if many := spelling_variants(column.values):
            found.append(
                f"{counted_noun(many, 'value')} of {column.name} different from another value only "
                "in spelling; each counts as a separate value"
            )
    return tuple(found)


def hierarchies_for(
    arguments: PlanArguments, table: CodedTable
) -> tuple[dict[str, Hierarchy], dict[str, HierarchyRule]]:
    """Return a hierarchy and its rule for each quasi-identifier.

    A hierarchy comes from the folder, as named, or is guessed. The lines that a file lacks are
    written on request, before the search checks the coverage.
    """
    if arguments.method == "columns":
        kinds: Mapping[str, str] = dict.fromkeys(table.names, "flat")
        found: dict[str, Hierarchy] = {}
    else:
        kinds = arguments.kinds
        unknown = set(kinds) - set(table.names)
        if unknown:
            raise DeidError(
                "unknown-column",
                "--hierarchy names a column not in --quasi",
                hint="name it in --quasi, too, or leave it out",
            )
        named = [name for name in table.names if name not in kinds]
        found = read_hierarchies(arguments.folder, named) if arguments.folder else {}
    rules: dict[str, HierarchyRule] = {}
    for column in table.columns:
        if column.name in found:
            continue
        kind = kinds.get(column.name) or (
            "number" if column.name in arguments.intervals else guess_hierarchy(column)
        )
        found[column.name], rules[column.name] = build_hierarchy(kind, column)
    if arguments.missing_lines is not None:
        _write_missing(arguments.missing_lines, found, table)
    return found, rules


def _prepared(arguments: PlanArguments, table: CodedTable) -> CodedTable:
    """The table, sampled and with dates as intervals on request."""
    if arguments.sampling_fraction is not None:
        table = table.take(subsample(table.rows, arguments.sampling_fraction, arguments.seed))
    if not arguments.intervals:
        return table
    if arguments.person is None:
        raise DeidError(
            "no-person",
            "--intervals needs --person-column",
            hint="for example --intervals admitted --person-column id",
        )
    person = table.column(arguments.person)
    columns = tuple(
        to_intervals(column, person) if column.name in arguments.intervals else column
        for column in table.columns
    )
    return CodedTable(columns, table.rows)


def _extras(arguments: PlanArguments, table: CodedTable) -> dict[str, Any]:
    until = inf if arguments.time_limit is None else arguments.started + arguments.time_limit
    return {
        "sensitive": None if arguments.sensitive is None else table.column(arguments.sensitive),
        "person": None if arguments.person is None else table.column(arguments.person),
        "population": planned_people(arguments, arguments.quasi),
        "population_columns": arguments.population_columns or None,
        "reference_year": arguments.reference_year,
        "give_up": lambda: time.monotonic() > until,
        "seconds_left": lambda: until - time.monotonic(),
    }


def _write_missing(path: Path, hierarchies: Mapping[str, Hierarchy], table: CodedTable) -> None:
    lines = [
        [column.name, *line]
        for column in table.columns
        for line in missing_lines(hierarchies[column.name], column)
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=";", lineterminator="\n").writerows(lines)


def _hierarchy_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise RiskError(
            "the saved plan cannot be read",
            code="plan-unreadable",
            exit_code=6,
            hint="name a `.plan.json` that `deid plan -o` wrote",
        ) from None
