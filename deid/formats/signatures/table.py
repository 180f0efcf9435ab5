"""The table of signatures, `signatures.csv`: one row for each way to recognize a format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from safe_harbor import csv_rows

HOWS = ("bytes", "start", "within", "grammar", "characters")
# Characters allowed before a message: blanks, byte order marks, transport framing.
LEADING_BLANKS = "\ufeff \t\r\n\x0b\x1e\x00"

_HEX_BYTE = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class Signature:
    """One row of the table.

    `format` is the name of the format and the code under which its files are withheld. `how` is the
    kind of search: `bytes` at the offset `at`, at the `start` of the text, anywhere `within` it, or
    by a `grammar`, which is a function of `grammars.py`. `characters` is a grammar for texts only,
    because the bytes of files are checked when they are decoded. A `within` pattern is tried only
    if the text contains one of the literals `holds`. Files with one of `suffixes` are left to their
    own reader; other files are read as if their name ended in `read_as`, and withheld if that is
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
    """All rows, in the order in which they are tried."""
    return tuple(map(_signature, csv_rows(files("deid.formats.signatures") / "signatures.csv")))


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
    """A standard whose messages are segments: its field separators and its segment tags."""

    separators: str
    tags: frozenset[str]


@cache
def standards() -> tuple[Standard, ...]:
    """The rows of `segments.csv`."""
    rows = csv_rows(files("deid.formats.signatures") / "segments.csv")
    return tuple(Standard(row["separators"], frozenset(row["tags"].split())) for row in rows)
