"""The values of options that several commands share."""

from __future__ import annotations

from datetime import date

from deid.errors import DeidError

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
