"""What `deid risk` may be told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Quasi = Annotated[str, typer.Option(metavar="A,B", help="The quasi-identifiers.")]
CellSize = Annotated[
    int | None, typer.Option(metavar="K", help="Smallest class not at risk (default 11).")
]
Tau = Annotated[
    str | None, typer.Option(metavar="T", help="The same as a probability: 0.33 is one third.")
]
Alpha = Annotated[float, typer.Option(metavar="A", help="Share of records that may be at risk.")]
Lambda = Annotated[
    str | None, typer.Option("--lambda", metavar="L", help="Limit of the average risk.")
]
DecideOn = Annotated[str, typer.Option(metavar="M", help="Risk the decisions are taken on.")]
Scaling = Annotated[float, typer.Option(metavar="a", help="Risk(r) = 1/g^a.")]
GroupThresholds = Annotated[str, typer.Option(metavar="T,…")]
SamplingFraction = Annotated[
    float | None, typer.Option(metavar="f", help="The table is this share of its population.")
]
KnownEvents = Annotated[
    int | None, typer.Option(metavar="P", help="Rows of a person an adversary knows; else all.")
]
CountColumn = Annotated[
    str | None, typer.Option(metavar="C", help="How many records each row stands for.")
]
Sensitive = Annotated[
    str | None, typer.Option(metavar="C,D", help="Columns whose value must not be given away.")
]
Html = Annotated[
    Path | None, typer.Option(metavar="F", help="Write the expert-determination report here.")
]
Pdf = Annotated[
    Path | None, typer.Option(metavar="F", help="The same as PDF, by a browser found here.")
]
Context = Annotated[
    Path | None,
    typer.Option(metavar="F", help="`deid exposure --show questionnaire`, filled in."),
]
FailOver = Annotated[bool, typer.Option("--fail-over", help="Exit 3 if a decision is HIGH.")]
