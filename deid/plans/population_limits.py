"""The population of a request, and the risk of Safe Harbor on it as a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deid.errors import DeidError
from deid.plans.request import PlanArguments
from risk import (
    CodedTable,
    Population,
    PopulationRisk,
    column_details,
    open_population,
    policy_risk,
)


def limit_of_safe_harbor(arguments: PlanArguments, table: CodedTable) -> PopulationRisk:
    """Return the risk of Safe Harbor on this cohort as a limit.

    It is the risk of the cohort, released at Safe Harbor's levels of detail, by the requested model
    of Malin et al.

    Raises:
        DeidError: an unknown model, no population.
    """
    name, _, group = (arguments.risk_model or "total").replace("-", "_").rpartition("_")
    known = {"graduated": 1.0, "non_graduated": 0.0}
    if arguments.risk_model != "total" and not (name in known and group.isdigit()):
        raise DeidError(
            "unknown-model",
            "the risk model is unknown",
            place="--risk-model",
            hint="use total, graduated-10, non-graduated-20000, or another group size",
        )
    people = planned_people(arguments, arguments.quasi)
    if people is None:
        raise DeidError(
            "no-population",
            "--risk-model needs --population",
            hint="`deid population list` shows the names",
        )
    detail_columns = column_details(arguments.quasi, people, arguments.population_columns or None)
    groups = (int(group),) if group.isdigit() else ()
    told = policy_risk(
        table, people, detail_columns, reference_year=arguments.reference_year, groups=groups
    )
    model = "total" if not groups else f"{name}_{group}"
    scaling = 1.0 if not groups else known[name]
    return PopulationRisk(told.risk[model], scaling, groups[0] if groups else None)


def planned_people(arguments: PlanArguments, names: tuple[str, ...]) -> Population | None:
    """The population that a plan asks for, with the columns that correspond to `names`."""
    return open_people(
        arguments.population,
        (*names, *arguments.population_columns.values()),
        arguments.population_where,
        arguments.population_count,
    )


def open_people(
    name: str | None, columns: Sequence[str], where: Mapping[str, str], count: str | None
) -> Population | None:
    """The population of that name or file, reduced to the part `where`; None without a name."""
    if name is None:
        return None
    found = open_population(name, [*columns, *where], count=count)
    for column, values in where.items():
        found = found.where(column, values.split("|"))
    return found
