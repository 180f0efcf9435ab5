"""A text cut into atoms, and the features of their words from the word lists and the letters.

Atoms are runs of letters and digits, cut where a row of evidence begins or ends.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from recognizers.evidence.matching import Seen
from recognizers.evidence.word_evidence import (
    DOTTED_FORMS,
    NAME_PARTICLES,
    NAME_SUFFIXES,
    NEVER_NAMES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
)
from recognizers.model.encoding import shape
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.memory import kept

WORD_FEATURES = (
    *("first", "surname", "common", "clinical", "eponym", "city", "county"),
    *("listed", "shape", "length", "digits"),
    *("stop", "nobody", "short form", "people", "place word", "drug", "dotted form"),
    *("particle", "suffix", "never", "state"),
)


WRITTEN = ("shape", "length", "digits")
SHAPE = WORD_FEATURES.index("shape")
LISTED_FEATURES = frozenset(WORD_FEATURES).difference(WRITTEN)


@cache
def lists() -> tuple[frozenset[str], ...]:
    """The closed lists, in the order of the last features."""
    peoples, places = plain_list("names/peoples"), plain_list("places/common")
    drugs, states = plain_list("clinical/more_drugs"), plain_list("known/states")
    listed = (STOPS, NOBODY, SHORT_FORMS, peoples, places, drugs, DOTTED_FORMS)
    return (*listed, NAME_PARTICLES, NAME_SUFFIXES, NEVER_NAMES, states)


@kept
def word_row(word: str) -> bytes:
    """Return the values of `WORD_FEATURES` packed into bytes, so that many words can be joined."""
    low = word.lower()
    values = (
        gazetteers.first_name(word),
        gazetteers.surname(word),
        gazetteers.common_word(word),
        gazetteers.clinical_word(word),
        gazetteers.eponym(word),
        gazetteers.city(word),
        gazetteers.county(word),
        gazetteers.is_listed_word(word),
        shape(word),
        len(word),
        sum(map(str.isdigit, word)),
        *(low in listed for listed in lists()),
    )
    return array("f", values).tobytes()


def word_rows(words: Iterable[str]) -> NDArray[np.float32]:
    """The features of words: (words, `WORD_FEATURES`)."""
    joined = b"".join(map(word_row, words))
    return np.frombuffer(joined, np.float32).reshape(-1, len(WORD_FEATURES))


Ints = NDArray[np.int32]
Numbers = NDArray[np.int64]
# A letter written as an escape is replaced by that letter and fill characters.
ATOM_RUN = re.compile(rf"[^\W_](?:{FILL}*[^\W_])*{FILL}*")
# The gap between two atoms: nothing, one blank, other characters, the end of a line or the text.
NOTHING, BLANK, MORE, LINE, END = range(5)
NEWLINES = (10, 13)
# The kinds of characters: one for each of these marks, then digits, letters, the end of the text.
ATOM_MARKS = ".,:;/-'\"()[]#@|\n\t &+*=_~<>\\"
FIGURE, LETTER, OUTSIDE = 40, 41, 43
KIND_OF_CHARACTER = np.full(129, LETTER, np.int8)
KIND_OF_CHARACTER[[ord(mark) for mark in ATOM_MARKS]] = range(len(ATOM_MARKS))
KIND_OF_CHARACTER[48:58] = FIGURE
KIND_OF_CHARACTER[128] = LETTER


@dataclass(frozen=True, eq=False)
class Atoms:
    """The atoms of a text: the half-open bounds of each, in code points.

    In `text`, each escape is replaced by its character, padded to the escape's length. If several
    texts are joined, `texts` has the number of the text of each atom.
    """

    text: str = field(repr=False)
    starts: Ints
    ends: Ints
    texts: Numbers | None = None

    @property
    def own_text(self) -> Numbers:
        """The number of the text of each atom."""
        return np.zeros(len(self), np.int64) if self.texts is None else self.texts

    @classmethod
    def of(cls, text: str, seen: Sequence[Seen]) -> Atoms:
        """The atoms of a text as read; no row begins or ends inside an atom."""
        text = unescaped(text)
        runs = np.array([m.span() for m in ATOM_RUN.finditer(text)], np.int32).reshape(-1, 2)
        starts, ends = runs[:, 0], runs[:, 1]
        cuts = np.array(sorted({at for row in seen for at in row[:2]}), np.int32)
        if len(cuts) and len(starts):
            own = np.searchsorted(starts, cuts, "right") - 1
            cuts = cuts[(own >= 0) & (cuts > starts[own]) & (cuts < ends[own])]
            starts, ends = np.sort(np.append(starts, cuts)), np.sort(np.append(ends, cuts))
        return cls(text, starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def words(self) -> list[str]:
        text = self.text
        pairs = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end].replace(FILL, "") for start, end in pairs]

    @cached_property
    def forms(self) -> tuple[list[str], Numbers]:
        """The distinct words, and for each atom the index of its word."""
        numbers: dict[str, int] = {}
        own = [numbers.setdefault(word, len(numbers)) for word in self.words]
        return list(numbers), np.array(own, np.int64)

    @cached_property
    def listed(self) -> NDArray[np.float32]:
        """The word-list features of each atom's word: (atoms, `WORD_FEATURES`)."""
        forms, own = self.forms
        return word_rows(forms)[own]

    @property
    def shapes(self) -> NDArray[np.float32]:
        """The shape of each atom's word: capitals, digits, and so on."""
        return self.listed[:, SHAPE]

    def unlisted(self) -> Atoms:
        """Atoms with the same bounds, each with a distinct word that is in no list."""
        return Unlisted(self.text, self.starts, self.ends, self.texts)

    def between(self, number: int) -> str:
        """The text between an atom and the one before it."""
        return self.text[self.ends[number - 1] : self.starts[number]].replace(FILL, "")

    @cached_property
    def characters(self) -> NDArray[np.uint32]:
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def gaps(self) -> NDArray[np.int8]:
        """(atoms + 1): the gap before each atom; last, the gap after the last atom."""
        breaks = np.append(0, np.isin(self.characters, NEWLINES).cumsum())
        before, after = self.ends[:-1], self.starts[1:]
        found = np.full(len(self) + 1, END, np.int8)
        found[1:-1] = np.where(after > before, MORE, NOTHING)
        blank = (after - before == 1) & (self.characters[before] == ord(" "))
        found[1:-1][blank] = BLANK
        found[1:-1][breaks[after] > breaks[before]] = LINE
        return found

    @cached_property
    def line_starts(self) -> Ints:
        """The offset at which the line of each atom begins."""
        at = np.arange(1, len(self.characters) + 1, dtype=np.int32)
        starts = np.maximum.accumulate(np.where(self.characters == NEWLINES[0], at, 0))
        return np.append(np.int32(0), starts).astype(np.int32)[self.starts]

    def kind(self, places: Ints) -> NDArray[np.int8]:
        """The kinds of the characters at these offsets; `OUTSIDE` beyond the text."""
        inside = (places >= 0) & (places < len(self.characters))
        found = np.full(len(places), OUTSIDE, np.int8)
        found[inside] = KIND_OF_CHARACTER[np.minimum(self.characters[places[inside]], 128)]
        return found

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the atoms that overlap `start` to `end`."""
        starts, ends = self.bounds
        return bisect_right(ends, start), bisect_left(starts, end)

    @cached_property
    def bounds(self) -> tuple[list[int], list[int]]:
        """The starts and ends of the atoms as lists, in which a single offset is found faster."""
        return self.starts.tolist(), self.ends.tolist()


class Unlisted(Atoms):
    """Atoms whose words are replaced by numbers, which no word list has."""

    @cached_property
    def words(self) -> list[str]:
        return [f"#{number}" for number in range(len(self))]
