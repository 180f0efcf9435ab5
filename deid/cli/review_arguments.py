"""The options of `deid review`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.arguments import Certificate, CertificateKey, CsvDelimiter


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of `deid review`, as given."""

    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The release that `deid scrub -o OUT` wrote.")
    ]
    originals: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="The inputs of the job. Repeat for more."),
    ] = None
    port: Annotated[
        int, typer.Option(metavar="N", help="The port of the page (0: any free port).")
    ] = 0
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link without opening a browser.")
    ] = False
    plan: Annotated[
        bool, typer.Option("--plan", help="Draw the sample and print the plan, without a page.")
    ] = False
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="F",
            help="Export the marks to this new folder (JSON, CSV, brat), without a page.",
        ),
    ] = None
    learn: Annotated[
        Path | None,
        typer.Option(
            metavar="F",
            help="Write lists and notes for the next run to this new folder. They hold values.",
        ),
    ] = None
    reviewer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="The name of a reviewer, who gets a link (default: you). Repeat for more.",
        ),
    ] = None
    adjudicator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who decides where two reviewers differ.")
    ] = None
    share: Annotated[
        bool, typer.Option("--share", help="Show only the scrubbed side, to project it.")
    ] = False
    rate: Annotated[float, typer.Option(metavar="R", help="The leak rate to exclude.")] = 0.01
    confidence: Annotated[float, typer.Option(metavar="C", help="The confidence of the bound.")] = (
        0.95
    )
    leaks: Annotated[
        int, typer.Option(metavar="N", help="The number of leaks that the plan allows for.")
    ] = 0
    stratify: Annotated[
        str,
        typer.Option(
            metavar="COL", help="Stratify by `folder`, `file` or a column of the release."
        ),
    ] = ""
    stratum_minimum: Annotated[
        int,
        typer.Option(metavar="N", help="Minimum notes per stratum (59 bound a stratum at 5 %)."),
    ] = 0
    per_patient: Annotated[
        int, typer.Option(metavar="N", help="Notes sampled per patient (0: ignore patients).")
    ] = 1
    correlation: Annotated[
        float,
        typer.Option(
            metavar="ICC", help="How strongly leaks correlate among the notes of a patient."
        ),
    ] = 1.0
    patient_column: Annotated[
        str, typer.Option(metavar="COL", help="The column of the release with the patient key.")
    ] = ""
    known: Annotated[
        list[Path] | None,
        typer.Option(metavar="TABLE", help="A table of known values by patient. Repeat for more."),
    ] = None
    patient_key: Annotated[
        str | None, typer.Option(metavar="COL", help="The column of --known with the patient key.")
    ] = None
    two_stage: Annotated[
        bool, typer.Option("--two-stage", help="Stop early if the first stage finds no leak.")
    ] = False
    seeded_leaks: Annotated[
        int, typer.Option(metavar="N", help="Number of leaks to plant, to measure the reviewers.")
    ] = 0
    sensitivity: Annotated[
        float,
        typer.Option(metavar="S", help="The share of leaks that a reviewer is assumed to find."),
    ] = 1.0
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="S", help="The seed of the sample. The same seed draws the same sample."
        ),
    ] = None
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="F", help="The key file that encrypts the reviewers' comments."),
    ] = None
    delimiter: CsvDelimiter = None
    bind: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = (
        "127.0.0.1"
    )
    remote: Annotated[
        bool, typer.Option("--remote", help="Serve other machines. Needs a certificate.")
    ] = False
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name under which browsers reach the page. Repeat for more."
        ),
    ] = None
    certificate: Certificate = None
    certificate_key: CertificateKey = None
    idle_minutes: Annotated[
        float, typer.Option(metavar="M", help="Minutes without activity until the page locks.")
    ] = 10.0
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the plan or the figures as JSON.")
    ] = False
