# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Years and ages told together that show a birth of more than 89 years ago."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.page import Page
from recognizers.rules import matches

_DONE = (
    r"retired|widowed|married|graduated|immigrated|emigrated|enlisted|drafted|hired|divorced|"
    r"moved|came|left|quit|stopped|started|began|joined|ordained|diagnosed|inducted|promoted"
)
_AT = r"(?:at|aged|when (?:he|she) was|when)(?: age| the age of)?"
#: The whole is the value: either part alone says nothing.
_TOGETHER = (
    rf"(?i)\b(?:{_DONE})\b[^.;\n0-9]{{0,40}}\b((?:18|19)\d\d,? (?:{_AT}|,) [1-9]\d)\b",
    rf"(?i)\b(?:{_DONE})\b[^.;\n0-9]{{0,30}}\b{_AT} ([1-9]\d,?(?: years old)?,? (?:back )?in (?:18|19)\d\d)\b",
)
# Who left school in a year was about eighteen in it.
_SCHOOLED = r"(?i:\b(class of '?(?:19)?\d\d)\b)"
_LEFT_SCHOOL = 18


def births_told(page: Page) -> Iterator[tuple[int, int, int]]:
    """Start and end of each value in the page, and the year of birth that it shows."""
    for regex in _TOGETHER:
        for start, end in matches(regex, page):
            year, age = sorted(map(int, re.findall(r"\d+", page.text[start:end])), reverse=True)
            yield start, end, year - age
    for start, end in matches(_SCHOOLED, page):
        year = int(re.findall(r"\d+", page.text[start:end])[0])
        yield start, end, (year if year > 99 else 1900 + year) - _LEFT_SCHOOL
