"""`deid reproduce TABLE`: a table of a paper, as published and as computed."""

from __future__ import annotations

import json
from dataclasses import asdict

from deid.cli.option_groups import command, command_app
from risk import PAPER_TABLES, ReproducedFigure, Reproduction, reproduce

app = command_app()


@command(app)
def run(table: str | None = None, as_json: bool = False) -> None:
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
