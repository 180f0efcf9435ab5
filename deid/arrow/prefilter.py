"""Find null cells in Arrow columns of strings, and the values that a prefilter may accept.

A prefilter (`recognizers.KnownValuePrefilter`, or `ValueIndex` of the residual search) checks one
value at a time. Before that check, this module rejects nearly all values by their words and last
digits, because a table may have millions of distinct names and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from functools import cache
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


def candidate_rows(
    column: pa.Array, prefilter: FeaturePrefilter, identifier: Identifier
) -> np.ndarray:
    """Mark the rows whose value the prefilter may accept; it would reject all other rows.

    Values of letters are checked word by word, and values of digits are checked by their last
    digits. All other values are kept. Places are kept, too, because they are few and are written in
    many ways.
    """
    if identifier is Identifier.PLACES:
        return ~np.asarray(column.is_null())
    ascii_only = pc.string_is_ascii(column)
    digits = pc.match_substring_regex(column, "[0-9]")
    letters = pc.match_substring_regex(column, "[A-Za-z]")
    either = pc.and_(ascii_only, pc.xor(digits, letters))
    found = ~np.asarray(pc.fill_null(either, False))
    if prefilter.heads:
        head = pc.utf8_slice_codeunits(pc.utf8_lower(column), 0, HEAD_CHARACTERS)
        found |= np.asarray(pc.fill_null(pc.is_in(head, _set(prefilter.heads)), False))
    plain = ~found
    for kind, sift in ((letters, _by_words), (digits, _by_digits)):
        mask = plain & np.asarray(pc.fill_null(kind, False))
        if mask.any():
            found[mask] = sift(column.filter(pa.array(mask)), prefilter)
    found &= ~np.asarray(column.is_null())
    return found


def _by_words(column: pa.Array, prefilter: FeaturePrefilter) -> np.ndarray:
    words = pc.split_pattern_regex(pc.utf8_lower(column), "[^a-z]+")
    coded = pc.list_flatten(words).dictionary_encode()
    meets = np.array(
        [prefilter.word_meets(w) if w else False for w in coded.dictionary.to_pylist()], bool
    )
    found = np.zeros(len(column), bool)
    found[np.asarray(pc.list_parent_indices(words))[meets[np.asarray(coded.indices)]]] = True
    squeezed = pc.replace_substring_regex(pc.utf8_lower(column), "[^a-z]+", "")
    found |= np.asarray(pc.is_in(squeezed, _set(prefilter.short_numbers)))
    return found


def _by_digits(column: pa.Array, prefilter: FeaturePrefilter) -> np.ndarray:
    if prefilter.last_digits is None:
        return np.ones(len(column), bool)
    squeezed = pc.replace_substring_regex(column, "[^0-9]+", "")
    size = pc.binary_length(squeezed)
    last = pc.utf8_slice_codeunits(squeezed, -LAST_DIGITS)
    found = pc.and_(
        pc.is_in(last, _set(prefilter.last_digits)), pc.greater_equal(size, LAST_DIGITS)
    )
    either: np.ndarray = np.asarray(
        pc.or_(found, pc.is_in(squeezed, _set(prefilter.short_numbers)))
    )
    return either


def _set(words: Set[str]) -> pa.Array:
    return pa.array(sorted(words), pa.string())
