"""`deid scrub INPUT... -o OUT`: the main job."""

from __future__ import annotations

import json
import signal
import sys
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from deid.cli import say
from deid.cli.arguments import day
from deid.formats import ReadOptions
from deid.job import Job, Opened, list_inputs, plan, scrub
from deid.policy import read_policy
from deid.release import FOLDER, Release

app = typer.Typer()


@app.command()
def run(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Files or folders.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="OUT", help="A new folder for the release.")
    ],
    policy: Annotated[
        str, typer.Option(help="A shipped policy or a YAML file (`deid policy list`).")
    ] = "safe_harbor",
    known: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE", help="A table whose rows say who the patients are."),
    ] = None,
    patient_key: Annotated[
        str | None, typer.Option(metavar="COL", help="The column that holds the patient's key.")
    ] = None,
    crosswalk: Annotated[
        str | None, typer.Option(metavar="PATH-or-URL", help="The code book for codes.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(metavar="F", help="The key of the crosswalk, mode 0600.")
    ] = None,
    reference_date: Annotated[
        str | None,
        typer.Option(metavar="D", help="The day ages are reckoned on, YYYY-MM-DD; default: today."),
    ] = None,
    text_column: Annotated[
        str | None, typer.Option(metavar="C", help="The column that holds the notes.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option(metavar="C", help="The column that holds a record's id.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="C", help="Of CSV; sniffed otherwise.")
    ] = None,
    strict_columns: Annotated[
        bool, typer.Option("--strict-columns", help="No column leaves that is not named.")
    ] = False,
    diff: Annotated[
        Path | None,
        typer.Option(metavar="F", help="A side-by-side page for the reviewer. It holds originals."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen to every column; write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The manifest on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress")] = False,
) -> int:
    """Take the identity out of notes and tables, and prove it is out.

    Exit codes: 0 done; 2 usage or policy; 3 held, nothing released; 4 done, some records
    quarantined; 5 key or crosswalk; 6 input unreadable; 130 interrupted.
    """
    from deid.engine import describe, load_finder

    signal.signal(signal.SIGTERM, _interrupt)
    job = Job(
        inputs=tuple(inputs),
        out=out,
        policy=read_policy(policy),
        reference_date=day(reference_date) or date.today(),
        known=tuple(known or ()),
        patient_key=patient_key,
        read=ReadOptions(delimiter, text_column, id_column),
        strict_columns=strict_columns,
        diff=diff,
    )
    if dry_run:
        return _tell_plan(job, as_json)
    finder = load_finder(job.reference_date)
    with _codes(crosswalk, key_file) as (allocate, account):
        release = scrub(
            job,
            finder,
            allocate=allocate,
            crosswalk=account,
            engine=describe(finder),
            progress=_progress(quiet or no_progress),
        )
    if as_json:
        print(json.dumps(release.manifest, indent=2))
    if not quiet:
        _tell(release)
    return release.exit_code
