"""The text for the patterns: one ASCII character per character, with its original offsets.

Zero-width characters and combining marks are dropped, look-alikes become the letter they look like,
and O and l among digits become the digits they stand for. Escapes become their character: HTML,
quoted-printable, percent, JSON, RTF, misread UTF-8. A note that came through an interface may hold
`Pe=C3=B1a`, `Pe\\'f1a` or `Pe&amp;#241;a`.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from recognizers.words.expressions import patterns
from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

Escape = tuple[int, int, str]
"""Start and end of an escape, and the one character that the escape represents."""

ESCAPES = patterns("escapes")
# How much a quoted-printable line holds at least before it is folded.
_FOLDED_AT = 60


def escaped(text: str) -> list[Escape]:
    """The escapes of a text, in order and disjoint."""
    found, place = list[Escape](), 0
    for sign in ESCAPES["SIGN"].finditer(text):
        if sign.start() >= place and (match := ESCAPES["ESCAPE"].match(text, sign.start())):
            place = match.end()
            found += _read(match)
    if text.isascii():
        return found
    for match in ESCAPES["GARBLED"].finditer(text):
        letter, length = _ungarbled(text, match.start())
        if length:
            found.append((match.start(), match.start() + length, letter))
    return sorted(found)


def folds(text: str) -> Iterator[tuple[int, int]]:
    """Where quoted-printable breaks a long line, but not where `Name=` is a field of a form."""
    for match in ESCAPES["FOLD"].finditer(text):
        start, end = match.span()
        if start >= _FOLDED_AT and text.rfind("\n", start - _FOLDED_AT, start) < 0:
            yield start, end


# How the one character is read that an escape of each kind stands for.
_MEANINGS: dict[str, Callable[[str], str]] = {
    "html": lambda written: unescape(written.replace("&amp;", "&", len(written) > 5)),
    "json": lambda written: chr(int(written[-4:], 16)),
    "rtf": lambda written: chr(int(re.findall(r"-?\d+", written)[0]) % 0x10000),
    "ansi": lambda written: bytes.fromhex(written[2:]).decode("cp1252", "ignore"),
}


def _read(match: re.Match[str]) -> Iterator[Escape]:
    """The characters of an escape: one, or the letters of several bytes in UTF-8."""
    written, start = match.group(), match.start()
    if match.lastgroup in _MEANINGS:
        yield from _one(start, match.end(), _MEANINGS[match.lastgroup](written))
        return
    data = bytes.fromhex(re.sub(r"%25|[%=]|\\x", "", written))
    width = len(written) // len(data)
    try:
        letters = data.decode("utf-8")
    except UnicodeDecodeError:  # a single byte is Windows-1252
        letters = data.decode("cp1252", "ignore") if len(data) == 1 else ""
    for letter in letters:
        size = width * (len(letter.encode("utf-8")) if len(data) > 1 else 1)
        yield from _one(start, start + size, letter)
        start += size


def _one(start: int, end: int, meant: str) -> Iterator[Escape]:
    if len(meant) == 1 and (meant.isprintable() or meant.isspace()):
        yield start, end, meant


def _ungarbled(text: str, place: int) -> tuple[str, int]:
    """The character that two or three misread characters stand for, and their number; 0 if none."""
    for length in (3, 2):
        piece = text[place : place + length]
        # The five bytes that Windows-1252 leaves unassigned are those of Latin-1.
        written = [c.encode("cp1252", "ignore") or c.encode("latin-1", "ignore") for c in piece]
        try:
            new = b"".join(written).decode("utf-8") if all(written) else ""
        except UnicodeDecodeError:
            continue
        if len(new) == 1 and len(piece) == length and not ESCAPES["QUOTED"].fullmatch(piece):
            return new, length
    return "", 0


# Invisible characters, look-alikes and marks, with the ASCII character for each, or nothing.
LETTERS = {
    chr(int(row["code_point"], 16)): row["becomes"].replace("\\n", "\n")
    for row in csv_rows(WORDS / "patterns" / "letters.csv")
}
FILL = "\u200b"  # keeps the length of a text; patterns do not see it
DIGITS = str.maketrans("OolI|", "00111")


@dataclass(frozen=True, slots=True)
class MovedText:
    """A changed text; its character i is from `origin[i]` to `stops[i]` in the text as read.

    Both are None if no character moved, as in nearly every text.
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
    if char in LETTERS:
        return LETTERS[char]
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
    # A bar with a blank beside it separates two cells.
    return ESCAPES["DAMAGED"].sub(
        lambda match: "".join(map(undamaged, ESCAPES["CELLS"].split(match[0]))), text
    )


def undamaged(cell: str) -> str:
    doubtful, digits = sum(map(cell.count, "OolI")), sum(map(str.isdigit, cell))
    if not doubtful or len(cell) < 5 or digits < 2 or doubtful > 2 * digits:
        return cell
    return "".join(
        x if ESCAPES["ROMAN"].fullmatch(x) else x.translate(DIGITS)
        for x in ESCAPES["BLANKS"].split(cell)
    )


def leaps(text: str) -> dict[int, tuple[int, str]]:
    """Find sequences of characters that mean one character or none.

    Returns, by the start of each sequence, its end and the character (or "").
    """
    found = {start: (end, char) for start, end, char in escaped(text)}
    found |= {start: (end, "") for start, end in folds(text)}
    return found | {m.start(): (m.end(), "") for m in ESCAPES["WRAPPED"].finditer(text)}


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


def normalize(text: str) -> MovedText:
    """The text in ASCII. It may be shorter; `MovedText.place` maps offsets back."""
    jumps = leaps(text)
    flat = text.translate(FOLDED)
    if not jumps and len(flat) == len(text):
        return MovedText(mended(flat))
    chars: list[str] = []
    origin, stops = array("l"), array("l")
    skip = 0
    for place, char in enumerate(text):
        if place < skip:
            continue
        if place in jumps:
            skip, char = jumps[place]
        if new := char.translate(FOLDED):
            chars.append(new)
            origin.append(place)
            stops.append(max(skip, place + 1))
    flat = "".join(chars)
    if len(flat) == len(text):
        return MovedText(mended(flat))
    return MovedText(mended(flat), origin, stops)
