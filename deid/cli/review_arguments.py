"""What `deid review` may be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of `deid review`, as they were given."""

    out: Annotated[Path, typer.Argument(metavar="OUT", help="What `deid scrub -o OUT` wrote.")]
    originals: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="The inputs of the job; read where they lie."),
    ] = None
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free one.")] = 0
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link only.")] = False
    plan: Annotated[
        bool, typer.Option("--plan", help="Draw the sample, print the plan, open no page.")
    ] = False
    export: Annotated[
        Path | None, typer.Option(metavar="F", help="A new folder: JSON, CSV, brat; then no page.")
    ] = None
    learn: Annotated[
        Path | None,
        typer.Option(metavar="F", help="A new folder: lists and notes for the next run. Values!"),
    ] = None
    reviewer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Each gets a link of their own; default: you."),
    ] = None
    adjudicator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Decides where two reviewers differ.")
    ] = None
    share: Annotated[bool, typer.Option("--share", help="The scrubbed side alone, to project.")] = (
        False
    )
    rate: Annotated[
        float, typer.Option(metavar="R", help="The share of leaking notes to exclude.")
    ] = 0.01
    confidence: Annotated[float, typer.Option(metavar="C")] = 0.95
    leaks: Annotated[int, typer.Option(metavar="N", help="Leaks the plan allows for.")] = 0
    stratify: Annotated[
        str, typer.Option(metavar="COL", help="`folder`, `file` or a column of the release.")
    ] = ""
    stratum_minimum: Annotated[
        int, typer.Option(metavar="N", help="Notes of every stratum; 59 bound it alone by 5 %.")
    ] = 0
    per_patient: Annotated[
        int, typer.Option(metavar="N", help="Notes of a patient; 0: whose they are counts not.")
    ] = 1
    correlation: Annotated[
        float, typer.Option(metavar="ICC", help="How alike the notes of a patient leak.")
    ] = 1.0
    patient_column: Annotated[
        str, typer.Option(metavar="COL", help="A column of the release that tells patients apart.")
    ] = ""
    known: Annotated[
        list[Path] | None, typer.Option(metavar="TABLE", help="Says who the patients are.")
    ] = None
    patient_key: Annotated[str | None, typer.Option(metavar="COL")] = None
    two_stage: Annotated[bool, typer.Option("--two-stage", help="Stop early at no leak.")] = False
    seeded_leaks: Annotated[
        int, typer.Option(metavar="N", help="Planted, to measure the reviewer.")
    ] = 0
    sensitivity: Annotated[
        float, typer.Option(metavar="S", help="What share of leaks a reviewer is taken to find.")
    ] = 1.0
    seed: Annotated[
        str | None, typer.Option(metavar="S", help="The same seed draws the same sample.")
    ] = None
    key_file: Annotated[
        Path | None, typer.Option(metavar="F", help="Seals the comments of reviewers.")
    ] = None
    delimiter: Annotated[str | None, typer.Option(metavar="C", help="Of CSV.")] = None
    bind: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1"
    remote: Annotated[
        bool, typer.Option("--remote", help="Serve other machines; needs a certificate.")
    ] = False
    host_name: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None
    certificate: Annotated[Path | None, typer.Option(metavar="PEM")] = None
    certificate_key: Annotated[Path | None, typer.Option(metavar="PEM")] = None
    idle_minutes: Annotated[float, typer.Option(metavar="M", help="Then the page locks.")] = 10.0
    as_json: Annotated[bool, typer.Option("--json", help="The plan or figures as JSON.")] = False
