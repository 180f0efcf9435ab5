"""The risk limits that the options of `deid plan` name; a plan meets all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deid.cli.plan_arguments import PlanOptions
from deid.errors import DeidError
from deid.plans.request import RiskLimits
from risk import (
    AverageRisk,
    ClassSize,
    Closeness,
    Diversity,
    KMap,
    PopulationUniques,
    Presence,
    ShareAtRisk,
    read_context,
)


def limits_named(asked: PlanOptions) -> RiskLimits:
    """Return the limits in the order in which they are checked."""
    context = limits_of_context(asked.context) if asked.context else ()
    return (*_class_limits(asked), *_model_limits(asked), *context)


def _class_limits(asked: PlanOptions) -> Iterator[object]:
    if asked.at_risk is not None:
        if asked.k is None:
            raise DeidError(
                "no-cell-size",
                "--at-risk needs --k, the smallest class not at risk",
                hint="for example --at-risk 0.05 --k 11",
            )
        yield ShareAtRisk(asked.k, asked.at_risk)
    elif asked.k is not None:
        yield ClassSize(asked.k)
    if asked.average is not None:
        yield AverageRisk(asked.average, False)
    if asked.strict_average is not None:
        yield AverageRisk(asked.strict_average, True)
    if asked.k_map is not None:
        yield KMap(asked.k_map)
    if asked.l_diversity is not None:
        if asked.diversity not in ("distinct", "entropy", "recursive"):
            raise DeidError(
                "bad-diversity",
                "--diversity names an unknown kind",
                hint="use distinct, entropy or recursive",
            )
        yield Diversity(asked.l_diversity, asked.diversity)


def _model_limits(asked: PlanOptions) -> Iterator[object]:
    """t-closeness, delta-presence, and the estimated share of population uniques."""
    if asked.t_closeness is not None:
        if asked.distance not in ("equal", "ordered"):
            raise DeidError(
                "bad-distance", "--distance names an unknown kind", hint="use equal or ordered"
            )
        yield Closeness(asked.t_closeness, asked.distance == "ordered")
    if asked.presence is not None:
        yield Presence(asked.presence)
    if asked.population_uniques is not None:
        if asked.sampled is None:
            raise DeidError(
                "no-sampling-fraction",
                "--population-uniques needs --sampled, the share of people who are in the table",
                hint="for example --sampled 0.1",
            )
        yield PopulationUniques(asked.population_uniques, asked.sampled, asked.uniques_by)


def limits_of_context(path: Path) -> RiskLimits:
    """The risk limit that follows from the questionnaire.

    In a public release, every equivalence class must be at least as large as the cell size. In any
    other release, the limit is a strict average risk. It is chosen so that the product of this risk
    and the probability of the likeliest attack is at most 1/cell size.
    """
    context = read_context(path)
    if context.public:
        return (ClassSize(context.cell_size),)
    likeliest = max(context.attempt, context.acquaintance, context.breach)
    at_most = 1 / context.cell_size
    return (AverageRisk(min(1.0, at_most / likeliest) if likeliest else 1.0, True),)
