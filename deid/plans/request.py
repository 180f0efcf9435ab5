"""The request of `deid plan`, parsed from its options, including the risk limits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from risk import (
    AverageRisk,
    ClassSize,
    Closeness,
    Diversity,
    KMap,
    LevelRange,
    Perturbation,
    PopulationUniques,
    Presence,
    SamplingPrivacy,
    ShareAtRisk,
    read_context,
)

RiskLimits = tuple[Any, ...]


@dataclass(frozen=True)
class PlanArguments:
    """All options of the command line, parsed."""

    table: str
    quasi: tuple[str, ...]
    folder: Path | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    limits: RiskLimits = ()
    max_suppression: float = 0.0
    loss: str = "granularity"
    method: str = "full-domain"
    sensitive: str | None = None
    risk_model: str | None = None
    population: str | None = None
    population_columns: Mapping[str, str] = field(default_factory=dict)
    population_where: Mapping[str, str] = field(default_factory=dict)
    population_count: str | None = None
    reference_year: int | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, LevelRange] = field(default_factory=dict)
    person: str | None = None
    link: str | None = None
    intervals: tuple[str, ...] = ()
    sampling_fraction: float | None = None
    seed: int = 0
    time_limit: float | None = None
    started: float = field(default_factory=time.monotonic)
    delimiter: str | None = None
    apply: Path | None = None
    missing_lines: Path | None = None
    privacy: SamplingPrivacy | None = None
    perturbations: tuple[Perturbation, ...] = ()


def limits_of(
    k: int | None,
    average: float | None,
    strict_average: float | None,
    at_risk: float | None,
    k_map: int | None,
    l_diversity: float | None,
    diversity: str,
) -> RiskLimits:
    """Return the risk limits that the options name; all of them must hold."""
    limits: list[Any] = []
    if at_risk is not None:
        if k is None:
            raise DeidError(
                "no-cell-size",
                "--at-risk needs --k, the smallest class not at risk",
                hint="for example --at-risk 0.05 --k 11",
            )
        limits.append(ShareAtRisk(k, at_risk))
    elif k is not None:
        limits.append(ClassSize(k))
    for value, strict in ((average, False), (strict_average, True)):
        if value is not None:
            limits.append(AverageRisk(value, strict))
    if k_map is not None:
        limits.append(KMap(k_map))
    if l_diversity is not None:
        if diversity not in ("distinct", "entropy", "recursive"):
            raise DeidError(
                "bad-diversity",
                "--diversity names an unknown kind",
                hint="use distinct, entropy or recursive",
            )
        limits.append(Diversity(l_diversity, diversity))
    return tuple(limits)


def limits_of_models(
    t_closeness: float | None,
    distance: str,
    presence: float | None,
    population_uniques: float | None,
    sampled: float | None,
    uniques_by: str,
) -> RiskLimits:
    """Return limits on t-closeness, delta-presence, and the estimated share of population
    uniques.
    """
    limits: list[Any] = []
    if t_closeness is not None:
        if distance not in ("equal", "ordered"):
            raise DeidError(
                "bad-distance", "--distance names an unknown kind", hint="use equal or ordered"
            )
        limits.append(Closeness(t_closeness, distance == "ordered"))
    if presence is not None:
        limits.append(Presence(presence))
    if population_uniques is not None:
        if sampled is None:
            raise DeidError(
                "no-sampling-fraction",
                "--population-uniques needs --sampled, the share of people who are in the table",
                hint="for example --sampled 0.1",
            )
        limits.append(PopulationUniques(population_uniques, sampled, uniques_by))
    return tuple(limits)


def privacy_of(text: str | None) -> SamplingPrivacy | None:
    """Read `1,0.00001` as epsilon and delta."""
    if text is None:
        return None
    try:
        epsilon, delta = (float(part) for part in text.split(","))
    except ValueError:
        raise DeidError(
            "bad-number",
            "--differential-privacy must be two numbers, EPSILON,DELTA",
            hint="for example --differential-privacy 1,0.000001",
        ) from None
    return SamplingPrivacy(epsilon, delta)


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


def split_list(text: str | None) -> tuple[str, ...]:
    """The names in a comma-separated list."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def whole_numbers(text: str, option: str, example: str) -> tuple[int, ...]:
    """Read `1,3,5` as numbers; an error names the option and shows the example."""
    try:
        return tuple(map(int, split_list(text)))
    except ValueError:
        raise DeidError(
            "bad-number",
            f"{option} must be whole numbers separated by commas",
            hint=f"for example {option} {example}",
        ) from None


def parse_pairs(text: str | None, option: str) -> dict[str, str]:
    """Read `a=b,c=d` as a mapping."""
    found = [part.partition("=") for part in split_list(text)]
    if any(not equals or not left or not right for left, equals, right in found):
        raise DeidError(
            "bad-pair",
            f"{option} must be pairs NAME=VALUE, separated by commas",
            hint=f"for example {option} a=b,c=d",
        )
    return {left.strip(): right.strip() for left, _, right in found}


def regression_of(text: str | None) -> tuple[str, tuple[str, ...]] | None:
    """Read `charge=age,sex` as an outcome and its predictors."""
    if text is None:
        return None
    outcome, equals, predictors = text.partition("=")
    if not (equals and outcome.strip() and split_list(predictors)):
        raise DeidError(
            "bad-pair",
            "--regression must have the form OUTCOME=A,B",
            hint="for example --regression charge=age,sex",
        )
    return outcome.strip(), split_list(predictors)


def weights_of(text: str | None) -> dict[str, float]:
    """Read `a=2,b=0.5` as numbers."""
    try:
        return {name: float(value) for name, value in parse_pairs(text, "--weights").items()}
    except ValueError:
        raise DeidError(
            "bad-number",
            "--weights has a weight that is not a number",
            hint="for example --weights age=2",
        ) from None


def ranges_of(text: str | None) -> dict[str, LevelRange]:
    """Read `age=1-3,zip=2` as level ranges; either end may be omitted."""
    found = {}
    for name, span in parse_pairs(text, "--levels").items():
        low, dash, high = span.partition("-")
        try:
            first = int(low) if low else None
            last = (int(high) if high else None) if dash else first
        except ValueError:
            raise DeidError(
                "bad-level",
                "--levels must have the form NAME=LOW-HIGH, in whole numbers",
                hint="for example --levels zip=1-2",
            ) from None
        found[name] = LevelRange(first, last)
    return found
