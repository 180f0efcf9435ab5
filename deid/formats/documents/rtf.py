r"""RTF: the text that a word processor shows, and a new document with its paragraphs.

The outermost group is read token by token (`rtf_tokens`). `rtf_words.csv` says how each destination
is handled. Destinations that are not in the table and that the file marks with `\*` are left out.
"""

from __future__ import annotations

import codecs
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from deid.formats.documents.boxed_cells import join_boxed_line
from deid.formats.documents.rtf_tokens import RtfToken, tokenize_rtf
from deid.formats.documents.whole_text import (
    DocumentFormat,
    ReadText,
    refuse_document,
    write_lines,
)
from safe_harbor import csv_rows

# RTF 1.9.1, Font Table: character sets and their code pages.
_CHARSETS = {
    0: "", 1: "", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk",
    136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp437",
}  # fmt: skip
_SYMBOL_FONT = "symbols"
_DOCUMENT_CODECS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_RTF_SIGNS = {"~": "\u00a0", "_": "\u2011", "\r": "\n", "\n": "\n", "\t": "\t"}
_HIDDEN_WORDS = {"v": "hidden-text", "deleted": "tracked-deletions"}
_HEAD = r"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fswiss Arial;}}\f0\fs20"


@cache
def _rtf_words() -> dict[str, tuple[str, str]]:
    """The action and the value of each control word in the table."""
    rows = csv_rows(files("deid.formats.documents") / "rtf_words.csv")
    unescaped = {"\\n": "\n", "\\t": "\t"}
    return {r["word"]: (r["does"], unescaped.get(r["value"], r["value"])) for r in rows}


@dataclass(frozen=True, slots=True)
class _GroupState:
    """The state that a group inherits and that ends with the group.

    `own_line` is where the text of a note, header or box begins, -1 for other groups.
    """

    dropped: bool = False
    fonts: bool = False
    codec: str = ""
    skip: int = 1
    hidden: frozenset[str] = frozenset()
    own_line: int = -1


@dataclass(slots=True)
class _RtfReader:
    """Collects the text of an RTF document.

    `first` is true for the first token of a group, which may name a destination; `starred` is true
    after `\\*`, which marks a destination that a reader may ignore.
    """

    codec: str = "cp1252"
    parts: list[str] = field(default_factory=list, repr=False)
    notes: list[str] = field(default_factory=list, repr=False)
    dropped: Counter[str] = field(default_factory=Counter)
    charsets: dict[int, str] = field(default_factory=dict)
    font: int = 0
    state: _GroupState = _GroupState()
    outer: list[_GroupState] = field(default_factory=list)
    first: bool = False
    starred: bool = False
    fallback: int = 0
    raw: bytes = field(default=b"", repr=False)
    raw_codec: str = ""

    def take(self, token: RtfToken) -> None:
        first, self.first = self.first, False
        if token.kind == "bytes":
            self._bytes(token)
            return
        if token.kind == "sign" and token.word == "*" and first:
            self.first = self.starred = True
            return
        self.end_run()
        if token.kind == "open":
            self.fallback, self.first, self.starred = 0, True, False
            self.outer.append(self.state)
            self.state = replace(self.state, own_line=-1)
        elif token.kind == "close":
            self.fallback = 0
            if self.state.own_line >= 0:
                self.notes.append("".join(self.parts[self.state.own_line :]))
                del self.parts[self.state.own_line :]
            self.state = self.outer.pop()
            self.put_notes()
        elif token.kind == "sign":
            self._add(_RTF_SIGNS.get(token.word, token.word if token.word in "\\{}" else ""))
        else:
            self._word(token.word, token.number, first)

    def _bytes(self, token: RtfToken) -> None:
        """Add bytes of text, except bytes that repeat a Unicode character."""
        coded = token.word == "'"
        skipped = min(self.fallback, 1 if coded else len(token.data))
        self.fallback -= skipped
        data = token.data[skipped:]
        if not data or self.state.dropped or self.state.fonts:
            return
        codec = self.state.codec or self.codec
        if codec != self.raw_codec:
            self.end_run()
        self.raw_codec = codec
        self.raw += data

    def end_run(self) -> None:
        """Decode the bytes so far. A character may be two bytes, each with its own escape."""
        if not self.raw:
            return
        if self.raw_codec == _SYMBOL_FONT:
            text = "•" * len(self.raw.strip()) or " "
        else:
            try:
                text = self.raw.decode(self.raw_codec)
            except UnicodeDecodeError:
                if self.raw_codec not in ("cp1252", "mac_roman"):
                    raise refuse_document("undecodable-bytes") from None
                text = self.raw.decode("cp1252", "replace")
        self.raw = b""
        self._add(text)

    def _add(self, text: str) -> None:
        if self.state.dropped or self.state.fonts or not text:
            return
        if self.state.hidden:
            self.dropped.update(_HIDDEN_WORDS[word] for word in self.state.hidden)
            return
        self.parts.append(text)

    def put_notes(self, at_end: bool = False) -> None:
        """Put notes and boxes on separate lines, after the line that contains them has ended."""
        ended = at_end or not self.parts or self.parts[-1].endswith("\n")
        if self.notes and ended and all(state.own_line < 0 for state in self.outer):
            self.parts += ["\n"] if at_end and self.parts else []
            self.parts += [note.strip("\n") + "\n" for note in self.notes if note.strip("\n")]
            self.notes = []

    def _word(self, word: str, number: int | None, first: bool) -> None:
        starred, self.starred = self.starred, False
        does, value = _rtf_words().get(word, ("", ""))
        if word == "u" and number is not None:
            self._add(chr(number % 0x10000))
            self.fallback = self.state.skip
        elif does == "text":
            self._add(value)
            self.put_notes()
        elif first and does == "own line":
            self.state = replace(self.state, own_line=len(self.parts))
        elif first and (does == "drop" or (starred and not does)):
            if not self.state.dropped and (does != "drop" or value):
                self.dropped[value or "other-destinations"] += 1
            self.state = replace(self.state, dropped=True)
        elif word == "fonttbl":
            self.state = replace(self.state, fonts=True)
        else:
            self._formatting(word, number)

    def _formatting(self, word: str, number: int | None) -> None:
        """Apply control words that change how bytes and text are read."""
        state = self.state
        if word in _DOCUMENT_CODECS:
            self.codec = _DOCUMENT_CODECS[word]
        elif word == "ansicpg" and number:
            self.codec = _python_codec(number)
        elif word == "uc":
            self.state = replace(state, skip=min(max(0, number or 0), 8))
        elif word == "f":
            self.font = number or 0
            if not state.fonts:
                self.state = replace(state, codec=self.charsets.get(self.font, ""))
        elif word == "fcharset" and state.fonts:
            self.charsets[self.font] = (
                _SYMBOL_FONT if number == 2 else _CHARSETS.get(number or 0, "")
            )
        elif word in _HIDDEN_WORDS:
            kept = state.hidden - {word}
            self.state = replace(state, hidden=kept if number == 0 else kept | {word})
        elif word == "revised" and number != 0 and not state.dropped:
            self.dropped["insertion-marks"] += 1
        elif word == "plain":
            self.state = replace(state, codec="", hidden=state.hidden - {"v"})


def _python_codec(page: int) -> str:
    named = {0: "cp1252", 10000: "mac_roman", 65001: "utf-8", 936: "gbk", 1361: "johab"}
    name = named.get(page, f"cp{page}")
    try:
        codecs.lookup(name)
    except LookupError:
        raise refuse_document("encoding-unknown") from None
    return name


def read_rtf(data: bytes) -> ReadText:
    r"""The text of an RTF document: paragraphs are lines, and bars separate cells.

    Raises:
        DeidError: `broken-rtf`, `rtf-limits`, `encoding-unknown`, `undecodable-bytes`.

    >>> read_rtf(rb"{\rtf1\ansi Seen by {\b Dr.} N\'e9e{\info{\author Roe}}\par Well.}").text
    'Seen by Dr. Née\nWell.'
    """
    body = data.lstrip(b" \t\r\n\0").removeprefix(b"\xef\xbb\xbf")
    if body[:5].lower() != b"{\\rtf":
        raise refuse_document("broken-rtf")
    reader = _RtfReader()
    for token in tokenize_rtf(body):
        reader.take(token)
    reader.put_notes(at_end=True)
    text = join_boxed_line("".join(reader.parts).replace(" | \n", "\n"))
    try:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise refuse_document("lone-surrogate") from None
    return ReadText(text.rstrip("\n"), dropped=reader.dropped)


def write_rtf(read: ReadText, text: str) -> bytes:
    r"""A new document with one paragraph for each line of the text.

    >>> write_rtf(ReadText(""), "é {1}").rpartition(b"\\fs20")[2]
    b'\n\\u233? \\{1\\}\n}\n'
    """
    lines = "\n\\par ".join(map(_rtf_line, text.split("\n")))
    return f"{_HEAD}\n{lines}\n}}\n".encode("ascii")


def _rtf_line(line: str) -> str:
    out = []
    for char in line:
        if char in "\\{}":
            out.append("\\" + char)
        elif char == "\t":
            out.append("\\tab ")
        elif " " <= char <= "~":
            out.append(char)
        else:
            wide = char.encode("utf-16-le", "surrogatepass")
            codes = (int.from_bytes(wide[i : i + 2], "little") for i in range(0, len(wide), 2))
            out.extend(f"\\u{code - 0x10000 if code > 0x7FFF else code}?" for code in codes)
    return "".join(out)


FORMAT = DocumentFormat(
    "rtf", (".rtf",), read_rtf, write_rtf, (".rtf",), {"text": (".txt", write_lines)}
)
