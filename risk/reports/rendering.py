"""Reports as one self-contained HTML file to read, print and sign.

Only this module imports jinja2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from risk.estimators.estimation import ESTIMATOR_TITLES
from risk.exposure.attackers import Scenario
from risk.exposure.policy_exposure import (
    CURVE_SIZES,
    G_SIZES,
    Differential,
    Exposure,
    compare_exposures,
)
from risk.measures.counted_nouns import counted_noun
from risk.measures.release_context import ReleaseContext, questions
from risk.measures.risk_report import RiskReport
from risk.population.table import Population
from risk.reports.charts import bars, curves, magnitudes
from risk.reports.document_facts import DocumentFacts

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: The bounds of the class sizes that are shown as bars.
_BINS = ((1, 1), (2, 2), (3, 4), (5, 10), (11, 19), (20, 49), (50, 99), (100, 999), (1000, None))


def render_report(
    report: RiskReport,
    context: ReleaseContext | None = None,
    *,
    facts: DocumentFacts | None = None,
) -> str:
    """Render the expert-determination report of a table.

    It has the decision, what was measured and for whom, assumptions, the methods used with
    citations, results, plots, sensitivity, limits, and a signature block.
    """
    content = report.as_json()
    return fill_template(
        "determination.html",
        report=content,
        headline=_headline(report),
        facts=facts,
        estimators=ESTIMATOR_TITLES,
        unsettled=facts.unsettled(report.quasi_identifiers) if facts else (),
        context=context.verdict(report) if context else None,
        asked=_context_answers(context) if context else [],
        charts=[safe_chart(chart) for chart in _report_charts(report) if chart],
    )


def render_exposure(population: Population, scenario: Scenario, *, by: str | None = None) -> str:
    """Render the exposure of a population under a scenario.

    The page has tables, g-distinct curves on logarithmic axes, risk by policy, and trust
    differentials.
    """
    exposures, differentials = compare_exposures(population, scenario, g_sizes=CURVE_SIZES)
    parts, ratios = compare_exposures(population, scenario, g_sizes=G_SIZES, by=by)
    charts: list[str] = []
    for attacker in scenario.attackers:
        own = [one for one in exposures if one.attacker == attacker.name and one.people]
        own_ratios = [one for one in differentials if one.attacker == attacker.name]
        charts += _exposure_charts(attacker.name, own, own_ratios)
    return fill_template(
        "exposure.html",
        title=scenario.title,
        population=population,
        scenario=scenario,
        exposures=[one.as_json() for one in parts],
        differentials=[one.as_json() for one in ratios],
        sizes=G_SIZES,
        charts=[safe_chart(chart) for chart in charts if chart],
    )


def _exposure_charts(
    attacker: str, exposures: list[Exposure], differentials: list[Differential]
) -> list[str]:
    """The three charts of one attacker."""
    distinct = {
        one.policy: [
            (float(g), min(100.0, 100 * found / one.people)) for g, found in one.distinct.items()
        ]
        for one in exposures
    }
    ratios = {
        f"{one.policy} over {one.against}": [
            (float(g), value) for g, value in one.distinct.items() if value
        ]
        for one in differentials
    }
    percents = {one.policy: one.percent or 0.0 for one in exposures}
    where = f"attacker: {attacker}"
    return [
        magnitudes(f"Risk by policy, {where}", percents, "% re-identified"),
        curves(f"g-distinct people, {where}", distinct, "g: group size at most", "% of people"),
        curves(f"Trust differential, {where}", ratios, "g: group size at most", "ratio of risks"),
    ]


def _headline(report: RiskReport) -> str:
    """The decision in one sentence."""
    found = report.headline
    if found["risk"] is None:
        return "Nothing was measured: the table has no rows."
    if found["set_by"] == "thresholds":
        high = [name.replace("_", " ") for name, made in report.decision.items() if made == "HIGH"]
        limit = report.limits.threshold.stated
        if not high:
            return f"All three measures are within their limits ({limit})."
        return f"Above the limit ({limit}): {', '.join(high)}."
    measure = str(found["measure"]).replace("_", " ")
    attack = " times the probability of the likeliest attack" if report.limits.attack < 1 else ""
    against = "is above" if found["risk"] == "HIGH" else "is within"
    return (
        f"The {measure} risk{attack}, {_format_number(found['value'])}, {against} "
        f"{_format_number(found['limit'])}, the limit of the release context."
    )


def _report_charts(report: RiskReport) -> Iterable[str]:
    unit = report.unit.capitalize()
    yield bars(
        f"{unit}s by class size",
        records_by_size(report.histogram),
        f"% of {report.unit}s",
        "class size",
        before=records_by_size(report.before.histogram) if report.before else None,
    )
    if report.records:
        distinct = {"this table": _distinct_shares(report)}
        if report.before is not None:
            distinct = {"after": distinct["this table"], "before": _distinct_shares(report.before)}
        yield curves(
            f"{unit}s in classes of at most g (g-distinct)",
            distinct,
            "g, the class size (logarithmic)",
            f"% of {report.unit}s",
            shares=True,
        )
    if report.sensitivity:
        whole = report.scores["prosecutor"]
        average = {"none left out": whole.average or 0.0 if whole else 0.0}
        average |= {f"without {name}": s.average or 0.0 for name, s in report.sensitivity.items()}
        intervals = {
            f"without {name}" if name else "none left out": ends
            for name, ends in report.average_intervals.items()
        }
        yield bars(
            "Average risk without each quasi-identifier (95 % intervals)",
            average,
            "average risk",
            "left out",
            intervals=intervals,
        )
    if report.population is not None:
        found = report.population.linkage
        counted = {f"at most {t:,}": found.non_graduated[t] for t in sorted(found.non_graduated)}
        percents = {label: 100 * n / max(1, found.records) for label, n in counted.items()}
        title = f"{unit}s by the people of the population who match"
        yield bars(title, percents, f"% of {report.unit}s", "people who match")


def _distinct_shares(report: RiskReport) -> list[tuple[float, float]]:
    """Return, for every size g that occurs, the share of records in classes of at most g."""
    running, points = 0, []
    for size, times in report.histogram.items():
        running += size * times
        points.append((float(size), 100 * running / report.records))
    return points


def records_by_size(histogram: Mapping[int, int]) -> dict[str, float]:
    """The percentage of records in classes of 1, 2, 3-4, ... records."""
    records = sum(size * times for size, times in histogram.items()) or 1
    found: dict[str, float] = {}
    for low, high in _BINS:
        name = f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
        inside = (s * t for s, t in histogram.items() if low <= s and (high is None or s <= high))
        found[name] = 100 * sum(inside) / records
    return found


def _context_answers(context: ReleaseContext) -> list[dict[str, str]]:
    words = {True: "yes", False: "no", None: "not answered"}
    return [
        {
            "dimension": question.dimension.replace("_", " "),
            "text": question.text,
            "answer": words[context.answers.get(question.id)],
        }
        for question in questions()
    ]


def _format_number(value: float | None) -> str:
    """The number with six significant digits and thousands separators; a tiny number as a power of
    ten."""
    if value is None:
        return "–"
    if 0 < abs(value) < 1e-4:
        return _power_of_ten(value)
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def _format_brief(value: float | None) -> str:
    """The number with four significant digits."""
    if value is not None and 0 < abs(value) < 1e-4:
        return _power_of_ten(value)
    return "–" if value is None else f"{float(f'{value:.4g}'):,.10g}"


def _power_of_ten(value: float) -> str:
    """A tiny number as a report prints it: 1.22 × 10⁻⁵.

    Numbers below 10⁻⁹ are not distinguished.
    """
    if abs(value) < 1e-9:
        return "below 10⁻⁹"
    digits, exponent = f"{value:.2e}".split("e")
    return f"{digits} × 10{str(int(exponent)).translate(_RAISED)}"


def fill_template(template: str, **content: Any) -> str:
    """A page from one of the templates of this folder."""
    environment = Environment(
        loader=PackageLoader("risk.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["counted"] = counted_noun
    environment.filters["share"] = _format_share
    environment.filters["number"] = _format_number
    environment.filters["brief"] = _format_brief
    return environment.get_template(template).render(**content)


def _format_share(value: float | None) -> str:
    """A probability, also as "1 in n": 0.0125 (1 in 80)."""
    if value is None:
        return "–"
    if not value:
        return "0"
    odds = 1 / value
    told = f"{float(f'{odds:.3g}'):,.0f}" if odds >= 1000 else f"{odds:.3g}"
    return f"{_format_brief(value)} (1 in {told})"


def safe_chart(svg: str) -> Markup:
    """Mark a chart of this package as safe to insert into a page unescaped."""
    return Markup(svg)  # made by risk.reports.charts, which escapes every label
