"""`deid evaluate GOLD`: measure the accuracy of the engine on annotated text."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from deid.cli.arguments import day
from deid.cli.option_groups import command, command_app

if TYPE_CHECKING:
    from deid.evaluation.scoring import Report

app = command_app()

ScoreRow = dict[str, float | int | None]


@command(app)
def run(
    gold: Path,
    label_map: Path | None = None,
    reference_date: str | None = None,
    not_required: str = "WEEKDAY",
    over_redactions: int = 0,
    fast: bool = False,
    by_note: bool = False,
    as_json: bool = False,
) -> int:
    """Measure recall by label, precision, retention and speed, with bootstrap intervals."""
    from deid.evaluation import scoring as evaluation
    from deid.evaluation.gold import LabelMap, read_gold
    from deid.evaluation.timing import timed_findings
    from deid.text.engine import load_finder

    documents = read_gold(gold, LabelMap.read(label_map) if label_map else LabelMap())
    finder = load_finder(day(reference_date) or date.today(), fast=fast)
    findings, seconds = timed_findings(finder.find_all, [document.text for document in documents])
    optional = frozenset(name for name in not_required.split(",") if name)
    report = evaluation.evaluate_findings(documents, findings, seconds, not_required=optional)
    notes = evaluation.by_note(documents, findings, optional) if by_note else []
    print(_json(report, notes) if as_json else _score_table(report, notes))
    for entity, text, times in evaluation.over_redactions(documents, findings, over_redactions):
        print(f"{times:6} {entity} {text}", file=sys.stderr if as_json else sys.stdout)
    return 0


def _json(report: Report, notes: list[ScoreRow]) -> str:
    return json.dumps(asdict(report) | ({"by_note": notes} if notes else {}))


def _score_table(report: Report, notes: list[ScoreRow]) -> str:
    lines = [f"{'label':<16}{'spans':>7}{'covered':>9}{'leaked':>8}{'recall':>9}{'characters':>12}"]
    for label, row in report.by_label.items():
        lines.append(
            f"{label:<16}{row['spans']:>7}{row['covered']:>9}{row['leaked_spans']:>8}"
            f"{_four_decimals(row['recall']):>9}{_four_decimals(row['character_recall']):>12}"
        )
    ranges = report.intervals
    left_out = f" (without {', '.join(report.not_required)})" if report.not_required else ""
    lines += [
        "",
        f"recall     {_four_decimals(report.recall)} {_interval_text(ranges['recall'])}{left_out}",
        f"precision  {_four_decimals(report.precision)} {_interval_text(ranges['precision'])}",
        f"retention  {_four_decimals(report.retention)} {_interval_text(ranges['retention'])}",
        f"clean      {report.clean_documents} of {report.documents} documents",
        f"leaks      {_four_decimals(report.leaks_per_10000_words)} per 10,000 words",
        f"speed      {report.characters} characters in {report.seconds:.1f} s",
    ]
    for row in notes:
        lines.append(
            f"note {row['document']:>5}{row['leaked_spans']:>6} of {row['spans']:<5}"
            f" precision {_four_decimals(row['precision'])}"
            f"  retention {_four_decimals(row['retention'])}"
        )
    return "\n".join(lines)


def _four_decimals(value: float | int | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _interval_text(pair: tuple[float, float] | None) -> str:
    return "" if pair is None else f"[{pair[0]:.4f}, {pair[1]:.4f}]"
