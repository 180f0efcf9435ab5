"""Text into windows of word pieces for the model, every character of it in some window.

A window is some pieces between the two marks BERT expects; neighbours share a few of them, and
each piece is read in the window that gives it most context on both sides.
The model is uncased, so what lower-casing loses (case, digits, gaps, line starts) goes in as a
second row of numbers, and with it what the word lists say: one of `CUES * KINDS` for each piece.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from recognizers.model_kinds import kind
from recognizers.normal import FILL, unescaped

GAPS = 4
SHAPES = 8
CUES = SHAPES * GAPS
LONGEST = 20_000  # characters given to the tokenizer at once
BLANK = re.compile(r"[ \n](?=[A-Za-z0-9])")


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
    """Full-width and other look-alike forms and HTML entities made plain; the length stays."""
    text = unescaped(text)
    return text if text.isascii() else "".join(map(plain, text))


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


@lru_cache(maxsize=65536)
def marked(word: str) -> int:
    """Kind and shape of a word, with room for the gap before it."""
    return kind(word) * CUES + shape(word) * GAPS


def gap(between: str) -> int:
    """0 nothing between two words, 1 one space, 2 a wide gap or tab, 3 a line break."""
    if between == " ":
        return 1
    between = between.strip(FILL)
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
        parts = [list(parted(text)) for text in flat]
        every = [text[part] for text, own in zip(flat, parts, strict=True) for part in own]
        rest = self._encodings(every, at_once=len(every) == len(texts))
        return [
            _joined(text, ((part.start, next(rest)) for part in own))
            for text, own in zip(flat, parts, strict=True)
        ]

    def _encodings(self, texts: Sequence[str], *, at_once: bool) -> Iterator[Encoding]:
        if at_once:
            yield from self._tokenizer.encode_batch(texts, add_special_tokens=False)
            return
        for text in texts:  # since what the tokenizer gives takes many times the text's memory
            yield self._tokenizer.encode(text, add_special_tokens=False)


def parted(text: str) -> Iterator[slice]:
    """A long text in parts cut before a blank, where no word can go on."""
    start = 0
    while len(text) - start > LONGEST:
        blank = BLANK.search(text, start + LONGEST)
        if blank is None:
            break
        yield slice(start, blank.start())
        start = blank.start()
    yield slice(start, len(text))


def _encoded(text: str, base: int, last: int, encoding: Encoding) -> Encoded:
    """The pieces of the part of `text` that begins at `base`; the word before ended at `last`."""
    offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2) + np.int32(base)
    words = np.array(encoding.word_ids, np.int32)
    firsts = np.flatnonzero(np.diff(words, prepend=-1))
    counts = np.diff(firsts, append=len(words))
    starts = offsets[firsts, 0].tolist()
    ends = offsets[firsts + counts - 1, 1].tolist()
    bounds = list(zip([last, *ends], starts, ends, strict=False))
    cues = np.repeat([marked(text[start:end]) for _, start, end in bounds], counts)
    cues[firsts] += [
        gap(text[before:start]) if start > before else 0 for before, start, _ in bounds
    ]
    return Encoded(np.array(encoding.ids, np.int32), cues.astype(np.int32), offsets, words)


def _joined(text: str, encodings: Iterable[tuple[int, Encoding]]) -> Encoded:
    """The pieces of a text from those of its parts, each with the place where it begins."""
    parts: list[Encoded] = []
    last = words = 0
    for base, encoding in encodings:
        part = _encoded(text, base, last, encoding)
        parts.append(replace(part, words=part.words + np.int32(words)))
        if len(part):
            last, words = int(part.offsets[-1, 1]), int(parts[-1].words[-1]) + 1
    if len(parts) == 1:
        return parts[0]
    return Encoded(*map(np.concatenate, zip(*map(rows_of, parts), strict=True)))


def rows_of(encoded: Encoded) -> tuple[Pieces, Pieces, Pieces, Pieces]:
    return encoded.ids, encoded.cues, encoded.offsets, encoded.words


def windows(length: int, content: int, overlap: int) -> Iterator[Window]:
    """Windows over `length` pieces whose kept parts follow one another from 0 to `length`.

    Each holds `content` pieces, the last `overlap` of which the next one holds again.
    """
    kept = 0
    for start in range(0, max(length, 1), content - overlap):
        end = min(start + content, length)
        stop = length if end == length else end - overlap // 2
        yield Window(start, end, kept, stop)
        kept = stop
        if end == length:
            return
