# ruff: noqa: E501 -- a pattern reads best on one line
"""The text for the patterns: one ASCII character per character, with its original offsets.

Zero-width characters and combining marks are dropped, escapes become their character, look-alikes
become the letter they look like, and O and l among digits become the digits they stand for.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

from recognizers.text.escapes import escaped, folds

DROPPED = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f"
                    "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068"
                    "\u2069\ufe00\ufe0e\ufe0f\ufeff")  # fmt: skip
# Common letters in other alphabets that look like a Latin letter (Unicode TR39).
LOOKALIKES = dict(zip("АВЕЅІЈКМНОРСТУХаеѕіјорсухѵԁɡһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν",
                      "ABESIJKMHOPCTYXaesijopcyxvdghABEZHIKMNOPTYXoaiv", strict=True))  # fmt: skip
MARKS = {"‘": "'", "’": "'", "‛": "'", "ʻ": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"',
         "„": '"', "«": '"', "»": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-",
         "−": "-", "•": "*", "·": "*", "●": "*", "…": ".", "⁄": "/", "∕": "/", "│": "|", "¦": "|",
         "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "s", "æ": "a",
         "Æ": "A", "œ": "o", "Œ": "O", "þ": "t", "Þ": "T", "ð": "d", "Ð": "D", "ə": "e",
         "№": "#", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}  # fmt: skip
FILL = "\u200b"  # keeps the length of a text; patterns do not see it
DAMAGED = re.compile(r"[0-9OolI](?<![A-Za-z0-9].)[0-9OolI/.\- ()|]{3,}[0-9OolI](?![A-Za-z0-9])")
CELLS = re.compile(r"((?: +\|)+ *|\| +)")
# `WMS-IV LM I/II 21/14`, `34. I may`: an `I` between blanks was not a digit.
BLANKS = re.compile(r"( +)")
ROMAN = re.compile(r"I{1,3}(?:/I{1,3})?")
DIGITS = str.maketrans("OolI|", "00111")


@dataclass(frozen=True, slots=True)
class AsciiText:
    """`text` is ASCII; its character i is from `origin[i]` to `stops[i]` in the text as read.

    Both are None if no character moved.
    """

    text: str
    origin: array[int] | None = None
    stops: array[int] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Maps half-open offsets back to the text as read."""
        if self.origin is None or self.stops is None:
            return start, end
        return self.origin[start], self.stops[end - 1]


@lru_cache(maxsize=8192)
def plain(char: str) -> str:
    """The ASCII character for a character, or nothing for an invisible one."""
    if char in DROPPED:
        return ""
    if char in MARKS:
        return MARKS[char]
    if char in LOOKALIKES:
        return LOOKALIKES[char]
    kind = unicodedata.category(char)
    if kind.startswith("M"):
        return ""
    if kind.startswith("Z"):
        return " "
    parts = unicodedata.normalize("NFKD", char)
    if FRACTION in parts:  # an age of 93½ must not become 931
        return "~"
    folded = [c for c in parts if c.isascii()]
    if folded:
        return folded[0]
    if kind == "Nd":
        return str(unicodedata.digit(char))
    if kind.startswith("L"):
        return "X" if kind in {"Lu", "Lt", "Lo"} else "x"
    return "-" if kind == "Pd" else "~"


FRACTION = "\u2044"


def mended(text: str) -> str:
    """The text with misread letters among digits turned into digits; the length stays the same."""

    def mend(match: re.Match[str]) -> str:
        # A bar with a blank beside it separates two cells.
        return "".join(map(undamaged, CELLS.split(match.group())))

    def undamaged(row: str) -> str:
        doubtful = sum(map(row.count, "OolI"))
        if not doubtful or len(row) < 5:
            return row
        digits = sum(map(str.isdigit, row))
        if digits < 2 or doubtful > 2 * digits:
            return row
        return "".join(x if ROMAN.fullmatch(x) else x.translate(DIGITS) for x in BLANKS.split(row))

    return DAMAGED.sub(mend, text)


WRAPPED = re.compile(r"(?<=[a-z])-[ \t]*\r?\n[ \t|]*(?=[a-z])")


def leaps(text: str) -> dict[int, tuple[int, str]]:
    """Find sequences of characters that mean one character or none.

    Returns, by the start of each sequence, its end and the character (or "").
    """
    found = {start: (end, char) for start, end, char in escaped(text)}
    found |= {start: (end, "") for start, end in folds(text)}
    return found | {m.start(): (m.end(), "") for m in WRAPPED.finditer(text)}


def unescaped(text: str) -> str:
    """The text with each escape replaced by its character, padded to the escape's length."""
    parts, place = [], 0
    for start, end, char in escaped(text):
        parts += [text[place:start], char.ljust(end - start, FILL)]
        place = end
    return "".join([*parts, text[place:]])


class Folded(dict[int, str]):
    """A table for `str.translate`, to which each character is added at its first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char.isascii() and char not in "\x0b\x0c`" else plain(char)
        return self[code]


FOLDED = Folded()


def normalize(text: str) -> AsciiText:
    """The text in ASCII. It may be shorter; `AsciiText.place` maps offsets back."""
    jumps = leaps(text)
    if not jumps:
        flat = text.translate(FOLDED)
        if len(flat) == len(text):
            return AsciiText(mended(flat))
    chars: list[str] = []
    origin, stops = array("l"), array("l")
    skip = 0
    for place, char in enumerate(text):
        if place < skip:
            continue
        if place in jumps:
            skip, char = jumps[place]
            if not char:
                continue
        new = char.translate(FOLDED)
        if new:
            chars.append(new)
            origin.append(place)
            stops.append(max(skip, place + 1))
    flat = "".join(chars)
    if len(flat) == len(text):
        return AsciiText(mended(flat))
    return AsciiText(mended(flat), origin, stops)
