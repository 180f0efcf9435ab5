"""What is known of a person's years and ages bounds the birth: 164.514(b)(2)(i)(C).

The paragraph removes "all ages over 89 and all elements of dates (including year) indicative of
such age". A year indicates such an age when it is a birth year, when an age stands beside it, or
when it is the year of an event of life whose age is known. `bound_birth` is the only place that
weighs them: tables, FHIR, HL7 v2, C-CDA, text and the check of a release all ask it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from safe_harbor.ages import OLDEST_AGE, Age
from safe_harbor.event_ages import LifeEvent
from safe_harbor.partial_dates import PartialDate

CalendarDay = tuple[int, int, int]
"""Year, month, day: 29 February moved by a year stays a day that can be compared."""


@dataclass(frozen=True, slots=True)
class Born:
    """The person was born on this date, or within this month or year."""

    when: PartialDate


@dataclass(frozen=True, slots=True)
class AgeAt:
    """The person had completed `youngest` to `oldest` years on a date; no `oldest`: or more."""

    when: PartialDate
    youngest: int
    oldest: int | None

    @classmethod
    def of(cls, age: Age, when: PartialDate) -> AgeAt:
        """An age as told; `in her 80s` and `over 65` bound it from below only."""
        if not age.open_ended:
            return cls(when, age.years, age.years)
        return cls(when, age.years, None)

    @classmethod
    def at_event(cls, event: LifeEvent, when: PartialDate) -> AgeAt:
        """What an event of life says: the usual age if it has one, else the youngest possible."""
        if event.usual is None:
            return cls(when, event.youngest, None)
        return cls(when, event.usual, event.usual)


Fact = Born | AgeAt


@dataclass(frozen=True, slots=True)
class BirthBound:
    """The earliest and the latest day of birth that fit what is known; None where it is open.

    Days are (year, month, day). The `repr` shows no value.
    """

    earliest: CalendarDay | None = None
    latest: CalendarDay | None = None

    def __repr__(self) -> str:
        return "BirthBound()"

    def shows_over_89(self, reference: date) -> bool:
        """Does it show a person over 89 on the reference date?

        Everybody who could be over 89 counts. Where only the latest birth is known (a wedding, a
        war), everybody counts who must be, to the year.
        """
        if self.earliest is not None:
            year, month, day = self.earliest
            return (year + OLDEST_AGE + 1, month, day) <= _day(reference)
        return self.latest is not None and self.latest[0] + OLDEST_AGE + 1 <= reference.year


def bound_birth(facts: Iterable[Fact], reference: date) -> BirthBound:
    """The bound on one person's birth, 164.514(b)(2)(i)(C), from all that is known of it.

    A birth told outright outranks ages and events. Facts that contradict each other bound nothing
    together: the one that shows the oldest person counts. A year or month that holds the reference
    date is taken as the reference date, on which an age tells itself.
    """
    known = list(facts)
    births = [fact.when for fact in known if isinstance(fact, Born)]
    if births:
        return BirthBound(
            _day(min(born.first for born in births)), _day(max(born.last for born in births))
        )
    ages = [fact for fact in known if isinstance(fact, AgeAt)]
    bounds = [_bound(fact, reference) for fact in ages]
    return _joined(bounds) or BirthBound(min((b.earliest or b.latest for b in bounds), key=_first))


def effective_reference(reference: date, own: Iterable[PartialDate], run: date) -> date:
    """The day on which a record's ages are judged: the reference date, or the latest of the
    record's own dates after it. Dates after the day of the run are plans, and do not count."""
    later = (when for when in own if reference < when.last and when.first <= run)
    return max((min(when.last, run) for when in later), default=reference)


def _bound(fact: AgeAt, reference: date) -> BirthBound:
    within = fact.when.first <= reference <= fact.when.last
    first = _day(reference if within else fact.when.first)
    latest = (fact.when.year - fact.youngest, *_day(fact.when.last)[1:])
    if fact.oldest is None:
        return BirthBound(None, latest)
    return BirthBound(_next((first[0] - fact.oldest - 1, *first[1:])), latest)


def _joined(bounds: Sequence[BirthBound]) -> BirthBound | None:
    """What all of them leave; None where that is nothing."""
    earliest = max((b.earliest for b in bounds if b.earliest), default=None)
    latest = min((b.latest for b in bounds if b.latest), default=None)
    if earliest is not None and latest is not None and earliest > latest:
        return None
    return BirthBound(earliest, latest)


def _first(day: CalendarDay | None) -> CalendarDay:
    return day or (9999, 12, 31)


def _next(day: CalendarDay) -> CalendarDay:
    """The day after; the calendar's length of months does not matter to a comparison."""
    return day[0], day[1], day[2] + 1


def _day(day: date) -> CalendarDay:
    return day.year, day.month, day.day
