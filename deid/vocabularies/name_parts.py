"""The part of a person's name that a header names: `first`, `last`, ... or, by default, `full`."""

from __future__ import annotations

from collections.abc import Collection

_PARTS_BY_WORDS = (
    ("first", ("first", "given", "forename")),
    ("last", ("last", "family", "surname")),
    ("middle", ("middle",)),
    ("maiden", ("maiden", "former", "previous", "birth")),
    ("preferred", ("preferred", "nick", "alias", "aka", "display")),
    ("suffix", ("suffix",)),
    ("initials", ("initials",)),
)
# Titles and prefixes do not identify anyone.
NAME_TITLES = frozenset({"salutation", "honorific", "prefix", "initials"})


def name_part(words: Collection[str]) -> str:
    """Return the part of a person's name that a header with these words names."""
    return next(
        (part for part, names in _PARTS_BY_WORDS if not set(names).isdisjoint(words)), "full"
    )
