"""Releases of the same cohort over time: what two of them reveal together, and what to coarsen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from risk.hierarchies.hierarchy import Hierarchy
from risk.recoding.suppression import SUPPRESSED
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest


@dataclass(frozen=True)
class ReleaseDifference:
    """What an earlier release and this one reveal together.

    `apart` counts classes that changed in size by fewer than k records: a person who was added or
    removed is one of fewer than k. `new_small` counts classes of this release that have fewer than
    k records, and `gone` counts classes of the earlier release that no longer exist. `records` is
    the number of records in classes that are apart or small. `other_labels` lists columns that
    share no label between the two releases: they were recoded differently, and combined they may
    reveal more than either.
    """

    release: int
    apart: int
    new_small: int
    gone: int
    records: int
    smallest_step: int
    other_labels: tuple[str, ...]

    shared_persons: bool = True

    @property
    def safe(self) -> bool:
        if not self.shared_persons:
            return self.new_small == 0
        return self.apart == 0 and self.new_small == 0 and not self.other_labels


def compare_releases(
    current: CodedTable,
    earlier: Sequence[CodedTable],
    k: int,
    *,
    levels: Mapping[str, int] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    shared_persons: bool = True,
) -> tuple[ReleaseDifference, ...]:
    """Compare the released quasi-identifiers with those of each earlier release.

    With the levels and hierarchies of the current plan, an earlier release with finer labels is
    compared at the current levels, as an attacker would. If no person is in both
    (`shared_persons=False`), no person was added or removed, and only small classes count.
    """
    found = []
    for number, other in enumerate(earlier, 1):
        climbed = other.select(current.names)
        if levels and hierarchies:
            columns = (
                climb_labels(c, hierarchies[c.name], levels[c.name]) if c.name in levels else c
                for c in climbed.columns
            )
            climbed = CodedTable(tuple(columns), other.rows)
        difference = _release_difference(number, current, climbed, k)
        found.append(replace(difference, shared_persons=shared_persons))
    return tuple(found)


def climb_labels(column: CodedColumn, hierarchy: Hierarchy, level: int) -> CodedColumn:
    """Return a released column at a coarser level of its hierarchy.

    The column is unchanged if its labels do not match any level up to this one.
    """
    words = [None if value is None else str(value) for value in column.values]
    for low in range(level, -1, -1):
        known = {None if v is None else str(v): i for i, v in enumerate(hierarchy.labels[low])}
        if not all(word in known or word in (None, SUPPRESSED) for word in words):
            continue
        above = np.zeros(len(hierarchy.labels[low]), np.int64)
        above[hierarchy.groups[low]] = hierarchy.groups[level]
        labels = [
            str(hierarchy.labels[level][above[known[word]]]) if word in known else word
            for word in words
        ]
        distinct = list(dict.fromkeys(labels))
        values = np.empty(len(distinct), object)
        values[:] = distinct
        mapping = np.array([distinct.index(label) for label in labels], np.int64)
        return column.recode(mapping, values) if len(labels) else column
    return column


@dataclass(frozen=True)
class Remedy:
    """The levels at which a release can be published together with the earlier ones.

    `raised` lists the raised columns, the first one first; `safe` is False if no such levels were
    found.
    """

    levels: Mapping[str, int]
    raised: tuple[str, ...]
    safe: bool


def find_remedy(
    current: CodedTable,
    earlier: Sequence[CodedTable],
    k: int,
    levels: Mapping[str, int],
    hierarchies: Mapping[str, Hierarchy],
) -> Remedy:
    """Raise columns until the releases can be published together.

    The next column is always the one that leaves the fewest records in classes that are apart or
    small.
    """
    now, raised = dict(levels), list[str]()
    while True:
        able = [name for name, level in now.items() if level < hierarchies[name].height]
        trials = []
        for name in able:
            at = {**now, name: now[name] + 1}
            columns = tuple(
                climb_labels(c, hierarchies[c.name], at[c.name]) for c in current.columns
            )
            table = CodedTable(columns, current.rows)
            found = compare_releases(table, earlier, k, levels=at, hierarchies=hierarchies)
            trials.append((sum(d.records for d in found), not all(d.safe for d in found), name))
        if not trials:
            return Remedy(now, tuple(raised), False)
        _, unsafe, name = min(trials, key=lambda t: (t[1], t[0]))
        now[name] += 1
        raised.append(name)
        if not unsafe:
            return Remedy(now, tuple(raised), True)


def _release_difference(
    number: int, current: CodedTable, other: CodedTable, k: int
) -> ReleaseDifference:
    both, strange = [], []
    for mine, theirs in zip(current.columns, other.columns, strict=True):
        column, alien = _joined_columns(mine, theirs)
        both.append(column)
        if alien:
            strange.append(mine.name)
    joint = Classes.of(CodedTable(tuple(both), current.rows + other.rows))
    ids = joint.ids
    now = np.bincount(ids[: current.rows], minlength=len(joint))
    then = np.bincount(ids[current.rows :], minlength=len(joint))
    step = np.abs(now - then)
    apart = (step > 0) & (step < k) & (now > 0) & (then > 0)
    small = (now > 0) & (now < k)
    return ReleaseDifference(
        release=number,
        apart=int(apart.sum()),
        new_small=int((small & (then == 0)).sum()),
        gone=int(((then > 0) & (now == 0)).sum()),
        records=int(now[apart | small].sum()),
        smallest_step=int(step[step > 0].min()) if (step > 0).any() else 0,
        other_labels=tuple(strange),
    )


def _joined_columns(mine: CodedColumn, theirs: CodedColumn) -> tuple[CodedColumn, bool]:
    """Join the columns of both tables by the text of their labels.

    The second result says whether the tables share no label at all.
    """
    known: dict[Any, int] = {}
    coded = []
    for column in (mine, theirs):
        texts = [None if v is None else str(v) for v in column.values]
        places = [known.setdefault(text, len(known)) for text in texts]
        coded.append(np.array(places, np.int64)[column.codes])
    values = np.empty(len(known), object)
    values[:] = list(known)
    codes = np.concatenate(coded).astype(smallest(max(1, len(known))))
    alien = not {str(v) for v in mine.values} & {str(v) for v in theirs.values}
    return CodedColumn(mine.name, codes, values), alien
