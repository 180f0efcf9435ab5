"""Judge the ages, births and dates of a row together, because they may show an age over 89."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial

import numpy as np

from deid.decision import ColumnDecision
from deid.people.linking import Owners
from deid.tables.row_births import DATE_SHAPES, BirthColumns, with_unit
from deid.tables.table_batch import TableBatch
from safe_harbor import OLDEST_AGE, effective_reference, read_age, read_date

BirthOf = Callable[[int], str | None]
"""Takes a row (from 0) and returns its person's birth date, if known from outside the row."""


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """The days on which the rows of a batch are judged, and the cells that show an age over 89.

    `day` is the index of each row's day; 0 is the reference date.
    """

    days: list[date]
    day: np.ndarray = field(repr=False)
    over_89: dict[int, np.ndarray] = field(repr=False)


@dataclass(frozen=True, slots=True)
class AgeJudge:
    """Judges ages by row, on a day between the reference date and the day of the run."""

    births: BirthColumns
    reference: date
    latest: date

    def judge(self, batch: TableBatch, owners: Owners, birth: BirthOf) -> JudgedRows:
        """Judge a batch; read only the rows that may show an age over 89 or have a later date."""
        judged = JudgedRows([self.reference], np.zeros(len(batch), np.int64), {})
        dependent = self.births.dependent_columns(self.latest > self.reference)
        if not dependent:
            return judged
        read = sorted(self._columns(dependent))
        for place in np.flatnonzero(self._may_be_old(batch, owners, birth)).tolist():
            cells: dict[int, str | None] = {}
            for index in read:
                words, places = batch.words(index)
                cells[index] = words[int(places[place])]
            row = [cells.get(index) for index in range(read[-1] + 1)]
            ages = self.births.judge_row(row, self.reference, self.latest, birth(place))
            if ages.reference not in judged.days:
                judged.days.append(ages.reference)
            judged.day[place] = judged.days.index(ages.reference)
            for index in ages.over_89:
                judged.over_89.setdefault(index, np.zeros(len(batch), bool))[place] = True
        return judged

    def _columns(self, dependent: Sequence[ColumnDecision]) -> set[int]:
        births = self.births
        ages = [decision for decision, _ in births.ages]
        return {d.index for d in (*dependent, *births.births, *births.dates, *ages)}

    def _may_be_old(self, batch: TableBatch, owners: Owners, birth: BirthOf) -> np.ndarray:
        """Mark the rows that may show an age over 89.

        They have a year 89 or more years ago, an age that could be 90 by now, a life event, or a
        date after the reference date.
        """
        latest = self.latest.year
        aged, earliest = np.zeros(len(batch), int), np.full(len(batch), latest)
        old = self._born_long_ago(owners, birth)
        events = dict(self._ages_at_events())
        for decision, _ in self.births.ages:
            reads = partial(_years_of_age, shape=decision.shape)
            aged = np.maximum(aged, batch.numbers(decision.index, reads))
        for decision in (*self.births.births, *self.births.dates):
            reads = partial(
                _year_of, reference=self.reference, birth=decision.birth, shape=decision.shape
            )
            years = batch.numbers(decision.index, reads)
            told = years > 0
            old |= told & (latest - years + events.get(decision.index, 0) >= OLDEST_AGE)
            if not decision.birth:
                earliest = np.minimum(earliest, np.where(told, years, latest))
        old |= aged + (latest - earliest) + 1 >= OLDEST_AGE
        for decision in self.births.dates if self.latest > self.reference else ():
            reads = partial(
                _is_late, reference=self.reference, latest=self.latest, shape=decision.shape
            )
            old |= batch.numbers(decision.index, reads) > 0
        return np.asarray(old)

    def _born_long_ago(self, owners: Owners, birth: BirthOf) -> np.ndarray:
        """Mark the rows of patients whose known birth was 89 or more years ago."""
        if not (self.births.ages or self.births.events):
            return np.zeros(len(owners.codes), bool)
        old = [
            key is not None and self._is_old(birth(place))
            for key, place in zip(owners.people, owners.first.tolist(), strict=True)
        ]
        return np.asarray(np.array(old or [False], bool)[owners.codes])

    def _is_old(self, birth: str | None) -> bool:
        year = _year_of(birth, self.reference, True, "birth_date") if birth else 0
        return year > 0 and self.latest.year - year >= OLDEST_AGE

    def _ages_at_events(self) -> Iterator[tuple[int, int]]:
        """Yield the column of each life event, with the greatest age at that event."""
        for decision, event in self.births.events:
            yield decision.index, (event.usual or event.youngest) + 1


@lru_cache(maxsize=1 << 16)
def _years_of_age(value: str, shape: str) -> int:
    age = read_age(with_unit(shape, value))
    return 0 if age is None else OLDEST_AGE + 1 if age.over_89 else age.years


@lru_cache(maxsize=1 << 17)
def _year_of(value: str, reference: date, birth: bool, shape: str) -> int:
    found = read_date(value, reference, birth, counted=shape in DATE_SHAPES)
    return 0 if found is None else found.year


@lru_cache(maxsize=1 << 17)
def _is_late(value: str, reference: date, latest: date, shape: str) -> int:
    found = read_date(value, reference, counted=shape in DATE_SHAPES)
    return int(found is not None and effective_reference(reference, [found], latest) > reference)
