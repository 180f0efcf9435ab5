"""Numbers for the keys that join tables: equal keys get equal numbers in the whole job.

Numbers are given in order of first appearance, over the files in job order and before any file is
written, so that all worker processes agree. A number shows only the order of the rows,
which the output shows anyway, and nothing about the key; `docs/decisions/` gives the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.decision import ColumnDecision
from deid.formats import ColumnSource, Record, RecordFault, RecordSource
from deid.people.linking import normal_key
from deid.people.packed_keys import key_hash
from deid.transforms.number import number_tag
from recognizers import is_filler_value, nothing_words

ACTION = "number"
# Keys kept in a dictionary. If they exceed this number and a quarter of the packed keys, they are
# packed into arrays of 12 bytes per key.
MAX_HELD_KEYS = 1 << 15
_DIGITS_ONLY = "^[0-9]{1,18}$"
NormalKey = int | str
"""A key of digits without leading zeros, or any other key as `normal_key` returns it."""


class KeyNumbers:
    """The numbers of a job's keys. Its `repr` shows only how many there are.

    Packed keys that are not plain numbers are distinguished by 63 bits of a hash: among ten million
    of them, the chance that two collide is 5 in a million.
    """

    def __init__(self, max_held: int = MAX_HELD_KEYS) -> None:
        self._held: dict[NormalKey, int] = {}
        self._packed = {int: _Packed(), str: _Packed()}
        self._max_held = max_held
        self._count = 0

    def __repr__(self) -> str:
        return f"KeyNumbers({self._count} keys)"

    def __len__(self) -> int:
        return self._count

    def see(self, values: Iterable[str]) -> None:
        """Number those keys that are new, in order."""
        self._see([key for value in values if (key := _key(value))])

    def see_columns(self, columns: Sequence[pa.Array]) -> None:
        """Number the keys of several columns: row by row, within a row from left to right."""
        whole = columns[0]
        if len(columns) > 1:
            places = np.arange(len(columns) * len(columns[0])).reshape(len(columns), -1).T.ravel()
            whole = pa.concat_arrays(columns).take(pa.array(places))
        self._see([key for key in _keys(whole.drop_null().dictionary_encode().dictionary) if key])

    def number(self, value: str) -> int | None:
        """The number of a key; None for an unknown key and for a placeholder."""
        key = _key(value)
        return self._find([key])[0] if key else None

    def tags(self, column: pa.Array) -> pa.Array:
        """The tags that replace the keys of a column."""
        coded = column.dictionary_encode(null_encoding="encode")
        tags = [number_tag(number) for number in self._find(_keys(coded.dictionary))]
        whole = pa.array(tags, pa.string()).take(coded.indices)
        return pc.if_else(column.is_null(), pa.scalar(None, pa.string()), whole)

    def _see(self, keys: Sequence[NormalKey]) -> None:
        for key, known in zip(keys, self._find(keys), strict=True):
            if known is None and key not in self._held:
                self._count += 1
                self._held[key] = self._count
        if len(self._held) > max(self._max_held, sum(map(len, self._packed.values())) // 4):
            for kind, packed in self._packed.items():
                packed.add({k: n for k, n in self._held.items() if isinstance(k, kind)})
            self._held.clear()

    def _find(self, keys: Sequence[NormalKey | None]) -> list[int | None]:
        found = [None if key is None else self._held.get(key) for key in keys]
        for kind, packed in self._packed.items():
            if len(packed):
                asked = [
                    n for n, key in enumerate(keys) if isinstance(key, kind) and found[n] is None
                ]
                for place, number in zip(asked, packed.find([keys[n] for n in asked]), strict=True):
                    found[place] = number
        return found


class _Packed:
    """Keys in one sorted array, with their numbers in another."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.int64)
        self._numbers = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, numbers: dict[NormalKey, int]) -> None:
        """Add keys, none of which is in the array yet."""
        keys = np.concatenate([self._keys, _packed(list(numbers))])
        order = np.argsort(keys, kind="stable")
        given = np.fromiter(numbers.values(), np.int32, len(numbers))
        self._numbers = np.concatenate([self._numbers, given])[order]
        self._keys = keys[order]

    def find(self, keys: Sequence[NormalKey | None]) -> list[int | None]:
        """The number of each key, None for a key that is not in the array."""
        asked = _packed(keys)
        places = np.minimum(np.searchsorted(self._keys, asked), len(self._keys) - 1)
        known = self._keys[places] == asked
        numbers = self._numbers[places].tolist()
        return [n if is_one else None for n, is_one in zip(numbers, known.tolist(), strict=True)]


def _packed(keys: Sequence[NormalKey | None]) -> np.ndarray:
    return np.fromiter((_bits(key or 0) for key in keys), np.int64, len(keys))


def _bits(key: NormalKey) -> int:
    return key if isinstance(key, int) else key_hash(key)


def _key(value: str) -> NormalKey | None:
    """The normalized key; None where the cell holds no key."""
    if is_filler_value(value):
        return None
    key = normal_key(value)
    return int(key) if key.isascii() and key.isdigit() and len(key) < 19 else key or None


def _keys(words: pa.Array) -> list[NormalKey | None]:
    """The keys of many cells; keys of digits only are converted together."""
    plain = pc.fill_null(pc.match_substring_regex(words, _DIGITS_ONLY), False)
    asked = pc.if_else(pc.or_(plain, pc.is_null(words)), None, words).to_pylist()
    numbers = pc.if_else(pc.is_in(words, _nothing()), None, pc.if_else(plain, words, None))
    keys: list[NormalKey | None] = numbers.cast(pa.int64()).to_pylist()
    return [_key(w) if w is not None else key or None for w, key in zip(asked, keys, strict=True)]


@cache
def _nothing() -> pa.Array:
    return pa.array(sorted(nothing_words("placeholder")), pa.string())


def number_keys(
    records: RecordSource | Iterable[Record | RecordFault],
    decisions: Sequence[ColumnDecision],
    numbers: KeyNumbers,
) -> None:
    """Number the keys of one file. Files must come in job order."""
    places = [d.index for d in decisions if d.action == ACTION]
    if not places:
        return
    if not isinstance(records, Iterable):
        if _number_by_column(records, places, numbers):
            return
        records = records.records()
    for record in records:
        if isinstance(record, Record):
            numbers.see(value for i in places if (value := record.cells[i]))


def _number_by_column(source: RecordSource, places: Sequence[int], numbers: KeyNumbers) -> bool:
    """Number the keys of a table that can be read by column; False for any other table."""
    if not isinstance(source, ColumnSource) or not source.is_regular():
        return False
    for batch in source.batches():
        numbers.see_columns([batch.column(index) for index in places])
    return True
