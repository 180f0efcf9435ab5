"""`deid load OUT --to TARGET`: load a finished release into a database, a file or a folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from deid.api import load
from deid.cli.load_told import columns_named, tell_loaded
from deid.cli.table_arguments import AsJson

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder of a finished release.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="TARGET",
            help="URL?schema=NAME of a database, FILE.duckdb, or a folder for Parquet. It must be "
            "empty, or not exist.",
        ),
    ],
    partition_by: Annotated[
        str | None,
        typer.Option(metavar="COL,COL", help="Partition the folder by these released columns."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Load all tables of a release in one step, or none of them.

    The release must be whole and unchanged since its job wrote it. A target that already holds it
    stays unchanged, so an interrupted or killed load can be repeated.
    """
    loaded = load(out, to, partition_by=columns_named(partition_by))
    if as_json:
        print(json.dumps(asdict(loaded)))
    tell_loaded(loaded)
    return 0
