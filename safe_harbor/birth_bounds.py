"""Bounds a person's date of birth from known dates and ages: 164.514(b)(2)(i)(C).

The paragraph removes "all ages over 89 and all elements of dates (including year) indicative of
such age". A year indicates such an age when it is a birth year, when an age goes with it, or when
it is the year of a life event with a known age. `bound_birth` is the only function that combines
these facts: tables, FHIR, HL7 v2, C-CDA, text and the release check all call it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from safe_harbor.ages import OLDEST_AGE, Age
from safe_harbor.event_ages import LifeEvent
from safe_harbor.partial_dates import PartialDate

CalendarDay = tuple[int, int, int]
"""Year, month, day; a tuple, so that February 29 can be compared in a year without it."""


@dataclass(frozen=True, slots=True)
class Born:
    """The person was born on this date, or within this month or year."""

    when: PartialDate


@dataclass(frozen=True, slots=True)
class AgeAt:
    """The person was `youngest` to `oldest` years old on a date (`oldest` None: or older)."""

    when: PartialDate
    youngest: int
    oldest: int | None

    @classmethod
    def of(cls, age: Age, when: PartialDate) -> AgeAt:
        """The fact from an age; `in her 80s` and `over 65` give only a lower bound."""
        if not age.open_ended:
            return cls(when, age.years, age.years)
        return cls(when, age.years, None)

    @classmethod
    def at_event(cls, event: LifeEvent, when: PartialDate) -> AgeAt:
        """The fact from a life event: its usual age, or its youngest age as a lower bound."""
        if event.usual is None:
            return cls(when, event.youngest, None)
        return cls(when, event.usual, event.usual)


Fact = Born | AgeAt


@dataclass(frozen=True, slots=True)
class BirthBound:
    """The earliest and latest possible day of birth; None if there is no bound.

    Days are (year, month, day). The `repr` shows no value.
    """

    earliest: CalendarDay | None = None
    latest: CalendarDay | None = None

    def __repr__(self) -> str:
        return "BirthBound()"

    def shows_over_89(self, reference: date) -> bool:
        """Whether the bound shows that the person is over 89 on the reference date.

        Anyone who could be over 89 counts. If only the latest possible birth is known (from a
        wedding or a war), only a person who must be over 89, in whole years, counts.
        """
        if self.earliest is not None:
            year, month, day = self.earliest
            return (year + OLDEST_AGE + 1, month, day) <= _calendar_day(reference)
        return self.latest is not None and self.latest[0] + OLDEST_AGE + 1 <= reference.year


def bound_birth(facts: Iterable[Fact], reference: date) -> BirthBound:
    """Combine all facts into a bound on one person's birth, 164.514(b)(2)(i)(C).

    A stated birth date outranks ages and events. If facts contradict each other, the one that shows
    the oldest person counts. For a year or month that contains the reference date, ages are taken
    on the reference date.
    """
    known = list(facts)
    births = [fact.when for fact in known if isinstance(fact, Born)]
    if births:
        return BirthBound(
            _calendar_day(min(born.first for born in births)),
            _calendar_day(max(born.last for born in births)),
        )
    ages = [fact for fact in known if isinstance(fact, AgeAt)]
    bounds = [_bound_of_age(fact, reference) for fact in ages]
    return _joined_bounds(bounds) or BirthBound(
        min((b.earliest or b.latest for b in bounds), key=_first)
    )


def effective_reference(reference: date, own: Iterable[PartialDate], run: date) -> date:
    """Return the day on which a record's ages are computed.

    It is the reference date, or the record's latest date after it. Dates after the day of the run
    (planned events) do not count.
    """
    later = (when for when in own if reference < when.last and when.first <= run)
    return max((min(when.last, run) for when in later), default=reference)


def _bound_of_age(fact: AgeAt, reference: date) -> BirthBound:
    within = fact.when.first <= reference <= fact.when.last
    first = _calendar_day(reference if within else fact.when.first)
    latest = (fact.when.year - fact.youngest, *_calendar_day(fact.when.last)[1:])
    if fact.oldest is None:
        return BirthBound(None, latest)
    return BirthBound(_next((first[0] - fact.oldest - 1, *first[1:])), latest)


def _joined_bounds(bounds: Sequence[BirthBound]) -> BirthBound | None:
    """Return the intersection of all bounds; None if it is empty."""
    earliest = max((b.earliest for b in bounds if b.earliest), default=None)
    latest = min((b.latest for b in bounds if b.latest), default=None)
    if earliest is not None and latest is not None and earliest > latest:
        return None
    return BirthBound(earliest, latest)


def _first(day: CalendarDay | None) -> CalendarDay:
    return day or (9999, 12, 31)


def _next(day: CalendarDay) -> CalendarDay:
    """Return the next day; month lengths are ignored, because days are only compared."""
    return day[0], day[1], day[2] + 1


def _calendar_day(day: date) -> CalendarDay:
    return day.year, day.month, day.day
