"""Ages over 89, in any wording, and the birth years that show such an age.

45 CFR 164.514(b)(2)(i)(C): all ages over 89 and all elements of dates (including year)
indicative of such age. A statement from which a birth year follows (an age in a year, a dated
event, a span of years) is a fact for `safe_harbor.bound_birth`, which computes bounds on the birth.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from recognizers.evidence.matching import STRENGTHS, Seen, adjoined, matches, matches_of
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import patterns
from recognizers.words.life_events import wordings
from safe_harbor import (
    AgeAt,
    Born,
    Fact,
    LifeEvent,
    PartialDate,
    bound_birth,
    effective_reference,
    life_events,
    read_age,
)

AGING = patterns("ages")
BORN_IN = "birth year"
# Used where no date is known: any birth year since `EARLIEST` may show an age over 89.
UNKNOWN = datetime.date(2100, 12, 31)
EARLIEST = 1850
# The greatest distance of an event's words from its year, in characters.
NEAR_EVENT = 80
Told = tuple[int, int, AgeAt]
"""Start and end of a value in the page, and the fact about a birth that the value states."""


def old_age(start: int, end: int, row: str) -> Seen:
    return Seen(start, end, "AGE_OVER_89", STRENGTHS[row], row)


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
        for span in ages_of(page, known, years_of(page.text)) if known else ():
            yield old_age(*span, "age and year give the birth year back")
        for span in counted_ages(page):
            yield old_age(*span, "age counted otherwise")
        for span in column_ages(page):
            yield old_age(*span, "age column")

    def birth_years(self, page: NormalizedText) -> Iterator[Seen]:
        """Birth years of a person over 89 on the day returned by `judged`."""
        judged = self.judged(page.text)
        oldest = EARLIEST if judged == UNKNOWN else judged.year - self.oldest
        for start, end in matches_of(AGING.groups["BIRTH_YEARS"].values(), page):
            year = _written(page.text[start:end])
            if year >= oldest and _shows(Born(PartialDate(year)), judged):
                yield Seen(start, end, "BIRTH_YEAR_OVER_89", STRENGTHS[BORN_IN], BORN_IN)
        row = "year and age"
        for start, end, fact in facts_told(page, judged.year):
            # In a text without dates, only an age shows that a year is a person's birth year.
            if (judged != UNKNOWN or fact.oldest is not None) and _shows(fact, judged):
                yield Seen(start, end, "BIRTH_YEAR_OVER_89", STRENGTHS[row], row)

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
    for regex in AGING.groups["COUNTED"].values():
        for start, end in matches(regex, page):
            value = page.text[start:end].replace(",", "")
            months = regex == AGING.texts["IN_MONTHS"]
            age = read_age(f"{value} months" if months else value)
            if age is not None and age.over_89:
                yield start, end
    yield from matches_of(AGING.groups["WRITTEN"].values(), page)
    for start, end in matches_of(AGING.groups["WITH_SEX"].values(), page):
        vital = AGING["TEMPERATURE"].search(page.left(start, 16))
        if not vital and not adjoined(page.text, end, "0-9%"):
            yield start, end


def ages_of(
    page: NormalizedText, births: Collection[int], years: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield spans of ages up to 89 that give back one of these birth years in one of the years."""
    for start, end in matches_of(AGING.groups["TODAYS"].values(), page):
        age = int(page.text[start:end])
        if any(year - born - age in (0, 1) for year in years for born in births):
            yield start, end


def column_ages(page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The spans of ages over 89 in a column headed Age."""
    for start, end in matches(AGING.texts["AGE_COLUMN"], page):
        for left, right in page.below(start, end):
            if cell := AGING["AGE_CELL"].match(page.text, left, right):
                yield cell.span(1)


def facts_told(page: NormalizedText, now: int) -> Iterator[Told]:
    """The statements in the page that bound a birth year; spans of years end in the year `now`."""
    yield from _ages_at_years(page, now)
    yield from _event_years(page, now)
    yield from _lasting(page, now)
    yield from _eras(page)
    for youngest, regex in AGING.groups["DECADES"].items():
        for start, end in matches(regex, page):
            last = int(re.findall(r"\d{4}", page.text[start:end])[0]) + 9
            oldest = None if int(youngest) else 9
            yield start, end, AgeAt(PartialDate(last), int(youngest), oldest)


def _ages_at_years(page: NormalizedText, now: int) -> Iterator[Told]:
    any_year = AGING["ANY_YEAR"]
    for start, end in matches_of((*AGING.groups["TOGETHER"].values(), _filled("LOOSE")), page):
        value = page.text[start:end]
        born = any_year.match(value) and AGING["OF_BIRTH"].search(page.left(start))
        if born or AGING["MEASURED"].match(page.text, end):
            continue
        age = _age_in(any_year.sub(" ", value, count=1))
        if age is not None:
            yield start, end, AgeAt(_year(any_year.findall(value)[0], now), age, age)


def _age_in(value: str) -> int | None:
    """The first number of a value, in digits or in words."""
    found = AGING["NUMBER"].search(value)
    age = read_age(found[0]) if found else None
    return None if age is None else age.years


def _event_years(page: NormalizedText, now: int) -> Iterator[Told]:
    text = page.text
    for form, last in (("EVENT_YEAR", True), ("YEAR_EVENT", False)):
        for start, end in matches(_filled(form), page):
            before, behind = text[max(start - NEAR_EVENT, 0) : start], text[end : end + NEAR_EVENT]
            event = _event_in(before if last else behind, "years", last=last)
            yield start, end, AgeAt.at_event(event, _year(text[start:end], now))
    for start, end in matches(AGING.texts["CLASS_OF"], page):
        year = _year(text[start:end].split()[-1], now)
        yield start, end, AgeAt.at_event(life_events()["graduation"], year)


def _lasting(page: NormalizedText, now: int) -> Iterator[Told]:
    """Spans of years up to now that began with an event: `married 71 years`."""
    found = []
    for start, end in matches(_filled("SPAN", "interval"), page):
        before = page.text[max(start - NEAR_EVENT, 0) : start]
        found.append((start, end, _event_in(before, "interval", last=True)))
    for name, regex in AGING.groups["SPANS"].items():
        found += [(*span, life_events()[name.split()[0]]) for span in matches(regex, page)]
    for start, end, event in found:
        age = _age_in(page.text[start:end])
        if age is not None:
            yield start, end, AgeAt(PartialDate(now), age + event.youngest, None)


def _eras(page: NormalizedText) -> Iterator[Told]:
    """Service in a war, or a childhood in an era; a later year means another war."""
    for name, regex in AGING.groups["ERAS"].items():
        event = life_events()[name.split()[0]]
        for start, end in matches(regex, page):
            later = name.startswith("war") and AGING["LATER"].match(page.text, end)
            if event.last_year is not None and not later:
                yield start, end, AgeAt.at_event(event, PartialDate(event.last_year))


def _event_in(text: str, kind: str, *, last: bool) -> LifeEvent:
    """The event that is named nearest to the year: the last or the first event in `text`."""
    places = [
        (found[-1].end() if last else -found[0].start(), -number, wording.event)
        for number, wording in enumerate(wordings())
        if (found := list(_spoken(number, kind).finditer(text)))
    ]
    return max(places, key=lambda place: place[:2])[2] if places else life_events()["alive"]


@cache
def _spoken(number: int, kind: str) -> re.Pattern[str]:
    words = getattr(wordings()[number], kind)
    return re.compile(rf"(?i)\b(?:{words})" if words else r"(?!)")


@cache
def _filled(form: str, kind: str = "years") -> str:
    """The expression `form` with the words for all events of a kind."""
    words = "|".join(filter(None, (getattr(wording, kind) for wording in wordings())))
    return AGING.texts[form].replace("%s", words)


def _year(written: str, now: int) -> PartialDate:
    """Read the year; a two-digit year is the latest such year that is not after `now`."""
    digits = written.lstrip("'")[:4]
    return PartialDate(int(digits) if len(digits) == 4 else now - (now - int(digits)) % 100)


@cache
def age_expressions() -> tuple[str, ...]:
    """The expressions without which `Ages` sees nothing."""
    groups = (group for name, group in AGING.groups.items() if name != "TODAYS")
    listed = (regex for group in groups for regex in group.values())
    dated = (_filled(form) for form in ("LOOSE", "EVENT_YEAR", "YEAR_EVENT"))
    texts = (AGING.texts["CLASS_OF"], AGING.texts["AGE_COLUMN"])
    return (*listed, *dated, *texts, _filled("SPAN", "interval"))
