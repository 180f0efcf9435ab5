# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) ZIP codes, ZIP+4 too. Any five digits are not one: a state, a city or a label must speak."""

from __future__ import annotations

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.text.shapes import STATES

ZIP = "US_ZIP_CODE"
FIVE = r"\d{5}(?:[- ]?\d{4})?"


# Procedures are listed, `MD  88307, 88342`; codes of results have a check digit, `MD 20570-8^HCT`.
NO_CODES = Context(not_right=r"(?: ?x ?\d+)?, ?\d{5}(?![0-9])|-\d(?![0-9])")


def no_year(value: str) -> float:
    """Evidence against `Lowell, MA 1998`; of the years, Massachusetts alone has such codes."""
    return -0.5 if "1900" <= value < "2030" else 0.0


class PlacesZips(Rules):
    word = "places_zips"
    patterns = (
        Pattern(
            "after a state",
            rf"(?:^|[^A-Za-z0-9-])(?:{STATES})[ ]?[,.|_*]{{0,3}}[ \t_]*(?:US[A]?[ ,]*)?({FIVE})\b",
            ZIP,
            0.95,
            after="0-9",
            context=NO_CODES,
        ),
        Pattern(
            "after a state, over a line",
            rf"\b(?:{STATES})[ ]?,?[ ]*\n[ \t|]*({FIVE})\b",
            ZIP,
            0.6,
            after="0-9",
        ),
        Pattern(
            "glued to its state",
            r"\b(?:A[KLRZ]|C[AOT]|FL|GA|KY|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(\d{5}(?:-\d{4})?)\b",
            ZIP,
            0.6,
        ),
        Pattern(
            "without its first zero, as a spreadsheet leaves it",
            r"[A-Z][a-z]+,? (?:CT|MA|RI|NH|ME|VT|NJ) ([1-8]\d{3})\b",
            ZIP,
            0.92,
            after="0-9-",
            check=no_year,
        ),
        Pattern("after a state, spaced", r"\b[A-Z]{2}_? {0,3}_?(\d(?: \d){4})\b", ZIP, 0.8),
        Pattern("zip+4", r"\b(\d{5}-\d{4})\b", ZIP, 0.5, before="0-9-", after="0-9-"),
        Pattern(
            "after a street and a city",
            r"(?i:\b(?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|ct|court|way|terrace|ter|pl|place|cir|hwy|box \d+|apt \S+|unit \S+)\.?),? (?:[A-Z][A-Za-z.]+ ?){0,3},? ?(\d{5}(?:-\d{4})?)\b",
            ZIP,
            0.92,
            context=NO_CODES,
        ),
        Pattern(
            "county beside", r"\b(\d{5}(?:-\d{4})?),? [A-Z][a-z]+ (?:County|Co\b|Parish)", ZIP, 0.7
        ),
        Pattern(
            "city, five digits, end of an address",
            r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)?,? (\d{5})(?:[.;\n,)]| *\|)",
            ZIP,
            0.4,
        ),
    )
    labels = (
        Label(
            "zip",
            r"zip(?: ?code|\+4)?|postal(?: code)?|postcode|c\.?p\.",
            ZIP,
            0.95,
            value=rf"(?:{FIVE}|\d{{3,4}}(?:\.0)?)\b",
        ),
    )
