"""The options of `deid plan`."""

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
class PlanOptions:
    """The options of `deid plan` as given on the command line."""

    quasi: Annotated[str | None, typer.Option(metavar="A,B", help="The quasi-identifiers.")] = None
    hierarchies: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of ARX hierarchies, one COLUMN.csv each."),
    ] = None
    hierarchy: Annotated[
        str | None,
        typer.Option(
            metavar="COL=KIND,…",
            help="Built-in hierarchy: age, date, zip, state, icd10cm, number, quantile, flat.",
        ),
    ] = None
    k: Annotated[
        int | None, typer.Option("--k", metavar="K", help="Smallest class size (maximum risk 1/K).")
    ] = None
    max_suppression: Annotated[
        float, typer.Option(metavar="S", help="Largest share of records to suppress.")
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
        float | None, typer.Option(metavar="A", help="Largest average risk, no class below 3.")
    ] = None
    at_risk: Annotated[
        float | None,
        typer.Option(metavar="A", help="Largest share of records in classes below --k."),
    ] = None
    k_map: Annotated[
        int | None,
        typer.Option(metavar="K", help="Fewest people of --population that match a record."),
    ] = None
    l_diversity: Annotated[
        float | None,
        typer.Option(metavar="L", help="Smallest l-diversity of --sensitive in a class."),
    ] = None
    diversity: Annotated[
        str,
        typer.Option(metavar="KIND", help="Kind of l-diversity: distinct, entropy or recursive."),
    ] = "distinct"
    t_closeness: Annotated[
        float | None,
        typer.Option(metavar="T", help="Largest distance of --sensitive in a class from all."),
    ] = None
    distance: Annotated[
        str, typer.Option(metavar="D", help="Distance of --t-closeness: equal or ordered.")
    ] = "equal"
    sensitive: Annotated[
        str | None,
        typer.Option(metavar="C", help="Sensitive column, for --l-diversity and --t-closeness."),
    ] = None
    presence: Annotated[
        float | None,
        typer.Option(metavar="P", help="Largest chance that a person of --population is in."),
    ] = None
    population_uniques: Annotated[
        float | None,
        typer.Option(metavar="A", help="Largest share of the population estimated as unique."),
    ] = None
    sampled: Annotated[
        float | None,
        typer.Option(metavar="f", help="The table is this share of its population."),
    ] = None
    uniques_by: Annotated[
        str, typer.Option(metavar="E", help="Estimator: dankar, pitman, zayatz or snb.")
    ] = "dankar"
    differential_privacy: Annotated[
        str | None,
        typer.Option(metavar="EPS,DELTA", help="Sample and suppress; needs fixed --levels."),
    ] = None
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL=METHOD(N)",
            help="Perturb another column: microaggregate, noise, pram, top_bottom, rank_swap.",
        ),
    ] = None
    population: NamedPopulation = None
    population_columns: PopulationColumns = None
    population_where: PopulationWhere = None
    population_count: PopulationCount = None
    reference_year: ReferenceYear = None
    no_worse_than: Annotated[
        str | None,
        typer.Option(metavar="POLICY", help="List every policy no riskier than safe_harbor."),
    ] = None
    risk_model: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="No riskier than Safe Harbor by: total, graduated-10, non-graduated-10.",
        ),
    ] = None
    context: Annotated[
        Path | None,
        typer.Option(
            metavar="F",
            help="Limit from a completed questionnaire (`deid exposure --show questionnaire`).",
        ),
    ] = None
    alternative: Annotated[
        list[str] | None,
        typer.Option(metavar="COL=DETAIL,…", help="Another policy to compare (repeatable)."),
    ] = None
    weights: Annotated[
        str | None, typer.Option(metavar="COL=W,…", help="Weight of a column's loss.")
    ] = None
    levels: Annotated[
        str | None,
        typer.Option(metavar="COL=LOW-HIGH,…", help="Range of levels a column may take."),
    ] = None
    person_column: PersonColumn = None
    intervals: Annotated[
        str | None,
        typer.Option(metavar="C,D", help="Replace dates by days since the person's first."),
    ] = None
    set_column: Annotated[
        str | None,
        typer.Option(metavar="C", help="Column of code sets to protect by k^m-anonymity."),
    ] = None
    set_separator: Annotated[
        str, typer.Option(metavar="S", help="Separator of the codes in a cell.")
    ] = "|"
    known_events: Annotated[
        int, typer.Option(metavar="M", help="Codes of a person that an attacker knows (m).")
    ] = 2
    linked: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="Another table of the extract (repeatable)."),
    ] = None
    link: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Column that links the tables of the extract."),
    ] = None
    sampling_fraction: Annotated[
        float | None,
        typer.Option(metavar="f", help="Release a random sample of this share of the records."),
    ] = None
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the sample.")] = 0
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", min=0, help="Stop after S seconds with the best plan so far."),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help="Write the table: a .csv or .tsv file, a new folder, or -.",
        ),
    ] = None
    keep: Annotated[
        str | None, typer.Option(metavar="C,D", help="Write these other columns unchanged.")
    ] = None
    apply: Annotated[
        Path | None, typer.Option(metavar="PLAN", help="Repeat a saved plan on this table.")
    ] = None
    earlier: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE", help="Earlier release to compare with (repeatable)."),
    ] = None
    other_persons: Annotated[
        bool,
        typer.Option("--other-persons", help="No person is in this release and an earlier one."),
    ] = False
    changes: Annotated[
        Path | None, typer.Option(metavar="F", help="List every changed cell, without values.")
    ] = None
    frontier: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Draw risk and loss of every generalization (HTML)."),
    ] = None
    chart: Annotated[
        Path | None, typer.Option(metavar="F", help="Draw the policies of --no-worse-than (HTML).")
    ] = None
    missing_lines: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="Write the lines that hierarchies lack (contains table values)."
        ),
    ] = None
    delimiter: Delimiter = None
    as_json: AsJson = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors on stderr.")] = (
        False
    )
