"""`deid risk TABLE --quasi A,B`: re-identification risk of a table."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from deid.cli import say
from deid.cli.option_groups import command, command_app
from deid.cli.risk_pages import document_facts, refuse_other_file, write_page
from deid.errors import HELD, DeidError
from deid.plans.population_limits import open_people
from deid.plans.request import parse_pairs, split_list, whole_numbers
from deid.standard_streams import is_dash
from risk import (
    Classes,
    CodedTable,
    Disclosure,
    DocumentFacts,
    ReleaseContext,
    RiskReport,
    RiskRequest,
    Threshold,
    assess,
    counted_noun,
    read_classes,
    read_classes_by_spark,
    read_context,
    read_table,
)

#: If there are more quasi-identifiers, the text gives only their number; --json names all.
_MOST_NAMED = 12
app = command_app()


@dataclass(frozen=True, kw_only=True)
class RiskOptions:
    """The options of `deid risk` as given on the command line."""

    quasi: str
    cell_size: int | None = None
    tau: str | None = None
    alpha: float = 0.0
    lambda_: str | None = None
    decide_on: str = "prosecutor"
    population: str | None = None
    population_columns: str | None = None
    population_where: str | None = None
    population_count: str | None = None
    reference_year: int | None = None
    scaling: float = 1.0
    group_thresholds: str = "1,10,20000"
    sampling_fraction: float | None = None
    person_column: str | None = None
    known_events: int | None = None
    count_column: str | None = None
    sensitive: str | None = None
    household_column: str | None = None
    subsets: int | None = None
    delimiter: str | None = None
    engine: str = "local"
    html: Path | None = None
    pdf: Path | None = None
    context: Path | None = None
    recipient: str | None = None
    purpose: str | None = None
    expires: str | None = None
    before: str | None = None
    variables: Path | None = None
    fail_over: bool = False
    as_json: bool = False


@command(app)
def run(table: str, asked: RiskOptions) -> int:
    """Measure prosecutor, journalist and marketer risk, and compare it with thresholds."""
    if asked.cell_size is not None and asked.tau is not None:
        raise DeidError(
            "two-thresholds",
            "--cell-size and --tau cannot be given together",
            hint="give one of them; --tau 0.09 means the same as --cell-size 11",
        )
    if asked.context is not None and (asked.cell_size or asked.tau or asked.lambda_):
        raise DeidError(
            "two-thresholds",
            "--context sets the threshold, so --cell-size, --tau and --lambda cannot be given",
            hint="leave out --context, or the options for the threshold",
        )
    reported = asked.html is not None or asked.pdf is not None
    names = list(split_list(asked.quasi))
    question = _question(asked, reported)
    mapping = parse_pairs(asked.population_columns, "--population-columns")
    coded = _table_or_classes(table, names, question, asked)
    where = parse_pairs(asked.population_where, "--population-where")
    columns = [*names, *mapping.values()]
    people = open_people(asked.population, columns, where, asked.population_count)
    report = assess(coded, names, question, population=people, population_columns=mapping)
    if asked.before is not None:
        earlier = _table_or_classes(asked.before, names, question, asked)
        plain = replace(question, leave_one_out=False, subsets=None, decide_on="prosecutor")
        report = replace(report, before=assess(earlier, names, plain))
    if reported:
        _publish(
            _render(report, question.context, _facts(table, coded, asked)), asked.html, asked.pdf
        )
    if not is_dash(asked.html):
        print(json.dumps(report.as_json(), indent=2) if asked.as_json else _report_text(report))
    if not report.records:
        raise DeidError(
            "empty-table",
            "the table has no rows, so no risk was measured",
            hint="check the file and how it was made",
            exit_code=6,
        )
    return HELD if asked.fail_over and report.over else 0


def _table_or_classes(
    table: str, names: list[str], question: RiskRequest, asked: RiskOptions
) -> CodedTable | Classes:
    """Return the equivalence classes if they suffice, so that no row is kept; else the table."""
    if asked.engine not in ("local", "spark"):
        raise DeidError(
            "bad-engine", "--engine must be local or spark", hint="leave it out to use local"
        )
    if asked.engine == "spark":
        if question.needs_rows:
            raise DeidError(
                "spark-classes-only",
                "--engine spark cannot measure persons, counts or sensitive columns",
                place="--engine",
                hint="leave out --engine, or the options that need the rows",
            )
        return read_classes_by_spark(table, names, delimiter=asked.delimiter)
    if question.needs_rows:
        return read_table(table, question.columns(names), delimiter=asked.delimiter)
    return read_classes(table, names, delimiter=asked.delimiter)


def _question(asked: RiskOptions, reported: bool) -> RiskRequest:
    return RiskRequest(
        threshold=_threshold(asked.cell_size, asked.tau),
        alpha=asked.alpha,
        average=Threshold.of_tau(asked.lambda_) if asked.lambda_ else None,
        decide_on=asked.decide_on,
        scaling=asked.scaling,
        groups=whole_numbers(asked.group_thresholds, "--group-thresholds", "1,10,20000"),
        sampling_fraction=asked.sampling_fraction,
        person=asked.person_column,
        known_events=asked.known_events,
        counts=asked.count_column,
        sensitive=split_list(asked.sensitive),
        reference_year=asked.reference_year,
        leave_one_out=reported,
        subsets=asked.subsets,
        household=asked.household_column,
        context=read_context(asked.context) if asked.context else None,
    )


def _threshold(cell_size: int | None, tau: str | None) -> Threshold:
    if tau is not None:
        return Threshold.of_tau(tau)
    return Threshold.of_cell_size(11 if cell_size is None else cell_size)


def _render(report: RiskReport, context: ReleaseContext | None, facts: DocumentFacts) -> str:
    from risk import render_report

    return render_report(report, context, facts=facts)


def _facts(table: str, coded: CodedTable | Classes, asked: RiskOptions) -> DocumentFacts:
    """What the report says about the file, the program and the release."""
    from risk import read_header, read_variables

    if isinstance(coded, Classes):
        rows, measured = coded.records, coded.quasi_identifiers
    else:
        rows, measured = coded.rows, coded.names
    return replace(
        document_facts(table, rows),
        columns=measured if is_dash(table) else read_header(table, delimiter=asked.delimiter),
        variables=read_variables(asked.variables) if asked.variables else (),
        recipient=asked.recipient or "",
        purpose=asked.purpose or "",
        expires=_parse_expiry(asked.expires),
    )


def _parse_expiry(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise DeidError(
            "bad-day",
            "--expires must be a day, YYYY-MM-DD",
            hint="for example --expires 2027-12-31",
        ) from None


def _publish(page: str, html: Path | None, pdf: Path | None) -> None:
    from risk import print_pdf

    if html is not None:
        write_page(html, page)
        if not is_dash(html):
            say(f"report in {html}")
    if pdf is not None:
        refuse_other_file(pdf, "--pdf", ".pdf")
        print_pdf(page, pdf)
        say(f"report in {pdf}")


def _report_text(report: RiskReport) -> str:
    """The report as text."""
    lines = [_told_headline(report.headline)]
    lines += [_told_classes(report)] if report.records else []
    for name, score in report.scores.items():
        if score is None or score.average is None:
            continue
        parts = [f"{key} {_share_text(value)}" for key, value in score.as_json().items()]
        lines.append(f"{name + ':':12}{', '.join(p for p in parts if not p.endswith('None'))}")
    lines.append(f"decision on {report.decided_on} at {report.limits.threshold.stated}: ")
    decided = {key: value for key, value in report.decision.items() if value is not None}
    lines[-1] += ", ".join(f"{key} {value}" for key, value in decided.items()) or "none"
    if report.before is not None and (was := report.before.scores["prosecutor"]):
        parts = [f"{key} {_share_text(value)}" for key, value in was.as_json().items()]
        lines.append(f"before: {report.before.uniques:,} unique, prosecutor {', '.join(parts)}")
    if report.population is not None:
        lines.append(_told_population(report.population.as_json()))
    if report.estimators is not None:
        keys = ("zayatz", "pitman", "snb", "dankar")
        lines.append(
            "population uniques, estimated: "
            + ", ".join(f"{key} {_share_text(report.estimators[key])}" for key in keys)
        )
        lines += [f"warning: {warning}" for warning in report.estimators["warnings"]]
    if report.key_subsets is not None:
        minimal = report.key_subsets.minimal_uniques.items()
        lines.append(
            "minimal uniques: "
            + ", ".join(f"{n:,} on {counted_noun(size, 'column')}" for size, n in minimal)
        )
        shares = report.key_subsets.contributions.items()
        if shares:
            told = ", ".join(f"{name} {100 * share:.3g} %" for name, share in shares)
            lines.append(f"SUDA scores: largest {max(report.key_subsets.suda_scores):,}; {told}")
        if chances := report.key_subsets.dis_suda.values():
            lines.append(f"DIS-SUDA: largest {_share_text(max(chances))}")
    if report.household is not None:
        found = report.household
        lines.append(
            f"{counted_noun(found.households, 'household')}: {found.expected:,.1f} records "
            f"expected to be found through their household ({found.alone:,.1f} without it), "
            f"largest risk {_share_text(found.largest)}, at risk {_share_text(found.at_risk)}"
        )
    lines += [_told_disclosure(found) for found in report.disclosure]
    return "\n".join([*lines, *(f"note: {note}" for note in report.notes)])


def _told_classes(report: RiskReport) -> str:
    """Return the line about records, classes and quasi-identifiers.

    It has the numbers of records and classes, and names the quasi-identifiers or, if they are many,
    gives their number.
    """
    quasi = report.quasi_identifiers
    names = ", ".join(quasi) if len(quasi) <= _MOST_NAMED else f"{len(quasi)} columns"
    units = counted_noun(report.records, report.unit)
    classes = f"{counted_noun(report.classes, 'class', 'classes')} on {names}"
    return (
        f"{units} in {classes}; smallest {report.smallest_class or 0:,}, unique {report.uniques:,}"
    )


def _told_headline(found: dict[str, Any]) -> str:
    """The overall decision in one line."""
    if found["risk"] is None:
        return "risk NOT MEASURED: the table has no rows"
    if found["set_by"] == "thresholds":
        return f"risk {found['risk']} by the thresholds given"
    name = str(found["measure"]).replace("_", " ")
    attack = (
        " times the probability of the likeliest attack"
        if found["measure"] == "strict_average"
        else ""
    )
    return (
        f"risk {found['risk']}: {name}{attack} {_share_text(found['value'])}, "
        f"limit from the context {_share_text(found['limit'])}"
    )


def _told_disclosure(found: Disclosure) -> str:
    """Return the text about what the classes reveal of one sensitive column."""
    return (
        f"the classes reveal {found.information_bits:.3g} of {found.entropy_bits:.3g} bits of "
        f"{found.column}: {found.homogeneous_records:.1%} of records are in a class with a single "
        f"value; smallest l-diversity {found.distinct_l} (entropy {found.entropy_l:.3g}), "
        f"largest distance t {found.t_equal:.3g}"
    )


def _told_population(found: dict[str, Any]) -> str:
    kind = "modelled" if found["modelled"] else "counted"
    kind = "as supplied" if found["vintage"] == "not stated" else kind
    total, most = found["total_risk"], found["total_risk_if_unmatched_were_unique"]
    up_to = f" (at most {most:.4g} if the unmatched records were unique)" if most > total else ""
    return (
        f"against {found['table']} ({found['vintage']}, {kind}): {total:.4g} "
        f"expected matches{up_to}, {_share_text(found['rate_percent'])} %, "
        f"{found['uniques']:,} unique in the population"
    )


def _share_text(value: float | None) -> str:
    return "None" if value is None else f"{value:.6g}"
