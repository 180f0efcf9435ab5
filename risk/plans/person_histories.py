"""Persons as units of a plan: the rows of a person told together, as one history.

A column that varies within persons becomes a column of sequences, its levels the sequences of
coarser labels; everything else of a plan then works on persons as it works on rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import Ladder, text_of
from risk.hierarchies.rules import read_day
from risk.tables.coding import CodedColumn, CodedTable, Values, smallest
from risk.tables.longitudinal import each_alone


def of_persons(
    table: CodedTable, ladders: Sequence[Ladder], person: CodedColumn | None
) -> tuple[CodedTable, tuple[Ladder, ...], NDArray[np.int64] | None]:
    """One row a person, the ladders over it, and the person of each row; the table itself where
    no person column is given.

    Rows of a person are put in one order, by their coarsest labels first, so that equal sets of
    rows are equal sequences, at one column on every level. Where several columns stand at different
    levels equal sets may differ in order: a person is then counted as more alone, never less.
    """
    if person is None:
        return table, tuple(ladders), None
    labels = [
        ladder.steps[level][column.codes]
        for level in range(max((ladder.height for ladder in ladders), default=0) + 1)
        for column, ladder in zip(table.columns, ladders, strict=True)
        if level <= ladder.height
    ]
    order = np.lexsort((*labels, person.codes))
    starts = np.flatnonzero(np.diff(person.codes[order].astype(np.int64), prepend=-1))
    unit = np.empty(table.rows, np.int64)
    unit[order] = np.cumsum(np.bincount(starts, minlength=table.rows)[: table.rows]) - 1
    columns, climbed = [], []
    for column, ladder in zip(table.columns, ladders, strict=True):
        coded, steps = _sequences(column, ladder, order, starts)
        columns.append(coded)
        climbed.append(steps)
    return CodedTable(tuple(columns), len(starts)), tuple(climbed), unit


def _sequences(
    column: CodedColumn, ladder: Ladder, order: NDArray[np.intp], starts: NDArray[np.intp]
) -> tuple[CodedColumn, Ladder]:
    """The column by persons. Level 0 holds the distinct sequences of labels; each coarser level
    the sequences of coarser labels."""
    told = ladder.steps[0][column.codes[order]]
    known: dict[bytes, int] = {}
    firsts: list[NDArray[np.int64]] = []
    codes = []
    for part in np.split(told, starts[1:]):
        place = known.setdefault(part.tobytes(), len(known))
        if place == len(firsts):
            firsts.append(part)
        codes.append(place)
    steps, labels, shares = [], [], []
    for level in range(ladder.height + 1):
        climb = ladder.climb(0, level)
        step, words, share = _at(
            [climb[part] for part in firsts], ladder.labels[level], ladder.shares[level]
        )
        steps.append(step)
        labels.append(words)
        shares.append(share)
    values = labels[0][steps[0]]
    coded = CodedColumn(column.name, np.array(codes, smallest(max(1, len(known)))), values)
    return coded, Ladder(column.name, tuple(steps), tuple(labels), tuple(shares), ladder.floor)


def _at(
    parts: list[NDArray[np.int64]], words: Values, spread: NDArray[np.float64]
) -> tuple[NDArray[np.int64], Values, NDArray[np.float64]]:
    """Sequences of labels at one level. One that repeats a single label in as many rows as another
    is the same; one of another length is not."""
    known: dict[bytes, int] = {}
    step: list[int] = []
    shares: list[float] = []
    labels: list[str] = []
    for part in parts:
        place = known.setdefault(part.tobytes(), len(known))
        if place == len(labels):
            labels.append(" > ".join("" if words[i] is None else str(words[i]) for i in part))
            shares.append(float(spread[part].mean()))
        step.append(place)
    return np.array(step, np.int64), np.array(labels, object), np.array(shares)


def to_intervals(dates: CodedColumn, person: CodedColumn, *, order: str = "mdy") -> CodedColumn:
    """Dates as days since the person's first: what happened when, without the calendar.

    A value that is no date stays missing, and a row that names no person is its own first. The
    result is text, as a table file would hold it.
    """
    person = each_alone(person)
    days = [None if v is None else read_day(text_of(v), order) for v in dates.values]
    ordinal = np.array([-1 if day is None else day.toordinal() for day in days], np.int64)
    of_row = ordinal[dates.codes]
    first = np.full(person.cardinality, np.iinfo(np.int64).max)
    dated = of_row >= 0
    np.minimum.at(first, person.codes[dated], of_row[dated])
    passed = np.where(dated, of_row - first[person.codes], -1)
    distinct, codes = np.unique(passed, return_inverse=True)
    values: NDArray[Any] = np.array([None if d < 0 else str(d) for d in distinct], object)
    return CodedColumn(dates.name, codes.astype(smallest(max(1, len(values)))), values)
