"""`deid plan TABLE --quasi A,B`: the least loss of detail that meets a limit of risk."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, TextIO

import typer

from deid.cli import plan_arguments as given
from deid.cli import say
from deid.cli.table_arguments import (
    AsJson,
    Delimiter,
    NamedPopulation,
    PersonColumn,
    PopulationColumns,
    PopulationWhere,
    ReferenceYear,
    Table,
)
from deid.errors import HELD, DeidError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    table: Table,
    quasi: given.Quasi = None,
    hierarchies: given.Hierarchies = None,
    hierarchy: given.Hierarchy = None,
    k: given.K = None,
    max_suppression: given.MaxSuppression = 0.0,
    loss: given.Loss = "granularity",
    method: given.Method = "full-domain",
    average: given.Average = None,
    strict_average: given.StrictAverage = None,
    at_risk: given.AtRisk = None,
    k_map: given.KMap = None,
    l_diversity: given.LDiversity = None,
    diversity: given.Diversity = "distinct",
    sensitive: given.Sensitive = None,
    population: NamedPopulation = None,
    population_columns: PopulationColumns = None,
    population_where: PopulationWhere = None,
    reference_year: ReferenceYear = None,
    no_worse_than: given.NoWorseThan = None,
    risk_model: given.RiskModel = None,
    context: given.Context = None,
    alternative: given.Alternative = None,
    weights: given.Weights = None,
    levels: given.Levels = None,
    person_column: PersonColumn = None,
    intervals: given.Intervals = None,
    set_column: given.SetColumn = None,
    set_separator: given.SetSeparator = "|",
    known_events: given.KnownEvents = 2,
    sampling_fraction: given.SamplingFraction = None,
    seed: given.Seed = 0,
    time_limit: given.TimeLimit = None,
    out: given.Out = None,
    keep: given.Keep = None,
    apply: given.Apply = None,
    earlier: given.Earlier = None,
    changes: given.Changes = None,
    frontier: given.Frontier = None,
    chart: given.Chart = None,
    missing_lines: given.MissingLines = None,
    delimiter: Delimiter = None,
    as_json: AsJson = False,
    quiet: given.Quiet = False,
) -> int:
    """The least loss of detail that meets a risk limit, proven; or every policy that is no riskier
    than Safe Harbor.

    Exit codes: 0 done; 2 usage; 3 held: no generalisation meets the limits, or the releases before
    this one tell too much together with it; 6 input unreadable.
    """
    from deid import planning

    wish = planning.Wish(
        table=table,
        quasi=planning.listed(quasi),
        folder=hierarchies,
        kinds=planning.pairs(hierarchy, "--hierarchy"),
        limits=(
            *planning.limits_of(k, average, strict_average, at_risk, k_map, l_diversity, diversity),
            *(planning.limits_of_context(context) if context else ()),
        ),
        risk_model=risk_model,
        max_suppression=max_suppression,
        loss=loss,
        method=method,
        sensitive=sensitive,
        population=population,
        population_columns=planning.pairs(population_columns, "--population-columns"),
        population_where=planning.pairs(population_where, "--population-where"),
        reference_year=reference_year,
        weights=planning.weights_of(weights),
        ranges=planning.ranges_of(levels),
        person=person_column,
        intervals=planning.listed(intervals),
        sampling_fraction=sampling_fraction,
        seed=seed,
        time_limit=time_limit,
        delimiter=delimiter,
        apply=apply,
        missing_lines=missing_lines,
    )
    _refuse_to_replace(
        ("--changes", changes),
        ("--frontier", frontier),
        ("--chart", chart),
        ("--missing-lines", missing_lines),
    )
    if no_worse_than is not None and risk_model is None:
        return _alternatives(wish, no_worse_than, alternative or [], chart, as_json)
    if set_column is not None:
        sets = (set_column, set_separator, known_events, k, out, planning.listed(keep))
        return _sets(wish, sets, as_json, sys.stderr if _to_stdout(out) else None)
    made = planning.make_plan(wish, whole=out is not None)
    summary = made.plan.summary()
    safe = True
    if earlier:
        summary["releases"], safe = _compared(made.plan, earlier, k or 5)
    if changes is not None:
        _list_changes(changes, made)
    if frontier is not None:
        _draw(frontier, made, wish)
    if out is not None and safe:
        summary["output"] = _write(out, made, wish, planning.listed(keep), quiet)
    told = json.dumps(summary, indent=2) if as_json else _told(summary)
    print(told, file=sys.stderr if _to_stdout(out) and safe else None)
    return 0 if safe else HELD


def _to_stdout(out: Path | None) -> bool:
    """Does the table go to stdout? What is told of it goes to stderr then."""
    return str(out) == "-"


def _write(out: Path, made: Any, wish: Any, keep: tuple[str, ...], quiet: bool) -> dict[str, Any]:
    from deid.planned import write_release

    told = write_release(out, made, wish.table, keep, wish.delimiter)
    if not quiet:
        for name, why in told["withheld"].items():
            say(f"column {name!r} is not written: it {why}; `--keep {name}` writes it as it is")
        if told["beyond_policy"]:
            names = ", ".join(told["beyond_policy"])
            say(f"no transform of `deid scrub` recodes {names}; `deid plan --apply` does")
        if told.get("records_only_the_plan_leaves_out"):
            say("the policy leaves no record out; the plan does: run `deid plan --apply` as well")
    return dict(told)


def _compared(plan: Any, earlier: list[Path], k: int) -> tuple[list[dict[str, Any]], bool]:
    from dataclasses import asdict

    from risk import compare_releases, read_table

    tables = [read_table(path, list(plan.table.names)) for path in earlier]
    found = compare_releases(plan.table, tables, k)
    safe = all(difference.safe for difference in found)
    if not safe:
        say("held: the earlier releases tell too much together with this one; see `releases`")
    return [{**asdict(d), "safe": d.safe} for d in found], safe


def _refuse_to_replace(*files: tuple[str, Path | None]) -> None:
    """A page replaces an earlier page; nothing else is written over, least of all the table."""
    for option, path in files:
        page = option in ("--frontier", "--chart") and path is not None and _is_page(path)
        if path is not None and path.exists() and not page:
            raise DeidError(
                "out-exists", "the file exists", place=option, hint="name a file that is not there"
            )


def _is_page(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in (".html", ".htm")


def _list_changes(path: Path, made: Any) -> None:
    from deid.planned import write_changes

    write_changes(path, made.whole.select(made.plan.table.names), made.plan)


def _draw(path: Path, made: Any, wish: Any) -> None:
    from risk import draw, frontier_of

    sizes = [limit.k for limit in wish.limits if hasattr(limit, "k")] or [5]
    mine = made.whole.select(made.plan.table.names)
    points = frontier_of(mine, made.plan.hierarchies, loss=wish.loss, sizes=sizes)
    page = draw(points, mine.names, sizes[0], limit=wish.max_suppression)
    path.write_text(page, "utf-8")


def _told(summary: dict[str, Any]) -> str:
    """The plan in a few lines, for a person."""
    proof = "proven least" if summary["optimal"] else f"gap at most {summary['minimised']['gap']:g}"
    if summary["method"] != "full-domain":
        proof = "not proven least"
    levels = ", ".join(f"{name} {level}" for name, level in summary["levels"].items())
    least = summary["minimised"]
    lines = [f"{summary['method']}: {least['loss']} {least['value']:.6g} ({proof})"]
    if levels:
        lines.append(f"levels: {levels}")
    lines.append(
        f"{summary['records']:,} records, {summary['suppressed_records']:,} left out, "
        f"{summary['classes']:,} classes, smallest {summary['smallest_class']}"
    )
    if summary["nodes"]["total"]:
        nodes = summary["nodes"]
        lines.append(f"{nodes['checked']:,} of {nodes['total']:,} generalisations looked at")
    if "warning" in summary["details"]:
        lines.append(f"warning: {summary['details']['warning']}")
    return "\n".join(lines)


def _alternatives(
    wish: Any, policy: str, more: list[str], chart: Path | None, as_json: bool
) -> int:
    from deid import planning_alternatives as alternatives

    found = alternatives.judge_alternatives(wish, policy, more)
    for name in found.left_out:
        say(f"the population does not count {name!r}: no policy tells it")
    if chart is not None:
        chart.write_text(alternatives.as_page(found), "utf-8")
    if as_json:
        print(json.dumps(alternatives.as_json(found, wish), indent=2))
    else:
        print(alternatives.as_table(found))
    return 0


def _sets(wish: Any, sets: tuple[Any, ...], as_json: bool, stream: TextIO | None) -> int:
    from deid.planning_sets import plan_sets

    summary = plan_sets(wish, *sets)
    if as_json:
        print(json.dumps(summary, indent=2), file=stream)
    else:
        rare = summary["rare_sets"]
        print(
            f"k^m, k {summary['k']}, m {summary['m']}: {summary['codes']} codes told as "
            f"{summary['labels']} labels, loss {summary['loss']['granularity']:.6g}; rare sets "
            f"{rare['before']} before, {rare['after']} after",
            file=stream,
        )
    return 0
