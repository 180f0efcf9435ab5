"""Assess the risk of a table: all measures in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from risk.errors import RiskError, check_fraction
from risk.measures.assessment_notes import report_notes, spelling_notes, unnamed_notes
from risk.measures.attacker_risk import METRICS
from risk.measures.attribute_disclosure import Disclosure
from risk.measures.decisions import DecisionLimits
from risk.measures.household_risk import HouseholdRisk
from risk.measures.key_subsets import KeySubsets
from risk.measures.record_linkage import GROUP_LIMITS, Linkage
from risk.measures.release_context import ReleaseContext
from risk.measures.risk_report import PopulationResult, RiskReport
from risk.measures.scores import MetricInput, Score, score
from risk.measures.thresholds import Threshold
from risk.population.matching import PopulationMatch, match_population
from risk.population.table import Population
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, column_numbers, encode
from risk.tables.longitudinal import (
    group_by_person,
    matching_persons,
    separate_unnamed,
    values_by_person,
)

DECIDABLE: tuple[str, ...] = ("prosecutor", "journalist")
_REDRAWN = 200
GROUP_SIZES: tuple[int, ...] = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class RiskRequest:
    """What to measure; the defaults are those of `deid risk`.

    `alpha` is the share of records that may be at risk, and `average` is the limit of the average
    risk (the threshold itself if None). `decide_on` names the metric that the decisions use.
    `known_events` limits how many of a person's rows an attacker knows (all if None). `counts`
    names a column with the number of records that each row stands for. A `context` sets the
    threshold and the decision. `subsets` is the largest number of quasi-identifiers in the subsets
    to measure; `household` names the column that identifies households.
    """

    threshold: Threshold = field(default_factory=lambda: Threshold.of_cell_size(11))
    alpha: float = 0.0
    average: Threshold | None = None
    decide_on: str = "prosecutor"
    scaling: float = 1.0
    groups: tuple[int, ...] = GROUP_LIMITS
    sampling_fraction: float | None = None
    person: str | None = None
    known_events: int | None = None
    counts: str | None = None
    sensitive: tuple[str, ...] = ()
    reference_year: int | None = None
    leave_one_out: bool = False
    context: ReleaseContext | None = None
    subsets: int | None = None
    household: str | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.alpha <= 1.0:
            raise RiskError("--alpha must be between 0 and 1", code="bad-alpha")
        if self.sampling_fraction is not None:
            check_fraction(self.sampling_fraction)
        if not 0 <= self.scaling < inf or any(limit < 1 for limit in self.groups):
            raise RiskError(
                "--scaling must be at least 0, and sizes in --group-thresholds at least 1",
                code="bad-scaling",
            )
        if self.known_events is not None and (self.known_events < 0 or self.person is None):
            raise RiskError(
                "--known-events must be at least 0 and needs --person-column",
                code="bad-known-events",
            )

        if self.counts is not None and (self.person is not None or self.sensitive):
            raise RiskError(
                "--count-column cannot be combined with --person-column or --sensitive",
                code="bad-counts",
            )
        if self.household is not None and (self.person is not None or self.counts is not None):
            raise RiskError(
                "--household-column cannot be combined with --person-column or --count-column",
                code="bad-household",
                hint="measure a table with one row per person",
            )
        if self.decide_on not in DECIDABLE:
            raise RiskError(
                "--decide-on names a risk on which no decision can be made",
                code="bad-metric",
                hint=f"use one of: {', '.join(DECIDABLE)}",
            )

    @property
    def needs_rows(self) -> bool:
        """Whether the request needs the rows, not only the classes.

        Persons, counts and sensitive values are columns of the rows.
        """
        return bool(self.person or self.counts or self.sensitive or self.household)

    def columns(self, quasi: Sequence[str]) -> tuple[str, ...]:
        """Every column that the request needs, each once."""
        beside = (self.person, self.counts, self.household)
        extra = (name for name in beside if name is not None)
        return tuple(dict.fromkeys((*quasi, *self.sensitive, *extra)))

    @property
    def limits(self) -> DecisionLimits:
        if self.context is not None:
            return self.context.limits
        return DecisionLimits(self.threshold, self.alpha, self.average or self.threshold)


def assess(
    table: Any,
    quasi: Sequence[str],
    question: RiskRequest | None = None,
    *,
    population: Population | None = None,
    population_columns: Mapping[str, str] | None = None,
) -> RiskReport:
    """Measure the re-identification risk of a table on its quasi-identifiers.

    `table` is a pandas frame, an Arrow table, a mapping of columns, a `CodedTable` from
    `read_table`, or `Classes` from `read_classes`, which suffice unless persons, a count column or
    sensitive columns are asked for. Raises `RiskError` for a missing column or a parameter out of
    range.

    >>> report = assess({"sex": list("MMMFF"), "born": [1970, 1970, 1970, 1980, 1981]},
    ...                 ["sex", "born"])
    >>> report.uniques, report.classes, report.scores["prosecutor"].average
    (2, 3, 0.6)
    """
    question = question or RiskRequest()
    _check_request(table, quasi, question, population)
    rows = table.table if isinstance(table, Classes) else table
    coded = encode(rows, list(question.columns(quasi)))
    person = separate_unnamed(coded.column(question.person)) if question.person else None
    classes = table if isinstance(table, Classes) else _classes_of(coded, quasi, question, person)
    linked = None
    if population is not None:
        linked = match_population(
            classes, population, population_columns, reference_year=question.reference_year
        )
    case = MetricInput(classes.sizes, linked.people if linked else None, question.limits.threshold)
    scores = {name: measure(case) for name, measure in METRICS.items()}
    if question.known_events is not None:
        assert person is not None
        scores |= _bounded_scores(coded.select(quasi), person, question)
    disclosure = _disclosures(coded, person, classes, question)
    report = _risk_report(classes, quasi, question, scores, population, linked, disclosure)
    if question.household is not None:
        household = coded.column(question.household)
        report = replace(report, household=_household_risk(classes, case, question, household))
    notes = (*report.notes, *spelling_notes(coded.select(quasi)), *unnamed_notes(coded, person))
    return replace(report, notes=notes)


def _check_request(
    table: Any, quasi: Sequence[str], question: RiskRequest, population: Population | None
) -> None:
    """Raise `RiskError` if the table, the columns or the population do not suit the request."""
    if not quasi:
        raise RiskError(
            "name at least one quasi-identifier", code="no-quasi-identifier", hint="use --quasi A,B"
        )
    if len(set(quasi)) != len(quasi):
        raise RiskError("a quasi-identifier is named twice", code="repeated-column")
    if isinstance(table, Classes) and (
        question.needs_rows or table.quasi_identifiers != tuple(quasi)
    ):
        raise ValueError("these classes were not formed for this request")
    if question.decide_on == "journalist" and population is None:
        raise RiskError(
            "journalist risk needs --population",
            code="bad-metric",
            hint="name a population, or decide on prosecutor",
        )


def _classes_of(
    coded: CodedTable, quasi: Sequence[str], question: RiskRequest, person: CodedColumn | None
) -> Classes:
    """The equivalence classes of the records, or of the persons if the request names a column."""
    table = coded.select(quasi)
    units = table if person is None else group_by_person(table, person)
    counts = column_numbers(coded.column(question.counts)) if question.counts else None
    return Classes.of(units, counts=counts)


def _bounded_scores(
    table: CodedTable, person: CodedColumn, question: RiskRequest
) -> dict[str, Score]:
    """The risks from an attacker who knows a limited number of a person's rows."""
    assert question.known_events is not None
    groups = matching_persons(table, person, question.known_events)
    bounded = score(np.ones_like(groups), groups, question.limits.threshold)
    return {"prosecutor": bounded, "marketer": bounded}


def _household_risk(
    classes: Classes, case: MetricInput, question: RiskRequest, household: CodedColumn
) -> HouseholdRisk | None:
    """Return the household risk from the class sizes.

    If the decisions use journalist risk, the number of people who match takes their place.
    """
    held = case.held if question.decide_on == "journalist" else case.sample
    threshold = float(question.limits.threshold.tau)
    return HouseholdRisk.of(1.0 / held[classes.ids], household, threshold)


def _risk_report(
    classes: Classes,
    quasi: Sequence[str],
    question: RiskRequest,
    scores: dict[str, Score | None],
    population: Population | None,
    linked: PopulationMatch | None,
    disclosure: tuple[Disclosure, ...],
) -> RiskReport:
    sizes, times = classes.histogram
    cumulated = np.cumsum(sizes * times)
    return RiskReport(
        records=classes.records,
        unit="person" if question.person else "record",
        quasi_identifiers=tuple(quasi),
        classes=len(classes),
        smallest_class=int(sizes[0]) if len(sizes) else None,
        uniques=int(times[0]) if len(sizes) and sizes[0] == 1 else 0,
        histogram=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
        g_distinct={
            g: int(cumulated[i - 1]) if (i := int(np.searchsorted(sizes, g, "right"))) else 0
            for g in GROUP_SIZES
        },
        scores=scores,
        limits=question.limits,
        decided_on=question.decide_on,
        population=_population_result(classes, question, population, linked),
        estimators=_estimator_results(classes, question),
        disclosure=disclosure,
        sensitivity=_leave_one_out(classes, question) if question.leave_one_out else {},
        average_intervals=_average_intervals(classes) if question.leave_one_out else {},
        key_subsets=(
            None
            if question.subsets is None
            else KeySubsets.of(classes, question.subsets, question.sampling_fraction)
        ),
        notes=report_notes(classes, question.limits.threshold, question.known_events, linked),
    )


def _population_result(
    classes: Classes,
    question: RiskRequest,
    population: Population | None,
    linked: PopulationMatch | None,
) -> PopulationResult | None:
    if population is None or linked is None:
        return None
    found = Linkage.of(
        classes.sizes, linked.people, scaling=question.scaling, groups=question.groups
    )
    return PopulationResult(
        table=population.name,
        source=population.source,
        vintage=population.vintage,
        modelled=population.modelled,
        sha256=population.sha256,
        columns=linked.columns,
        left_out=linked.left_out,
        reference_year=linked.reference_year,
        linkage=found,
        coarser=linked.coarser,
    )


def _estimator_results(classes: Classes, question: RiskRequest) -> dict[str, Any] | None:
    if question.sampling_fraction is None:
        return None
    from risk.estimators.estimation import estimate

    return estimate(classes, question.sampling_fraction).as_json()


def _disclosures(
    coded: CodedTable, person: CodedColumn | None, classes: Classes, question: RiskRequest
) -> tuple[Disclosure, ...]:
    """Return what the classes reveal of each sensitive column.

    If the request names a person column, persons are counted: several rows of one person would make
    a class look as diverse as several people.
    """
    found = []
    for name in question.sensitive:
        column = coded.column(name)
        values = column if person is None else values_by_person(column, person)
        found.append(Disclosure.of(classes, values))
    return tuple(d for d in found if d is not None)


def _leave_one_out(classes: Classes, question: RiskRequest) -> dict[str, Score]:
    """Return the prosecutor risk that would remain without each quasi-identifier, by its name."""
    found: dict[str, Score] = {}
    for name in classes.quasi_identifiers:
        sizes, times = classes.without(name).histogram
        found[name] = score(sizes * times, sizes, question.limits.threshold)
    return found


def _average_intervals(classes: Classes) -> dict[str, tuple[float, float]]:
    """Return 95 % intervals of the average risk, |J|/n.

    Each class is drawn again 200 times (Poisson counts), as for the estimators of population
    uniques.
    """
    if not classes.records:
        return {}
    generator = np.random.default_rng(0)
    found = {}
    for name in ("", *classes.quasi_identifiers):
        sizes, times = (classes.without(name) if name else classes).histogram
        drawn = generator.poisson(times, (_REDRAWN, len(times)))
        averages = drawn.sum(axis=1) / np.maximum(1, (drawn * sizes).sum(axis=1))
        low, high = np.quantile(averages, (0.025, 0.975))
        found[name] = (float(low), min(1.0, float(high)))
    return found
