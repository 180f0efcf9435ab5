# ruff: noqa: E501 -- a list reads best on one line
"""(C) Holidays and feasts, of many calendars: each names a day of its year."""

from __future__ import annotations

import csv
import re

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Pattern, Rules
from recognizers.text.shapes import YEAR
from recognizers.words.folder import WORDS

DATE = "DATE_TIME"
# Days that many things are called after: a saint's, a people's.
FORMS = r"(?:lunar|chinese|korean|vietnamese|lao|khmer|cambodian|thai|hmong|tibetan|burmese|persian|kurdish|ethiopian|eritrean|islamic|hindu|tamil|nepali|bengali|jewish|orthodox) new (?:year'?s?|yrs?)|martin luther king(?: jr\.?)? (?:day|weekend)|(?:st|saint)\.? [a-z]+'?s day|dia de san [a-z]+|yom ha[a-z']{4,8}|(?-i:T)welfth (?-i:N)ight"


def written(day: str) -> str:
    """The pattern of a day of the list: `st. patrick's` may lack its full stop and its apostrophe.

    One listed with capitals is said of other things in small letters: `the foot burns night and day`.
    """
    form = day.replace(".", r"\.?").replace("'", "'?").replace("-", "[- ]?")
    return form if day.islower() else f"(?-i:{form})"


def listed_days() -> str:
    """One pattern of all days of the list, the longest first."""
    with (WORDS / "dates" / "holidays.csv").open(encoding="ascii", newline="") as stream:
        days = [row["day"] for row in csv.DictReader(stream)]
    return "|".join(map(written, sorted(days, key=lambda day: (-len(day), day))))


# `ST changes day 2`: a part of the curve, no saint.
CURVE = re.compile(r"(?i)st (?:changes|segments|elevations|depressions|waves|abnormalities) ")


def no_curve(value: str) -> float:
    """Evidence against what an electrocardiogram shows on some day."""
    return -0.95 if CURVE.match(value) else 0.0


HOLIDAYS = f"{listed_days()}|{FORMS}"
# What a feast may bring along: `Christmas morning`, `MLK weekend`, `New Year's Eve Eve`.
WITH = r"(?: day)?(?:'s)?(?:(?: |[ ]*\n[ \t>]*)(?:eve|eves|morning|night|nite|weekend|wknd|week|break))*"


class DatesHolidays(Rules):
    word = "dates_holidays"
    patterns = (
        Pattern(
            "holiday",
            rf"(?i)\b((?:{HOLIDAYS}){WITH}(?:,? (?:of )?{YEAR})?)\b",
            DATE,
            0.95,
            check=no_curve,
            context=Context(
                not_right=r"(?: ?\+ ?\d| (?:egg|island|seal|lily|disease|tree (?:pattern|in)|palsy|cracker|hospital|church|parish|school|surgery|treatment|care\b|unit\b|program|nurse|camp|medical|episcopal|lutheran|catholic|clinic|community|blvd|boulevard|ave|avenue|street|st\b|way|dr\b|drive|pkwy|parkway|jr|cactus|cottonw)|['\u2019]s (?:hospital|church|parish|school|medical|clinic|episcopal))"
            ),
        ),
        Pattern("holiday, a short word", r"\b(T[Ee]t|TET)\b", DATE, 0.9),
        Pattern("new year's eve", r"\b(NYE|NYD|T-giving|Tgiving|X-mas|x-mas)\b", DATE, 0.9),
        Pattern(
            "the Fourth",
            r"\b(the Fourth)(?:[.,;:)!?]|\n|\z|[ ](?:no|weekend|wknd|parade|fireworks|picnic|cookout|party|was|is|and|for|at|with|w/)(?:[^A-Za-z]|\z))",
            DATE,
            0.92,
            context=Context(not_left=r"(?:\bof|\bin) "),
        ),
    )
