"""Splits an X12 file into blocks: one person's loop, or the segments around the loops.

The envelope (ISA, GS, ST and their trailers) is checked here; the sink writes a new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# The length of the first segment. Some systems leave out the blanks at the ends of its elements.
ISA_LENGTH = 106
MOST_X12_SEGMENTS = 5_000_000
LONGEST_X12_SEGMENT = 1 << 16
ENVELOPE = frozenset(("ISA", "GS", "ST", "SE", "GE", "IEA"))
# A record begins at these segments: a person's loop, or the end of a transaction. The tags alone
# decide, so that the output has the records of the input, whatever is left out of them.
BLOCK_TAGS = frozenset(("HL", "INS", "CLP", "ENT", "PLB", "SE"))
# The acknowledgment of an interchange, which stands outside the transactions.
INTERCHANGE_TAG = "TA1"
# Elements of acknowledgments that repeat an envelope's numbers and dates: written new, as there.
RENEWED = {"TA1": (1, 2, 3), "AK1": (2,), "AK2": (2,)}
_X12_TAG = re.compile(r"[A-Z][A-Z0-9]{1,2}")
_CLOSES = {"IEA": "ISA", "GE": "GS", "SE": "ST"}
# Levels of HL at which a person's loop begins: subscriber, dependent, patient event.
_PERSON_LEVELS = frozenset(("22", "23", "EV", "PT"))
_LENGTH_OF_BINARY = re.compile(r"[0-9]{1,9}")
_X12_VERSION = re.compile(r"\d{6}[A-Z0-9]{0,6}")
_X12_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1b]")


class BrokenInterchange(Exception):
    """An interchange that cannot be read; its only argument is an error code."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The separators of an interchange: element, component, repetition or "", segment end."""

    element: str
    component: str
    repetition: str
    end: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment: its tag and its elements as written."""

    tag: str
    elements: tuple[str, ...] = field(repr=False)

    def element(self, number: int) -> str:
        """The element of that number (from 1); "" if it is missing."""
        return self.elements[number - 1] if number <= len(self.elements) else ""


@dataclass(frozen=True, slots=True)
class Block:
    """The segments of one record, and the separators of its interchange."""

    signs: Signs
    segments: tuple[Segment, ...] = field(repr=False)


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a file in order.

    Raises:
        BrokenInterchange: `broken-interchange`, `too-many-segments`, `control-characters`.
    """
    open_tags: list[str] = []
    signs: Signs | None = None
    gathered: list[Segment] = []
    place, count = 0, 0
    while (place := _after_blanks(text, place)) < len(text):
        if not open_tags:
            signs = _declared_signs(text, place)
        assert signs is not None
        end = _end_of_binary(text, place, signs)
        segment: Segment | None = Segment("BIN", ())
        if end < 0:
            end = text.find(signs.end, place, place + LONGEST_X12_SEGMENT)
            segment = _segment(text[place:end], signs) if end >= 0 else None
        if segment is None:
            raise BrokenInterchange("broken-interchange")
        place, count = end + len(signs.end), count + 1
        if count > MOST_X12_SEGMENTS:
            raise BrokenInterchange("too-many-segments")
        if gathered and segment.tag in BLOCK_TAGS:
            yield Block(signs, tuple(gathered))
            gathered = []
        gathered.append(segment)
        _follow_envelope(segment.tag, open_tags)
        if not open_tags:
            yield Block(signs, tuple(gathered))
            gathered = []
    if open_tags or gathered or not count:
        raise BrokenInterchange("broken-interchange")


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n\ufeff\x1a":
        place += 1
    return place


def _end_of_binary(text: str, place: int, signs: Signs) -> int:
    """The end of a segment of binary data, which may hold any sign; -1 for other segments.

    Its data is never read. It has as many characters as its first element says, or if bytes were
    counted, it ends at the next segment end like other segments.
    """
    if not text.startswith(f"BIN{signs.element}", place):
        return -1
    head = _LENGTH_OF_BINARY.match(text, place + 4)
    if head is None or text[head.end() : head.end() + 1] != signs.element:
        return -1
    end = head.end() + 1 + int(head[0])
    return end if text.startswith(signs.end, end) else -1


def _declared_signs(text: str, place: int) -> Signs:
    tag, element = text[place : place + 3], text[place + 3 : place + 4]
    parts = text[place : place + ISA_LENGTH].split(element, 16) if element else []
    if tag != "ISA" or len(parts) < 17 or len(parts[16]) < 2 or len(parts[11]) > 1:
        raise BrokenInterchange("broken-interchange")
    repetition, component, end = parts[11], parts[16][0], parts[16][1]
    if len({element, component, end}) < 3:
        raise BrokenInterchange("broken-interchange")
    if not all(map(_is_sign, (element, component, end))):
        raise BrokenInterchange("broken-interchange")
    return Signs(element, component, repetition if _is_sign(repetition) else "", end)


def _is_sign(letter: str) -> bool:
    return bool(letter) and not letter.isalnum() and letter not in " ."


def _segment(raw: str, signs: Signs) -> Segment | None:
    tag, *elements = raw.strip("\r\n").split(signs.element)
    if _X12_CONTROLS.search(raw):
        raise BrokenInterchange("control-characters")
    return Segment(tag, tuple(elements)) if _X12_TAG.fullmatch(tag) else None


def is_person_level(segment: Segment) -> bool:
    """Whether an HL segment begins the loop of a person."""
    return segment.element(3) in _PERSON_LEVELS


def _follow_envelope(tag: str, open_tags: list[str]) -> None:
    """Update the list of open envelopes, which must be nested."""
    depth = {"ISA": 0, "GS": 1, "ST": 2}.get(tag)
    if depth is not None:
        if len(open_tags) != depth:
            raise BrokenInterchange("broken-interchange")
        open_tags.append(tag)
    elif tag in _CLOSES:
        if not open_tags or open_tags.pop() != _CLOSES[tag]:
            raise BrokenInterchange("broken-interchange")
    elif len(open_tags) != (1 if tag == INTERCHANGE_TAG else 3):
        raise BrokenInterchange("broken-interchange")


def version_of(text: str) -> str:
    """The text if it is a version as in GS-08, else ""."""
    return text if _X12_VERSION.fullmatch(text) else ""
