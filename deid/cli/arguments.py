"""Options that several commands share."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from deid.errors import DeidError

KnownTables = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="TABLE",
        help="A table with the known values of each patient, or a YAML file of roles. Repeat for "
        "more.",
    ),
]
PatientKey = Annotated[
    str | None, typer.Option(metavar="COL", help="The column with the patient key.")
]
PolicySettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one setting of the policy, e.g. transforms.mrns=code. Repeat for more.",
    ),
]
TextColumn = Annotated[str | None, typer.Option(metavar="C", help="The column with the notes.")]
IdColumn = Annotated[str | None, typer.Option(metavar="C", help="The column with the record ID.")]
ReferenceDate = Annotated[
    str | None,
    typer.Option(
        metavar="D", help="The day for which ages are computed, YYYY-MM-DD (default: today)."
    ),
]
CsvDelimiter = Annotated[
    str | None, typer.Option(metavar="C", help="The delimiter of CSV (default: detected).")
]
LayoutFile = Annotated[
    Path | None,
    typer.Option(
        metavar="LAYOUT",
        help="The layout of fixed-width files: a CSV or YAML table of name, start, width.",
    ),
]
Certificate = Annotated[Path | None, typer.Option(metavar="PEM", help="The TLS certificate.")]
CertificateKey = Annotated[
    Path | None, typer.Option(metavar="PEM", help="The key of the certificate.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors on stderr.")]
Fast = Annotated[
    bool,
    typer.Option("--fast", help="Use the smaller model: over twice as fast, but it misses more."),
]
AcceptanceThreshold = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        min=0.01,
        max=0.99,
        help="The lowest score that counts as a finding. A lower value finds more and keeps less "
        "text.",
    ),
]

Recognizers = Annotated[
    Path | None,
    typer.Option(
        metavar="F.yaml",
        help="Your own recognizers: a table of rows, or a Presidio registry.",
    ),
]


# The day on which 45 CFR 164.514 was published.
EARLIEST_REFERENCE_DATE = date(2000, 12, 28)


def day(text: str | None) -> date | None:
    """The date in a text of the form YYYY-MM-DD; None for None.

    Raises:
        DeidError: `date-invalid`, `date-too-early`.
    """
    if text is None:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise DeidError(
            "date-invalid", "--reference-date is not a date", hint="write it as YYYY-MM-DD"
        ) from None
    if found < EARLIEST_REFERENCE_DATE:
        raise DeidError(
            "date-too-early",
            "--reference-date is before the rule was published, so ages would be too low",
            hint="give the day of the release, not that of the records",
        )
    return found
