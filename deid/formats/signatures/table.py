"""The table of signatures, `signatures.csv`: one row for each way that a format shows itself."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

HOWS = ("bytes", "start", "within", "grammar", "characters")
# Characters allowed before a message: blanks, byte order marks, wire frames.
LEADING_BLANKS = "\ufeff \t\r\n\x0b\x1e\x00"

_HEX_BYTE = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class Signature:
    """One row.

    `format` names the format, and is the code under which it is withheld. `how` says where the
    signature is looked for: `bytes` at the offset `at`, at the `start` of the text, anywhere
    `within` a text, or by a `grammar`, a function of `grammars.py`; `characters` is a grammar asked
    of texts alone, because the bytes of files are judged when they are decoded. A pattern is only
    tried where one of the literals `holds` stands. Files of `suffixes` are left to their own
    reader; other files are read as if their name ended in `read_as`, and withheld where that is
    empty.
    """

    format: str
    how: str
    at: int
    holds: tuple[str, ...]
    pattern: re.Pattern[str] | None
    grammar: str
    suffixes: tuple[str, ...]
    read_as: str

    def __post_init__(self) -> None:
        if self.how not in HOWS or (self.pattern is None) == (self.how in HOWS[:3]):
            raise ValueError("a row of signatures.csv is not well formed")


@cache
def read_signatures() -> tuple[Signature, ...]:
    """All rows, in the order they are asked."""
    table = files("deid") / "formats" / "signatures" / "signatures.csv"
    return tuple(map(_signature, csv.DictReader(table.read_text("utf-8").splitlines())))


def _signature(row: dict[str, str]) -> Signature:
    how, written = row["how"], row["signature"]
    by_grammar = how not in HOWS[:3]
    return Signature(
        row["format"],
        how,
        int(row["at"] or 0),
        tuple(_HEX_BYTE.sub(lambda m: chr(int(m[1], 16)), word) for word in row["holds"].split()),
        None if by_grammar else re.compile(written, re.MULTILINE),
        written if by_grammar else "",
        tuple(row["suffixes"].split()),
        row["read_as"],
    )


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard whose messages are segments: the marks that part its fields, and its segments."""

    separators: str
    tags: frozenset[str]


@cache
def standards() -> tuple[Standard, ...]:
    """The rows of `segments.csv`."""
    table = files("deid") / "formats" / "signatures" / "segments.csv"
    rows = csv.DictReader(table.read_text("utf-8").splitlines())
    return tuple(Standard(row["separators"], frozenset(row["tags"].split())) for row in rows)
