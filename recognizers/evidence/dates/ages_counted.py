# ruff: noqa: E501 -- a pattern reads best on one line
"""Ages over 89 in other forms: in months, weeks or days, beside a sex, in parts of a year."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from recognizers.evidence.matching import adjoined, matches, present
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import TEENS
from safe_harbor import read_age

_OVER_89 = r"(?:9\d|1[0-2]\d)"
_BIG_NUMBER = r"\d{1,3},\d{3}(?:\.\d+)?|\d{3,6}(?:\.\d+)?"
_UNIT = r"(?:months?|mos?|mths?|m|weeks?|wks?|w|days?|d|hours?|hrs?)"
_SEX = r"(?:m|f|male|female|man|woman|w)"
# Each match may be an age; `read_age` decides whether it is over 89.
_COUNTED = (
    rf"(?i)\b((?:{_BIG_NUMBER})[ -]?{_UNIT}\.?[ -]?(?:olds?|o\b|/o\b|of age|of life))",
    rf"(?i)\bage[ds]?(?: in \w+)?(?: of| is| was)?[ :=(]{{1,3}}((?:{_BIG_NUMBER})[ -]?{_UNIT})\b",
    rf"(?i)\bage in months[ :=]{{1,3}}({_BIG_NUMBER})\b",
)
_IN_MONTHS = 2
_WRITTEN = (
    # `94y3m`, `94 yrs 3 mos`, `94y/3m`, `93-1/2 y/o`, `93.5 yo`
    rf"(?i)\b({_OVER_89} ?(?:y|yrs?|years?)[ ,/]{{0,2}}(?:and )?\d{{1,2}} ?(?:m|mos?|months?|w|wks?|weeks?|d|days?))\b",
    rf"(?i)\b({_OVER_89}[ -]?(?:(?:and )?[1-3]/[24]|\.\d{{1,2}}|~|and a half)[ -]?(?:y\.?/?o\.?|yo[mf]?|yrs?|years?)(?:[ -]?olds?)?)\b",
    rf"(?i)\b({_OVER_89})[ -]y[- .]o\b",
    rf"(?i)\b(0{_OVER_89}y)\b",
    r"(?i)\bage[ds]?[ :=]{1,3}(xc(?:i{1,3}|iv|vi{0,3}|ix)?|c(?:x{0,2}(?:i{1,3}|iv|vi{0,3}|ix)|x{1,2}))\b",
    rf"(?i)\b(four ?score (?:and )?(?:{TEENS}))\b",
    r"(?i)\b((?:nine|ten|9|10) decades)(?: old| of life| of age)\b",
    r"(?i)\b((?:a|one|over a) century)(?: old| of age)\b",
    rf"(?i)\b(?:his|her|their|in|the) ({_OVER_89}(?:st|nd|rd|th)) (?:year|decade)\b",
)
# `94/F`, `M/94`, `F, 94`, `Sex/Age: F/94`, `94|F`, unless it is a vital sign such as a pulse.
_WITH_SEX = (
    rf"(?i)(?:^|[^0-9/.a-z:-])({_OVER_89}) ?[/|\\] ?{_SEX}\b",
    rf"(?i)(?:^|[^a-z0-9/.'-]){_SEX} ?[/|\\] ?({_OVER_89})\b",
    rf"(?i)\b(?:sex|gender)(?: ?[/&,] ?age)?[ :=]{{0,3}}{_SEX}[ ,;/|-]{{1,3}}(?:age[ :=]{{0,2}})?({_OVER_89})\b",
    rf"(?i)(?:^|[\t|(\n]|\b(?:pt|patient|is a|is an?)[ :]) *{_SEX}, ?({_OVER_89})(?:[^0-9/%.a-z]|\z)",
    rf"(?i)\bage ?[/&,] ?(?:sex|gender)[ :=]{{0,3}}({_OVER_89})\b",
    # `pt is M94`, `F94 with fall`: alone, `M94` and `F94` are ICD-10 codes.
    rf"\b(?:[Pp]t|[Pp]atient|is an?|[Tt]his)(?: is|:)? [MF]({_OVER_89})\b",
    rf"\b[MF]({_OVER_89})(?: (?:with|w/|c/o|s/p|who|present|adm|found|brought|here|fell|came|seen))",
)
# A person's present age, from 10 to 89.
_TODAYS = (
    r"(?i)\b([1-8]\d)[ -]?(?:y\.?/?o\b|yrs?\b|years?[ -]old\b|yo[mf]?\b)",
    r"(?i)\bage[ds]?(?: of| is)?[ :=]{1,3}([1-8]\d)\b",
    r"(?i)(?:^|[^0-9/.a-z:-])([1-8]\d) ?[/|]? ?[mf]\b",
)
_TEMPERATURE = re.compile(
    r"(?i)(?:\bt|\bp|hr|heart rate|pulse|rr|resp\w*|rate|bpm|temp\w*|tmax|tm|fever|febrile|deg\w*|sats?|spo2)\W{0,3}(?:of |to |was )?$"
)


def counted_ages(page: NormalizedText) -> Iterator[tuple[int, int]]:
    """Yield spans of ages over 89 in months, weeks or days, beside a sex, or in parts of a year."""
    for number, regex in enumerate(_COUNTED):
        for start, end in matches(regex, page):
            value = page.text[start:end].replace(",", "")
            age = read_age(f"{value} months" if number == _IN_MONTHS else value)
            if age is not None and age.over_89:
                yield start, end
    for regex in present(_WRITTEN, page):
        yield from matches(regex, page)
    for regex in present(_WITH_SEX, page):
        for start, end in matches(regex, page):
            if not _TEMPERATURE.search(page.left(start, 16)) and not adjoined(
                page.text, end, "0-9%"
            ):
                yield start, end


def ages_of(
    page: NormalizedText, births: Collection[int], years: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield spans of ages up to 89 that, with one of these years, reveal one of these
    birth years.
    """
    for regex in present(_TODAYS, page):
        for start, end in matches(regex, page):
            age = int(page.text[start:end])
            if any(year - born - age in (0, 1) for year in years for born in births):
                yield start, end


def column_ages(page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The spans of ages over 89 in a column headed Age."""
    for start, end in matches(
        r"(?i)(?:^|[\t|\n,]|  )[ *_#]*(age(?: ?/ ?sex)?|edad)[ :*_]*(?:$|[\t|\n\r]|  )", page
    ):
        for left, right in page.below(start, end):
            cell = re.compile(rf"[ _*]*({_OVER_89})(?![0-9/])").match(page.text, left, right)
            if cell:
                yield cell.span(1)
