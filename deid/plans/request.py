"""The request of `deid plan`, parsed from its options, including the risk limits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from risk import (
    LevelRange,
    Perturbation,
    SamplingPrivacy,
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
