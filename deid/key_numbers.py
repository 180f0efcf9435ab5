"""Numbers for the keys that join tables: the same key, the same number, in the whole job.

They are given in order of first sight, over the files in the order of the job and before any of
them is written, so that all worker processes agree. A number says no more than the order of the
rows, which the output has anyway, and nothing of the key: `docs/decisions/` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from deid.decision import Decision
from deid.formats import ColumnSource, Fault, Record, Source
from deid.linking import normal_key
from deid.transforms.number import number_tag
from recognizers import is_placeholder

ACTION = "number"


class KeyNumbers:
    """The numbers of a job's keys. Its `repr` shows how many there are."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"KeyNumbers({len(self._numbers)} keys)"

    def __len__(self) -> int:
        return len(self._numbers)

    def see(self, values: Iterable[str]) -> None:
        """Number the keys among these that have none yet, in their order."""
        for value in values:
            if not is_placeholder(value) and (key := normal_key(value)):
                self._numbers.setdefault(key, len(self._numbers) + 1)

    def number(self, value: str) -> int | None:
        """The number of a key; None for one that was never seen, and for a placeholder."""
        return None if is_placeholder(value) else self._numbers.get(normal_key(value))

    def tags(self, column: pa.Array) -> pa.Array:
        """What stands for each of many keys."""
        coded = column.dictionary_encode(null_encoding="encode")
        tags = [
            None if value is None else number_tag(self.number(value))
            for value in coded.dictionary.to_pylist()
        ]
        return pa.array(tags, pa.string()).take(coded.indices)


def number_keys(
    records: Source | Iterable[Record | Fault], decisions: Sequence[Decision], numbers: KeyNumbers
) -> None:
    """Number the keys of one file. Files are to come in the order of the job."""
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


def _number_by_column(source: Source, places: Sequence[int], numbers: KeyNumbers) -> bool:
    """The same for a table that can be had by column; False for any other."""
    if not isinstance(source, ColumnSource) or not source.is_regular():
        return False
    for batch in source.batches():
        numbers.see(_in_order([batch.column(index) for index in places]))
    return True


def _in_order(columns: Sequence[pa.Array]) -> list[str]:
    """The different cells, in order of first sight: row by row, in a row from left to right."""
    if len(columns) > 1:
        places = np.arange(len(columns) * len(columns[0])).reshape(len(columns), -1).T.ravel()
        whole = pa.concat_arrays(columns).take(pa.array(places))
    else:
        whole = columns[0]
    return [value for value in whole.dictionary_encode().dictionary.to_pylist() if value]
