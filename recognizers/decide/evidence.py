"""The atoms of a text, and all evidence on them; of several texts joined, too.

Atoms are runs of letters and digits, cut where a row of evidence begins or ends. A short text needs
as many function calls as a long one, so joining saves time. No feature crosses the edge of a text:
each atom has the same features as if its text were read alone.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recognizers.constants import constant
from recognizers.evidence.matching import Seen
from recognizers.finding import ENTITIES, LABELS
from recognizers.model.encoding import shape
from recognizers.model.network import ModelOutput
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.memory import kept
from safe_harbor import csv_rows


def digits_in(word: str) -> int:
    return sum(map(str.isdigit, word))


WORD_MEASURES: dict[str, Callable[[str], int]] = {
    "first": gazetteers.first_name,
    "surname": gazetteers.surname,
    "common": gazetteers.common_word,
    "clinical": gazetteers.clinical_word,
    "eponym": gazetteers.eponym,
    "city": gazetteers.city,
    "county": gazetteers.county,
    "listed": gazetteers.is_listed_word,
    "shape": shape,
    "length": len,
    "digits": digits_in,
}
CLOSED_LISTS = csv_rows(Path(__file__).with_name("closed_lists.csv"))
WORD_FEATURES = (*WORD_MEASURES, *(row["feature"] for row in CLOSED_LISTS))
SHAPE = WORD_FEATURES.index("shape")
LISTED_FEATURES = frozenset(WORD_FEATURES) - {"shape", "length", "digits"}


@cache
def lists() -> tuple[frozenset[str], ...]:
    """The closed lists, in the order of the last features."""
    return tuple(plain_list(row["list"]) for row in CLOSED_LISTS)


@kept
def word_row(word: str) -> bytes:
    """Return the values of `WORD_FEATURES` packed into bytes, so that many words can be joined."""
    low = word.lower()
    values = (measure(word) for measure in WORD_MEASURES.values())
    return array("f", (*values, *(low in listed for listed in lists()))).tobytes()


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
# Stands twice between two texts; no character has this code point.
EDGE, EDGES = 0x110000, 2
KIND_OF_CHARACTER = np.full(130, LETTER, np.int8)  # place 128 is any letter, 129 an edge
KIND_OF_CHARACTER[[ord(mark) for mark in ATOM_MARKS]] = range(len(ATOM_MARKS))
KIND_OF_CHARACTER[48:58] = FIGURE
KIND_OF_CHARACTER[129] = OUTSIDE


@dataclass(frozen=True, eq=False)
class Atoms:
    """The atoms of a text: the half-open bounds of each, in code points.

    In `text`, each escape is replaced by its character, padded to the escape's length. If several
    texts are joined, `texts` has the number of the text of each atom, and `edges` has where all
    texts but the last end.
    """

    text: str = field(repr=False)
    starts: Ints
    ends: Ints
    texts: Numbers | None = None
    edges: Numbers | None = None

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
        joined = b"".join(map(word_row, forms))
        return np.frombuffer(joined, np.float32).reshape(-1, len(WORD_FEATURES))[own]

    @property
    def shapes(self) -> NDArray[np.float32]:
        """The shape of each atom's word: capitals, digits, and so on."""
        return self.listed[:, SHAPE]

    def between(self, number: int) -> str:
        """The text between an atom and the one before it."""
        return self.text[self.ends[number - 1] : self.starts[number]].replace(FILL, "")

    @cached_property
    def characters(self) -> NDArray[np.uint32]:
        found = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        if self.edges is not None:
            found = found.copy()
            found[self.edges] = found[self.edges + 1] = EDGE
        return found

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
        if self.texts is not None:
            found[1:-1][np.diff(self.texts) > 0] = END
        return found

    @cached_property
    def line_starts(self) -> Ints:
        """The offset at which the line of each atom begins."""
        at = np.arange(1, len(self.characters) + 1, dtype=np.int32)
        ends = (self.characters == NEWLINES[0]) | (self.characters == EDGE)
        starts = np.maximum.accumulate(np.where(ends, at, 0))
        return np.append(np.int32(0), starts).astype(np.int32)[self.starts]

    def kind(self, places: Ints) -> NDArray[np.int8]:
        """The kinds of the characters at these offsets; `OUTSIDE` beyond the text."""
        inside = (places >= 0) & (places < len(self.characters))
        found = np.full(len(places), OUTSIDE, np.int8)
        own = self.characters[places[inside]]
        found[inside] = KIND_OF_CHARACTER[np.minimum(own, 128) + (own == EDGE)]
        return found

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the atoms that overlap `start` to `end`."""
        starts, ends = self.bounds
        return bisect_right(ends, start), bisect_left(starts, end)

    @cached_property
    def bounds(self) -> tuple[list[int], list[int]]:
        """The starts and ends of the atoms as lists, in which a single offset is found faster."""
        return self.starts.tolist(), self.ends.tolist()


Floats = NDArray[np.float32]
NETWORK_LABELS, ENTITY_NAMES = tuple(LABELS), tuple(ENTITIES)
ENTITY_NUMBERS = {entity: number for number, entity in enumerate(ENTITY_NAMES)}
ENTITY_OF_LABEL = np.array([ENTITY_NUMBERS[LABELS[label]] for label in NETWORK_LABELS])
UNSEEN, NO_ROW = constant("features", "unseen"), constant("features", "no row")

RowWeigher = Callable[[Seen], float]
Column = NDArray[Any]
Columns = dict[str, Column]


@dataclass(frozen=True, eq=False)
class Evidence:
    """All evidence on one text."""

    atoms: Atoms
    seen: Sequence[Seen] = field(repr=False)
    shares: Floats = field(repr=False)
    """(atoms, 1 + labels): mean over the pieces of an atom's word; column 0 is "no identifier"."""
    peaks: Floats = field(repr=False)
    """For each atom, the greatest probability that a piece of its word is part of an identifier."""

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """The half-open range of atoms of each row of evidence."""
        return [self.atoms.span(seen.start, seen.end) for seen in self.seen]

    @classmethod
    def of_output(cls, text: str, seen: Sequence[Seen], output: ModelOutput) -> Evidence:
        """Join the rows' hits and the network's output for a text, atom by atom."""
        offsets, words, shares = output.offsets, output.words, output.shares
        atoms = Atoms.of(text, seen)
        count = len(atoms)
        if not len(words):
            none = np.zeros((count, 1 + len(NETWORK_LABELS)), np.float32)
            none[:, 0] = 1
            return cls(atoms, seen, none, np.zeros(count, np.float32))
        firsts = np.append(0, (words[1:] != words[:-1]).nonzero()[0] + 1)
        sizes = np.append(firsts[1:], len(words)) - firsts
        own = np.maximum(offsets[firsts, 0].searchsorted(atoms.starts, "right") - 1, 0)
        mean = np.add.reduceat(shares, firsts, axis=0) / sizes[:, None]
        peaks = np.maximum.reduceat(1 - shares[:, 0], firsts)
        return cls(atoms, seen, mean[own].astype(np.float32), peaks[own].astype(np.float32))

    @classmethod
    def of_parts(cls, parts: Sequence[Evidence]) -> Evidence:
        """The joined evidence of several texts; of one text, its own."""
        if len(parts) == 1:
            return parts[0]
        sizes = np.array([len(part.atoms.text) + EDGES for part in parts])
        shifts = np.cumsum(sizes) - sizes
        moved_by = list(zip(parts, shifts.tolist(), strict=True))
        atoms = Atoms(
            ("\n" * EDGES).join(part.atoms.text for part in parts),
            np.concatenate([part.atoms.starts + shift for part, shift in moved_by]),
            np.concatenate([part.atoms.ends + shift for part, shift in moved_by]),
            np.repeat(np.arange(len(parts)), [len(part.atoms) for part in parts]),
            (shifts + sizes - EDGES)[:-1],
        )
        moved = [
            seen._replace(start=seen.start + shift, end=seen.end + shift)
            for part, shift in moved_by
            for seen in part.seen
        ]
        shares, peaks = ([part.shares for part in parts], [part.peaks for part in parts])
        return cls(atoms, moved, np.concatenate(shares), np.concatenate(peaks))


def grouped(sizes: Sequence[int], most: int, count: int) -> Iterator[slice]:
    """Slices of up to `count` items whose sizes sum to at most `most`, or of one larger item."""
    start = total = 0
    for number, size in enumerate(sizes):
        if number > start and (total + size > most or number - start == count):
            yield slice(start, number)
            start, total = number, 0
        total += size
    if start < len(sizes):
        yield slice(start, len(sizes))
