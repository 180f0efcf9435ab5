"""Arguments that several commands read the same way."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from deid.errors import DeidError

Known = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="TABLE",
        help="A table whose rows say who the patients are, or a YAML of roles.",
    ),
]
PatientKey = Annotated[
    str | None, typer.Option(metavar="COL", help="The column that holds the patient's key.")
]
TextColumn = Annotated[
    str | None, typer.Option(metavar="C", help="The column that holds the notes.")
]
IdColumn = Annotated[
    str | None, typer.Option(metavar="C", help="The column that holds a record's id.")
]
ReferenceDate = Annotated[str | None, typer.Option(metavar="D", help="YYYY-MM-DD; default: today.")]
Fast = Annotated[
    bool,
    typer.Option("--fast", help="The smaller network reads: over twice as fast, misses more."),
]


# 45 CFR 164.514 was published on this day.
EARLIEST = date(2000, 12, 28)


def day(text: str | None) -> date | None:
    """A date written YYYY-MM-DD, None for none.

    Raises:
        DeidError: `date-invalid`, `date-too-early`.
    """
    if text is None:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise DeidError(
            "date-invalid", "--reference-date is not a date", hint="write it YYYY-MM-DD"
        ) from None
    if found < EARLIEST:
        raise DeidError(
            "date-too-early",
            "--reference-date lies before the rule was made, and ages would be reckoned too low",
            hint="it is the day of the release, not of the records",
        )
    return found
