"""Values that most patients of a table share: they identify none of these patients.

The number of a study, a plan or a product stands under headers for identifiers, and a word in a
withheld column may look like a name. Such a value is removed there. But it is no known value,
because a search for it would withhold the records of everybody.
`docs/decisions/0055-values-of-groups.md` gives the reasons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from deid.people.gathered_rows import GatheredRows
from deid.people.known_cells import KnownColumn, KnownColumns
from deid.people.linking import LEAST_GROUP, KeyBook, Link, Owners, normal_key
from recognizers import is_filler_value
from safe_harbor import Identifier

GroupValue = tuple[Identifier, str]
"""The identifier that a column holds, and a value in it as `normal_key` returns it."""
# If a table has more patients, the first ones decide.
MOST_PATIENTS = 1 << 14
_OF_GROUPS = (Identifier.PLANS, Identifier.ACCOUNTS, Identifier.DEVICES, Identifier.OTHERS)


def find_group_values(
    batches: Iterable[GatheredRows], link: Link, book: KeyBook, read: KnownColumns
) -> Iterator[GroupValue]:
    """Yield the values that more than half of the patients, at least `LEAST_GROUP`, hold."""
    counts = [_Holders(c) for c in read.columns if _may_hold_group_values(c, link)]
    for rows in batches if counts else ():
        owners = Owners.of(link.people_of(rows, book))
        counts = [count for count in counts if count.add(rows, owners)]
        if not counts or max(len(count.patients) for count in counts) >= MOST_PATIENTS:
            break
    for count in counts:
        yield from count.shared()


def without_group_values(
    read: KnownColumns, link: Link, values: Collection[GroupValue]
) -> KnownColumns:
    """The same columns of known values, without these values."""
    columns = (
        replace(c, ignored=frozenset(value for word, value in values if word is c.identifier))
        if _may_hold_group_values(c, link)
        else c
        for c in read.columns
    )
    return replace(read, columns=tuple(columns))


def _may_hold_group_values(column: KnownColumn, link: Link) -> bool:
    """Whether the column holds numbers, or is withheld because its contents are unknown.

    Keys of patients, SSNs, MRNs, and names under their header are always known values.
    """
    if column.index in link.keys or column.part == "comment":
        return False
    numbered = column.identifier in _OF_GROUPS and column.role in ("patient", "other")
    return numbered or column.is_withheld


class _Holders:
    """The patients who hold the values of one column. The `repr` shows no value."""

    def __init__(self, column: KnownColumn) -> None:
        self._column = column
        self.patients: set[str] = set()
        self._of_value: dict[str, set[str]] | None = None

    def add(self, rows: GatheredRows, owners: Owners) -> bool:
        """Count the patients of more rows; False if no value is still held by most of them.

        A value that is not held by most patients of the first rows is not counted any more.
        """
        held = {} if self._of_value is None else self._of_value
        for value, patient in rows.told_of(self._column.index, owners.codes, owners.people):
            if is_filler_value(value):
                continue
            self.patients.add(patient)
            key = normal_key(value)
            if self._of_value is None or key in held:
                held.setdefault(key, set()).add(patient)
        if self.patients:
            self._of_value = {k: of for k, of in held.items() if 2 * len(of) > len(self.patients)}
        return self._of_value != {}

    def shared(self) -> Iterator[GroupValue]:
        """The values that enough patients hold."""
        for value, some in (self._of_value or {}).items():
            if len(some) >= LEAST_GROUP:
                yield self._column.identifier, value
