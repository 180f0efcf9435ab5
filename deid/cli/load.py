"""`deid load OUT --to TARGET`: load a finished release into a database, a file or a folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from deid.api import load
from deid.cli.load_told import columns_named, tell_loaded
from deid.cli.option_groups import command, command_app

app = command_app()


@command(app)
def run(out: Path, to: str, partition_by: str | None = None, as_json: bool = False) -> int:
    """Load all tables of a release in one step, or none of them.

    The release must be whole and unchanged since its job wrote it. A target that already holds it
    stays unchanged, so an interrupted or killed load can be repeated.
    """
    loaded = load(out, to, partition_by=columns_named(partition_by))
    if as_json:
        print(json.dumps(asdict(loaded)))
    tell_loaded(loaded)
    return 0
