"""What `deid risk` may be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.table_arguments import (
    AsJson,
    Delimiter,
    NamedPopulation,
    PersonColumn,
    PopulationColumns,
    PopulationWhere,
    ReferenceYear,
)


@dataclass(frozen=True, kw_only=True)
class RiskOptions:
    """The options of `deid risk`, as they were given."""

    quasi: Annotated[str, typer.Option(metavar="A,B", help="The quasi-identifiers.")]
    cell_size: Annotated[
        int | None, typer.Option(metavar="K", help="Smallest class not at risk (default 11).")
    ] = None
    tau: Annotated[
        str | None, typer.Option(metavar="T", help="The same as a probability: 0.33 is one third.")
    ] = None
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Share of records that may be at risk.")
    ] = 0.0
    lambda_: Annotated[
        str | None, typer.Option("--lambda", metavar="L", help="Limit of the average risk.")
    ] = None
    decide_on: Annotated[
        str, typer.Option(metavar="M", help="Risk the decisions are taken on.")
    ] = "prosecutor"
    population: NamedPopulation = None
    population_columns: PopulationColumns = None
    population_where: PopulationWhere = None
    reference_year: ReferenceYear = None
    scaling: Annotated[float, typer.Option(metavar="a", help="Risk(r) = 1/g^a.")] = 1.0
    group_thresholds: Annotated[str, typer.Option(metavar="T,…")] = "1,10,20000"
    sampling_fraction: Annotated[
        float | None, typer.Option(metavar="f", help="The table is this share of its population.")
    ] = None
    person_column: PersonColumn = None
    known_events: Annotated[
        int | None, typer.Option(metavar="P", help="Rows of a person an adversary knows; else all.")
    ] = None
    count_column: Annotated[
        str | None, typer.Option(metavar="C", help="How many records each row stands for.")
    ] = None
    sensitive: Annotated[
        str | None, typer.Option(metavar="C,D", help="Columns whose value must not be given away.")
    ] = None
    delimiter: Delimiter = None
    html: Annotated[
        Path | None, typer.Option(metavar="F", help="Write the expert-determination report here.")
    ] = None
    pdf: Annotated[
        Path | None, typer.Option(metavar="F", help="The same as PDF, by a browser found here.")
    ] = None
    context: Annotated[
        Path | None,
        typer.Option(metavar="F", help="`deid exposure --show questionnaire`, filled in."),
    ] = None
    fail_over: Annotated[
        bool, typer.Option("--fail-over", help="Exit 3 if a decision is HIGH.")
    ] = False
    as_json: AsJson = False
