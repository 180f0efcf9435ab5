"""The arguments of `deid review`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[Path, typer.Argument(metavar="OUT", help="What `deid scrub -o OUT` wrote.")]
Originals = Annotated[
    list[Path] | None,
    typer.Option(metavar="PATH", help="The inputs of the job; read where they lie."),
]
Port = Annotated[int, typer.Option(metavar="N", help="0 takes any free one.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the link only.")]
Plan = Annotated[
    bool, typer.Option("--plan", help="Draw the sample, print the plan, open no page.")
]
Export = Annotated[
    Path | None, typer.Option(metavar="F", help="A new folder: JSON, CSV, brat; then no page.")
]
Learn = Annotated[
    Path | None,
    typer.Option(metavar="F", help="A new folder: lists and notes for the next run. Values!"),
]
Reviewer = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Each gets a link of their own; default: you."),
]
Adjudicator = Annotated[
    str | None, typer.Option(metavar="NAME", help="Decides where two reviewers differ.")
]
Share = Annotated[bool, typer.Option("--share", help="The scrubbed side alone, to project.")]
Rate = Annotated[float, typer.Option(metavar="R", help="The share of leaking notes to exclude.")]
Confidence = Annotated[float, typer.Option(metavar="C")]
Leaks = Annotated[int, typer.Option(metavar="N", help="Leaks the plan allows for.")]
Stratify = Annotated[
    str, typer.Option(metavar="COL", help="`folder`, `file` or a column of the release.")
]
StratumMinimum = Annotated[
    int, typer.Option(metavar="N", help="Notes of every stratum; 59 bound it alone by 5 %.")
]
PerPatient = Annotated[
    int, typer.Option(metavar="N", help="Notes of a patient; 0: whose they are counts not.")
]
Correlation = Annotated[
    float, typer.Option(metavar="ICC", help="How alike the notes of a patient leak.")
]
PatientColumn = Annotated[
    str, typer.Option(metavar="COL", help="A column of the release that tells patients apart.")
]
Known = Annotated[
    list[Path] | None, typer.Option(metavar="TABLE", help="Says who the patients are.")
]
PatientKey = Annotated[str | None, typer.Option(metavar="COL")]
TwoStage = Annotated[bool, typer.Option("--two-stage", help="Stop early at no leak.")]
SeededLeaks = Annotated[int, typer.Option(metavar="N", help="Planted, to measure the reviewer.")]
Sensitivity = Annotated[
    float, typer.Option(metavar="S", help="What share of leaks a reviewer is taken to find.")
]
Seed = Annotated[str | None, typer.Option(metavar="S", help="The same seed draws the same sample.")]
KeyFile = Annotated[Path | None, typer.Option(metavar="F", help="Seals the comments of reviewers.")]
Delimiter = Annotated[str | None, typer.Option(metavar="C", help="Of CSV.")]
Bind = Annotated[str, typer.Option(metavar="ADDRESS")]
Remote = Annotated[
    bool, typer.Option("--remote", help="Serve other machines; needs a certificate.")
]
HostName = Annotated[list[str] | None, typer.Option(metavar="NAME")]
Certificate = Annotated[Path | None, typer.Option(metavar="PEM")]
CertificateKey = Annotated[Path | None, typer.Option(metavar="PEM")]
IdleMinutes = Annotated[float, typer.Option(metavar="M", help="Then the page locks.")]
AsJson = Annotated[bool, typer.Option("--json", help="The plan or figures as JSON.")]
