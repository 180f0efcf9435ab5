"""Arguments that several commands read the same way."""

from __future__ import annotations

from datetime import date

from deid.errors import DeidError


def day(text: str | None) -> date | None:
    """A date written YYYY-MM-DD, None for none.

    Raises:
        DeidError: `date-invalid`.
    """
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DeidError(
            "date-invalid", "--reference-date is not a date", hint="write it YYYY-MM-DD"
        ) from None
