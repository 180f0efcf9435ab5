# ruff: noqa: E501 -- a pattern reads best on one line
"""The text as the patterns see it: plain ASCII, one character for one, offsets kept.

Zero-width characters and combining marks go, escapes become their character, look-alikes become the
letter they look like, letters O and l inside a row of digits become the digits they were.
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
# Letters of other alphabets that are taken for a Latin one (Unicode TR39, the common ones).
LOOKALIKES = dict(zip("АВЕЅІЈКМНОРСТУХаеѕіјорсухѵԁɡһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν",
                      "ABESIJKMHOPCTYXaesijopcyxvdghABEZHIKMNOPTYXoaiv", strict=True))  # fmt: skip
MARKS = {"‘": "'", "’": "'", "‛": "'", "ʻ": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"',
         "„": '"', "«": '"', "»": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-",
         "−": "-", "•": "*", "·": "*", "●": "*", "…": ".", "⁄": "/", "∕": "/", "│": "|", "¦": "|",
         "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "s", "æ": "a",
         "Æ": "A", "œ": "o", "Œ": "O", "þ": "t", "Þ": "T", "ð": "d", "Ð": "D", "ə": "e",
         "№": "#", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}  # fmt: skip
FILL = "\u200b"  # takes a place and is not read
DAMAGED = re.compile(r"[0-9OolI](?<![A-Za-z0-9].)[0-9OolI/.\- ()|]{3,}[0-9OolI](?![A-Za-z0-9])")
CELLS = re.compile(r"((?: +\|)+ *|\| +)")
# `WMS-IV LM I/II 21/14`, `34. I may`: what stands by itself was no digit.
BLANKS = re.compile(r"( +)")
ROMAN = re.compile(r"I{1,3}(?:/I{1,3})?")
DIGITS = str.maketrans("OolI|", "00111")


@dataclass(frozen=True, slots=True)
class AsciiText:
    """`text` is ASCII; its character i stands at `origin[i]` to `stops[i]` in the text as read.

    Both are None where nothing moved.
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
    """One ASCII character for one character, or nothing for a character that cannot be seen."""
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
    if FRACTION in parts:  # of 93½ nobody is 931
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
    """Gives damaged rows of digits their digits back; the length stays."""

    def mend(match: re.Match[str]) -> str:
        # A bar with a blank beside it parts two cells.
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
    """Where several characters stand for one or for none: start -> (end, what they stand for)."""
    found = {start: (end, char) for start, end, char in escaped(text)}
    found |= {start: (end, "") for start, end in folds(text)}
    return found | {m.start(): (m.end(), "") for m in WRAPPED.finditer(text)}


def unescaped(text: str) -> str:
    """The characters that escapes stand for, each as long as its escape."""
    parts, place = [], 0
    for start, end, char in escaped(text):
        parts += [text[place:start], char.ljust(end - start, FILL)]
        place = end
    return "".join([*parts, text[place:]])


class Folded(dict[int, str]):
    """A table for `str.translate`, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char.isascii() and char not in "\x0b\x0c`" else plain(char)
        return self[code]


FOLDED = Folded()


def normalize(text: str) -> AsciiText:
    """Length in code points may shrink; `AsciiText.place` undoes it."""
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
