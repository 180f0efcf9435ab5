"""Distinguishes keys that name their content from keys that are values themselves.

`{"00441672": {...}}` is keyed by record number, `{"2021-03-04": 4.1}` by day. Such a key is a cell
of a column, like any other value; it is never released unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from recognizers import explains, header_words, holds_value, is_header_word, is_unknown_word

LEAST_ALIKE = 3
# Keys that rarely recur in other objects are not column names.
LEAST_RARE, LEAST_OBJECTS = 20, 5
_KEYS_SAMPLED = 50
# The replacements of keys that were values. If a release is read again, they count as values, too.
_OURS = re.compile(r"(?:\[[A-Z][A-Z0-9-]*\]|key_\d+|90\+|\d{3,4})(?: \(\d+\))?")
# A record number, or a key that mixes letters and digits: `u7f3k`.
_KEY_WITH_DIGITS = re.compile(r"\d{4}|\d[A-Za-z]+\d")
_ENVELOPE = (
    "total count counts size page pages per limit offset next previous prev cursor has more "
    "link links self first last meta metadata pagination paging status success ok message "
    "messages error errors warning warnings version schema generated created exported export "
    "at on timestamp request took ms api url format encoding elapsed results number of items"
)


@lru_cache(maxsize=1 << 14)
def is_value(key: str) -> bool:
    """Whether the key is a value: a number, a date, a name, or a replacement of one."""
    if not key.strip() or key.strip().isdigit() or is_ours(key):
        return True
    return holds_value(key) or (bool(_KEY_WITH_DIGITS.search(key)) and not explains(key))


@lru_cache(maxsize=1 << 14)
def may_name(key: str) -> bool:
    """Whether a key looks like a person's name: capitalized words, at least one unknown.

    Top-level keys of records are not checked.
    """
    words = re.findall(r"[^\W\d_]+", key)
    large = bool(words) and all(word.istitle() for word in words)
    return large and any(len(w) > 3 and is_unknown_word(w) for w in words) and not explains(key)


@lru_cache(maxsize=1 << 14)
def names_column(key: str) -> bool:
    """Whether all words of the key are used in column names."""
    return explains(key) and all(map(is_header_word, header_words(key)))


@lru_cache(maxsize=1 << 14)
def is_ours(key: str) -> bool:
    """Whether the key is a replacement that the sink wrote for a key that was a value."""
    return _OURS.fullmatch(key) is not None


def is_keyed(value: Mapping[str, Any]) -> bool:
    """Whether an object holds objects (or lists of objects) keyed by values.

    Either its keys look like values, or they are no column names and the objects below them have
    similar keys.
    """
    below = list(value.values())
    if not below or not all(map(_holds_objects, below)):
        return False
    if all(is_value(key) or may_name(key) for key in value):
        return True
    if not all(isinstance(one, dict) for one in below):
        return False
    if len(below) < LEAST_ALIKE or any(map(names_column, value)):
        return False
    first = below[0].keys()
    return bool(first) and all(_are_alike(first, one.keys()) for one in below[1:_KEYS_SAMPLED])


def _holds_objects(value: Any) -> bool:
    listed = isinstance(value, list) and all(isinstance(one, dict) for one in value)
    return listed or isinstance(value, dict)


def _are_alike(one: Collection[str], other: Collection[str]) -> bool:
    return 2 * len(set(one) & set(other)) >= len(set(one) | set(other))


def are_mixed(valued: int, named: int, *, own: bool) -> bool:
    """Whether all keys at a path are values, except those that name columns.

    The arguments are the number of keys that look like values and the number of other keys. `own`
    is true for the keys of the records themselves."""
    return 5 * valued >= valued + named if own else valued > 0


def are_rare(objects: int, seen: Mapping[str, int]) -> bool:
    """Whether the keys at a path are values because most of them occur in only one object.

    `objects` is the number of objects; `seen` is the number of objects with each key. Keys that are
    column names do not count.
    """
    unknown = [count for key, count in seen.items() if not names_column(key)]
    alone = sum(count == 1 for count in unknown)
    return objects >= LEAST_OBJECTS and alone >= LEAST_RARE and 2 * alone > len(unknown)


@lru_cache(maxsize=1 << 12)
def is_envelope_word(key: str) -> bool:
    """Whether the key describes the response around the records (`total`, `nextPage`)."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", key)
    known = _ENVELOPE.split()
    return bool(words) and all(word.casefold() in known for word in words)
