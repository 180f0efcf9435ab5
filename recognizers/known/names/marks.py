"""Words in a text that may be a known name, even if misread, split, run together or spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recognizers.known.names.people import EXACT, NameIndex
from recognizers.known.text import Text, fold
from recognizers.words.word_lists import is_common, is_word

LEAST_GLUED = 6
# The most letters of a name written letter by letter.
MOST_SPACED = 24
# The spelling alphabet of radio and telephone.
SPELLING_ALPHABET = frozenset(
    """alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike
    november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee
    zulu""".split()  # noqa: SIM905
)
_DIGIT_LETTERS = {"0": "o", "1": "l", "5": "s", "8": "b", "3": "e", "4": "a"}


@dataclass(frozen=True, slots=True)
class Mark:
    """Tokens `first` to `stop` (exclusive) that may name one of `persons`."""

    first: int
    stop: int
    level: int
    persons: frozenset[int]
    start: int
    end: int


def _is_hump(raw: str, k: int) -> bool:
    """Whether a new word begins at character `k` of a word in mixed case."""
    if raw[k - 1].islower():
        return raw[k].isupper()
    return raw[k].isupper() and raw[k + 1 : k + 2].islower()


def _said(words: Sequence[str], k: int) -> int:
    """Return where a letter spelled at word `k` (`s`, `s as in sam`, `sierra`) ends; 0
    without one.
    """
    word = words[k] if k < len(words) else ""
    if len(word) != 1 or not word.isalpha():
        return k + 1 if word in SPELLING_ALPHABET else 0
    for said in (["as", "in"], ["for"], ["like"]):
        end = k + 1 + len(said)
        if list(words[k + 1 : end]) == said and end < len(words) and words[end][0] == word:
            return end + 1
    return k + 1


class MarkReader:
    """Look up every word of a text once; linear in the text."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index

    def marks(self, text: Text) -> list[Mark]:
        """Candidates in order, without overlaps."""
        memory: dict[str, tuple[int, frozenset[int]] | None] = {}
        marks: list[Mark] = []
        taken = -1
        for i, word in enumerate(text.words):
            if i < taken:
                continue
            mark = self._joined(text, i) or self._spaced(text, i)
            if mark is None and not word[0].isdigit() and len(word) > 1:
                if word not in memory:
                    memory[word] = self._index.look_up(word)
                if found := memory[word]:
                    mark = Mark(i, i + 1, *found, text.starts[i], text.ends[i])
                else:
                    mark = self._camel(text, i) or self._glued(text, i)
            if mark:
                mark = self._numbered(text, mark)
                marks.append(mark)
                taken = mark.stop
        return marks

    def _numbered(self, text: Text, mark: Mark) -> Mark:
        """The mark, extended by the number that a synthetic name ends with (`Damon455`)."""
        nxt = mark.stop
        if nxt < len(text) and text.gap(nxt - 1) == "" and text.words[nxt] in self._index.exact:
            return replace(mark, stop=nxt + 1, end=text.ends[nxt])
        return mark

    def _joined(self, text: Text, i: int) -> Mark | None:
        """A name split by a line break, a stray space or hyphen, or a misread letter."""
        words = text.words
        if i + 1 >= len(words):
            return None
        gap = text.gap(i)
        if gap == "" and (words[i][0].isdigit() or words[i + 1][0].isdigit()):
            return self._misread(text, i)
        if (
            len(gap) > 12
            or words[i][0].isdigit()
            or words[i + 1][0].isdigit()
            or gap.strip(" -\r\n\t.")
        ):
            return None
        joined = words[i] + words[i + 1]
        persons = self._index.named(joined) if len(joined) > 3 else frozenset()
        if not persons or (words[i] in self._index.exact and words[i + 1] in self._index.exact):
            return None
        if "-" not in gap and is_word(words[i]) and (is_word(words[i + 1]) or is_common(joined)):
            return None
        if text.shape(i) == "l" and "-" not in gap and "\n" not in gap and not text.lower_case:
            return None
        return Mark(i, i + 2, EXACT, persons, text.starts[i], text.ends[i + 1])

    def _misread(self, text: Text, i: int) -> Mark | None:
        stop, word = i, ""
        while stop < len(text) and stop < i + 6 and (stop == i or text.gap(stop - 1) == ""):
            word += "".join(_DIGIT_LETTERS.get(c, c) for c in text.words[stop])
            stop += 1
        if stop == i or sum(c.isalpha() for w in text.words[i:stop] for c in w) < 3:
            return None
        for form in (word, word.replace("l", "i")):
            if persons := self._index.named(form):
                return Mark(i, stop, EXACT, persons, text.starts[i], text.ends[stop - 1])
        return None

    def _spaced(self, text: Text, i: int) -> Mark | None:
        """A name spelled out: `S m i t h`, `S-M-I-T-H`, `S as in Sam, M as in Mary`."""
        stops: list[int] = []
        stop = i
        if len(text.words[i]) > 1 and text.words[i] not in SPELLING_ALPHABET:
            return None
        while len(stops) < MOST_SPACED and (after := _said(text.words, stop)):
            if stop > i and len(text.gap(stop - 1)) > 3:
                break
            stop = after
            stops.append(stop)
        letters = [text.words[first][0] for first in (i, *stops[:-1])]
        for size in range(len(stops), 2, -1):
            if persons := self._index.named("".join(letters[:size])):
                end = stops[size - 1]
                return Mark(i, end, EXACT, persons, text.starts[i], text.ends[end - 1])
        return None

    def _glued(self, text: Text, i: int) -> Mark | None:
        """A long name run together with the text beside it: `IBIKUNLEDOB`."""
        word = text.words[i]
        start, end = text.starts[i], text.ends[i]
        if len(word) < LEAST_GLUED + 2 or end - start != len(word) or is_word(word):
            return None
        for size in self._index.lengths:
            if not LEAST_GLUED <= size < len(word):
                continue
            if persons := self._index.named(word[:size]):
                return Mark(i, i + 1, EXACT, persons, start, start + size)
            if persons := self._index.named(word[-size:]):
                return Mark(i, i + 1, EXACT, persons, end - size, end)
        return None

    def _camel(self, text: Text, i: int) -> Mark | None:
        """A name joined to another word: `DrSummers`, `HopeSummers`."""
        if text.shape(i) != "m":
            return None
        start = text.starts[i]
        raw = text.original[start : text.ends[i]]
        cuts = [0, *(k for k in range(1, len(raw)) if _is_hump(raw, k)), len(raw)]
        pieces = [fold(raw[a:b]) for a, b in pairwise(cuts)]
        named = {k: self._index.named(piece) for k, piece in enumerate(pieces) if len(piece) > 2}
        named = {k: persons for k, persons in named.items() if persons}
        if not named:
            return None
        first, last = min(named), max(named)
        persons = frozenset.union(*named.values())
        letters = {c for p in persons for c in self._index.persons[p].letters}
        if first == 1 and len(pieces[0]) == 1 and pieces[0] in letters:
            first = 0
        return Mark(i, i + 1, EXACT, persons, start + cuts[first], start + cuts[last + 1])
