"""Holidays and feasts of many calendars, each of which is a day of the year."""

from __future__ import annotations

from functools import cache

from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

# Patterns of days with varying names: of a saint, or of a people.
HOLIDAY_FORMS = (
    r"(?:lunar|chinese|korean|vietnamese|lao|khmer|cambodian|thai|hmong|tibetan|burmese|persian|"
    r"kurdish|ethiopian|eritrean|islamic|hindu|tamil|nepali|bengali|jewish|orthodox) "
    r"new (?:year'?s?|yrs?)|martin luther king(?: jr\.?)? (?:day|weekend)|"
    r"(?:st|saint)\.? [a-z]+'?s day|dia de san [a-z]+|yom ha[a-z']{4,8}|(?-i:T)welfth (?-i:N)ight"
)


@cache
def holiday_names() -> str:
    """An expression for `words/dates/holidays.csv`, longest day first, and `HOLIDAY_FORMS`."""
    days = [row["day"] for row in csv_rows(WORDS / "dates" / "holidays.csv")]
    return "|".join(
        [*map(_holiday_pattern, sorted(days, key=lambda day: (-len(day), day))), HOLIDAY_FORMS]
    )


def _holiday_pattern(day: str) -> str:
    """Return the expression of one day; in the text, its full stop and apostrophe may be missing.

    A day listed with capitals must have them: `the foot burns night and day` is not Burns Night.
    """
    form = day.replace(".", r"\.?").replace("'", "'?").replace("-", "[- ]?")
    return form if day.islower() else f"(?-i:{form})"
