"""`deid find INPUT...`: findings only, one JSON line a document; nothing is changed."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any

import typer

from deid.cli import say
from deid.cli.arguments import (
    Fast,
    IdColumn,
    Known,
    PatientKey,
    ReferenceDate,
    TextColumn,
    day,
)
from deid.errors import QUARANTINED, UNREADABLE, DeidError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="Files, folders, or - for stdin.")
    ],
    known: Known = None,
    patient_key: PatientKey = None,
    reference_date: ReferenceDate = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    fast: Fast = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON lines, which is what it prints anyway.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
    no_progress: Annotated[
        bool, typer.Option("--no-progress", help="No progress is shown anyway.")
    ] = False,
) -> int:
    """Findings as JSON lines: offsets, word, entity, score, source. No text in them."""
    from deid.formats import ReadOptions
    from deid.jobs.find_job import find_documents
    from deid.text.engine import load_finder

    finder = load_finder(day(reference_date) or date.today(), run_date=date.today(), fast=fast)
    options = ReadOptions(None, text_column, id_column)
    faults = documents = unread = 0
    for line in find_documents(inputs, finder, tuple(known or ()), patient_key, options):
        documents += 1
        unread += "unread" in line
        faults += "fault" in line
        print(json.dumps(_ordered(line)))
    if faults and not quiet:
        say(f"{faults} of {documents} documents could not be searched")
    if unread:
        raise DeidError(
            "input-unreadable",
            f"{unread} of the files cannot be read, the others were searched",
            hint="their lines have a `fault`",
            exit_code=UNREADABLE,
        )
    return QUARANTINED if faults else 0


def _ordered(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("id", "findings", "fault") if key in line}
