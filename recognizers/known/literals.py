"""The last resort: find a known value exactly as it is written in the table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from recognizers.known.text import Text, folded_words
from recognizers.words.word_lists import is_common
from safe_harbor import Identifier

Literal = tuple[str, Identifier, str]
"""Value, identifier, entity."""

_SPACE = re.compile(r"\s+")
_DAY_AND_MONTH = re.compile(r"\d{1,2}[/.-]\d{1,2}")


class LiteralFinder:
    """Find values as written, including capitals and punctuation; only white space may differ.

    Single everyday words, which need more evidence, and short numbers are left to other finders.
    """

    def __init__(self, literals: Iterable[Literal]) -> None:
        self._first: dict[str, list[tuple[tuple[str, ...], str, Identifier, str]]] = defaultdict(
            list
        )
        self._signs: dict[str, list[tuple[Identifier, str]]] = defaultdict(list)
        for value, identifier, entity in dict.fromkeys(literals):
            words = tuple(folded_words(value))
            if identifier is Identifier.NAMES and len(words) == 1 and len(words[0]) in (2, 3):
                self._signs[words[0]].append((identifier, entity))
            if words and _is_telling_word(value, words, identifier):
                raw = _bare(value)
                self._first[words[0]].append((words, raw, identifier, entity))

    def find(self, text: Text) -> list[tuple[int, int, Identifier, str]]:
        """Spans in the original text."""
        found = []
        for i, word in enumerate(text.words):
            for words, raw, identifier, entity in self._first.get(word, ()):
                stop = i + len(words)
                if tuple(text.words[i:stop]) != words or not _whole(text, i, stop):
                    continue
                start, end = text.starts[i], text.ends[stop - 1]
                if _bare(text.original[start:end]) == raw and _stands(text, i, raw):
                    found.append((start, end, identifier, entity))
        return found + self._signed(text)

    def _signed(self, text: Text) -> list[tuple[int, int, Identifier, str]]:
        """Known names of only two or three letters, at places where a writer signs."""
        found = []
        for i, word in enumerate(text.words):
            for identifier, entity in self._signs.get(word, ()):
                before = text.gap(i - 1).strip() if i else ""
                after = text.original[text.ends[i] : text.ends[i] + 2]
                ends = after == "" or after[0] in "\r\n/" or after == ".\n" or after == "."
                if ends or before.endswith((":", "/")):
                    found.append((text.starts[i], text.ends[i], identifier, entity))
        return found


def _bare(value: str) -> str:
    value = re.sub(r"^\W+|\W+$", "", value)
    return _SPACE.sub(" ", value)


def _is_telling_word(value: str, words: tuple[str, ...], identifier: Identifier) -> bool:
    squeezed = "".join(words)
    if identifier is Identifier.DATES and len(squeezed) > 2:
        return not (value.islower() and len(words) == 1)
    if squeezed.isdigit():
        return len(squeezed) > 4 and not _DAY_AND_MONTH.fullmatch(value.strip())
    if len(words) > 1:
        return len(squeezed) > 2
    short_capitals = value.isupper() and 2 <= len(value) <= 4
    return short_capitals or (len(squeezed) > 2 and not is_common(squeezed))


def _whole(text: Text, i: int, stop: int) -> bool:
    """Whether the value neither begins nor ends inside a longer run of letters and digits."""
    glued = i > 0 and text.words[i].isdigit() and not text.words[i - 1].isdigit()
    before = i == 0 or text.gap(i - 1) != "" or glued
    return before and (stop == len(text) or text.gap(stop - 1) != "")


def _stands(text: Text, i: int, raw: str) -> bool:
    """Whether a found value counts: short capitals do not count in a line of capitals."""
    return not (raw.isupper() and len(raw) <= 4 and raw.isalpha()) or not text.in_upper_line(i)
