"""A plan as a page: what each column shows before and after, the cost for an analysis, and the
alternatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from risk.lattice.frontier import FrontierPoint
from risk.reports.charts import bars, scatter
from risk.reports.document_facts import DocumentFacts
from risk.reports.rendering import fill_template, safe_chart
from risk.utility.release_utility import ReleaseUtility

_MOST_ALTERNATIVES = 40


@dataclass(frozen=True)
class ColumnChange:
    """What one quasi-identifier shows.

    These are the number of values before, the number of labels after, and the level in words.
    """

    name: str
    values: int
    words: str
    labels: int


@dataclass(frozen=True, eq=False, repr=False)
class PlanPage:
    """The data of the page.

    `summary` is the result of `Plan.summary`; `words[column][level]` names the levels of the
    frontier. The points of the frontier are for classes of `cell_size`. `class_sizes` are records
    by class size, before and after.
    """

    summary: Mapping[str, Any]
    columns: tuple[ColumnChange, ...]
    utility: ReleaseUtility
    facts: DocumentFacts
    frontier: tuple[FrontierPoint, ...] = ()
    cell_size: int = 0
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    class_sizes: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})
    withheld: Mapping[str, str] = field(default_factory=dict)
    unit: str = "record"


def render_plan(page: PlanPage) -> str:
    """Render the page as one HTML file without scripts.

    It holds no value of the table, except that a regression names the labels of its terms.
    """
    best = sorted((p for p in page.frontier if p.best), key=lambda p: p.loss)
    return fill_template(
        "plan.html",
        page=page,
        summary=page.summary,
        utility=page.utility.as_json(),
        charts=[safe_chart(chart) for chart in _plan_charts(page) if chart],
        alternatives=[
            (_node_words(page.words, point), point) for point in best[:_MOST_ALTERNATIVES]
        ],
        left_out=max(0, len(best) - _MOST_ALTERNATIVES),
    )


def frontier_page(
    points: Sequence[FrontierPoint],
    words: Mapping[str, Sequence[str]],
    size: int,
    *,
    loss: str = "granularity",
    limit: float = 0.0,
) -> str:
    """Render every generalization as one page without scripts.

    The page shows the loss and the share of records in classes below `size`. `words[column][level]`
    names the levels, `limit` is the share of records that may be suppressed.
    """
    best = sorted((p for p in points if p.best), key=lambda p: p.loss)
    return fill_template(
        "frontier.html",
        points=len(points),
        names=list(words),
        size=size,
        best=[(_node_words(words, point), point) for point in best],
        chart=safe_chart(_frontier_chart(points, words, size, loss, limit)),
    )


def _frontier_chart(
    points: Sequence[FrontierPoint],
    words: Mapping[str, Sequence[str]],
    size: int,
    loss: str,
    limit: float,
) -> str:
    best = sorted((p for p in points if p.best), key=lambda p: p.loss)
    return scatter(
        "Every generalization: information loss and records to suppress",
        [(p.loss, 100 * p.below[size]) for p in points],
        [(p.loss, 100 * p.below[size], _node_words(words, p)) for p in best],
        f"information loss without suppression ({loss.replace('_', ' ')})",
        f"% of records in classes below {size}",
        limit=100 * limit,
    )


def _plan_charts(page: PlanPage) -> list[str]:
    before, after = page.class_sizes
    unit = page.unit
    return [
        bars(
            f"{unit.capitalize()}s by class size",
            after,
            f"% of {unit}s",
            "class size",
            before=before,
        ),
        _frontier_chart(
            page.frontier,
            page.words,
            page.cell_size,
            page.summary["minimised"]["loss"],
            page.summary["max_suppression"],
        ),
    ]


def _node_words(words: Mapping[str, Sequence[str]], point: FrontierPoint) -> str:
    pairs = zip(words.items(), point.node, strict=True)
    return "; ".join(f"{name}: {levels[level]}" for (name, levels), level in pairs)
