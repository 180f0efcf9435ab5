"""`deid find INPUT...`: print findings only, one JSON line per document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from deid.cli import say
from deid.cli.arguments import day
from deid.cli.option_groups import command, command_app
from deid.errors import QUARANTINED, DeidError, unreadable
from deid.reports.wording import plural

app = command_app()


@dataclass(frozen=True, kw_only=True)
class FindOptions:
    """The options of `deid find`, as given."""

    inputs: list[str]
    known: list[Path] | None = None
    patient_key: str | None = None
    reference_date: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    fast: bool = False
    recognizers: Path | None = None
    threshold: float | None = None
    explain: bool = False
    annotations: str | None = None
    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    no_progress: bool = False


@command(app)
def run(asked: FindOptions) -> int:
    """Print findings as JSON lines: offsets, identifier, entity, score, source.

    The text is never printed; --annotations writes it to files for an annotation tool.
    """
    if (asked.annotations is None) is not (asked.out is None):
        raise DeidError(
            "usage",
            "--annotations and --out must be given together",
            hint="for example --annotations brat --out to-correct",
        )
    faults = documents = unread = 0
    kept: list[tuple[str, list[tuple[int, int, str]]]] = []
    for line in _searched_inputs(asked):
        documents += 1
        unread += "unread" in line
        faults += "fault" in line
        if asked.out is None:
            print(json.dumps(_ordered(line)))
        elif "text" in line and "fault" not in line:
            spans = [(f["start"], f["end"], f["entity"]) for f in line["findings"]]
            kept.append((line["text"], spans))
    if asked.out is not None:
        from deid.evaluation.preannotation import write_preannotations

        written = write_preannotations(asked.annotations or "", asked.out, kept)
        say(f"written: {plural(written, 'text')}")
    return _tell_faults(documents, faults, unread, asked.quiet)


def _searched_inputs(asked: FindOptions) -> Iterator[dict[str, Any]]:
    """The findings of each document, by the engine that the options select."""
    from deid.formats import ReadOptions
    from deid.jobs.find_job import find_documents
    from deid.text.engine import load_finder

    today = date.today()
    finder = load_finder(
        day(asked.reference_date) or today,
        run_date=today,
        fast=asked.fast,
        recognizers=asked.recognizers,
        threshold=asked.threshold,
    )
    return find_documents(
        asked.inputs,
        finder,
        tuple(asked.known or ()),
        asked.patient_key,
        ReadOptions(None, asked.text_column, asked.id_column),
        finder.explain if asked.explain else None,
        texts=asked.out is not None,
    )


def _tell_faults(documents: int, faults: int, unread: int, quiet: bool) -> int:
    """Report what could not be searched; return the exit code.

    Raises:
        DeidError: `input-unreadable`, if whole files could not be read.
    """
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
