"""Initials of known people: `R.J.H.` anywhere, `OB` only where a writer signs."""

from __future__ import annotations

import re

from recognizers.known.names.people import NameIndex
from recognizers.known.text import Text
from recognizers.words.word_lists import read_words

CLOSINGS = read_words("closings")
BEFORE_INITIALS = read_words("before_initials")
_NOT_INITIALS = read_words("not_initials")
_AFTER_OTHERS = frozenset(("am", "pm", "md", "do", "rn", "pa", "np", "jd", "rd", "ma"))
"""Letters with periods that are not initials after a number or a name."""


def letters_from(text: Text, i: int) -> tuple[int, str]:
    """Up to six single capitals from word `i` on: the index after them, and their letters.

    They may be separated only by a period or a hyphen.
    """
    stop, row = i, ""
    while stop < len(text) and len(text.words[stop]) == 1 and stop < i + 6:
        if stop > i and not re.fullmatch(r"[.\-] ?", text.gap(stop - 1)):
            break
        if not text.original[text.starts[stop]].isupper():
            break
        row += text.words[stop]
        stop += 1
    return stop, row


class InitialFinder:
    """Find initials of the indexed people."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index

    def find(self, text: Text) -> list[tuple[int, int]]:
        """Spans in the original text."""
        spans = []
        for i, word in enumerate(text.words):
            if len(word) == 1 and word.isalpha():
                if span := self._dotted(text, i):
                    spans.append(span)
            elif 2 <= len(word) <= 4 and word in self._index.initials and self._signs(text, i):
                spans.append((text.starts[i], text.ends[i]))
        if text.words and self._last_letter(text):
            spans.append((text.starts[-1], text.ends[-1]))
        return spans

    def _dotted(self, text: Text, i: int) -> tuple[int, int] | None:
        if i and len(text.words[i - 1]) == 1 and text.gap(i - 1) == ".":
            return None
        stop, row = letters_from(text, i)
        if len(row) < 2 or row not in self._index.initials or row in _NOT_INITIALS:
            return None
        if row in _AFTER_OTHERS and i and (text.words[i - 1].isdigit() or "," in text.gap(i - 1)):
            return None
        if i and text.words[i - 1] in {"the", "a", "an"}:
            return None
        return text.starts[i], text.ends[stop - 1]

    def _signs(self, text: Text, i: int) -> bool:
        """Whether initials without periods are in a signature or after a word like `by`."""
        raw = text.original
        line_start = raw.rfind("\n", 0, text.starts[i]) + 1
        line_end = raw.find("\n", text.ends[i])
        after = raw[text.ends[i] : line_end if line_end >= 0 else len(raw)].strip(" \t\r.")
        before = raw[line_start : text.starts[i]].strip()
        previous = text.words[i - 1] if i else ""
        if re.fullmatch(r"\W*[A-Za-z]{2,4}\W*", after) and re.search(
            r"[/:]\W*$|^$", after[:2] + before[-1:]
        ):
            return raw[line_start : text.starts[i]].strip() == "" or before.endswith(("/", ":"))
        if text.shape(i) != "U":
            return False
        if previous in BEFORE_INITIALS:
            return True
        return after == "" and (before == "" or before[-1] in ".?!/-–—~*])")

    def _last_letter(self, text: Text) -> bool:
        word = text.words[-1]
        if len(word) != 1 or len(text) < 2 or not text.original[text.starts[-1]].isupper():
            return False
        given = {person.given[0][0] for person in self._index.persons if person.given}
        gap = text.gap(len(text) - 2)
        return word in given and ("\n" in gap or text.words[-2] in CLOSINGS)
