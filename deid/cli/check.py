"""`deid check OUT`: search every byte of a release for known values and what is derived of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deid.cli import say_unproved
from deid.cli.arguments import Known, PatientKey
from deid.errors import HELD
from deid.reports.wording import counted

if TYPE_CHECKING:
    from deid.release.release_check import Checked

app = typer.Typer(rich_markup_mode=None, add_completion=False)
PLACES_SHOWN = 50


@app.command()
def run(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="A release, any folder or file, or - (stdin).")
    ],
    known: Known = None,
    patient_key: PatientKey = None,
    linked_only: Annotated[
        bool,
        typer.Option(
            "--linked-only",
            help="Search records that name no patient for distinctive values alone.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
) -> int:
    """Contents, file names, headers and metadata, and the release's own account.

    Exit 3 where a known value stands, where something could not be searched, and where the release
    is not as the job left it.
    """
    from deid.api import check

    checked = check(out, known=known or (), patient_key=patient_key, linked_only=linked_only)
    if as_json:
        print(json.dumps(checked.as_json()))
    else:
        print("\n".join(_lines(checked)))
    if not checked.residual.known_values:
        say_unproved()
    return 0 if checked.clean else HELD


def _lines(checked: Checked) -> list[str]:
    found = checked.residual
    searched = f"{counted(found.searched_bytes, 'byte')} of {counted(checked.files, 'file')}"
    values, hits = counted(found.known_values, "known value"), counted(found.hits, "hit")
    lines = [f"{values} searched for in {searched}: {hits}"]
    for hit in found.places[:PLACES_SHOWN]:
        record = "" if hit.record is None else f", record {hit.record}"
        lines.append(f"file {hit.file}{record}: {hit.word.value}: {hit.kind}")
    if len(found.places) > PLACES_SHOWN:
        lines.append(f"... and {len(found.places) - PLACES_SHOWN} more; --json lists them all")
    lines += [
        f"file {n} was not searched in whole: something in it is no text, or is locked, broken or "
        "packed as nobody here can unpack [not-searched]"
        for n in checked.unsearched
    ]
    lines += [
        f"output {n} of the manifest is missing or was changed [output-altered]"
        for n in checked.altered
    ]
    lines += [f"file {n} is none that the job wrote [file-unlisted]" for n in checked.unlisted]
    return [*lines, *map(str, checked.faults)]
