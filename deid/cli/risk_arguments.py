"""The options of `deid risk`."""

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
    PopulationCount,
    PopulationWhere,
    ReferenceYear,
)


@dataclass(frozen=True, kw_only=True)
class RiskOptions:
    """The options of `deid risk` as given on the command line."""

    quasi: Annotated[str, typer.Option(metavar="A,B", help="The quasi-identifiers.")]
    cell_size: Annotated[
        int | None, typer.Option(metavar="K", help="Smallest class size not at risk (default 11).")
    ] = None
    tau: Annotated[
        str | None,
        typer.Option(metavar="T", help="Risk threshold as a probability; 0.33 means 1/3."),
    ] = None
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Largest share of records that may be at risk.")
    ] = 0.0
    lambda_: Annotated[
        str | None,
        typer.Option(
            "--lambda", metavar="L", help="Limit of the average risk (default: the threshold)."
        ),
    ] = None
    decide_on: Annotated[
        str, typer.Option(metavar="M", help="Metric of the decisions: prosecutor or journalist.")
    ] = "prosecutor"
    population: NamedPopulation = None
    population_columns: PopulationColumns = None
    population_where: PopulationWhere = None
    population_count: PopulationCount = None
    reference_year: ReferenceYear = None
    scaling: Annotated[float, typer.Option(metavar="a", help="Exponent a of Risk(r) = 1/g^a.")] = (
        1.0
    )
    group_thresholds: Annotated[
        str, typer.Option(metavar="T,…", help="Sizes of population groups to report.")
    ] = "1,10,20000"
    sampling_fraction: Annotated[
        float | None,
        typer.Option(metavar="f", help="Sampling fraction; estimates population uniques."),
    ] = None
    person_column: PersonColumn = None
    known_events: Annotated[
        int | None,
        typer.Option(metavar="P", help="Rows of a person that an attacker knows (default: all)."),
    ] = None
    count_column: Annotated[
        str | None, typer.Option(metavar="C", help="Column with the number of records per row.")
    ] = None
    sensitive: Annotated[
        str | None, typer.Option(metavar="C,D", help="Columns to measure for attribute disclosure.")
    ] = None
    household_column: Annotated[
        str | None, typer.Option(metavar="C", help="Column that names the household of a record.")
    ] = None
    subsets: Annotated[
        int | None,
        typer.Option(metavar="M", help="Measure every subset of up to M quasi-identifiers."),
    ] = None
    delimiter: Delimiter = None
    engine: Annotated[
        str, typer.Option(metavar="E", help="Who counts the classes: local or spark.")
    ] = "local"
    html: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Write the expert-determination report as HTML."),
    ] = None
    pdf: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Write the report as PDF, using a browser on this machine."),
    ] = None
    context: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="Completed questionnaire (`deid exposure --show questionnaire`)."
        ),
    ] = None
    recipient: Annotated[
        str | None, typer.Option(metavar="WHO", help="Recipient of the data, for the report.")
    ] = None
    purpose: Annotated[
        str | None, typer.Option(metavar="WHY", help="Purpose of the release, for the report.")
    ] = None
    expires: Annotated[
        str | None, typer.Option(metavar="DAY", help="Last day of the determination, YYYY-MM-DD.")
    ] = None
    variables: Annotated[
        Path | None,
        typer.Option(metavar="F", help="CSV that judges each column, for the report (see guide)."),
    ] = None
    fail_over: Annotated[
        bool, typer.Option("--fail-over", help="Exit 3 if a decision is HIGH.")
    ] = False
    as_json: AsJson = False
