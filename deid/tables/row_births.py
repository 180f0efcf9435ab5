"""Collect what the cells of a row show about a birth, for `safe_harbor.bound_birth`.

An age belongs to the date with a header for the same occasion (`onset_age`, `onset_year`). Without
such a date, it belongs to the date of the visit or, failing that, to the first date of the row. In
a nested record, it belongs to the earliest date.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from deid.decision import ColumnDecision
from recognizers import header_words, is_timed, life_event_named
from safe_harbor import (
    AgeAt,
    Born,
    Fact,
    LifeEvent,
    PartialDate,
    bound_birth,
    effective_reference,
    read_age,
    read_date,
)

DATE_SHAPES = ("date", "birth_date")
DATED_SHAPES = (*DATE_SHAPES, "year")
_BIRTH_PHRASE_WORDS = frozenset(
    ["age", "at", "date", "year", "time", "month", "day", "week", "hour", "minute", "patient",
     "person", "subject", "of", "when", "in", "current", "now", "group"]
)  # fmt: skip
_VISITS = frozenset(
    ["visit", "encounter", "admission", "admit", "service", "exam", "examination", "index",
     "enrollment", "contact", "appointment", "screening", "baseline", "discharge", "collection",
     "specimen", "study", "record", "recorded", "survey", "interview"]
)  # fmt: skip
RowCells = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class RowAges:
    """What a row shows: the day on which its ages are judged, and columns that reveal an age over
    89.

    `late` is set if the row has dates after the reference date.
    """

    reference: date
    over_89: frozenset[int] = frozenset()
    late: bool = False


@dataclass(frozen=True, slots=True)
class BirthColumns:
    """The columns that may reveal a birth: births, ages with their dates, years of life events."""

    births: tuple[ColumnDecision, ...]
    ages: tuple[tuple[ColumnDecision, tuple[ColumnDecision, ...]], ...]
    events: tuple[tuple[ColumnDecision, LifeEvent], ...]
    dates: tuple[ColumnDecision, ...]

    @classmethod
    def of(cls, decisions: Sequence[ColumnDecision]) -> BirthColumns:
        """Find the birth columns of a table."""
        dates = tuple(d for d in decisions if d.shape in DATED_SHAPES and not d.birth)
        named = [(d, life_event_named(d.header or "")) for d in dates if not d.path]
        return cls(
            births=tuple(d for d in decisions if d.birth),
            ages=tuple((d, _dates_of(d, dates)) for d in decisions if d.entity == "AGE"),
            events=tuple((d, event) for d, event in named if event is not None),
            dates=dates,
        )

    def dependent_columns(self, later: bool) -> tuple[ColumnDecision, ...]:
        """The columns whose cells depend on other cells of the row.

        With `later`, rows may have dates after the reference date; then every year depends on them.
        """
        ages = [d for d, _ in self.ages if d.leaves]
        years = [d for d in self.births if d.leaves and d.action == "year"]
        events = [d for d, _ in self.events if d.leaves and d.action == "year"]
        if later and self.dates:
            years += [d for d in self.dates if d.leaves and d.action == "year" and d not in events]
        elif not (ages or events or len(years) > 1):
            return ()
        return (*ages, *years, *events)

    def judge_row(self, cells: RowCells, reference: date, run: date, known: str | None) -> RowAges:
        """Judge the cells of a row. `known` is the patient's birth date from elsewhere."""
        parsed = _ParsedRow(cells, reference)
        own = [when for d in self.dates if (when := parsed.day(d))] if run > reference else []
        judged = effective_reference(reference, own, run)
        late = judged > reference
        if not (self.ages or self.events or len(self.births) > 1):
            return RowAges(judged, late=late)
        over = {
            role
            for role, facts in self._facts(parsed, known).items()
            if bound_birth(facts, judged).shows_over_89(judged)
        }
        over |= {d.role for d, _ in self.ages if (age := parsed.age(d)) and age.over_89}
        revealing = self._revealing(parsed, over) if over else ()
        return RowAges(judged, frozenset(revealing), late)

    def _facts(self, parsed: _ParsedRow, known: str | None) -> Mapping[str, list[Fact]]:
        facts: dict[str, list[Fact]] = defaultdict(list)
        for decision in self.births:
            if when := parsed.day(decision):
                facts[decision.role].append(Born(when))
        if known is not None and not facts[""] and (when := parsed.birth(known)):
            facts[""].append(Born(when))
        for decision, dates in self.ages:
            if (age := parsed.age(decision)) and (when := parsed.first(dates, decision)):
                facts[decision.role].append(AgeAt.of(age, when))
        for decision, event in self.events:
            if when := parsed.day(decision):
                facts[decision.role].append(AgeAt.at_event(event, when))
        return facts

    def _revealing(self, parsed: _ParsedRow, over: set[str]) -> set[int]:
        """Return the columns that reveal the birth of a person with one of these roles."""
        ages = {
            d.index
            for d, dates in self.ages
            if d.role in over and (parsed.first(dates, d) or _is_current(d))
        }
        events = {d.index for d, _ in self.events if d.role in over}
        return ages | events | {d.index for d in self.births if d.role in over}


@dataclass(slots=True)
class _ParsedRow:
    """The cells of one row, each parsed once."""

    cells: RowCells = field(repr=False)
    reference: date
    _days: dict[int, PartialDate | None] = field(default_factory=dict, repr=False)

    def day(self, decision: ColumnDecision) -> PartialDate | None:
        value, index = self.cells[decision.index], decision.index
        if value is None:
            return None
        if is_time_of_day(decision, value):
            return None
        if index not in self._days:
            counted = decision.shape in DATE_SHAPES
            self._days[index] = read_date(value, self.reference, decision.birth, counted=counted)
        return self._days[index]

    def first(self, dates: Sequence[ColumnDecision], age: ColumnDecision) -> PartialDate | None:
        """Return the date at which the person had that age."""
        days = [when for d in dates if (when := self.day(d))]
        if age.path:
            return min(days, key=lambda when: when.first, default=None)
        return next(iter(days), None)

    def age(self, decision: ColumnDecision):  # type: ignore[no-untyped-def]
        value = self.cells[decision.index]
        return None if value is None else read_age(with_unit(decision.shape, value))

    def birth(self, value: str) -> PartialDate | None:
        return read_date(value, self.reference, birth=True, counted=True)


def _dates_of(age: ColumnDecision, dates: Sequence[ColumnDecision]) -> tuple[ColumnDecision, ...]:
    """Return the dates to which an age may belong, the most likely first."""
    if age.path:
        return tuple(dates)
    occasion = _occasion(age)
    same = [d for d in dates if occasion and _occasion(d) == occasion]
    if same:
        return tuple(same)
    visits = [d for d in dates if _occasion(d) <= _VISITS] if occasion <= _VISITS else []
    return (*visits, *(d for d in dates if d not in visits))


def _is_current(age: ColumnDecision) -> bool:
    """Whether the column holds the age at the visit rather than at another event."""
    return _occasion(age) <= _VISITS


def _occasion(decision: ColumnDecision) -> frozenset[str]:
    words = header_words(decision.header or "")
    return frozenset(word.removesuffix("s") for word in words) - _BIRTH_PHRASE_WORDS


_FOUR_DIGITS = re.compile(r"\s*\d{4}(?:\.0+)?\s*")


def is_time_of_day(decision: ColumnDecision, value: str) -> bool:
    """Whether the header shows that the value is a time written as a bare number (`1936`)."""
    if decision.shape != "date" or decision.path or not _FOUR_DIGITS.fullmatch(value):
        return False
    return is_timed(decision.original)


def with_unit(shape: str, value: str) -> str:
    """Add the unit to a bare number in a column of months, weeks, days or hours."""
    unit = shape.removeprefix("age_")
    bare = unit != shape and re.fullmatch(r"\s*\d+(?:\.\d*)?\s*", value)
    return f"{value.strip()} {unit}" if bare else value
