"""The options of `deid plan`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """The options of `deid plan` as given on the command line."""

    quasi: str | None = None
    hierarchies: Path | None = None
    hierarchy: str | None = None
    k: int | None = None
    max_suppression: float = 0.0
    loss: str = "granularity"
    method: str = "full-domain"
    average: float | None = None
    strict_average: float | None = None
    at_risk: float | None = None
    k_map: int | None = None
    l_diversity: float | None = None
    diversity: str = "distinct"
    t_closeness: float | None = None
    distance: str = "equal"
    sensitive: str | None = None
    presence: float | None = None
    population_uniques: float | None = None
    sampled: float | None = None
    uniques_by: str = "dankar"
    differential_privacy: str | None = None
    perturb: list[str] | None = None
    population: str | None = None
    population_columns: str | None = None
    population_where: str | None = None
    population_count: str | None = None
    reference_year: int | None = None
    no_worse_than: str | None = None
    risk_model: str | None = None
    context: Path | None = None
    alternative: list[str] | None = None
    weights: str | None = None
    levels: str | None = None
    person_column: str | None = None
    intervals: str | None = None
    set_column: str | None = None
    set_separator: str = "|"
    known_events: int = 2
    linked: list[str] | None = None
    link: str | None = None
    sampling_fraction: float | None = None
    seed: int = 0
    time_limit: float | None = None
    out: Path | None = None
    keep: str | None = None
    apply: Path | None = None
    earlier: list[Path] | None = None
    other_persons: bool = False
    changes: Path | None = None
    html: Path | None = None
    utility: bool = False
    regression: str | None = None
    frontier: Path | None = None
    chart: Path | None = None
    missing_lines: Path | None = None
    delimiter: str | None = None
    as_json: bool = False
    quiet: bool = False
