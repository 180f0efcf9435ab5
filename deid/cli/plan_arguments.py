"""What `deid plan` may be told."""

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
class PlanOptions:
    """The options of `deid plan`, as they were given."""

    quasi: Annotated[str | None, typer.Option(metavar="A,B", help="The quasi-identifiers.")] = None
    hierarchies: Annotated[
        Path | None, typer.Option(metavar="DIR", help="ARX hierarchies, a file COLUMN.csv each.")
    ] = None
    hierarchy: Annotated[
        str | None,
        typer.Option(
            metavar="COL=KIND,…",
            help="Built in: age, date, zip, state, icd10cm, number, quantile, flat; else guessed.",
        ),
    ] = None
    k: Annotated[
        int | None, typer.Option("--k", metavar="K", help="Smallest class: maximum risk 1/K.")
    ] = None
    max_suppression: Annotated[
        float, typer.Option(metavar="S", help="Largest share of records left out.")
    ] = 0.0
    loss: Annotated[
        str,
        typer.Option(
            metavar="L",
            help="granularity, non_uniform_entropy, precision, discernibility, average_class_size.",
        ),
    ] = "granularity"
    method: Annotated[
        str,
        typer.Option(
            metavar="M", help="full-domain, local, mondrian, cells, cells-wildcard, columns."
        ),
    ] = "full-domain"
    average: Annotated[float | None, typer.Option(metavar="A", help="Largest average risk.")] = None
    strict_average: Annotated[
        float | None, typer.Option(metavar="A", help="The same, and no class below three.")
    ] = None
    at_risk: Annotated[
        float | None, typer.Option(metavar="A", help="Share of records in classes below --k.")
    ] = None
    k_map: Annotated[
        int | None, typer.Option(metavar="K", help="People of --population behind each record.")
    ] = None
    l_diversity: Annotated[
        float | None, typer.Option(metavar="L", help="Of --sensitive, in each class.")
    ] = None
    diversity: Annotated[
        str, typer.Option(metavar="KIND", help="distinct, entropy or recursive.")
    ] = "distinct"
    sensitive: Annotated[
        str | None, typer.Option(metavar="C", help="The column that must not be given away.")
    ] = None
    population: NamedPopulation = None
    population_columns: PopulationColumns = None
    population_where: PopulationWhere = None
    reference_year: ReferenceYear = None
    no_worse_than: Annotated[
        str | None,
        typer.Option(metavar="POLICY", help="safe_harbor: every policy that is no riskier."),
    ] = None
    risk_model: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="Least loss no riskier than Safe Harbor: total, graduated-10, non-graduated-10.",
        ),
    ] = None
    context: Annotated[
        Path | None,
        typer.Option(
            metavar="F",
            help="Answers to `deid exposure --show questionnaire` set the limit.",
        ),
    ] = None
    alternative: Annotated[
        list[str] | None,
        typer.Option(metavar="COL=DETAIL,…", help="One more policy to judge (repeatable)."),
    ] = None
    weights: Annotated[
        str | None, typer.Option(metavar="COL=W,…", help="How much a column's detail counts.")
    ] = None
    levels: Annotated[
        str | None, typer.Option(metavar="COL=LOW-HIGH,…", help="Levels a column may take.")
    ] = None
    person_column: PersonColumn = None
    intervals: Annotated[
        str | None, typer.Option(metavar="C,D", help="Dates told as days since the person's first.")
    ] = None
    set_column: Annotated[
        str | None, typer.Option(metavar="C", help="Sets of codes, protected under k^m.")
    ] = None
    set_separator: Annotated[
        str, typer.Option(metavar="S", help="Between the codes of a cell.")
    ] = "|"
    known_events: Annotated[
        int, typer.Option(metavar="M", help="Codes of a person that an adversary knows.")
    ] = 2
    sampling_fraction: Annotated[
        float | None, typer.Option(metavar="f", help="Release a random share of the records.")
    ] = None
    seed: Annotated[int, typer.Option(metavar="N", help="Of the sample.")] = 0
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", min=0, help="Seconds; then the best so far and its gap."),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT", help="A .csv or .tsv file, a new folder, or -."),
    ] = None
    keep: Annotated[
        str | None, typer.Option(metavar="C,D", help="Further columns to write, as they are.")
    ] = None
    apply: Annotated[
        Path | None, typer.Option(metavar="PLAN", help="Repeat a saved plan on this table.")
    ] = None
    earlier: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE", help="An earlier release to compare with (repeatable)."),
    ] = None
    changes: Annotated[
        Path | None, typer.Option(metavar="F", help="List every changed cell; no values.")
    ] = None
    frontier: Annotated[
        Path | None, typer.Option(metavar="F", help="Draw every generalisation (HTML).")
    ] = None
    chart: Annotated[
        Path | None, typer.Option(metavar="F", help="Draw the alternatives (HTML).")
    ] = None
    missing_lines: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Write lines a hierarchy lacks. Holds values of the table."),
    ] = None
    delimiter: Delimiter = None
    as_json: AsJson = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False
