"""The result of an assessment, ready to print: counts and shares, never a value of the table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from risk.measures.attribute_disclosure import Disclosure
from risk.measures.decisions import HIGH, LOW, DecisionLimits, strict_average
from risk.measures.household_risk import HouseholdRisk
from risk.measures.key_subsets import KeySubsets
from risk.measures.record_linkage import Linkage
from risk.measures.scores import Score


@dataclass(frozen=True)
class PopulationResult:
    """The risk of the table against a named population."""

    table: str
    source: str
    vintage: str
    modelled: bool
    sha256: str | None
    columns: dict[str, str]
    left_out: tuple[str, ...]
    reference_year: int | None
    linkage: Linkage
    coarser: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        found = self.linkage
        return {
            "table": self.table,
            "source": self.source,
            "vintage": self.vintage,
            "modelled": self.modelled,
            "sha256": self.sha256,
            "columns": self.columns,
            "not_in_population": list(self.left_out),
            "reference_year": self.reference_year,
            "scaling": found.scaling,
            "total_risk": found.total,
            "total_risk_if_unmatched_were_unique": found.total_at_most,
            "rate_percent": found.rate_percent,
            "uniques": found.uniques,
            "graduated": {str(t): value for t, value in found.graduated.items()},
            "non_graduated": {str(t): value for t, value in found.non_graduated.items()},
        }


@dataclass(frozen=True)
class RiskReport:
    """The risk of one table.

    `scores` is keyed by metric; `unit` says what is counted, record or person. `average_intervals`
    are 95 % intervals of the average prosecutor risk, keyed by the quasi-identifier that is left
    out; the empty name stands for the whole table. `before` is the risk of the table that this one
    was made from.
    """

    records: int
    unit: str
    quasi_identifiers: tuple[str, ...]
    classes: int
    smallest_class: int | None
    uniques: int
    histogram: dict[int, int]
    g_distinct: dict[int, int]
    scores: dict[str, Score | None]
    limits: DecisionLimits
    decided_on: str
    population: PopulationResult | None = None
    estimators: dict[str, Any] | None = None
    disclosure: tuple[Disclosure, ...] = ()
    sensitivity: dict[str, Score] = field(default_factory=dict)
    average_intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    before: RiskReport | None = None
    key_subsets: KeySubsets | None = None
    household: HouseholdRisk | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.scores.get(self.decided_on) is None:
            raise ValueError("the metric of the decisions is missing")

    @property
    def decision(self) -> dict[str, str | None]:
        decided = self.scores[self.decided_on]
        return {} if decided is None else self.limits.decide(decided)

    @property
    def over(self) -> bool:
        """Whether a decision is HIGH, or could not be made because nothing was measured."""
        return bool(self.headline["risk"] != LOW)

    @property
    def headline(self) -> dict[str, Any]:
        """Return the overall decision: HIGH, LOW, or None if nothing was measured.

        The result also has what was compared with which limit, and whether a context or thresholds
        set the limit.
        """
        made = [value for value in self.decision.values() if value is not None]
        risk = None if not made else HIGH if HIGH in made else LOW
        return {"risk": risk, **self.limits.compared(self.scores[self.decided_on])}

    @property
    def strict_average(self) -> dict[str, Any]:
        """Return the strict average as `value`, and as `holds` whether every class has three rows.

        The value is the average risk if `holds` is True, otherwise the maximum risk (review of
        2015, "Which risk metric to use").
        """
        score = self.scores[self.decided_on]
        if score is None or score.smallest is None:
            return {"holds": False, "value": None}
        return {"holds": score.smallest >= 3, "value": strict_average(score)}

    def as_json(self) -> dict[str, Any]:
        """The JSON of `deid risk --json`."""
        scores = {name: s.as_json() if s else None for name, s in self.scores.items()}
        marketer = self.scores.get("marketer")
        scores["marketer"] = {"average": marketer.average if marketer else None}
        return {
            "records": self.records,
            "unit": self.unit,
            "quasi_identifiers": list(self.quasi_identifiers),
            "classes": self.classes,
            "smallest_class": self.smallest_class,
            "uniques": self.uniques,
            **scores,
            "strict_average": self.strict_average,
            "decision": self.decision,
            "headline": self.headline,
            "decided_on": self.decided_on,
            "thresholds": self.limits.as_json(),
            "histogram": {str(size): n for size, n in self.histogram.items()},
            "g_distinct": {str(g): n for g, n in self.g_distinct.items()},
            "population": self.population.as_json() if self.population else None,
            "estimators": self.estimators,
            "unmatched_records": self.population.linkage.unmatched if self.population else 0,
            "disclosure": [asdict(found) for found in self.disclosure],
            "sensitivity": {name: s.as_json() for name, s in self.sensitivity.items()},
            "average_intervals": {n: list(ends) for n, ends in self.average_intervals.items()},
            "before": self.before.as_json() if self.before else None,
            "key_subsets": self.key_subsets.as_json() if self.key_subsets else None,
            "household": asdict(self.household) if self.household else None,
            "notes": list(self.notes),
        }
