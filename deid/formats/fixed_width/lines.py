"""Splits the lines of a fixed-width file into cells by the places of each line's type.

A line must have the length of its type. Lines may be shorter only in a file without trailing
blanks, and then they must be ASCII: the text after a lost or an added character would be read
from the wrong places.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from deid.formats.fixed_width.layout import COUNT_PLACE, RECORD_PLACE, Layout, LayoutPlace
from deid.formats.text.encoding import Encoding

LINES_LOOKED_AT = 1000
LONGEST_FIXED_LINE = 1 << 21
# If this share of the lines of a type has one length, every line of the type must have it.
_OF_ONE_LENGTH = 0.9
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x09\x0b-\x1f\x7f]")
_END_OF_FILE = b"\x1a"


class BrokenLine(Exception):
    """The error for a line that cannot be read. Its only argument is a code."""


@dataclass(frozen=True, slots=True)
class LineLength:
    """The length of the lines of one type, and whether all of these lines must have it."""

    most: int
    exact: bool


@dataclass(frozen=True, slots=True)
class FixedLine:
    """A line: its type, its length, and the text at each of its places.

    `codec` is set if places are counted in bytes and not in characters.
    """

    record: str
    length: int
    codec: str
    raw: tuple[str, ...] = field(repr=False)


def file_lines(path: Path, bom: int = 0) -> Iterator[bytes]:
    """The non-empty lines, without line ends. Reading stops after a line that is too long."""
    with path.open("rb") as file:
        file.seek(bom)
        while line := file.readline(LONGEST_FIXED_LINE):
            bare = line.rstrip(b"\r\n" + _END_OF_FILE)
            if bare:
                yield bare
            if not line.endswith(b"\n") and len(line) == LONGEST_FIXED_LINE:
                return


def line_end(path: Path) -> str:
    """The line end of the first line."""
    with path.open("rb") as file:
        return "\r\n" if file.readline(LONGEST_FIXED_LINE).endswith(b"\r\n") else "\n"


def ends_with_line_end(path: Path) -> bool:
    """Whether the last line has a line end."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2))
        return file.read().rstrip(_END_OF_FILE).endswith(b"\n")


def type_of_line(line: bytes, layout: Layout) -> str | None:
    """The type of a line; None if the layout has no such type."""
    place = layout.record_place
    if place is None:
        return ""
    told = line[place.start : place.end].decode("latin-1").strip()
    return told if told in layout.records else None


def line_lengths(path: Path, layout: Layout, bom: int) -> Mapping[str, LineLength]:
    """The length of each type of line, found from the first lines of a file."""
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    for line in islice(file_lines(path, bom), LINES_LOOKED_AT):
        if (record := type_of_line(line, layout)) is not None and line.isascii():
            seen[record][len(line)] += 1
    found = {}
    for record in layout.records:
        end, counts = layout.end_of(record), seen[record]
        common, count = counts.most_common(1)[0] if counts else (end, 0)
        exact = common >= end and count >= _OF_ONE_LENGTH * counts.total()
        found[record] = LineLength(common if exact else max(end, *counts, 0), exact)
    return found


def taken_apart(
    line: bytes, layout: Layout, lengths: Mapping[str, LineLength], encoding: Encoding
) -> FixedLine:
    """Split a line into the texts at its places.

    Raises:
        BrokenLine: `unknown-record`, `wrong-length`, `control-characters`, `undecodable-bytes`.
    """
    if _CONTROL_BYTES.search(line):
        raise BrokenLine("control-characters")
    record = type_of_line(line, layout)
    if record is None:
        raise BrokenLine("unknown-record")
    places, length = layout.places_of(record), lengths[record]
    try:
        text = line.decode(encoding.codec)
        if len(line) == len(text) or len(text) == length.most:
            if len(text) > length.most or (length.exact and len(text) < length.most):
                raise BrokenLine("wrong-length")
            if not (length.exact or line.isascii() or len(text) == length.most):
                raise BrokenLine("wrong-length")
            raw = tuple(text[place.start : place.end] for place in places)
            return FixedLine(record, len(text), "", raw)
        if len(line) != length.most:
            raise BrokenLine("wrong-length")
        raw = tuple(line[p.start : p.end].decode(encoding.codec) for p in places)
    except UnicodeDecodeError:
        raise BrokenLine("undecodable-bytes") from None
    return FixedLine(record, len(line), encoding.codec, raw)


def unnamed_characters(line: bytes, places: Sequence[LayoutPlace]) -> bool:
    """Whether a line has characters outside its places."""
    rest, before = b"", 0
    for place in places:
        rest += line[before : place.start]
        before = place.end
    return bool((rest + line[before:]).strip())


def is_structure(place: LayoutPlace) -> bool:
    """Whether the place describes the file and is not a column."""
    return place.kind in (RECORD_PLACE, COUNT_PLACE)
