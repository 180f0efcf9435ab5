"""`deid plan TABLE --quasi A,B`: the plan of least information loss that meets a risk limit."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deid.cli import say
from deid.cli.option_groups import command, command_app
from deid.cli.plan_arguments import PlanOptions
from deid.cli.plan_limits import limits_named
from deid.cli.plan_text import plan_as_text
from deid.errors import HELD, DeidError
from deid.plans.request import split_list
from deid.standard_streams import is_dash

if TYPE_CHECKING:
    from deid.plans.planning import MadePlan
    from deid.plans.request import PlanArguments
    from risk import Plan

# The most columns that a line names; the others are only counted.
_COLUMNS_NAMED = 8

app = command_app()


@command(app)
def run(table: str, asked: PlanOptions) -> int:
    """Find the generalization with the least information loss that meets a risk limit, or list
    every policy that is no riskier than Safe Harbor.

    The method full-domain proves that its result is optimal.

    Exit codes: 0 done; 2 wrong usage; 3 held: no generalization meets the limits, or this
    release reveals too much together with an earlier one; 6 input unreadable.
    """
    _check_links(table, asked)
    arguments = _arguments(table, asked)
    _refuse_to_replace(
        ("--changes", asked.changes),
        ("--frontier", asked.frontier),
        ("--chart", asked.chart),
        ("--html", asked.html),
        ("--missing-lines", asked.missing_lines),
    )
    if asked.no_worse_than is not None and asked.risk_model is None:
        return _alternatives(arguments, asked.no_worse_than, asked)
    if asked.set_column is not None:
        return _sets(arguments, asked.set_column, asked)
    return _plan(arguments, asked)


def _check_links(table: str, asked: PlanOptions) -> None:
    """Check that linked tables have a link column and an output folder."""
    if not asked.linked and asked.link is None:
        return
    folder = asked.out is not None and not asked.out.suffix and not is_dash(asked.out)
    if asked.link is None or not folder:
        raise DeidError(
            "link-missing",
            "--linked needs --link COLUMN and a folder as --out",
            hint="for example --link person_id --linked visits.csv -o planned",
        )
    from deid.plans.linked_tables import check_linked

    check_linked(asked.linked or [], table, asked.link, asked.delimiter)


def _arguments(table: str, asked: PlanOptions) -> PlanArguments:
    """Parse the options: lists, pairs, weights, ranges of levels, risk limits."""
    from deid.plans import request as arguments
    from risk import parse_perturbations

    return arguments.PlanArguments(
        table=table,
        quasi=arguments.split_list(asked.quasi),
        folder=asked.hierarchies,
        kinds=arguments.parse_pairs(asked.hierarchy, "--hierarchy"),
        limits=limits_named(asked),
        privacy=arguments.privacy_of(asked.differential_privacy),
        perturbations=parse_perturbations(asked.perturb or ()),
        risk_model=asked.risk_model,
        max_suppression=asked.max_suppression,
        loss=asked.loss,
        method=asked.method,
        sensitive=asked.sensitive,
        population=asked.population,
        population_columns=arguments.parse_pairs(asked.population_columns, "--population-columns"),
        population_where=arguments.parse_pairs(asked.population_where, "--population-where"),
        population_count=asked.population_count,
        reference_year=asked.reference_year,
        weights=arguments.weights_of(asked.weights),
        ranges=arguments.ranges_of(asked.levels),
        person=asked.person_column,
        link=asked.link,
        intervals=arguments.split_list(asked.intervals),
        sampling_fraction=asked.sampling_fraction,
        seed=asked.seed,
        time_limit=asked.time_limit,
        delimiter=asked.delimiter,
        apply=asked.apply,
        missing_lines=asked.missing_lines,
    )


def _plan(arguments: PlanArguments, asked: PlanOptions) -> int:
    from deid.plans.planning import make_plan

    compared = asked.utility or asked.html is not None or asked.regression is not None
    made = make_plan(arguments, whole=asked.out is not None or compared)
    summary = made.plan.summary()
    summary["notes"] = list(made.notes)
    summary |= made.told
    if compared:
        _report_cost(made, arguments, asked, summary)
    safe = True
    if asked.earlier:
        told, safe = _compared(made.plan, asked)
        summary |= told
    if asked.changes is not None:
        _list_changes(asked.changes, made)
    if asked.frontier is not None:
        _draw(asked.frontier, made, arguments)
    if asked.out is not None and safe:
        summary["output"] = _write(asked.out, made, arguments, asked)
    text = json.dumps(summary, indent=2) if asked.as_json else plan_as_text(summary)
    print(text, file=sys.stderr if is_dash(asked.out) and safe else None)
    return 0 if safe else HELD


def _report_cost(
    made: MadePlan, arguments: PlanArguments, asked: PlanOptions, summary: dict[str, Any]
) -> None:
    """Add what the plan costs to the summary, and write the page."""
    from deid.cli.risk_pages import document_facts, write_page
    from deid.plans.plan_report import plan_page, utility_of
    from deid.plans.request import regression_of
    from risk import render_plan

    keep = _own_names(made, _kept_names(arguments, asked), asked)
    utility = utility_of(made, keep, regression_of(asked.regression))
    summary["utility"] = utility.as_json()
    if asked.html is not None:
        facts = document_facts(arguments.table, made.whole.rows)
        page = plan_page(made, arguments, summary, utility, facts, keep)
        write_page(asked.html, render_plan(page))
        say(f"plan in {asked.html}")


def _kept_names(arguments: PlanArguments, asked: PlanOptions) -> tuple[str, ...]:
    """Return the other columns to write: those of `--keep`, and the perturbed ones."""
    perturbed = (name for p in arguments.perturbations for name in p.columns)
    return (*split_list(asked.keep), *perturbed)


def _own_names(made: MadePlan, keep: tuple[str, ...], asked: PlanOptions) -> tuple[str, ...]:
    """Return the names in `--keep` that belong to the planned table, not to linked tables."""
    return tuple(name for name in keep if not asked.linked or name in made.whole.names)


def _write(
    out: Path, made: MadePlan, arguments: PlanArguments, asked: PlanOptions
) -> dict[str, Any]:
    from deid.plans.applied_plan import write_release

    keep = _kept_names(arguments, asked)
    links = (asked.link,) if asked.link else ()
    own = (*_own_names(made, keep, asked), *links)
    told = write_release(out, made, arguments.table, own, arguments.delimiter)
    if asked.link and asked.linked:
        from deid.plans.linked_tables import write_linked

        told["linked"] = write_linked(
            out, asked.linked, made, asked.link, keep, arguments.delimiter
        )
    if not asked.quiet:
        if not is_dash(out):
            say(f"written: {out}")
        _tell_withheld(told["withheld"])
        if told["beyond_policy"]:
            names = ", ".join(told["beyond_policy"])
            say(f"no transform of `deid scrub` can recode {names}; use `deid plan --apply`")
        if told.get("records_only_the_plan_leaves_out"):
            say("the policy cannot suppress records; run `deid plan --apply` as well")
    return dict(told)


def _tell_withheld(withheld: Mapping[str, str]) -> None:
    """Print one line per reason, with the columns that are withheld for it."""
    for why in dict.fromkeys(withheld.values()):
        names = [name for name, own in withheld.items() if own == why]
        more = f" and {len(names) - _COLUMNS_NAMED} more" if len(names) > _COLUMNS_NAMED else ""
        shown = ", ".join(names[:_COLUMNS_NAMED]) + more
        each = "it" if len(names) == 1 else "each"
        say(f"withheld, because {each} {why}: {shown}")
    if withheld:
        say("hint: to write such columns unchanged, name them with --keep, separated by commas")


def _compared(plan: Plan, asked: PlanOptions) -> tuple[dict[str, Any], bool]:
    """Compare this release with the earlier ones.

    Returns how they differ and whether this release may be published; if it may not, also the
    levels at which it could be.
    """
    from dataclasses import asdict

    from risk import compare_releases, find_remedy, read_table

    tables = [read_table(path, list(plan.table.names)) for path in asked.earlier or []]
    k = asked.k or max([getattr(limit, "k", 0) for limit in plan.request.limits] or [0]) or 5
    found = compare_releases(
        plan.table,
        tables,
        k,
        levels=plan.levels,
        hierarchies=plan.hierarchies,
        shared_persons=not asked.other_persons,
    )
    safe = all(difference.safe for difference in found)
    told: dict[str, Any] = {"releases": [{**asdict(d), "safe": d.safe} for d in found]}
    if safe:
        return told, True
    say("held: this and an earlier release together reveal too much; see `releases` with --json")
    if plan.levels:
        remedy = find_remedy(plan.table, tables, k, plan.levels, plan.hierarchies)
        levels = ",".join(f"{name}={level}" for name, level in remedy.levels.items())
        told["remedy"] = {"levels": dict(remedy.levels), "safe": remedy.safe}
        if remedy.safe:
            say(f"plan this extract again with coarser levels: --levels {levels}")
        else:
            say(f"coarser levels do not help: wait until at least {k} persons have joined or left")
    return told, False


def _refuse_to_replace(*files: tuple[str, Path | None]) -> None:
    """Refuse to overwrite a file, unless both the old and the new file are HTML pages."""
    for option, path in files:
        page = option in ("--frontier", "--chart", "--html") and path is not None and _is_page(path)
        if path is not None and path.exists() and not page:
            raise DeidError("out-exists", "the file exists", place=option, hint="name a new file")


def _is_page(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in (".html", ".htm")


def _list_changes(path: Path, made: MadePlan) -> None:
    from deid.plans.applied_plan import write_changes

    write_changes(path, made.whole.select(made.plan.table.names), made.plan)


def _draw(path: Path, made: MadePlan, arguments: PlanArguments) -> None:
    from deid.plans.plan_report import words_of_levels
    from risk import frontier_of, frontier_page

    sizes = [limit.k for limit in arguments.limits if hasattr(limit, "k")] or [5]
    mine = made.whole.select(made.plan.table.names)
    points = frontier_of(mine, made.plan.hierarchies, loss=arguments.loss, sizes=sizes)
    words = {name: words_of_levels(made, name) for name in mine.names}
    page = frontier_page(
        points, words, sizes[0], loss=arguments.loss, limit=arguments.max_suppression
    )
    path.write_text(page, "utf-8")


def _alternatives(arguments: PlanArguments, policy: str, asked: PlanOptions) -> int:
    from deid.plans import alternatives

    found = alternatives.judge_alternatives(arguments, policy, asked.alternative or [])
    for name in found.left_out:
        say(f"the population has no column {name!r}, so no policy releases it")
    if asked.chart is not None:
        asked.chart.write_text(alternatives.as_page(found), "utf-8")
    if asked.as_json:
        print(json.dumps(alternatives.as_json(found, arguments), indent=2))
    else:
        print(alternatives.as_table(found))
    return 0


def _sets(arguments: PlanArguments, column: str, asked: PlanOptions) -> int:
    from deid.plans.code_sets import plan_sets

    summary = plan_sets(
        arguments,
        column,
        asked.set_separator,
        asked.known_events,
        asked.k,
        asked.out,
        split_list(asked.keep),
    )
    stream = sys.stderr if is_dash(asked.out) else None
    if asked.as_json:
        print(json.dumps(summary, indent=2), file=stream)
    else:
        rare = summary["rare_sets"]
        print(
            f"k^m, k {summary['k']}, m {summary['m']}: {summary['codes']} codes recoded to "
            f"{summary['labels']} labels, loss {summary['loss']['granularity']:.6g}; rare sets "
            f"{rare['before']} before, {rare['after']} after",
            file=stream,
        )
    return 0
