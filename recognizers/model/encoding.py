"""Text cut into windows of word pieces for the model; no character is left out.

A window is a run of pieces between the two special tokens that BERT expects. Neighboring windows
share some pieces, and each piece is read in the window that gives it most context on both sides.
The model is uncased. A second input therefore gives a cue for each piece, one of `CUES_PER_KIND *
KIND_COUNT`: what lower-casing loses (case, digits, gaps, line starts), and the kind of the word in
the word lists.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from recognizers.constants import constant, constant_group
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.words import gazetteers
from recognizers.words.expressions import patterns

GAPS = 4
SHAPE_COUNT = 8
CUES_PER_KIND = SHAPE_COUNT * GAPS
LONGEST_CHUNK = 20_000  # number of characters that are cut into words at once
CUTTING = patterns("pieces")
WORDS_KEPT, LONG_WORD = 1 << 16, 40

Pieces = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The pieces of one text: vocabulary ids, cues, offsets in code points, word numbers."""

    ids: Pieces
    cues: Pieces
    offsets: Pieces
    words: Pieces

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `start` to `end` of a text; `keep_start` to `keep_end` are read from this window."""

    start: int
    end: int
    keep_start: int
    keep_end: int


@lru_cache(maxsize=4096)
def compatible(character: str) -> str:
    """The compatibility form of a character if it is one character, else the character itself."""
    form = unicodedata.normalize("NFKC", character)
    return form if len(form) == 1 else character


def flatten(text: str) -> str:
    """The text with compatibility forms and escapes made plain; the length stays the same."""
    text = unescaped(text)
    return text if text.isascii() else "".join(map(compatible, text))


def shape(word: str) -> int:
    """0 other, 1 lower, 2 Capital, 3 UPPER, 4 A, 5 miXed, 6 digits, 7 letters and digits."""
    letters = sum(map(str.isalpha, word))
    digits = sum(map(str.isdigit, word))
    if not letters:
        return 6 if digits else 0
    if digits:
        return 7
    if word.islower():
        return 1
    if word.isupper():
        return 3 if letters > 1 else 4
    return 2 if word[0].isupper() and word[1:].islower() else 5


@lru_cache(maxsize=4096)
def gap(between: str) -> int:
    """The gap between two words: 0 none, 1 one space, 2 a wide gap or tab, 3 a line break."""
    if between == " ":
        return 1
    between = between.strip(FILL)
    if not between:
        return 0
    if "\n" in between or "\r" in between:
        return 3
    return 1 if between == " " else 2


# The numbers of each piece of a word: its vocabulary id, where it begins and ends in the word, and
# the cue of the word. They are packed into bytes so that those of many words can be joined.
PIECE_NUMBERS = 4
PIECE_WIDTH = PIECE_NUMBERS * array("i").itemsize


class Encoder:
    """The word-piece tokenizer of the model, with a cache of words, because most words recur."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.start_id = tokenizer.token_to_id("[CLS]") or 0
        self.end_id = tokenizer.token_to_id("[SEP]") or 0
        self.pad_id = tokenizer.token_to_id("[PAD]") or 0
        added = [token.content for token in tokenizer.get_added_tokens_decoder().values()]
        self._plain = re.compile(f"({'|'.join([*map(re.escape, added), CUTTING.texts['PLAIN']])})")
        self._known: dict[str, bytes] = {}

    @classmethod
    def read(cls, path: Path) -> Encoder:
        """The encoder of a `tokenizer.json`."""
        return cls(Tokenizer.from_file(str(path)))

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        """The pieces of each text, without truncation."""
        return [self._encoded(flatten(text)) for text in texts]

    def _encoded(self, text: str) -> Encoded:
        """The pieces of a text, read in parts to save memory: words take more than the text."""
        parts: list[Encoded] = []
        last = words = 0
        for part in long_text_chunks(text):
            found = self._pieces(text, part, last)
            parts.append(replace(found, words=found.words + np.int32(words)))
            if len(found):
                last, words = int(found.offsets[-1, 1]), int(parts[-1].words[-1]) + 1
        if len(parts) == 1:
            return parts[0]
        rows = ((part.ids, part.cues, part.offsets, part.words) for part in parts)
        return Encoded(*map(np.concatenate, zip(*rows, strict=True)))

    def _pieces(self, text: str, part: slice, last: int) -> Encoded:
        """The pieces of one part of a text; the word before it ended at `last`."""
        rest = self._parted(text[part])
        rest[0] = text[last : part.start] + rest[0]
        words = self._held(rest[1::2])
        counts = row(map(len, words)) // PIECE_WIDTH
        bounds = row(map(len, rest)).cumsum(dtype=np.int32) + np.int32(last)
        pieces = np.frombuffer(b"".join(words), np.int32).reshape(-1, PIECE_NUMBERS)
        cues = pieces[:, 3].copy()
        cues[counts.cumsum() - counts] += row(map(gap, rest[:-1:2]))
        numbers = np.repeat(np.arange(len(words), dtype=np.int32), counts)
        offsets = pieces[:, 1:3] + bounds[:-1:2][numbers, None]
        return Encoded(pieces[:, 0].copy(), cues, offsets, numbers)

    def _parted(self, text: str) -> list[str]:
        """Cut the text into alternating gaps and words; the first and the last part are gaps."""
        cut = [""]
        for number, piece in enumerate(CUTTING["ODD"].split(text)):
            more = self._cut(piece) if number % 2 else self._plain.split(piece)
            cut[-1] += more[0]
            cut += more[1:]
        return cut

    def _cut(self, run: str) -> list[str]:
        """Cut a run that needs the tokenizer into alternating gaps and words."""
        encoding = self._tokenizer.encode(run, add_special_tokens=False)
        bounds: dict[int | None, tuple[int, int]] = {}
        for (start, end), number in zip(encoding.offsets, encoding.word_ids, strict=True):
            bounds[number] = bounds[number][0] if number in bounds else start, end
        places = [0, *chain(*bounds.values()), len(run)]
        return [run[start:end] for start, end in pairwise(places)]

    def _held(self, words: Sequence[str]) -> list[bytes]:
        """Return the encoding of each of these words, and cache those of short words."""
        known = self._known if len(self._known) < WORDS_KEPT else {}
        new = self._read(list(set(words).difference(known)))
        known.update((word, held) for word, held in new.items() if len(word) < LONG_WORD)
        self._known = known
        if max(map(len, new), default=0) < LONG_WORD:
            return [known[word] for word in words]
        return [known.get(word) or new[word] for word in words]

    def _read(self, words: Sequence[str]) -> dict[str, bytes]:
        encoding = self._tokenizer.encode(" ".join(words), add_special_tokens=False)
        ids, offsets = encoding.ids, encoding.offsets
        numbers = cast(list[int], encoding.word_ids)  # only special tokens have none
        found: dict[str, bytes] = {}
        at = first = 0
        for number, word in enumerate(words):
            last = bisect_right(numbers, number, first)
            mark = kind(word) * CUES_PER_KIND + shape(word) * GAPS
            pieces = zip(ids[first:last], offsets[first:last], strict=True)
            told = ((own, start - at, end - at, mark) for own, (start, end) in pieces)
            found[word] = array("i", chain.from_iterable(told)).tobytes()
            at, first = at + len(word) + 1, last
        return found


def row(numbers: Iterable[int]) -> Pieces:
    return np.fromiter(numbers, np.int32)


def long_text_chunks(text: str) -> Iterator[slice]:
    """A long text in parts, cut before a blank, or after a mark if no blank is near, so that no
    word continues in the next part."""
    start = 0
    while (at := start + LONGEST_CHUNK) < len(text):
        cut = CUTTING["BLANK"].search(text, at, at + LONGEST_CHUNK) or CUTTING["MARK_BREAK"].search(
            text, at
        )
        if cut is None:
            break
        yield slice(start, cut.start())
        start = cut.start()
    yield slice(start, len(text))


def windows(length: int, content: int, overlap: int) -> Iterator[Window]:
    """Windows over `length` pieces, whose kept parts together cover 0 to `length`.

    Each window holds `content` pieces; the next window repeats the last `overlap` of them.
    """
    kept = 0
    for start in range(0, max(length, 1), content - overlap):
        end = min(start + content, length)
        stop = length if end == length else end - overlap // 2
        yield Window(start, end, kept, stop)
        kept = stop
        if end == length:
            return


# Bounds of log2 of a name's bearers less log2 of the word's frequency in running text:
# a word, likelier a word, likelier a name, a name.
NAMELY = tuple(constant_group("names in cues").values())
# Bounds of log2 of a word's frequency in running text, and of log2 of a place's ZIP codes.
COMMON = tuple(constant_group("words in cues").values())
LARGE = tuple(constant_group("places in cues").values())
GIVEN_NAME_FROM = constant("cues", "given name from")
NAMES, WORDS, PLACES = 1 + 2 * (len(NAMELY) + 1), len(COMMON) + 1, len(LARGE) + 1
KIND_COUNT = NAMES * WORDS * 2 * PLACES


def kind(word: str) -> int:
    """A number below `KIND_COUNT`: a word's class as name, common or clinical word, and place."""
    if not word.isalpha() or len(word) < 2:
        return 0
    common = gazetteers.common_word(word)
    clinical = gazetteers.clinical_word(word) or gazetteers.eponym(word)
    first = gazetteers.first_name(word)
    bearers = gazetteers.bearers(word)
    # 0 for no name; else the likelier a name, the higher. Even numbers are given names.
    likelier = 1 + 2 * bisect(NAMELY, bearers - common) + (first >= GIVEN_NAME_FROM)
    listed = (likelier if bearers else 0) * WORDS + bisect(COMMON, common)
    return (listed * 2 + clinical) * PLACES + bisect(LARGE, gazetteers.city(word))
