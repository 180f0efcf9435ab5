"""`deid reproduce TABLE`: a table of a paper, as published and as computed."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from deid.cli.table_arguments import AsJson
from risk import PAPER_TABLES, ReproducedFigure, Reproduction, reproduce

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", help="Name of a table (default: list all names)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute a table of a paper, offline, and print it beside the published figures."""
    if table is None:
        for name, (title, _) in PAPER_TABLES.items():
            print(f"{name}\t{title}")
        return
    found = reproduce(table)
    print(json.dumps(asdict(found), indent=2) if as_json else _reproduction_text(found))


def _reproduction_text(found: Reproduction) -> str:
    kind = "from the data of the paper" if found.exact else "from other data"
    lines = [f"{found.title} ({kind})", "row\tcolumn\tpublished\tcomputed"]
    lines += [f"{f.row}\t{f.column}\t{f.published}\t{_computed_text(f)}" for f in found.figures]
    return "\n".join([*lines, *([f"note: {found.note}"] if found.note else [])])


def _computed_text(figure: ReproducedFigure) -> str:
    if figure.reproduced is None:
        return "not possible with the tables at hand"
    return f"{figure.reproduced:.4g}{'*' if figure.starred else ''}"
