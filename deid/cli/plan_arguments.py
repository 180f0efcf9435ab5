"""What `deid plan` may be told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Quasi = Annotated[str | None, typer.Option(metavar="A,B", help="The quasi-identifiers.")]
Hierarchies = Annotated[
    Path | None, typer.Option(metavar="DIR", help="ARX hierarchies, a file COLUMN.csv each.")
]
Hierarchy = Annotated[
    str | None,
    typer.Option(
        metavar="COL=KIND,…",
        help="Built in: age, date, zip, state, icd10cm, number, quantile, flat; else guessed.",
    ),
]
K = Annotated[
    int | None, typer.Option("--k", metavar="K", help="Smallest class: maximum risk 1/K.")
]
MaxSuppression = Annotated[
    float, typer.Option(metavar="S", help="Largest share of records left out.")
]
Loss = Annotated[
    str,
    typer.Option(
        metavar="L",
        help="granularity, non_uniform_entropy, precision, discernibility, average_class_size.",
    ),
]
Method = Annotated[
    str,
    typer.Option(metavar="M", help="full-domain, local, mondrian, cells, cells-wildcard, columns."),
]
Average = Annotated[float | None, typer.Option(metavar="A", help="Largest average risk.")]
StrictAverage = Annotated[
    float | None, typer.Option(metavar="A", help="The same, and no class below three.")
]
AtRisk = Annotated[
    float | None, typer.Option(metavar="A", help="Share of records in classes below --k.")
]
KMap = Annotated[
    int | None, typer.Option(metavar="K", help="People of --population behind each record.")
]
LDiversity = Annotated[
    float | None, typer.Option(metavar="L", help="Of --sensitive, in each class.")
]
Diversity = Annotated[str, typer.Option(metavar="KIND", help="distinct, entropy or recursive.")]
Sensitive = Annotated[
    str | None, typer.Option(metavar="C", help="The column that must not be given away.")
]
NoWorseThan = Annotated[
    str | None,
    typer.Option(metavar="POLICY", help="safe_harbor: every policy that is no riskier."),
]
RiskModel = Annotated[
    str | None,
    typer.Option(
        metavar="M",
        help="Least loss no riskier than Safe Harbor: total, graduated-10, non-graduated-10.",
    ),
]
Context = Annotated[
    Path | None,
    typer.Option(
        metavar="F",
        help="Answers to `deid exposure --show questionnaire` set the limit.",
    ),
]
Alternative = Annotated[
    list[str] | None,
    typer.Option(metavar="COL=DETAIL,…", help="One more policy to judge (repeatable)."),
]
Weights = Annotated[
    str | None, typer.Option(metavar="COL=W,…", help="How much a column's detail counts.")
]
Levels = Annotated[
    str | None, typer.Option(metavar="COL=LOW-HIGH,…", help="Levels a column may take.")
]
Intervals = Annotated[
    str | None, typer.Option(metavar="C,D", help="Dates told as days since the person's first.")
]
SetColumn = Annotated[
    str | None, typer.Option(metavar="C", help="Sets of codes, protected under k^m.")
]
SetSeparator = Annotated[str, typer.Option(metavar="S", help="Between the codes of a cell.")]
KnownEvents = Annotated[
    int, typer.Option(metavar="M", help="Codes of a person that an adversary knows.")
]
SamplingFraction = Annotated[
    float | None, typer.Option(metavar="f", help="Release a random share of the records.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Of the sample.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="S", min=0, help="Seconds; then the best so far and its gap."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="OUT", help="A .csv or .tsv file, a new folder, or -."),
]
Keep = Annotated[
    str | None, typer.Option(metavar="C,D", help="Further columns to write, as they are.")
]
Apply = Annotated[
    Path | None, typer.Option(metavar="PLAN", help="Repeat a saved plan on this table.")
]
Earlier = Annotated[
    list[Path] | None,
    typer.Option(metavar="TABLE", help="An earlier release to compare with (repeatable)."),
]
Changes = Annotated[
    Path | None, typer.Option(metavar="F", help="List every changed cell; no values.")
]
Frontier = Annotated[
    Path | None, typer.Option(metavar="F", help="Draw every generalisation (HTML).")
]
Chart = Annotated[Path | None, typer.Option(metavar="F", help="Draw the alternatives (HTML).")]
MissingLines = Annotated[
    Path | None,
    typer.Option(metavar="F", help="Write lines a hierarchy lacks. Holds values of the table."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")]
