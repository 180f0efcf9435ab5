"""`deid plan --no-worse-than safe_harbor`: compare the policies of Malin et al. on this cohort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deid.errors import DeidError
from deid.plans.population_limits import planned_people
from deid.plans.request import PlanArguments, parse_pairs
from risk import (
    Alternative,
    Comparison,
    column_details,
    compare_policies,
    read_header,
    read_table,
    render_policies,
)

_MODEL_LABELS = {
    "total": "Total risk",
    "uniques": "Uniques, T=1",
    "graduated": "Graduated risk",
    "non_graduated": "Non-graduated risk",
}


def judge_alternatives(arguments: PlanArguments, policy: str, listed: Sequence[str]) -> Comparison:
    """Read the cohort and the population and compare every combination of detail levels.

    Raises:
        DeidError: another policy than `safe_harbor`, or no population.
    """
    if policy != "safe_harbor":
        raise DeidError(
            "unknown-policy",
            "--no-worse-than names a policy other than safe_harbor",
            hint="use --no-worse-than safe_harbor",
        )
    if arguments.population is None:
        raise DeidError(
            "no-population",
            "--no-worse-than needs --population",
            hint="`deid population list` shows the names",
        )
    header = arguments.quasi or read_header(arguments.table, delimiter=arguments.delimiter)
    people = planned_people(arguments, tuple(header) + _THEIRS)
    assert people is not None
    detail_columns = column_details(header, people, arguments.population_columns or None)
    table = read_table(
        arguments.table,
        [column_detail.column for column_detail in detail_columns],
        delimiter=arguments.delimiter,
    )
    extra = [parse_pairs(text, "--alternative") for text in listed]
    found = compare_policies(
        table, people, detail_columns, reference_year=arguments.reference_year, listed=extra
    )
    known = {column_detail.column for column_detail in detail_columns}
    lost = tuple(name for name in arguments.quasi if name not in known)
    return Comparison(found.reference, found.others, found.models, lost)


_THEIRS = ("age", "race", "sex", "state", "county", "zip", "zip3", "zip5")


def as_json(found: Comparison, arguments: PlanArguments) -> dict[str, Any]:
    """Every policy with its risk by every model; `worse` corresponds to the paper's star."""
    offered = [other for other in found.others if other.offered]
    return {
        "cohort": found.reference.records,
        "population": arguments.population,
        "compared_with": _policy(found.reference),
        "policies": [_policy(other) for other in found.others],
        "offered": [other.name for other in offered],
        "maximal": {
            model: [other.name for other in found.others if model in other.maximal]
            for model in found.models
        },
        "columns_left_out": list(found.left_out),
    }


def as_table(found: Comparison) -> str:
    """A table like the paper's Table 4: percent of the cohort by model and policy, * where
    worse."""
    shown = [other for other in found.others if _is_plain_alternative(other)]
    width = max(len(other.name) for other in (found.reference, *shown))
    head = [_model(model) for model in found.models]
    lines = ["  ".join([" " * width, *(f"{name:>18}" for name in head)])]
    for one in (found.reference, *shown):
        cells = [
            f"{_risk_percent(one, model)}{'*' if model in one.worse else ' '}"
            for model in found.models
        ]
        lines.append("  ".join([f"{one.name:<{width}}", *(f"{cell:>18}" for cell in cells)]))
    lines.append("percent of the cohort; * worse than Safe Harbor by that model")
    if found.reference.unmatched:
        lines.append(
            f"{found.reference.unmatched} records match nobody in the population when they are "
            "generalized as Safe Harbor requires; they count as re-identified"
        )
    hidden = len(found.others) - len(shown)
    if hidden:
        lines.append(f"{hidden} more policies are listed with --json; none of them is maximal")
    return "\n".join(lines)


def as_page(found: Comparison) -> str:
    """A chart and the table as one HTML page."""
    shown = [found.reference, *(other for other in found.others if _is_plain_alternative(other))]
    percents = {one.name: _percent(one, "total") for one in shown}
    rows = [
        (
            one.name,
            [f"{_risk_percent(one, m)}{'*' if m in one.worse else ''}" for m in found.models],
        )
        for one in shown
    ]
    reference = percents[found.reference.name]
    models = [_model(model) for model in found.models]
    return render_policies(found.reference.records, percents, reference, models, rows)


def _is_plain_alternative(other: Alternative) -> bool:
    plain = "," not in other.name
    return plain or bool(other.maximal)


def _policy(one: Alternative) -> dict[str, Any]:
    return {
        "name": one.name,
        "detail": dict(one.detail),
        "risk": {
            model: {
                "value": value,
                "percent": _percent(one, model),
                "worse": model in one.worse,
                "maximal": model in one.maximal,
            }
            for model, value in one.risk.items()
        },
        "unmatched_records": one.unmatched,
        "offered": one.offered,
    }


def _percent(one: Alternative, model: str) -> float:
    return 100 * one.risk[model] / one.records if one.records else 0.0


def _risk_percent(one: Alternative, model: str) -> str:
    percent = _percent(one, model)
    return f"{percent:.3f}" if percent < 1 else f"{percent:.1f}"


def _model(model: str) -> str:
    name, _, group = model.rpartition("_")
    if not group.isdigit():
        return _MODEL_LABELS[model]
    return f"{_MODEL_LABELS[name].split()[0]}, T={group}"
