"""`deid check OUT`: search every byte of a release for known values and what is derived of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from deid.cli import say
from deid.errors import HELD

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="A release, any folder or file, or - (stdin).")
    ],
    known: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE", help="A table whose rows say who the patients are."),
    ] = None,
    patient_key: Annotated[
        str | None, typer.Option(metavar="COL", help="The column that holds the patient's key.")
    ] = None,
    linked_only: Annotated[
        bool,
        typer.Option(
            "--linked-only",
            help="Search records that name no patient for distinctive values alone.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
) -> int:
    """Contents, file names, headers and metadata; exit 3 where a known value stands."""
    from deid.surface import check

    checked = check(out, known=known or (), patient_key=patient_key, linked_only=linked_only)
    if as_json:
        print(json.dumps(checked.as_json()))
    else:
        for line in _lines(checked.as_json()):
            print(line)
    if not checked.residual.known_values:
        say(
            "hint: nothing was proved: --known TABLE names the patients whose values are to be gone"
        )
    return 0 if checked.clean else HELD


def _lines(told: dict[str, Any]) -> list[str]:
    files = f"{told['files']} file{'' if told['files'] == 1 else 's'}"
    counted = f"{told['searched_bytes']} bytes of {files}"
    looked_for = f"{told['known_values']} known values searched for in {counted}"
    lines = [f"{looked_for}: {told['hits']} hits"]
    places = told["places"]
    for place in places[:50]:
        record = "" if place["record"] is None else f", record {place['record']}"
        lines.append(f"file {place['file']}{record}: {place['word']}: {place['kind']}")
    if len(places) > 50:
        lines.append(f"... and {len(places) - 50} more; --json lists them all")
    altered, unlisted, faults = told["altered_files"], told["unlisted_files"], told["account"]
    lines += [f"output {n} of the manifest is missing or was changed" for n in altered]
    lines += [f"file {n} is none that the job wrote" for n in unlisted]
    return [*lines, *faults]
