"""Numbers for the keys that join tables: the same key, the same number, in the whole job.

They are given in order of first sight, over the files in the order of the job and before any of
them is written, so that all worker processes agree. A number says no more than the order of the
rows, which the output has anyway, and nothing of the key: `docs/decisions/` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deid.decision import Decision
from deid.formats import Fault, Record
from deid.linking import normal_key
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


def number_keys(
    records: Iterable[Record | Fault], decisions: Sequence[Decision], numbers: KeyNumbers
) -> None:
    """Number the keys of one file. Files are to come in the order of the job."""
    places = [d.index for d in decisions if d.action == ACTION]
    if not places:
        return
    for record in records:
        if isinstance(record, Record):
            numbers.see(value for i in places if (value := record.cells[i]))
