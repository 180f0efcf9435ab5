# ruff: noqa: E501 -- a pattern reads best on one line
"""Ages over 89, in any wording, and the birth years that show such an age.

45 CFR 164.514(b)(2)(i)(C): all ages over 89 and all elements of dates (including year)
indicative of such age.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import ClassVar

from recognizers.evidence.births_told import fact_expressions, facts_told
from recognizers.evidence.matching import STRENGTHS, Seen, adjoined, matches, matches_of
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import SHARED
from safe_harbor import Born, Fact, PartialDate, bound_birth, effective_reference, read_age

AGE, BIRTH = "AGE_OVER_89", "BIRTH_YEAR_OVER_89"
BORN_IN = "birth year"
# Used where no date is known: any birth year since `EARLIEST` may show an age over 89.
UNKNOWN = datetime.date(2100, 12, 31)
EARLIEST = 1850
OLD = r"(?:9\d|1[0-2]\d)"
SPOKEN = rf"(?i:ninety(?:[ -](?:{SHARED.texts['UNITS']}))?|(?:a |one )?hundred(?:[ -](?:and )?(?:{SHARED.texts['UNITS']}|ten|eleven|twelve))?|noventa(?: y (?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?|cien(?:to)?)"
BIRTH_YEAR_TOLD = r"nacio|nacid[oa]|naci|rocznik|bdyr|b-?yr|birthyr|birth yr|yr born|(?:his|her|their|my|birth) year"
BORN_WORDS = r"(?i:born(?: (?:in|on|about|around|circa|c\.?|abt))?|(?-i:\bb\.)|birth ?year|year of birth|yob|yr of birth|dob|d\.o\.b\.?|date of birth|birth ?date|nacid[oa] en)"
BIRTH_MARK = r"(?:b\.?|born|rocznik|n\.|geb\.?|nac\.?|dob|yob)"
_BIRTH_YEARS = (
    rf"{BORN_WORDS}[^0-9]{{0,24}}((?:18|19)\d\d)\b",
    rf"{BORN_WORDS}[ :=]{{0,4}}(?:\d{{1,2}}[-/.]){{1,2}}((?:18|19)\d\d)\b",
    rf"{BORN_WORDS}[ :=\n]{{0,4}}[A-Za-z0-9]{{1,9}}\.?[ ,of]{{0,4}}\d{{0,2}}(?:st|nd|rd|th)?[, ]{{0,3}}((?:18|19)\d\d)\b",
    rf"{BORN_WORDS}[^\n0-9]{{0,12}}(?:19\d\d)[^0-9\n]{{1,12}}((?:18|19)\d\d|\d\d)\b",
    rf"{BORN_WORDS}[ :=]{{0,3}}(?:in |about |~)?'([0-3]\d)\b",
    r"(?i:\bborn in )([12]\d|3[0-6])(?:[ ,.;)]|\z)",
    r"(?i:\b(?:paper|papers|certificate|census|bible|passport|records?|card|roll)\b[^.\n]{0,24}\b(?:says?|reads?|has|gives?|lists?|shows?) )((?:18|19)\d\d)\b",
    r"(?i:(?:^|[^a-z0-9.-])b\.?,? ?)((?:18|19)\d\d)\b",
    r"(?i:(?:^|[^a-z0-9.-])b\.?) ?'([0-3]\d)\b",
    rf"(?i:\b(?:{BIRTH_YEAR_TOLD})\b)[^0-9\n]{{0,40}}((?:18|19)\d\d)\b",
    rf"\b(?:{OLD}|{SPOKEN})(?: ?y/?o| years old)?(?: ?[(;] ?{BIRTH_MARK}? ?|, {BIRTH_MARK} )((?:18|19)\d\d)\b",
)
_BIG_NUMBER = r"\d{1,3},\d{3}(?:\.\d+)?|\d{3,6}(?:\.\d+)?"
_UNIT = r"(?:months?|mos?|mths?|m|weeks?|wks?|w|days?|d|hours?|hrs?)"
_SEX = r"(?:m|f|male|female|man|woman|w)"
_IN_MONTHS = rf"(?i)\bage in months[ :=]{{1,3}}({_BIG_NUMBER})\b"
# Each match may be an age; `read_age` decides whether it is over 89.
_COUNTED = (
    rf"(?i)\b((?:{_BIG_NUMBER})[ -]?{_UNIT}\.?[ -]?(?:olds?|o\b|/o\b|of age|of life))",
    rf"(?i)\bage[ds]?(?: in \w+)?(?: of| is| was)?[ :=(]{{1,3}}((?:{_BIG_NUMBER})[ -]?{_UNIT})\b",
    _IN_MONTHS,
)
_WRITTEN = (
    # `94y3m`, `94 yrs 3 mos`, `94y/3m`, `93-1/2 y/o`, `93.5 yo`
    rf"(?i)\b({OLD} ?(?:y|yrs?|years?)[ ,/]{{0,2}}(?:and )?\d{{1,2}} ?(?:m|mos?|months?|w|wks?|weeks?|d|days?))\b",
    rf"(?i)\b({OLD}[ -]?(?:(?:and )?[1-3]/[24]|\.\d{{1,2}}|~|and a half)[ -]?(?:y\.?/?o\.?|yo[mf]?|yrs?|years?)(?:[ -]?olds?)?)\b",
    rf"(?i)\b({OLD})[ -]y[- .]o\b",
    rf"(?i)\b(0{OLD}y)\b",
    r"(?i)\bage[ds]?[ :=]{1,3}(xc(?:i{1,3}|iv|vi{0,3}|ix)?|c(?:x{0,2}(?:i{1,3}|iv|vi{0,3}|ix)|x{1,2}))\b",
    rf"(?i)\b(four ?score (?:and )?(?:{SHARED.texts['TEENS']}))\b",
    r"(?i)\b((?:nine|ten|9|10) decades)(?: old| of life| of age)\b",
    r"(?i)\b((?:a|one|over a) century)(?: old| of age)\b",
    rf"(?i)\b(?:his|her|their|in|the) ({OLD}(?:st|nd|rd|th)) (?:year|decade)\b",
)
# `94/F`, `M/94`, `F, 94`, `Sex/Age: F/94`, `94|F`, unless it is a vital sign such as a pulse.
_WITH_SEX = (
    rf"(?i)(?:^|[^0-9/.a-z:-])({OLD}) ?[/|\\] ?{_SEX}\b",
    rf"(?i)(?:^|[^a-z0-9/.'-]){_SEX} ?[/|\\] ?({OLD})\b",
    rf"(?i)\b(?:sex|gender)(?: ?[/&,] ?age)?[ :=]{{0,3}}{_SEX}[ ,;/|-]{{1,3}}(?:age[ :=]{{0,2}})?({OLD})\b",
    rf"(?i)(?:^|[\t|(\n]|\b(?:pt|patient|is a|is an?)[ :]) *{_SEX}, ?({OLD})(?:[^0-9/%.a-z]|\z)",
    rf"(?i)\bage ?[/&,] ?(?:sex|gender)[ :=]{{0,3}}({OLD})\b",
    # `pt is M94`, `F94 with fall`: alone, `M94` and `F94` are ICD-10 codes.
    rf"\b(?:[Pp]t|[Pp]atient|is an?|[Tt]his)(?: is|:)? [MF]({OLD})\b",
    rf"\b[MF]({OLD})(?: (?:with|w/|c/o|s/p|who|present|adm|found|brought|here|fell|came|seen))",
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
_AGE_COLUMN = r"(?i)(?:^|[\t|\n,]|  )[ *_#]*(age(?: ?/ ?sex)?|edad)[ :*_]*(?:$|[\t|\n\r]|  )"
_AGE_CELL = re.compile(rf"[ _*]*({OLD})(?![0-9/])")


@dataclass(frozen=True)
class Ages:
    """Finds ages over 89, and birth years that show such an age, as of `reference_date`.

    In a text with later dates, up to `run_date`, ages are as of the latest of them. Without a
    reference date, they are as of the end of the text's newest year.
    """

    reference_date: datetime.date | None = None
    run_date: datetime.date | None = None
    oldest: ClassVar[int] = 125

    def hits(self, page: NormalizedText) -> Iterator[Seen]:
        """The ages that need grammar or arithmetic; the table of ages finds the rest."""
        births = list(self.birth_years(page))
        yield from births
        known = {_written(page.text[one.start : one.end]) for one in births if one.row == BORN_IN}
        for start, end in ages_of(page, known, years_of(page.text)) if known else ():
            yield Seen(
                start,
                end,
                AGE,
                STRENGTHS["age and year give the birth year back"],
                "age and year give the birth year back",
            )
        for start, end in counted_ages(page):
            yield Seen(start, end, AGE, STRENGTHS["age counted otherwise"], "age counted otherwise")
        for start, end in column_ages(page):
            yield Seen(start, end, AGE, STRENGTHS["age column"], "age column")

    def birth_years(self, page: NormalizedText) -> Iterator[Seen]:
        """Birth years of a person over 89 on the day returned by `judged`."""
        judged = self.judged(page.text)
        oldest = EARLIEST if judged == UNKNOWN else judged.year - self.oldest
        for start, end in matches_of(_BIRTH_YEARS, page):
            year = _written(page.text[start:end])
            if year >= oldest and _shows(Born(PartialDate(year)), judged):
                yield Seen(start, end, BIRTH, STRENGTHS[BORN_IN], BORN_IN)
        for start, end, fact in facts_told(page, judged.year):
            # In a text without dates, only an age shows that a year is a person's birth year.
            sure = judged != UNKNOWN or fact.oldest is not None
            if sure and _shows(fact, judged):
                yield Seen(start, end, BIRTH, STRENGTHS["year and age"], "year and age")

    def judged(self, text: str) -> datetime.date:
        """The day as of which ages are computed: the reference date, or the text's latest date."""
        if self.reference_date is None or self.run_date is None:
            newest = max(years_of(text), default=None)
            return UNKNOWN if newest is None else datetime.date(newest, 12, 31)
        own = map(PartialDate, years_of(text))
        return effective_reference(self.reference_date, own, self.run_date)


def _written(digits: str) -> int:
    """The birth year as a number; two digits mean the twentieth century."""
    return int(digits) if len(digits) == 4 else 1900 + int(digits)


def _shows(fact: Fact, judged: datetime.date) -> bool:
    return bound_birth([fact], judged).shows_over_89(judged)


def years_of(text: str) -> list[int]:
    """The years 2000 to 2049 that the text names."""
    years = [int(y) for y in re.findall(r"(?<!\d)(20[0-4]\d)(?!\d)", text)]
    years += [2000 + int(y) for y in re.findall(r"\d{1,2}[-/.]\d{1,2}[-/.]([0-4]\d)(?!\d)", text)]
    return years


def counted_ages(page: NormalizedText) -> Iterator[tuple[int, int]]:
    """Yield spans of ages over 89 in months, weeks or days, beside a sex, or in parts of a year."""
    for regex in _COUNTED:
        for start, end in matches(regex, page):
            value = page.text[start:end].replace(",", "")
            age = read_age(f"{value} months" if regex == _IN_MONTHS else value)
            if age is not None and age.over_89:
                yield start, end
    yield from matches_of(_WRITTEN, page)
    for start, end in matches_of(_WITH_SEX, page):
        vital = _TEMPERATURE.search(page.left(start, 16))
        if not vital and not adjoined(page.text, end, "0-9%"):
            yield start, end


def ages_of(
    page: NormalizedText, births: Collection[int], years: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield spans of ages up to 89 that, with one of these years, reveal one of these
    birth years.
    """
    for start, end in matches_of(_TODAYS, page):
        age = int(page.text[start:end])
        if any(year - born - age in (0, 1) for year in years for born in births):
            yield start, end


def column_ages(page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The spans of ages over 89 in a column headed Age."""
    for start, end in matches(_AGE_COLUMN, page):
        for left, right in page.below(start, end):
            if cell := _AGE_CELL.match(page.text, left, right):
                yield cell.span(1)


def age_expressions() -> tuple[str, ...]:
    """The expressions without which `Ages` sees nothing."""
    return (*_BIRTH_YEARS, *fact_expressions(), *_COUNTED, *_WRITTEN, *_WITH_SEX, _AGE_COLUMN)
