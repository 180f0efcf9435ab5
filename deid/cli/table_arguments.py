"""Arguments of the commands that measure a table, alone or against a population."""

from __future__ import annotations

from typing import Annotated

import typer

Table = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="CSV, TSV, Parquet, a folder of Parquet, DATABASE::TABLE, or - (stdin).",
    ),
]
NamedPopulation = Annotated[
    str | None,
    typer.Option(metavar="NAME-or-CSV", help="A name from `deid population list`, or a file."),
]
PopulationColumns = Annotated[
    str | None,
    typer.Option(metavar="MINE=THEIRS,…", help="Map table columns to population columns."),
]
PopulationWhere = Annotated[
    str | None,
    typer.Option(metavar="COL=V|V", help="Use only this part of the population, e.g. state=DE."),
]
PopulationCount = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help='Column of counts in a population file, or "none" if each row is a person.',
    ),
]
ReferenceYear = Annotated[
    int | None,
    typer.Option(metavar="Y", help="Year in which ages are computed (default: the population's)."),
]
PersonColumn = Annotated[
    str | None,
    typer.Option(metavar="C", help="Count persons, identified by this column, instead of rows."),
]
Delimiter = Annotated[str | None, typer.Option(metavar="C", help="Delimiter (default: detected).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
