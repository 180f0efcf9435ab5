"""Persons as the units of a plan: the rows of a person form one history.

A column that varies within persons becomes a column of sequences, and its levels become sequences
of coarser labels. Persons are then planned in the same way as rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap, text_of
from risk.spellings.days import parse_day
from risk.tables.coding import CodedColumn, CodedTable, ValueArray, smallest
from risk.tables.longitudinal import separate_unnamed


def as_histories(
    table: CodedTable, level_maps: Sequence[LevelMap], person: CodedColumn | None
) -> tuple[CodedTable, tuple[LevelMap, ...], NDArray[np.int64] | None]:
    """One row per person, its level maps, and the person of each row; the table itself if no person
    column is given.

    The rows of a person are sorted by their coarsest labels first, so that equal sets of rows give
    equal sequences for one column at every level. If several columns are at different levels, equal
    sets may differ in order; a person's class is then counted too small, never too large.
    """
    if person is None:
        return table, tuple(level_maps), None
    labels = [
        level_map.steps[level][column.codes]
        for level in range(max((level_map.height for level_map in level_maps), default=0) + 1)
        for column, level_map in zip(table.columns, level_maps, strict=True)
        if level <= level_map.height
    ]
    order = np.lexsort((*labels, person.codes))
    starts = np.flatnonzero(np.diff(person.codes[order].astype(np.int64), prepend=-1))
    unit = np.empty(table.rows, np.int64)
    unit[order] = np.cumsum(np.bincount(starts, minlength=table.rows)[: table.rows]) - 1
    columns, climbed = [], []
    for column, level_map in zip(table.columns, level_maps, strict=True):
        coded, steps = _sequences(column, level_map, order, starts)
        columns.append(coded)
        climbed.append(steps)
    return CodedTable(tuple(columns), len(starts)), tuple(climbed), unit


def _sequences(
    column: CodedColumn, level_map: LevelMap, order: NDArray[np.intp], starts: NDArray[np.intp]
) -> tuple[CodedColumn, LevelMap]:
    """Return the column with one sequence of labels per person.

    Level 0 holds the distinct sequences of labels, each coarser level the sequences of coarser
    labels.
    """
    row_labels = level_map.steps[0][column.codes[order]]
    known: dict[bytes, int] = {}
    firsts: list[NDArray[np.int64]] = []
    codes = []
    for part in np.split(row_labels, starts[1:]):
        place = known.setdefault(part.tobytes(), len(known))
        if place == len(firsts):
            firsts.append(part)
        codes.append(place)
    steps, labels, shares = [], [], []
    for level in range(level_map.height + 1):
        climb = level_map.between(0, level)
        step, words, share = _sequence_labels(
            [climb[part] for part in firsts], level_map.labels[level], level_map.shares[level]
        )
        steps.append(step)
        labels.append(words)
        shares.append(share)
    values = labels[0][steps[0]]
    coded = CodedColumn(column.name, np.array(codes, smallest(max(1, len(known)))), values)
    return coded, LevelMap(column.name, tuple(steps), tuple(labels), tuple(shares), level_map.floor)


def _sequence_labels(
    parts: list[NDArray[np.int64]], words: ValueArray, spread: NDArray[np.float64]
) -> tuple[NDArray[np.int64], ValueArray, NDArray[np.float64]]:
    """Return the distinct sequences of labels at one level.

    Sequences of different lengths are different.
    """
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


def to_intervals(dates: CodedColumn, person: CodedColumn) -> CodedColumn:
    """Dates as days since the person's first date: the order of events and the time between them,
    without calendar dates.

    A value that is not a date becomes missing, and a row that names no person is counted from its
    own date. The result is text, as a table file would hold it.
    """
    person = separate_unnamed(person)
    days = [None if v is None else parse_day(text_of(v)) for v in dates.values]
    ordinal = np.array([-1 if day is None else day.toordinal() for day in days], np.int64)
    of_row = ordinal[dates.codes]
    first = np.full(person.cardinality, np.iinfo(np.int64).max)
    dated = of_row >= 0
    np.minimum.at(first, person.codes[dated], of_row[dated])
    passed = np.where(dated, of_row - first[person.codes], -1)
    distinct, codes = np.unique(passed, return_inverse=True)
    values: NDArray[Any] = np.array([None if d < 0 else str(d) for d in distinct], object)
    return CodedColumn(dates.name, codes.astype(smallest(max(1, len(values)))), values)
