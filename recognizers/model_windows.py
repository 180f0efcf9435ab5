"""Text into windows of word pieces for the model, every character of it in some window.

A window is `CONTENT` pieces between the two marks BERT expects; neighbours share `OVERLAP`
pieces, and each piece is read in the window that gives it most context on both sides.
The model is uncased, so what lower-casing loses (case, digits, gaps, line starts) goes
in as a second row of numbers, one of `CUES` for each piece.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

CONTENT = 126
OVERLAP = 16
GAPS = 4
SHAPES = 8
CUES = SHAPES * GAPS

Pieces = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The pieces of one text: vocabulary ids, cues, half-open code-point offsets, word numbers."""

    ids: Pieces
    cues: Pieces
    offsets: Pieces
    words: Pieces

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `start..end` of a text, of which `keep_start..keep_end` are read from this window."""

    start: int
    end: int
    keep_start: int
    keep_end: int


@lru_cache(maxsize=4096)
def plain(character: str) -> str:
    """The compatibility form of a character where that is one character, else itself."""
    form = unicodedata.normalize("NFKC", character)
    return form if len(form) == 1 else character


def flatten(text: str) -> str:
    """Full-width and other look-alike forms made plain; the length stays the same."""
    return text if text.isascii() else "".join(map(plain, text))


@lru_cache(maxsize=65536)
def shape(word: str) -> int:
    """0 neither letter nor digit, 1 lower, 2 Capital, 3 UPPER, 4 A, 5 miXed, 6 digits, 7 both."""
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


def gap(between: str) -> int:
    """0 nothing between two words, 1 one space, 2 a wide gap or tab, 3 a line break."""
    if not between:
        return 0
    if "\n" in between or "\r" in between:
        return 3
    return 1 if between == " " else 2


class Encoder:
    """The word-piece tokenizer of the model."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.start_id = tokenizer.token_to_id("[CLS]") or 0
        self.end_id = tokenizer.token_to_id("[SEP]") or 0
        self.pad_id = tokenizer.token_to_id("[PAD]") or 0

    @classmethod
    def read(cls, path: Path) -> Encoder:
        """The encoder of a `tokenizer.json`."""
        return cls(Tokenizer.from_file(str(path)))

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        """Each text's pieces, none left off."""
        flat = [flatten(text) for text in texts]
        encodings = self._tokenizer.encode_batch(flat, add_special_tokens=False)
        pairs = zip(flat, encodings, strict=True)
        return [_encoded(text, e.ids, e.offsets, e.word_ids) for text, e in pairs]


def _encoded(
    text: str, ids: list[int], offsets: list[tuple[int, int]], words: list[int | None]
) -> Encoded:
    cues: list[int] = []
    last = 0
    for _, group in groupby(zip(words, offsets, strict=True), key=lambda pair: pair[0]):
        pieces = [offset for _, offset in group]
        start, end = pieces[0][0], pieces[-1][1]
        kind = shape(text[start:end]) * GAPS
        cues.append(kind + gap(text[last:start]))
        cues.extend([kind] * (len(pieces) - 1))
        last = end
    return Encoded(
        np.array(ids, np.int32),
        np.array(cues, np.int32),
        np.array(offsets, np.int32).reshape(-1, 2),
        np.array(words, np.int32),
    )


def windows(length: int) -> Iterator[Window]:
    """Windows over `length` pieces whose kept parts follow one another from 0 to `length`."""
    kept = 0
    for start in range(0, max(length, 1), CONTENT - OVERLAP):
        end = min(start + CONTENT, length)
        stop = length if end == length else end - OVERLAP // 2
        yield Window(start, end, kept, stop)
        kept = stop
        if end == length:
            return
