"""X12 files (005010: 837, 835, 834, 820, 270-278, 997, 999): one record for each person's loop.

The envelopes are written new: control numbers count from 1, senders and receivers are constants,
dates keep only their year, and counts match the written segments. The same is true of the numbers
and dates that acknowledgments repeat (TA1, AK1, AK2). Unlisted segments and values are
left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.documents.whole_text import refuse_document
from deid.formats.path_columns import PathColumns, count_paths
from deid.formats.text.encoding import detect_encoding
from deid.formats.x12.places import X12Value, known_tags, values_of
from deid.formats.x12.segment_split import (
    BLOCK_TAGS,
    ENVELOPE,
    INTERCHANGE_TAG,
    RENEWED,
    Block,
    BrokenInterchange,
    Segment,
    Signs,
    blocks_of,
    version_of,
)
from deid.vocabularies.locus import Locus

_X12_SUFFIXES = (
    *(".x12", ".edi", ".837", ".835", ".834", ".820", ".270", ".271", ".276", ".277", ".278"),
    *(".997", ".999", ".ta1"),
)
LARGEST_X12_FILE = 1 << 28
_X12_YEAR = re.compile(r"\d{4}")
_SHORT_DATE = re.compile(r"[0-9]{6}")
_SHORT_MARK = re.compile(r"[A-Z0-9]{1,5}")
_DATED_BY = {("DTP", 3): 2, ("DTM", 6): 5, ("DMG", 2): 1}
# The formats of dates (codes of element 1250).
_PRECISIONS = (
    ("D8", re.compile(r"\d{8}")),
    ("RD8", re.compile(r"\d{8}-\d{8}")),
    ("RD4", re.compile(r"\d{4}-\d{4}")),
    ("CY", re.compile(r".+")),
)


@dataclass(frozen=True, slots=True)
class BlockSkeleton:
    """A block as read, its values, and the column of each value."""

    block: Block = field(repr=False)
    values: tuple[X12Value, ...] = field(repr=False)
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class X12Source:
    """One file; its columns are paths."""

    path: Path
    paths: PathColumns
    loci: tuple[Locus | None, ...]

    def __repr__(self) -> str:
        return f"X12Source({len(self.columns)} columns)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the values."""
        return self.paths.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """One record per block, in order."""
        ordinal = 0
        try:
            for ordinal, block in enumerate(blocks_of(_x12_text(self.path)), 1):
                yield self._record(ordinal, block)
        except BrokenInterchange as error:
            yield RecordFault(ordinal + 1, str(error))

    def _record(self, ordinal: int, block: Block) -> Record:
        cells: list[str | None] = [None] * len(self.columns)
        values = tuple(value for value in values_of(block) if value.locus is not None)
        places = self.paths.place(((value.path, value.text) for value in values), cells)
        return Record(ordinal, tuple(cells), skeleton=BlockSkeleton(block, values, places))


def _x12_text(path: Path) -> str:
    """The text of a file.

    Raises:
        DeidError: `too-large`, `undecodable-bytes`.
    """
    if path.stat().st_size > LARGEST_X12_FILE:
        raise refuse_document("too-large")
    encoding = detect_encoding(path)
    if encoding.damaged:
        raise refuse_document("undecodable-bytes")
    return path.read_bytes()[len(encoding.bom) :].decode(encoding.codec)


class X12Sink:
    """Writes the segments with new envelopes and with counts of the written segments."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._position = {column: place for place, column in enumerate(columns)}
        self._interchanges = self._groups = self._sets = self._segments = 0
        self._in_set = False
        self._acknowledged: Counter[str] = Counter()

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one block from the cells of the released columns, in order, and its skeleton."""
        if not isinstance(skeleton, BlockSkeleton):
            raise TypeError("a block needs the skeleton it was read with")
        released: dict[int, list[tuple[X12Value, str]]] = {}
        for value, column in zip(skeleton.values, skeleton.columns, strict=True):
            place = self._position.get(column)
            cell = None if place is None else cells[place]
            released.setdefault(value.segment, []).append((value, cell or ""))
        signs = skeleton.block.signs
        for number, segment in enumerate(skeleton.block.segments):
            if segment.tag in ENVELOPE:
                self._put(signs, self._enveloped(segment, signs))
            elif self._in_set == (segment.tag == INTERCHANGE_TAG):
                raise refuse_document("broken-interchange")
            elif segment.tag in known_tags():
                elements = _released_elements(segment, released.get(number, ()), signs)
                if segment.tag in RENEWED:
                    elements = self._renewed(segment, elements)
                if elements or segment.tag in BLOCK_TAGS:
                    self._put(signs, [segment.tag, *elements])

    def _put(self, signs: Signs, elements: Sequence[str]) -> None:
        self._segments += 1
        line_end = "" if signs.end in "\r\n" else "\n"
        self._file.write(signs.element.join(elements) + signs.end + line_end)

    def _renewed(self, segment: Segment, elements: list[str]) -> list[str]:
        """The elements of an acknowledgment with new numbers and dates, as in an envelope."""
        tag = segment.tag
        if tag == "AK1":
            self._acknowledged["AK2"] = 0
        self._acknowledged[tag] += 1
        number = self._acknowledged[tag]
        if tag == INTERCHANGE_TAG:
            return [f"{number:09d}", *_year_and_time(segment.element(2)), *elements[3:]]
        shown = str(number) if tag == "AK1" else f"{number:04d}"
        return [*(elements or [""])[:1], shown, *elements[2:]]

    def _enveloped(self, segment: Segment, signs: Signs) -> list[str]:
        """An envelope segment without the original's numbers, names and days."""
        tag = segment.tag
        if tag == "ISA":
            self._interchanges, self._groups = self._interchanges + 1, 0
            return _interchange_head(segment, signs, self._interchanges)
        if tag == "GS":
            self._groups, self._sets = self._groups + 1, 0
            day = segment.element(4)[:4] if _X12_YEAR.match(segment.element(4)) else "1900"
            kind = segment.element(1) if _SHORT_MARK.fullmatch(segment.element(1)) else "HC"
            version = version_of(segment.element(8)) or "005010"
            number = str(self._groups)
            return [tag, kind, "SENDER", "RECEIVER", f"{day}0101", "0000", number, "X", version]
        if tag == "ST":
            self._sets, self._segments, self._in_set = self._sets + 1, 0, True
            kind = segment.element(1) if _SHORT_MARK.fullmatch(segment.element(1)) else ""
            return _trimmed([tag, kind, f"{self._sets:04d}", version_of(segment.element(3))])
        if tag == "SE":
            self._in_set = False
            return [tag, str(self._segments + 1), f"{self._sets:04d}"]
        if tag == "GE":
            return [tag, str(self._sets), str(self._groups)]
        return [tag, str(self._groups), f"{self._interchanges:09d}"]

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


def _interchange_head(segment: Segment, signs: Signs, number: int) -> list[str]:
    version = segment.element(12) if re.fullmatch(r"\d{5}", segment.element(12)) else "00501"
    usage = segment.element(15) if segment.element(15) in ("P", "T") else "P"
    return [
        *("ISA", "00", " " * 10, "00", " " * 10, "ZZ", "SENDER".ljust(15)),
        *("ZZ", "RECEIVER".ljust(15), *_year_and_time(segment.element(9))),
        signs.repetition or "U",
        *(version, f"{number:09d}", "0", usage, signs.component),
    ]


def _year_and_time(day: str) -> tuple[str, str]:
    """The first day of the year of a short date (`230314`), and a time that tells nothing."""
    year = day[:2] if _SHORT_DATE.fullmatch(day) else "00"
    return f"{year}0101", "0000"


def _released_elements(
    segment: Segment, values: Sequence[tuple[X12Value, str]], signs: Signs
) -> list[str]:
    """The elements of a segment with only the released values in them."""
    held: dict[int, dict[int, dict[int, list[str]]]] = {}
    for value, cell in values:
        element = held.setdefault(value.element, {})
        parts = element.setdefault(value.repetition, {}).setdefault(value.component, [])
        if cell:
            parts.append(_without_signs(cell, signs))
    elements = [
        signs.repetition.join(
            _joined_components(held.get(n, {}).get(r, {}), signs) for r in _up_to(held.get(n, {}))
        )
        for n in range(len(segment.elements))
    ]
    _tell_precision(segment, elements)
    return _trimmed(elements)


def _up_to(parts: Mapping[int, Any]) -> range:
    return range(max(parts, default=-1) + 1)


def _joined_components(parts: Mapping[int, list[str]], signs: Signs) -> str:
    found = ["-".join(dict.fromkeys(parts.get(n, []))) for n in _up_to(parts)]
    return signs.component.join(_trimmed(found))


def _without_signs(cell: str, signs: Signs) -> str:
    marks = f"{signs.element}{signs.component}{signs.repetition}{signs.end}\r\n"
    return "".join(" " if char in marks else char for char in cell)


def _tell_precision(segment: Segment, elements: list[str]) -> None:
    """Set the qualifier of each date to its released form: a day, a year, or a range."""
    for (tag, element), qualifier in _DATED_BY.items():
        if segment.tag == tag and len(elements) >= element:
            left = elements[element - 1]
            told = next((name for name, form in _PRECISIONS if form.fullmatch(left)), "")
            elements[qualifier - 1] = told


def _trimmed(elements: list[str]) -> list[str]:
    while elements and not elements[-1]:
        elements.pop()
    return elements


class X12:
    """A file of X12 interchanges."""

    name = "x12"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is one of X12 files."""
        return suffix in _X12_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all records; a file with any error is refused.

        Raises:
            DeidError: `broken-interchange`, `too-many-segments`, `control-characters`, `too-large`,
                `undecodable-bytes`.
        """
        most: dict[str, int] = {}
        loci: dict[str, Locus | None] = {}
        try:
            for block in blocks_of(_x12_text(path)):
                named = [value for value in values_of(block) if value.locus is not None]
                count_paths(most, (value.path for value in named))
                for value in named:
                    loci.setdefault(value.path, value.locus)
        except BrokenInterchange as error:
            raise refuse_document(str(error)) from None
        paths = PathColumns.of(most)
        return X12Source(path, paths, tuple(loci[name] for name in paths.columns))

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output."""
        return X12Sink(path, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The counts of unlisted segments and values."""
        found: Counter[str] = Counter()
        try:
            for block in blocks_of(_x12_text(path)):
                tags = (segment.tag for segment in block.segments)
                found["unnamed-segments"] += sum(t not in known_tags() | ENVELOPE for t in tags)
                found["unnamed-values"] += sum(v.locus is None for v in values_of(block))
        except (BrokenInterchange, DeidError):
            return {}
        return +found


FORMAT = X12()
