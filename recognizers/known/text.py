"""A text folded for matching, with the offsets of every token in the original.

Folding removes case, accents, look-alike letters, zero-width characters, full-width digits and
remnants of HTML. A token is a run of letters or a run of digits.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from recognizers.text.ascii_text import Escape, escaped, folds
from recognizers.words.memory import kept

_LETTERS = {
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
    "ħ": "h", "ŋ": "n", "ŧ": "t", "ĸ": "k", "ſ": "s", "ʼ": "'", "‘": "'", "’": "'", "′": "'",
    "`": "'", "´": "'", "ʻ": "'", "ʿ": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-",
    "‐": "-", "‑": "-", "‒": "-", "⁄": "/", "∕": "/", "․": ".", "﹒": ".", "·": ".",
    # letters in other alphabets that look like Latin letters
    "а": "a", "в": "b", "е": "e", "ѕ": "s", "і": "i", "ј": "j", "к": "k", "м": "m", "н": "h",
    "о": "o", "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ԁ": "d", "һ": "h", "ԛ": "q",
    "ԝ": "w", "ɡ": "g", "ɑ": "a", "α": "a", "β": "b", "ε": "e", "ι": "i", "κ": "k", "ν": "v",
    "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ү": "y", "ӏ": "l",
}  # fmt: skip
_MARKED = r"(?:\s+(?:class=\"[A-Za-z _-]{0,40}\"|style=\"[a-z0-9 :;#.,%-]{0,80}\"))"
_REMNANTS = re.compile(
    rf"</?[A-Za-z][A-Za-z0-9]{{0,9}}{_MARKED}{{0,2}}\s*/?>"
    r"|(?<![0-9])%(?:25)?(?:20|40)|%(?:25)?(?:2[7cdefCDEF]|3[aA])"
    r"|\\\.br\\|\\(?:par|line|tab)\b ?|\\[nrt](?=[A-Z0-9\s\\])"
)
_BLOCK = re.compile(r"</?(?:br|p|div|tr|td|th|li|ul|table|h\d)\b", re.IGNORECASE)
FOLDED_WORD = re.compile(r"[^\W\d_]+|\d+")
_UPPER_LINE = 0.7


@lru_cache(maxsize=4096)
def fold_character(character: str) -> str:
    """The letters, digits or punctuation that replace a character for matching; may be empty."""
    if unicodedata.category(character) == "Cf":
        return ""
    low = character.lower()
    if low in _LETTERS:
        return _LETTERS[low]
    out = []
    for part in unicodedata.normalize("NFKD", low):
        if not unicodedata.combining(part):
            digit = unicodedata.digit(part, None) if part.isdigit() else None
            out.append(
                str(digit) if digit is not None else _LETTERS.get(part.lower(), part.lower())
            )
    return "".join(out) or ("" if unicodedata.combining(character) else " ")


def fold(value: str) -> str:
    """A value, folded in the same way as a text."""
    if value.isascii():
        return value.lower().replace("`", "'")
    return "".join(map(fold_character, value))


def folded_words(value: str) -> list[str]:
    """The tokens of a value, folded."""
    return FOLDED_WORD.findall(fold(value))


def squeeze(value: str) -> str:
    """Only the letters and digits of a value, folded."""
    return "".join(folded_words(value))


@kept
def _shape_of(raw: str) -> str:
    if raw[:1].isdigit():
        return "d"
    letters = "".join(c for c in raw if c.isalpha())
    if letters.islower():
        return "l"
    if letters.isupper():
        return "U" if len(letters) > 1 else "C"
    return "C" if letters[:1].isupper() and letters[1:].islower() else "m"


def without_remnants(gap: str) -> str:
    """The text between two tokens, with remnants of HTML replaced by spaces."""
    return " ".join(_parted(gap, _escapes_in(gap))) if re.search(r"[&<%]", gap) else gap


def _parted(text: str, spelled: list[Escape]) -> Iterator[str]:
    place = 0
    for start, end, _ in spelled:
        yield text[place:start]
        place = end
    yield text[place:]


def _remnant(piece: str) -> str:
    """Return the character that a remnant of markup represents."""
    if piece[0] == "<":
        return "\n" if _BLOCK.match(piece) else ""
    if piece[0] == "%":
        return chr(int(piece[-2:], 16))
    return "\n"


def _escapes_in(text: str) -> list[Escape]:
    """Remnants of markup and escapes, with the text that they stand for, in order and disjoint."""
    found = [(*m.span(), _remnant(m.group())) for m in _REMNANTS.finditer(text)]
    folded = [(start, end, "") for start, end in folds(text)]
    kept: list[Escape] = []
    for one in sorted([*found, *folded, *escaped(text)]):
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def _fold_with_offsets(text: str) -> tuple[str, list[int] | None, list[int] | None]:
    """The folded text and, if lengths differ, the original bounds of each character."""
    plain = text.isascii()
    spelled = _escapes_in(text) if not plain or re.search(r"[&<%\\=]", text) else []
    if not spelled and plain:
        return text.lower(), None, None
    out: list[str] = []
    starts: list[int] = []
    stops: list[int] = []

    position = 0
    for start, end, meant in (*spelled, (len(text), len(text), "")):
        for offset in range(position, start):
            for folded in fold_character(text[offset]):
                out.append(folded)
                starts.append(offset)
                stops.append(offset + 1)
        for folded in fold_character(meant) if meant else "":
            out.append(folded)
            starts.append(start)
            stops.append(end)
        position = end
    return "".join(out), starts, stops


@dataclass(frozen=True)
class Text:
    """A text and its tokens: `words[i]` is at `starts[i]..ends[i]` of the original."""

    original: str = field(repr=False)
    folded: str = field(repr=False)
    words: list[str] = field(repr=False)
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    places: list[int] | None = field(repr=False)
    stops: list[int] | None = field(repr=False)
    folds: list[tuple[int, int]] = field(repr=False)

    @classmethod
    def of(cls, text: str) -> Text:
        """Fold and tokenize a text."""
        folded, places, stops = _fold_with_offsets(text)
        words, starts, ends, folds = [], [], [], []
        for match in FOLDED_WORD.finditer(folded):
            words.append(match.group())
            folds.append(match.span())
            first, last = match.start(), match.end() - 1
            starts.append(first if places is None else places[first])
            ends.append(last + 1 if stops is None else stops[last])
        return cls(text, folded, words, starts, ends, places, stops, folds)

    def __len__(self) -> int:
        return len(self.words)

    def span(self, first: int, stop: int) -> tuple[int, int]:
        """Offsets in the original of a half-open span of the folded text."""
        if self.places is None or self.stops is None:
            return first, stop
        return self.places[first], self.stops[stop - 1]

    def gap(self, index: int) -> str:
        """The folded text between token `index` and the next."""
        return self.folded[self.folds[index][1] : self.folds[index + 1][0]]

    def shape(self, index: int) -> str:
        """The token's shape: `U` upper case, `C` capitalized, `l` lower, `m` mixed, `d` digits."""
        return _shape_of(self.original[self.starts[index] : self.ends[index]])

    @cached_property
    def _lines(self) -> tuple[list[int], list[bool]]:
        starts, upper, offset = [], [], 0
        for line in self.original.split("\n"):
            letters = [c for c in line if c.isalpha()]
            capitals = sum(c.isupper() for c in letters)
            starts.append(offset)
            upper.append(
                len(letters) > 8 and line.count(" ") > 1 and capitals > _UPPER_LINE * len(letters)
            )
            offset += len(line) + 1
        return starts, upper

    def in_upper_line(self, index: int) -> bool:
        """Whether the token is in a line written in capitals."""
        starts, upper = self._lines
        return upper[bisect_right(starts, self.starts[index]) - 1]

    @cached_property
    def lower_case(self) -> bool:
        """Whether the text has almost no capitals."""
        letters = [c for c in self.original if c.isalpha()]
        capitals = sum(c.isupper() for c in letters)
        if len(letters) < 8 or capitals * 10 > len(letters):
            return False
        first = [
            self.original[self.starts[i]].islower()
            for i, word in enumerate(self.words)
            if word[0].isalpha() and self.starts_sentence(i)
        ]
        return capitals * 50 < len(letters) or (len(first) > 2 and sum(first) * 10 > len(first) * 6)

    def starts_sentence(self, index: int) -> bool:
        """Whether a capital here may just mark the start of a sentence, a line or a list item."""
        if index == 0:
            return True
        gap = self.gap(index - 1)
        return "\n" in gap or any(c in '.?!:;•*(["“—' for c in gap) or " - " in gap
