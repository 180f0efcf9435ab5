"""Escape sequences of HL7 v2 (chapter 2.7); text that does not change keeps its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache

# Longer texts are compared line by line.
MOST_TOKENS = 20_000
_BREAKS = ("br", "ce", "sp")
_WORD_OR_SPACE = r"\w+|\r\n|\s|[^\w\s]"


@dataclass(frozen=True, slots=True)
class Delimiters:
    """The delimiters of one message, MSH-1 and MSH-2; "" for an undeclared one."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"
    truncation: str = ""

    @property
    def letters(self) -> dict[str, str]:
        """The character that each escape letter represents."""
        return {
            "F": self.field,
            "S": self.component,
            "T": self.subcomponent,
            "R": self.repetition,
            "E": self.escape,
            "P": self.truncation or "#",
        }


@dataclass(frozen=True, slots=True)
class EscapeToken:
    """A piece of a raw value and its decoded text.

    `firm` pieces stay even if the text around them is removed: delimiters, highlighting, line
    breaks between segments (`raw` is None). A `lost` piece has no searchable text.
    """

    raw: str | None = field(repr=False)
    plain: str = field(repr=False)
    firm: bool = False
    lost: bool = False


BREAK = EscapeToken(None, "\n", firm=True)
CUT = EscapeToken(None, "", firm=True)


@lru_cache(maxsize=64)
def _pattern(delimiters: Delimiters) -> re.Pattern[str]:
    sign = re.escape(delimiters.escape) if delimiters.escape else r"(?!)"
    command = r"\.[a-z]{2}[-+ ]?\d{0,4}"
    sequence = rf"{sign}([FSTREPHN]|X(?:[0-9A-Fa-f]{{2}})+|{command}|[CMZ][^{sign}\r\n]{{0,200}}?)"
    return re.compile(rf"{sequence}{sign}|{_WORD_OR_SPACE}", re.DOTALL)


def tokens(raw: str, delimiters: Delimiters, *, running: bool = False) -> Iterator[EscapeToken]:
    """The pieces of a raw value in order. In `running` text, delimiters are firm text pieces."""
    structure = _structure(delimiters) if running else {}
    for match in _pattern(delimiters).finditer(raw):
        piece, name = match[0], match[1]
        if name is None:
            plain = structure.get(piece)
            yield EscapeToken(piece, piece if plain is None else plain, firm=plain is not None)
        else:
            yield _escape_token(piece, name, delimiters)


def _structure(delimiters: Delimiters) -> dict[str, str]:
    shown = {
        delimiters.repetition: "\n",
        delimiters.component: " ",
        delimiters.subcomponent: delimiters.subcomponent,
        "\r\n": "\n",
        "\r": "\n",
        "\n": "\n",
    }
    return {sign: plain for sign, plain in shown.items() if sign}


def _escape_token(piece: str, name: str, delimiters: Delimiters) -> EscapeToken:
    if name in "HN":
        return EscapeToken(piece, "", firm=True)
    if len(name) == 1 and name not in "CMZ":
        return EscapeToken(piece, delimiters.letters[name])
    if name[0] == ".":
        command, count = name[1:3], re.sub(r"\D", "", name[3:])
        if command in _BREAKS:
            return EscapeToken(piece, "\n" * min(max(int(count or 1), 1), 99), firm=True)
        return EscapeToken(piece, " " if command == "sk" else "", firm=True)
    if name[0] == "X":
        return _hexadecimal(piece, bytes.fromhex(name[1:]))
    return EscapeToken(piece, "", lost=True)


def _hexadecimal(piece: str, data: bytes) -> EscapeToken:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = re.sub(r"\r\n?", "\n", text)
    if not text.strip("\n"):
        return EscapeToken(piece, text, firm=True)
    readable = all(letter.isprintable() or letter in "\n\t" for letter in text)
    return EscapeToken(piece, text) if readable else EscapeToken(piece, "", lost=True)


def unescape(raw: str, delimiters: Delimiters) -> str:
    """The decoded text of a raw value."""
    if not delimiters.escape or delimiters.escape not in raw:
        return raw
    return plain_of(tokens(raw, delimiters))


def plain_of(pieces: Iterable[EscapeToken]) -> str:
    """The decoded text of the pieces, joined."""
    return "".join(piece.plain for piece in pieces)


def escape(text: str, delimiters: Delimiters) -> str:
    """Encode a text as a raw value; without an escape character, delimiters become blanks."""
    sign = delimiters.escape
    names = {letter: name for name, letter in delimiters.letters.items() if letter}
    if not delimiters.truncation:
        names.pop("#", None)
    written = []
    for letter in text.replace("\r\n", "\n").replace("\r", "\n"):
        if letter == "\n":
            written.append(f"{sign}.br{sign}" if sign else " ")
        elif letter in names:
            written.append(f"{sign}{names[letter]}{sign}" if sign else " ")
        else:
            written.append(letter)
    return "".join(written)


def rewrite(before: Sequence[EscapeToken], text: str, delimiters: Delimiters) -> list[str]:
    """The raw values that encode `text`, one for each part between the breaks of `before`.

    Unchanged text keeps its raw pieces; firm pieces keep their places; lost pieces are removed.
    """
    written: list[str | None] = []
    for old, new in _paired_lines(before, text):
        written += _escaped_line(old, new, delimiters)
    values, parts = [], list[str]()
    for piece in written:
        if piece is None:
            values.append("".join(parts))
            parts = []
        else:
            parts.append(piece)
    return [*values, "".join(parts)]


def _paired_lines(
    before: Sequence[EscapeToken], text: str
) -> Iterator[tuple[Sequence[EscapeToken], str]]:
    """Pair the old and new lines of a long text if there are equally many; else yield one pair."""
    if len(before) <= MOST_TOKENS:
        yield before, text
        return
    old: list[list[EscapeToken]] = [[]]
    for token in before:
        if token.plain == "\n":
            old.append([])
        old[-1].append(token)
    new = re.split(r"(?=\n)", text)
    if len(old) != len(new):
        yield before, text
    else:
        yield from zip(old, new, strict=True)


def _escaped_line(
    old: Sequence[EscapeToken], text: str, delimiters: Delimiters
) -> Iterator[str | None]:
    words = _tokens_by_word(old)
    plain = [plain_of(word) for word in words]
    if "".join(plain) == text and not any(token.lost for token in old):
        yield from (token.raw for token in old)
        return
    new = re.findall(_WORD_OR_SPACE, text)
    matcher = SequenceMatcher(None, plain, new, autojunk=len(words) > 2000)
    for _, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        mine = [token for word in words[old_start:old_end] for token in word]
        if plain[old_start:old_end] == new[new_start:new_end]:
            yield from (token.raw for token in mine)
            continue
        # Firm line breaks are written below, so they are left out of the new text.
        kept = "".join(new[new_start:new_end])
        yield escape(_without_breaks(kept, mine), delimiters)
        yield from (token.raw for token in mine if token.firm)


def _tokens_by_word(pieces: Sequence[EscapeToken]) -> list[list[EscapeToken]]:
    """Group the pieces into words; a piece may be part of a word, or hold several words."""
    ends = {match.end() for match in re.finditer(_WORD_OR_SPACE, plain_of(pieces))}
    words: list[list[EscapeToken]] = [[]]
    place = 0
    for piece in pieces:
        words[-1].append(piece)
        place += len(piece.plain)
        if place in ends or not place:
            words.append([])
    return [word for word in words if word]


def _without_breaks(text: str, replaced: Sequence[EscapeToken]) -> str:
    if any(token.firm and "\n" in token.plain for token in replaced):
        return text.replace("\n", "")
    return text
