"""NCPDP Telecommunication D.0 (claims, reversals, eligibility and their responses), also batch 1.2.

A transmission is a record. Its header keeps its fixed width. Listed fields keep their place even if
they are emptied, so that count fields stay correct; other fields are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.documents.whole_text import LARGEST_DOCUMENT_FILE, refuse_document
from deid.formats.fixed_width.fitting import fitted_cell
from deid.formats.ncpdp.transmission import (
    ETX,
    FIELD,
    GROUP,
    SEGMENT,
    STX,
    BatchEdge,
    BrokenTransmission,
    SentField,
    SentSegment,
    Transmission,
    frames_of,
)
from deid.formats.path_columns import PathColumns, count_paths
from deid.formats.text.encoding import detect_encoding
from deid.vocabularies.locus import Locus, LocusTable

_NCPDP_SUFFIXES = (".ncpdp", ".d0")
# The field that qualifies the value of another field.
_NCPDP_QUALIFIERS = {"CY": "CX"}
_CARDHOLDER, _RELATIONSHIP = ("CC", "CD"), "C6"
# The width of each header field.
_WIDTHS = {"A1": 6, "A4": 10, "A9": 1, "B2": 2, "B1": 15, "D1": 8, "AK": 10, "A3": 2, "F1": 1}
_DAY_WIDTH = 8
_SENT_YEAR = re.compile(r"(\d{4})(?:0000)?")
_SENT_CODE = re.compile(r"[A-Z0-9]{1,4}")
_SENT_NUMBER = re.compile(r"-?\d{0,9}(?:[0-9{}A-R]|\.\d{1,4}|/\d{1,3})")
# The last digit of an amount, which also encodes its sign.
_OVERPUNCH = dict(zip("{ABCDEFGHI}JKLMNOPQR", "01234567890123456789", strict=True))
# Numbers of drugs and products, codes of diagnoses, and the processor's number in the header.
_SENT_PRODUCT = re.compile(r"\d{11,12}|[A-Z]\d{4}|\d{5}")
_LONGER_CODES = {
    **dict.fromkeys(("07-D7", "07-EA", "10-TE", "08-H6", "22-AR"), _SENT_PRODUCT),
    "13-DO": re.compile(r"(?!\d{6})[A-Z0-9][A-Z0-9.]{0,7}"),
    "13-H4": re.compile(r"\d{1,4}(?:\.\d{1,3})?(?:/\d{1,3})?"),
    "00-A1": re.compile(r"\d{6}"),
}


@dataclass(frozen=True, slots=True)
class SentValue:
    """A listed field's value: the field, its path, its locus and its text."""

    at: SentField = field(repr=False)
    path: str
    locus: Locus
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClaimSkeleton:
    """A transmission or batch edge as it was read, and the column of each of its values."""

    frame: Transmission | BatchEdge
    values: tuple[SentValue, ...] = field(repr=False)
    columns: tuple[int, ...]


@cache
def _ncpdp_loci() -> LocusTable:
    return LocusTable.read("deid.formats.ncpdp")


@cache
def _named_segments() -> frozenset[str]:
    return frozenset(path.partition("-")[0] for path in _ncpdp_loci().lines())


def sent_values(frame: Transmission | BatchEdge) -> Iterator[SentValue]:
    """The listed values of a transmission, in order."""
    if isinstance(frame, BatchEdge):
        return
    yield from _sent_values_of(frame.header)
    for segment in frame.segments:
        yield from _sent_values_of(segment.fields)


def _sent_values_of(fields: Sequence[SentField]) -> Iterator[SentValue]:
    told = {one.id: one.value for one in fields}
    for one in fields:
        locus = _sent_locus(one, told)
        if locus is not None and one.value.strip() and _may_stand(one, locus):
            yield SentValue(one, locus.path, locus, _spelled_value(one.value.strip(), locus))


def _spelled_value(text: str, locus: Locus) -> str:
    """Return the value as a cell: a year without padding zeros, an amount as a plain number."""
    shape = locus.profile.shape
    if shape in ("date", "birth_date"):
        year = _SENT_YEAR.fullmatch(text)
        return year[1] if year else text
    if shape == "number" and _SENT_NUMBER.fullmatch(text):
        return re.sub(r"^(-?)0+(?=\d)", r"\1", text[:-1] + _OVERPUNCH.get(text[-1], text[-1]))
    return text


def _sent_locus(one: SentField, told: Mapping[str, str]) -> Locus | None:
    path = f"{one.segment}-{one.id}"
    qualifier = told.get(_NCPDP_QUALIFIERS.get(one.id, ""), "")
    if one.id in _CARDHOLDER and told.get(_RELATIONSHIP, "1") not in ("", "0", "1"):
        qualifier = "other"
    table = _ncpdp_loci()
    return table.find(f"{path}[{qualifier}]") or table.find(path)


def _may_stand(one: SentField, locus: Locus) -> bool:
    """Whether a kept value has the form of its field's codes or numbers; true for other values."""
    if locus.profile.kind != "keep":
        return True
    usual = _SENT_NUMBER if locus.profile.shape == "number" else _SENT_CODE
    return _LONGER_CODES.get(locus.path, usual).fullmatch(one.value.strip()) is not None


@dataclass(frozen=True, slots=True)
class ClaimSource:
    """One file of transmissions; batch headers and trailers are records without values."""

    path: Path
    paths: PathColumns
    loci: tuple[Locus | None, ...]

    def __repr__(self) -> str:
        return f"ClaimSource({len(self.columns)} columns)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the values."""
        return self.paths.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """One record per transmission, in order."""
        for ordinal, frame in enumerate(frames_of(_ncpdp_text(self.path)), 1):
            if isinstance(frame, BrokenTransmission):
                yield RecordFault(ordinal, str(frame))
                continue
            values = tuple(sent_values(frame))
            cells: list[str | None] = [None] * len(self.columns)
            columns = self.paths.place(((value.path, value.text) for value in values), cells)
            yield Record(ordinal, tuple(cells), skeleton=ClaimSkeleton(frame, values, columns))


def _ncpdp_text(path: Path) -> str:
    """The text of a file.

    Raises:
        DeidError: `too-large`, `undecodable-bytes`.
    """
    if path.stat().st_size > LARGEST_DOCUMENT_FILE:
        raise refuse_document("too-large")
    encoding = detect_encoding(path)
    if encoding.damaged:
        raise refuse_document("undecodable-bytes")
    return path.read_bytes()[len(encoding.bom) :].decode(encoding.codec).strip("\r\n\x1a")


class ClaimSink:
    """Writes the transmissions; batches are numbered, and trailers count the written records."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._position = {column: place for place, column in enumerate(columns)}
        self._batches = self._in_batch = 0

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one transmission from the cells of the released columns and its skeleton."""
        if not isinstance(skeleton, ClaimSkeleton):
            raise TypeError("a transmission needs the skeleton it was read with")
        if isinstance(skeleton.frame, BatchEdge):
            self._file.write(f"{STX}{self._edge(skeleton.frame)}{ETX}\n")
            return
        released: dict[int, str] = {}
        for value, column in zip(skeleton.values, skeleton.columns, strict=True):
            place = self._position.get(column)
            released[id(value.at)] = _sent_cell(value, None if place is None else cells[place])
        text = _sent_header(skeleton.frame, released) + _sent_body(skeleton.frame, released)
        if skeleton.frame.batched:
            self._in_batch += 1
            text = f"{STX}G1{self._in_batch:010d}{text}{ETX}"
        self._file.write(text + "\n")

    def _edge(self, edge: BatchEdge) -> str:
        if edge.ends:
            return f"99{self._batches:07d}{self._in_batch + 2:010d}{'':35}"
        self._batches, self._in_batch = self._batches + 1, 0
        day = f"{edge.year}01010000"
        return f"00{edge.kind}{'SENDER':24}{self._batches:07d}{day}{edge.usage}12{'RECEIVER':24}"

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


def _sent_cell(value: SentValue, cell: str | None) -> str:
    """The text written for a value; a year is padded to the width of a date (`YYYY0000`)."""
    if cell is not None and cell == value.text and value.locus.profile.shape == "number":
        return value.at.value.strip()
    text = "".join(" " if char < " " or char == "\x7f" else char for char in cell or "").strip()
    if value.locus.profile.shape in ("date", "birth_date"):
        if found := _SENT_YEAR.fullmatch(text):
            return f"{found[1]}0000"
        return text if len(text) == _DAY_WIDTH and text.isdecimal() else ""
    return text


def _sent_header(sent: Transmission, released: Mapping[int, str]) -> str:
    parts = []
    for one in sent.header:
        width = _WIDTHS[one.id]
        told = one.value if one.id == "A9" else fitted_cell(released.get(id(one), ""), width)
        number = one.id in ("A1", "D1")
        parts.append(told.ljust(width, "0" if number else " "))
    if sent.is_request:
        return f"{parts[0]}D0{''.join(parts[1:])}"
    return f"D0{''.join(parts)}"


def _sent_body(sent: Transmission, released: Mapping[int, str]) -> str:
    text, group = "", 0
    for segment in sent.segments:
        if segment.id not in _named_segments():
            continue
        if segment.group != group:
            text += GROUP * (segment.group - group)
            group = segment.group
        text += f"{SEGMENT}{FIELD}AM{segment.id}"
        text += "".join(
            f"{FIELD}{one.id}{released.get(id(one), '')}" for one in _fields_of_the_table(segment)
        )
    count = int(next(one.value for one in sent.header if one.id == "A9"))
    groups = count if any(segment.group for segment in sent.segments) else 0
    return text + GROUP * (groups - group)


def _fields_of_the_table(segment: SentSegment) -> Iterator[SentField]:
    told = {one.id: one.value for one in segment.fields}
    return (one for one in segment.fields if _sent_locus(one, told) is not None)


class Claims:
    """A file of NCPDP transmissions."""

    name = "ncpdp"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is one of NCPDP files."""
        return suffix in _NCPDP_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all transmissions; only broken transmissions are withheld.

        Raises:
            DeidError: `broken-claim`, `ncpdp-version`, `control-characters` if no transmission
                can be read; `too-large`, `undecodable-bytes`.
        """
        frames = list(frames_of(_ncpdp_text(path)))
        broken = [str(frame) for frame in frames if isinstance(frame, BrokenTransmission)]
        whole = [frame for frame in frames if not isinstance(frame, BrokenTransmission)]
        ends = [frame.ends for frame in whole if isinstance(frame, BatchEdge)]
        is_open = 2 * sum(ends) != len(ends)
        if is_open or not any(isinstance(frame, Transmission) for frame in whole):
            raise refuse_document(broken[0] if broken else "broken-claim")
        most: dict[str, int] = {}
        loci: dict[str, Locus] = {}
        for frame in whole:
            values = list(sent_values(frame))
            count_paths(most, (value.path for value in values))
            loci |= {value.path: value.locus for value in values}
        paths = PathColumns.of(most)
        return ClaimSource(path, paths, tuple(loci[name] for name in paths.columns))

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output."""
        return ClaimSink(path, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The counts of unlisted segments and of values that are unlisted or not in code form."""
        found: Counter[str] = Counter()
        for frame in frames_of(_ncpdp_text(path)):
            if not isinstance(frame, Transmission):
                continue
            named = [s for s in frame.segments if s.id in _named_segments()]
            found["unnamed-segments"] += len(frame.segments) - len(named)
            filled = [f for s in named for f in s.fields if f.value]
            read = sum(value.at.segment != "00" for value in sent_values(frame))
            found["unnamed-values"] += len(filled) - read
        return +found


FORMAT = Claims()
