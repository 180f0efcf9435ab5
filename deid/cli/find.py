"""`deid find INPUT...`: print findings only, one JSON line per document."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from deid.cli import say
from deid.cli.arguments import (
    AcceptanceThreshold,
    Fast,
    IdColumn,
    KnownTables,
    PatientKey,
    Quiet,
    Recognizers,
    ReferenceDate,
    TextColumn,
    day,
)
from deid.errors import QUARANTINED, DeidError, unreadable
from deid.reports.wording import plural

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="Files, folders, or - for stdin.")
    ],
    known: KnownTables = None,
    patient_key: PatientKey = None,
    reference_date: ReferenceDate = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    fast: Fast = False,
    recognizers: Recognizers = None,
    threshold: AcceptanceThreshold = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Add the evidence behind each finding, with its weight."),
    ] = False,
    annotations: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Write texts with their findings for people to correct: brat, doccano, i2b2 or "
            "label_studio. Needs --out.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="F",
            help="The new file or folder for --annotations. It holds originals.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="No effect: the output is always JSON lines.")
    ] = False,
    quiet: Quiet = False,
    no_progress: Annotated[
        bool, typer.Option("--no-progress", help="No effect: no progress is shown.")
    ] = False,
) -> int:
    """Print findings as JSON lines: offsets, identifier, entity, score, source. Never the text,
    unless --annotations writes it for an annotation tool."""
    from deid.formats import ReadOptions
    from deid.jobs.find_job import find_documents
    from deid.text.engine import load_finder

    today = date.today()
    finder = load_finder(
        day(reference_date) or today,
        run_date=today,
        fast=fast,
        recognizers=recognizers,
        threshold=threshold,
    )
    reasons = finder.explain if explain else None
    options = ReadOptions(None, text_column, id_column)
    if (annotations is None) is not (out is None):
        raise DeidError("usage", "--annotations and --out belong together")
    faults = documents = unread = 0
    kept: list[tuple[str, list[tuple[int, int, str]]]] = []
    for line in find_documents(
        inputs,
        finder,
        tuple(known or ()),
        patient_key,
        options,
        reasons,
        texts=out is not None,
    ):
        documents += 1
        unread += "unread" in line
        faults += "fault" in line
        if out is None:
            print(json.dumps(_ordered(line)))
        elif "text" in line and "fault" not in line:
            spans = [(f["start"], f["end"], f["entity"]) for f in line["findings"]]
            kept.append((line["text"], spans))
    if out is not None:
        from deid.evaluation.preannotation import write_preannotations

        say(f"written: {plural(write_preannotations(annotations or '', out, kept), 'text')}")
    if faults and not quiet:
        say(f"{faults} of {plural(documents, 'document')} could not be searched")
    if unread:
        raise unreadable(
            "input-unreadable",
            f"{plural(unread, 'file')} could not be read; the others were searched",
            hint="look for lines with a `fault`",
        )
    return QUARANTINED if faults else 0


def _ordered(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("id", "findings", "fault") if key in line}
