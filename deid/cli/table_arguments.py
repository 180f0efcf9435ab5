"""Arguments of the commands that weigh a table, alone or against a population."""

from __future__ import annotations

from typing import Annotated

import typer

Table = Annotated[str, typer.Argument(metavar="TABLE", help="CSV, TSV, Parquet or - (stdin).")]
NamedPopulation = Annotated[
    str | None, typer.Option(metavar="NAME-or-CSV", help="`deid population list`, or a file.")
]
PopulationColumns = Annotated[
    str | None, typer.Option(metavar="MINE=THEIRS,…", help="Which column meets which.")
]
PopulationWhere = Annotated[
    str | None, typer.Option(metavar="COL=V|V", help="Part of the population, e.g. state=DE.")
]
ReferenceYear = Annotated[
    int | None, typer.Option(metavar="Y", help="Year ages are reckoned in; else the vintage.")
]
PersonColumn = Annotated[
    str | None, typer.Option(metavar="C", help="Persons, not rows, are counted.")
]
Delimiter = Annotated[str | None, typer.Option(metavar="C", help="Sniffed otherwise.")]
AsJson = Annotated[bool, typer.Option("--json", help="The result as one JSON object.")]
