"""Find null cells in Arrow columns of strings, and the values that a prefilter may accept.

A prefilter (`recognizers.KnownValuePrefilter`, or `ValueIndex` of the residual search) checks one
value at a time. Before that check, this module rejects nearly all values by their words and last
digits, because a table may have millions of distinct names and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from recognizers import VALUE_SEPARATORS, is_filler_value, is_null, nothing_words
from safe_harbor import Identifier

BATCH_ROWS = 1 << 16
LAST_DIGITS = 5
HEAD_CHARACTERS = 4
_PARTED = f"[{re.escape(VALUE_SEPARATORS)}]"


class FeaturePrefilter(Protocol):
    """A prefilter that exposes its features: every value that it accepts has one of them."""

    @property
    def version(self) -> int: ...
    @property
    def last_digits(self) -> Set[str] | None: ...
    @property
    def short_numbers(self) -> Set[str]: ...
    @property
    def heads(self) -> Set[str]: ...
    def word_meets(self, word: str) -> bool: ...


def rebatch(batches: Iterable[pa.RecordBatch], rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
    """Yield the same rows in batches of `rows` rows; only the last batch may be smaller."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        if not held and batch.num_rows == rows:
            yield batch
            continue
        held.append(batch)
        count += batch.num_rows
        while count >= rows:
            table = pa.Table.from_batches(held)
            yield table.slice(0, rows).combine_chunks().to_batches()[0]
            held, count = table.slice(rows).to_batches(), count - rows
    if count:
        yield pa.Table.from_batches(held).combine_chunks().to_batches()[0]


def dictionary_encode(column: pa.Array) -> tuple[list[str | None], np.ndarray]:
    """The distinct cells of a column, and for each row the index of its cell."""
    coded = column.dictionary_encode(null_encoding="encode")
    return coded.dictionary.to_pylist(), np.asarray(coded.indices)


def matching_cells(
    column: pa.Array, mask: np.ndarray | pa.Array, ask: Callable[[str], bool]
) -> np.ndarray:
    """Mark the cells in the mask for which `ask` is true; call `ask` once per distinct cell."""
    mask = np.asarray(mask)
    found = np.zeros(len(column), bool)
    if mask.any():
        words, places = dictionary_encode(column.filter(pa.array(mask)))
        found[mask] = np.array([word is not None and ask(word) for word in words], bool)[places]
    return found


def null_cells(column: pa.Array) -> np.ndarray:
    """Mark the cells that are null, empty, or a word that means "nothing"."""
    return _are_nothing(column, "null")


def placeholder_cells(column: pa.Array) -> np.ndarray:
    """Mark the cells that are null or a value that clerks type for "not known"."""
    return _are_nothing(column, "placeholder")


def _are_nothing(column: pa.Array, kind: str) -> np.ndarray:
    """Apply `is_null` or `is_filler_value` to a whole column."""
    begin = pc.utf8_lower(pc.utf8_slice_codeunits(pc.utf8_ltrim_whitespace(column), 0, 2))
    pairs, letters = _beginnings_of_nothing(kind)
    alike = pc.or_(pc.is_in(begin, pairs), pc.is_in(pc.utf8_slice_codeunits(begin, 0, 1), letters))
    mask = np.asarray(alike)
    mask[mask] = _start_with_nothing(column.filter(alike), kind)
    found = matching_cells(column, mask, is_filler_value if kind == "placeholder" else is_null)
    found[np.asarray(column.is_null())] = True
    return found


def _start_with_nothing(column: pa.Array, kind: str) -> np.ndarray:
    """Mark the cells with a word for "nothing" before their first separator."""
    folded = pc.utf8_trim_whitespace(pc.utf8_lower(column))
    first = pc.utf8_trim_whitespace(pc.replace_substring_regex(folded, _PARTED + r"(?s:.*)", ""))
    spaced = pc.replace_substring_regex(first, r"\s+", " ")
    starts: np.ndarray = np.asarray(pc.is_in(spaced, _nothing_words(kind)))
    return starts


@cache
def _nothing_words(kind: str) -> pa.Array:
    words = nothing_words(kind)
    return _set({"", *words, *(re.split(_PARTED, word)[0] for word in words)})


@cache
def _beginnings_of_nothing(kind: str) -> tuple[pa.Array, pa.Array]:
    """Return the first two letters of the words for "nothing", and the words of one letter."""
    words = nothing_words(kind)
    pairs = {word[:2] for word in words if len(word) > 1}
    letters = {word for word in words if len(word) == 1}
    return _set(pairs), _set(letters | {"", *VALUE_SEPARATORS})


class ColumnReading:
    """A column of values of one identifier, read once for any number of prefilters.

    Values of letters are checked word by word, and values of digits are checked by their last
    digits. All other values are kept. Places are kept, too, because they are few and are written in
    many ways. The `repr` shows a count.
    """

    def __init__(self, column: pa.Array, identifier: Identifier) -> None:
        self.column = column
        self._told = ~np.asarray(column.is_null())
        self._is_kept = identifier is Identifier.PLACES

    def __repr__(self) -> str:
        return f"ColumnReading({len(self.column)} rows)"

    def candidates(self, prefilter: FeaturePrefilter) -> np.ndarray:
        """Mark the rows whose value the prefilter may accept; it would reject all other rows."""
        if self._is_kept:
            return self._told
        found = ~(self._worded | self._numbered)
        if prefilter.heads:
            found |= np.asarray(pc.fill_null(pc.is_in(self._heads, _set(prefilter.heads)), False))
        if self._words is not None:
            found[self._worded] |= self._words.meeting(prefilter)
        if self._numbers is not None:
            found[self._numbered] |= self._numbers.meeting(prefilter)
        return np.asarray(found & self._told)

    @cached_property
    def _kinds(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of letters without digits, and of digits without letters; both of ASCII only."""
        ascii_only = pc.string_is_ascii(self.column)
        digits = pc.match_substring_regex(self.column, "[0-9]")
        letters = pc.match_substring_regex(self.column, "[A-Za-z]")
        either = pc.and_(ascii_only, pc.xor(digits, letters))
        worded, numbered = (
            np.asarray(pc.fill_null(pc.and_(either, kind), False)) for kind in (letters, digits)
        )
        return worded, numbered

    @property
    def _worded(self) -> np.ndarray:
        return self._kinds[0]

    @property
    def _numbered(self) -> np.ndarray:
        return self._kinds[1]

    @cached_property
    def _heads(self) -> pa.Array:
        return pc.utf8_slice_codeunits(pc.utf8_lower(self.column), 0, HEAD_CHARACTERS)

    @cached_property
    def _words(self) -> _ColumnOfWords | None:
        if not self._worded.any():
            return None
        return _ColumnOfWords.of(self.column.filter(pa.array(self._worded)))

    @cached_property
    def _numbers(self) -> _ColumnOfNumbers | None:
        if not self._numbered.any():
            return None
        return _ColumnOfNumbers.of(self.column.filter(pa.array(self._numbered)))


@dataclass(frozen=True, slots=True)
class _ColumnOfWords:
    """Cells of letters: the distinct words, their cells, and each cell's letters in a row."""

    words: list[str] = field(repr=False)
    codes: np.ndarray = field(repr=False)
    cells: np.ndarray = field(repr=False)
    squeezed: pa.Array = field(repr=False)

    @classmethod
    def of(cls, column: pa.Array) -> _ColumnOfWords:
        lowered = pc.utf8_lower(column)
        words = pc.split_pattern_regex(lowered, "[^a-z]+")
        coded = pc.list_flatten(words).dictionary_encode()
        squeezed = pc.replace_substring_regex(lowered, "[^a-z]+", "")
        codes, cells = np.asarray(coded.indices), np.asarray(pc.list_parent_indices(words))
        return cls(coded.dictionary.to_pylist(), codes, cells, squeezed)

    def meeting(self, prefilter: FeaturePrefilter) -> np.ndarray:
        """Mark the cells with a word that the prefilter may accept."""
        meets = np.array([bool(word) and prefilter.word_meets(word) for word in self.words], bool)
        found: np.ndarray = np.array(pc.is_in(self.squeezed, _set(prefilter.short_numbers)))
        found[self.cells[meets[self.codes]]] = True
        return found


@dataclass(frozen=True, slots=True)
class _ColumnOfNumbers:
    """Cells of digits: the digits in a row, and the last of them if there are enough."""

    squeezed: pa.Array = field(repr=False)
    last: pa.Array = field(repr=False)

    @classmethod
    def of(cls, column: pa.Array) -> _ColumnOfNumbers:
        squeezed = pc.replace_substring_regex(column, "[^0-9]+", "")
        last = pc.utf8_slice_codeunits(squeezed, -LAST_DIGITS)
        is_long = pc.greater_equal(pc.binary_length(squeezed), LAST_DIGITS)
        return cls(squeezed, pc.if_else(is_long, last, pa.scalar(None, pa.string())))

    def meeting(self, prefilter: FeaturePrefilter) -> np.ndarray:
        """Mark the cells that end like a number that the prefilter may accept."""
        if prefilter.last_digits is None:
            return np.ones(len(self.squeezed), bool)
        found = pc.is_in(self.last, _set(prefilter.last_digits))
        whole = pc.is_in(self.squeezed, _set(prefilter.short_numbers))
        return np.asarray(pc.or_(found, whole))


def _set(words: Set[str]) -> pa.Array:
    return pa.array(sorted(words), pa.string())
