"""A large single table whose rows stay on disk: each row holds its person's known values.

Millions of patients do not fit in memory. If the only input of a job is one large table without
texts, nothing else is known about its patients, so each row is judged by its own cells. Only values
that the table's header or name could reveal are looked up in advance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc

from deid.columns.column_profiles import DescribedColumn
from deid.formats import ColumnSource, RecordSource
from deid.people.known_cells import KnownColumn, telling_columns
from deid.people.linking import normal_key
from recognizers import is_header_word
from safe_harbor import Identifier

# Smaller tables are held in memory, so that all rows of a patient are known.
MIN_SINGLE_TABLE_ROWS = 1 << 15
_KINDS = (Identifier.NAMES, Identifier.PLACES)


@dataclass(frozen=True, slots=True)
class SingleTable:
    """A table that stays on disk, and the words of its header and name that identify a person."""

    relative: str = field(repr=False)
    source: RecordSource = field(repr=False)
    seen: tuple[DescribedColumn, ...]
    words: frozenset[str] = field(repr=False)
    keys: frozenset[str] = field(repr=False)


def single_table_of(
    relative: str, source: RecordSource, seen: Sequence[DescribedColumn]
) -> SingleTable | None:
    """The table as a single table on disk; None if its rows must be held in memory."""
    if not isinstance(source, ColumnSource) or any(d.profile.kind == "text" for d in seen):
        return None
    if not source.is_regular() or not _is_large(source):
        return None
    named = [*source.columns, *PurePosixPath(relative).with_suffix("").parts]
    words = {w for name in named for w in re.findall(r"[^\W\d_]{3,}|\w*\d\w*", name.casefold())}
    words |= {w for name in named for w in re.split(r"[^0-9a-z]+", name.casefold()) if len(w) > 2}
    words = {word for word in words if not is_header_word(word)}
    own = telling_columns(source.columns, seen)
    found = _HeaderWords(words | {name.casefold() for name in named})
    for batch in source.batches():
        for column in own.columns:
            found.search(
                _telling_cells(batch.column(column.index), column), column.identifier in _KINDS
            )
    return SingleTable(relative, source, tuple(seen), frozenset(found.words), frozenset(found.keys))


def _telling_cells(cells: pa.Array, column: KnownColumn) -> pa.Array:
    """The cells that may be values of the column's identifier."""
    if not column.is_withheld:
        return cells
    told = [word for word in cells.unique().to_pylist() if word and column.tells(word)]
    return pa.array(told, pa.string())


def _is_large(source: ColumnSource) -> bool:
    rows = 0
    for batch in source.batches():
        rows += batch.num_rows
        if rows >= MIN_SINGLE_TABLE_ROWS:
            return True
    return False


class _HeaderWords:
    """The words to search for, and those of them that are a person's name or key."""

    def __init__(self, words: set[str]) -> None:
        self.words: set[str] = set()
        self.keys: set[str] = set()
        self._names = frozenset(word for word in words if word.isalpha())
        self._keys = {normal_key(word) for word in words if any(map(str.isdigit, word))}
        self._wanted = pa.array(sorted(self._keys), pa.string())
        pattern = "|".join(map(re.escape, sorted(self._names)))
        self._pattern = f"(?i)(?:{pattern})"

    def search(self, column: pa.Array, names: bool) -> None:
        """Search one column of known values."""
        if names and self._names:
            some = column.filter(pc.match_substring_regex(column, self._pattern)).unique()
            self.words.update(w for w in _column_words(some) if w in self._names)
        if not names and self._keys:
            bare = pc.replace_substring_regex(pc.utf8_lower(column), r"[\s./_-]+", "")
            bare = pc.utf8_ltrim(bare, "0")
            self.keys.update(column.filter(pc.is_in(bare, self._wanted)).unique().to_pylist())


def _column_words(column: pa.Array) -> Iterator[str]:
    for value in column.to_pylist():
        yield from re.findall(r"[^\W\d_]{3,}", value.casefold())
