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

from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

Escape = tuple[int, int, str]
"""Start and end of an escape, and the one character that the escape represents."""

_ENTITY = r"&(?:amp;)?(?:[A-Za-z]{2,8}|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5});"
_ESCAPE = re.compile(
    rf"(?P<html>{_ENTITY})"
    r"|\\{1,2}u(?P<json>[0-9a-fA-F]{4})(?!\?)"
    r"|\\u(?P<rtf>-?\d{2,5}) ?(?:\?|\\'3[fF])"
    r"|(?P<ansi>\\'[89a-f][0-9a-f])"
    r"|(?P<python>(?:\\x[89a-fA-F][0-9a-fA-F]){1,24})"
    r"|(?P<twice>(?:%25[89A-Fa-f][0-9A-Fa-f]){2,24})"
    r"|(?P<percent>(?:%[89A-Fa-f][0-9A-Fa-f]){2,24})"
    r"|(?P<printable>(?:=[89A-F][0-9A-F]){2,24}|=[C-F][0-9A-F](?<=[A-Za-z]...)(?=[a-z])|=E9(?<=[a-z]...)(?![\w/.-]))"
)
# The first character of a letter of two or three UTF-8 bytes that was read as Windows-1252.
_GARBLED = re.compile(
    "[\u00c2\u00c3\u00c4\u00c5\u00c6\u00c8\u00c9\u00ca\u00cb\u00ce\u00cf\u00d0\u00d1\u00e1\u00e2\u00ef]"
)
# A capital and the mark after it: `JOS\u00c9\u2019S`.
_QUOTED = re.compile("[\u00c6-\u00d1][\u2013\u2014\u2018-\u201d\u2022\u2026]")
_SIGN = re.compile(r"[&\\%=]")
_FOLD = re.compile(r"(?<=\w)=\r?\n(?=\w)")
_FOLDED_AT = 60


def escaped(text: str) -> list[Escape]:
    """The escapes of a text, in order and disjoint."""
    found, place = list[Escape](), 0
    for sign in _SIGN.finditer(text):
        if sign.start() >= place and (match := _ESCAPE.match(text, sign.start())):
            place = match.end()
            found += _read(match)
    if text.isascii():
        return found
    for match in _GARBLED.finditer(text):
        letter, length = _ungarbled(text, match.start())
        if length:
            found.append((match.start(), match.start() + length, letter))
    return sorted(found)


def folds(text: str) -> Iterator[tuple[int, int]]:
    """Where quoted-printable breaks a long line, but not where `Name=` is a field of a form."""
    for match in _FOLD.finditer(text):
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
        if len(new) == 1 and len(piece) == length and not _QUOTED.fullmatch(piece):
            return new, length
    return "", 0


# Invisible characters, look-alikes and marks, with the ASCII character for each, or nothing.
LETTERS = {
    chr(int(row["code_point"], 16)): row["becomes"].replace("\\n", "\n")
    for row in csv_rows(WORDS / "patterns" / "letters.csv")
}
FILL = "\u200b"  # keeps the length of a text; patterns do not see it
DAMAGED = re.compile(r"[0-9OolI](?<![A-Za-z0-9].)[0-9OolI/.\- ()|]{3,}[0-9OolI](?![A-Za-z0-9])")
CELLS = re.compile(r"((?: +\|)+ *|\| +)")
# `WMS-IV LM I/II 21/14`, `34. I may`: an `I` between blanks was not a digit.
BLANKS = re.compile(r"( +)")
ROMAN = re.compile(r"I{1,3}(?:/I{1,3})?")
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
    return DAMAGED.sub(lambda match: "".join(map(undamaged, CELLS.split(match[0]))), text)


def undamaged(cell: str) -> str:
    doubtful, digits = sum(map(cell.count, "OolI")), sum(map(str.isdigit, cell))
    if not doubtful or len(cell) < 5 or digits < 2 or doubtful > 2 * digits:
        return cell
    return "".join(x if ROMAN.fullmatch(x) else x.translate(DIGITS) for x in BLANKS.split(cell))


# A word cut at the end of a line.
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
