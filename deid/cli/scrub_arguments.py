"""The arguments of `deid scrub` that no other command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Inputs = Annotated[
    list[Path], typer.Argument(metavar="INPUT", help="Files, folders, or - for stdin.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="OUT", help="A new folder for the release; needed but to --dry-run."
    ),
]
Policy = Annotated[
    str,
    typer.Option(metavar="NAME-or-YAML", help="A shipped policy (`deid policy list`) or a file."),
]
Crosswalk = Annotated[
    str | None, typer.Option(metavar="PATH-or-URL", help="The code book for codes.")
]
KeyFile = Annotated[
    Path | None, typer.Option(metavar="F", help="The key of the crosswalk, mode 0600.")
]
ReferenceDate = Annotated[
    str | None,
    typer.Option(metavar="D", help="The day ages are reckoned on, YYYY-MM-DD; default: today."),
]
GroupBy = Annotated[
    str | None, typer.Option(metavar="C", help="Notes stored as rows of lines: their key.")
]
OrderBy = Annotated[
    str | None, typer.Option(metavar="C", help="The column that numbers the lines of a note.")
]
Delimiter = Annotated[str | None, typer.Option(metavar="C", help="Of CSV; sniffed otherwise.")]
StrictColumns = Annotated[
    bool, typer.Option("--strict-columns", help="No column leaves that is not named.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Words in no clinical or common list go, too.")
]
Learned = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Lists that `deid review --learn DIR` wrote."),
]
Diff = Annotated[
    Path | None,
    typer.Option(metavar="F", help="A side-by-side page for the reviewer. It holds originals."),
]
Engine = Annotated[str, typer.Option(metavar="local|spark", help="Where the work is done.")]
Workers = Annotated[
    int, typer.Option(min=1, metavar="N", help="Processes; the output is the same.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with a job that was interrupted or killed.")
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what would happen to every column; write nothing."),
]
AsJson = Annotated[bool, typer.Option("--json", help="The manifest on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="No progress on a terminal.")]
