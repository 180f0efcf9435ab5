"""Splits NCPDP Telecommunication D.0 into batch frames, transmissions, segments and fields.

A transmission is a header of fixed width and segments; the segments of a transaction are a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

FIELD, GROUP, SEGMENT = "\x1c", "\x1d", "\x1e"
STX, ETX = "\x02", "\x03"
LONGEST_TRANSMISSION, MOST_FIELDS_SENT = 1 << 20, 20_000
_NCPDP_CONTROLS = re.compile(r"[\x00-\x1b\x1f\x7f]")
_BATCH_FRAME = re.compile(r"[\r\n]*(?:\x02([^\x02\x03]*)\x03|([^\x02\x03\r\n]+))[\r\n]*")
_ACTION = r"(?:B[123]|E1|N[123]|P[1234]|C[123]|S[123]|D1)"
_REQUEST = re.compile(rf"(\d{{6}})D0({_ACTION})(.{{10}})([1-4])(.{{2}})(.{{15}})(.{{8}})(.{{10}})")
_RESPONSE = re.compile(rf"D0({_ACTION})([1-4])([AR])(.{{2}})(.{{15}})(.{{8}})")
_OTHER_VERSION = re.compile(r"(?:\d{6})?[0-9A-F][0-9A-Z](?:[BENPCS][1-4])")
_REFERENCE = 10
_BATCH_HEAD = re.compile(r"00([ERT])(.{24})(\d{7})(\d{8})(\d{4})([PT])12(.{24})")
_BATCH_END = re.compile(r"99(\d{7})(\d{10})(.{0,35})")
# The fields of both headers in order, by their ids in the standard.
REQUEST_FIELDS = ("A1", "A3", "A4", "A9", "B2", "B1", "D1", "AK")
RESPONSE_FIELDS = ("A3", "A9", "F1", "B2", "B1", "D1")


class BrokenTransmission(Exception):
    """A transmission that cannot be read; its only argument is an error code."""


@dataclass(frozen=True, slots=True)
class SentField:
    """A field: its segment ("00" is the header), its id and its value."""

    segment: str
    id: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentSegment:
    """A segment, its fields, and the number of its transaction (0: the whole transmission)."""

    id: str
    group: int
    fields: tuple[SentField, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Transmission:
    """A request or a response; `batched` is true for one in a batch."""

    header: tuple[SentField, ...] = field(repr=False)
    segments: tuple[SentSegment, ...] = field(repr=False)
    batched: bool = False

    @property
    def is_request(self) -> bool:
        """Whether the header is that of a request."""
        return len(self.header) == len(REQUEST_FIELDS)


@dataclass(frozen=True, slots=True)
class BatchEdge:
    """The header or trailer of a batch, without its sender, receiver, numbers, day and text."""

    ends: bool
    kind: str = "T"
    usage: str = "P"
    year: str = "1900"


def frames_of(text: str) -> Iterator[Transmission | BatchEdge | BrokenTransmission]:
    """The content of a file in order: framed records, or one transmission per line.

    Anything else is returned as a broken transmission.
    """
    place, in_batch = 0, False
    while place < len(text):
        match = _BATCH_FRAME.match(text, place)
        if match is None:
            yield BrokenTransmission("broken-claim")
            return
        place = match.end()
        try:
            found = (
                _read_frame(match[1], in_batch)
                if match[1] is not None
                else _read_transmission(match[2])
            )
        except BrokenTransmission as error:
            yield error
            continue
        if isinstance(found, BatchEdge):
            in_batch = not found.ends
        yield found


def _read_frame(text: str, in_batch: bool) -> Transmission | BatchEdge:
    if head := _BATCH_HEAD.fullmatch(text):
        if in_batch:
            raise BrokenTransmission("broken-claim")
        return BatchEdge(False, head[1], head[6], head[4][:4])
    if _BATCH_END.fullmatch(text):
        if not in_batch:
            raise BrokenTransmission("broken-claim")
        return BatchEdge(True)
    if text.startswith("G1") and in_batch:
        return _read_transmission(text[2 + _REFERENCE :], batched=True)
    if in_batch:
        raise BrokenTransmission("broken-claim")
    return _read_transmission(text)


def _read_transmission(text: str, *, batched: bool = False) -> Transmission:
    head = re.split(f"[{GROUP}{SEGMENT}]", text, maxsplit=1)[0]
    request, response = _REQUEST.fullmatch(head), _RESPONSE.fullmatch(head)
    match, ids = (request, REQUEST_FIELDS) if request else (response, RESPONSE_FIELDS)
    if match is None:
        other = _OTHER_VERSION.match(head) is not None and "D0" not in head[:8]
        raise BrokenTransmission("ncpdp-version" if other else "broken-claim")
    if len(text) > LONGEST_TRANSMISSION or text.count(FIELD) > MOST_FIELDS_SENT:
        raise BrokenTransmission("too-large")
    if _NCPDP_CONTROLS.search(text):
        raise BrokenTransmission("control-characters")
    header = tuple(map(SentField, ["00"] * len(ids), ids, match.groups()))
    own, *groups = text[len(head) :].split(GROUP)
    count = int(next(one.value for one in header if one.id == "A9"))
    if len(groups) not in (0, count):
        raise BrokenTransmission("broken-claim")
    segments = [_read_segment(part, 0) for part in _segment_texts(own)]
    for number, group in enumerate(groups, 1):
        segments += [_read_segment(part, number) for part in _segment_texts(group)]
    return Transmission(header, tuple(segments), batched)


def _segment_texts(text: str) -> list[str]:
    before, *parts = text.split(SEGMENT)
    if before.strip():
        raise BrokenTransmission("broken-claim")
    return parts


def _read_segment(text: str, group: int) -> SentSegment:
    before, *fields = text.split(FIELD)
    if before.strip() or not fields or not re.fullmatch(r"AM\d\d *", fields[0]):
        raise BrokenTransmission("broken-claim")
    own = fields[0][2:4]
    found = []
    for one in fields[1:]:
        if not re.match(r"[A-Z0-9]{2}", one):
            raise BrokenTransmission("broken-claim")
        found.append(SentField(own, one[:2], one[2:].strip()))
    return SentSegment(own, group, tuple(found))
