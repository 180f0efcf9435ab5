# ruff: noqa: E501 -- a pattern reads best on one line
"""Ages over 89, in any wording, and the birth years that show such an age.

45 CFR 164.514(b)(2)(i)(C): all ages over 89 and all elements of dates (including year)
indicative of such age.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from recognizers.evidence.dates.ages_counted import ages_of, column_ages, counted_ages
from recognizers.evidence.dates.births_told import facts_told
from recognizers.evidence.matching import Hit, matches, present
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import UNITS
from safe_harbor import Born, Fact, PartialDate, bound_birth, effective_reference

AGE, BIRTH = "AGE_OVER_89", "BIRTH_YEAR_OVER_89"
BORN_IN = "birth year"
OLD = r"(?:9\d|1[0-2]\d)"
SPOKEN = rf"(?i:ninety(?:[ -](?:{UNITS}))?|(?:a |one )?hundred(?:[ -](?:and )?(?:{UNITS}|ten|eleven|twelve))?|noventa(?: y (?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?|cien(?:to)?)"
BIRTH_YEAR_TOLD = r"nacio|nacid[oa]|naci|rocznik|bdyr|b-?yr|birthyr|birth yr|yr born|(?:his|her|their|my|birth) year"
BORN_WORDS = r"(?i:born(?: (?:in|on|about|around|circa|c\.?|abt))?|(?-i:\bb\.)|birth ?year|year of birth|yob|yr of birth|dob|d\.o\.b\.?|date of birth|birth ?date|nacid[oa] en)"


@dataclass(frozen=True)
class Ages:
    """Finds ages over 89, and birth years that show such an age, as of `reference_date`.

    In a text with later dates, up to `run_date`, ages are as of the latest of them. Without a
    reference date, they are as of the end of the text's newest year.
    """

    reference_date: datetime.date | None = None
    run_date: datetime.date | None = None
    oldest: ClassVar[int] = 125

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """The ages that need grammar or arithmetic; the table of ages finds the rest."""
        births = list(self.birth_years(page))
        yield from births
        known = {_written(page.text[hit.start : hit.end]) for hit in births if hit.rule == BORN_IN}
        for start, end in ages_of(page, known, years_of(page.text)) if known else ():
            yield Hit(start, end, AGE, 0.92, "age and year give the birth year back")
        for start, end in counted_ages(page):
            yield Hit(start, end, AGE, 0.92, "age counted otherwise")
        for start, end in column_ages(page):
            yield Hit(start, end, AGE, 0.85, "age column")

    def birth_years(self, page: NormalizedText) -> Iterator[Hit]:
        """Birth years of a person over 89 on the day returned by `judged`."""
        judged = self.judged(page.text)
        pattern = rf"{BORN_WORDS}[^0-9]{{0,24}}((?:18|19)\d\d)\b"
        after_date = rf"{BORN_WORDS}[ :=]{{0,4}}(?:\d{{1,2}}[-/.]){{1,2}}((?:18|19)\d\d)\b"
        dated = rf"{BORN_WORDS}[ :=\n]{{0,4}}[A-Za-z0-9]{{1,9}}\.?[ ,of]{{0,4}}\d{{0,2}}(?:st|nd|rd|th)?[, ]{{0,3}}((?:18|19)\d\d)\b"
        short = rf"{BORN_WORDS}[ :=]{{0,3}}(?:in |about |~)?'([0-3]\d)\b"
        bare = r"(?i:\bborn in )([12]\d|3[0-6])(?:[ ,.;)]|\z)"
        kept = r"(?i:\b(?:paper|papers|certificate|census|bible|passport|records?|card|roll)\b[^.\n]{0,24}\b(?:says?|reads?|has|gives?|lists?|shows?) )((?:18|19)\d\d)\b"
        doubled = rf"{BORN_WORDS}[^\n0-9]{{0,12}}(?:19\d\d)[^0-9\n]{{1,12}}((?:18|19)\d\d|\d\d)\b"
        named = r"(?:b\.?|born|rocznik|n\.|geb\.?|nac\.?|dob|yob)"
        capital = r"(?i:(?:^|[^a-z0-9.-])b\.?,? ?)((?:18|19)\d\d)\b"
        clipped = r"(?i:(?:^|[^a-z0-9.-])b\.?) ?'([0-3]\d)\b"
        told = rf"(?i:\b(?:{BIRTH_YEAR_TOLD})\b)[^0-9\n]{{0,40}}((?:18|19)\d\d)\b"
        beside = rf"\b(?:{OLD}|{SPOKEN})(?: ?y/?o| years old)?(?: ?[(;] ?{named}? ?|, {named} )((?:18|19)\d\d)\b"
        regexes = (pattern, after_date, dated, doubled, short, bare, kept, capital, clipped, told)
        for regex in present((*regexes, beside), page):
            for start, end in matches(regex, page):
                year = _written(page.text[start:end])
                oldest = EARLIEST if judged == UNKNOWN else judged.year - self.oldest
                if year >= oldest and _shows(Born(PartialDate(year)), judged):
                    yield Hit(start, end, BIRTH, 0.9, BORN_IN)
        for start, end, fact in facts_told(page, judged.year):
            # In a text without dates, only an age shows that a year is a person's birth year.
            sure = judged != UNKNOWN or fact.oldest is not None
            if sure and _shows(fact, judged):
                yield Hit(start, end, BIRTH, 0.92, "year and age")

    def judged(self, text: str) -> datetime.date:
        """The day as of which ages are computed: the reference date, or the text's latest date."""
        if self.reference_date is None or self.run_date is None:
            newest = max(years_of(text), default=None)
            return UNKNOWN if newest is None else datetime.date(newest, 12, 31)
        own = map(PartialDate, years_of(text))
        return effective_reference(self.reference_date, own, self.run_date)


# Used where no date is known: any birth year since `EARLIEST` may show an age over 89.
UNKNOWN = datetime.date(2100, 12, 31)
EARLIEST = 1850


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
