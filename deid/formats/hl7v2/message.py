"""Parses one HL7 v2 message, or one segment of a batch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deid.formats.hl7v2.escapes import Delimiters, plain_of, unescape
from deid.formats.hl7v2.fields import NULL, take_field, whole
from deid.formats.hl7v2.loci import ANOTHER, FieldPlace, is_segment, type_of
from deid.formats.hl7v2.observations import observed_place, observed_type
from deid.formats.hl7v2.pieces import Message, Unreadable, Value

HEADER_SEGMENTS = ("MSH", "FHS", "BHS")
MOST_SEGMENTS = 100_000
MOST_FIELDS = 2_000
MOST_VALUES = 100_000
# Fields whose text continues over consecutive segments; OBX segments must have the same OBX-3.
_CONTINUED_FIELDS = {("OBX", 5), ("NTE", 3), ("DSP", 3)}
# Events that move data from another patient, whom MRG names: A43, A44, A45.
_MOVED = frozenset(["A43", "A44", "A45"])
_LINE = re.compile(r"([\ufeff \t\x0b\x1c]*)([^\r\n]*)(\r\n|\r|\n|)")
_LIKE_SEGMENT = re.compile(r"[A-Za-z][A-Za-z0-9]{2}(?:[^\w\s]|$)")
_SEGMENT_NAME = re.compile(r"[A-Z][A-Z0-9]{2}")
_SEGMENT_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")


def parse_message(text: str, inherited: Delimiters, rtf: str = "document") -> Message:
    """Parse a message or a segment of a batch.

    `inherited` are the delimiters for a trailer, which declares none itself. `rtf` is the option of
    that name in `ReadOptions`: the form in which RTF is written.

    Raises:
        Unreadable: `control-characters`, `broken-header`, `broken-segment`, `unknown-segment`,
            `too-many-segments`, `too-many-fields`, `too-many-values`, `text-too-long`.
    """
    reader = _MessageParser(Message(inherited), rtf)
    for count, (before, content, end) in enumerate(_logical_lines(text)):
        if count > MOST_SEGMENTS:
            raise Unreadable("too-many-segments")
        reader.message.pieces.append(before)
        if content:
            reader.segment(content)
        reader.message.pieces.append(end)
    reader.finish()
    return reader.message


def _logical_lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Each segment with the characters before it on its line and its line end (with blank lines).

    A segment whose text contains bare line breaks stays one segment.
    """
    before = content = end = ""
    for match in _LINE.finditer(text):
        if not match[2].strip("\x1c \t"):
            end += match[0]
        elif content and _is_torn(content, match[2]):
            content, end = content + end + match[1] + match[2], match[3]
        else:
            yield before, content, end
            before, content, end = match.groups()
    yield before, content, end


def _is_torn(content: str, line: str) -> bool:
    """Whether a line continues the text at the end of the previous segment."""
    if _LIKE_SEGMENT.match(line):
        return False
    fields = content.split(content[3:4]) if len(content) > 3 else []
    if content.startswith("OBX"):
        return len(fields) == 6 and observed_type(fields[1:]) == "text"
    return content.startswith("NTE") and len(fields) == 4


@dataclass(slots=True)
class _MessageParser:
    """A message being parsed, with the state that later segments depend on."""

    message: Message
    rtf: str
    trigger: str = ""
    patients: int = 0
    running: tuple[tuple[str, str], Value] | None = None

    def segment(self, content: str) -> None:
        """Append the next segment to the message."""
        name = content[:3]
        fields, first = self._opened(name, content)
        signs = self.message.delimiters
        if len(fields) > MOST_FIELDS:
            raise Unreadable("too-many-fields")
        if name == "MSH" and len(fields) > 6:
            self.trigger = "".join(fields[6].split(signs.component)[1:2])
        self.patients += name == "PID"
        before, self.running = self.running, None
        role = self._role(name)
        for number, raw in enumerate(fields, first):
            if number > first or name in HEADER_SEGMENTS:
                self.message.pieces.append(signs.field)
            if raw in ("", NULL):
                self.message.pieces.append(raw)
            else:
                self._field(name, number, raw, fields, role)
            if (name, number) in _CONTINUED_FIELDS:
                self._join(name, fields, before, raw in ("", NULL))
        if len(self.message.values) > MOST_VALUES:
            raise Unreadable("too-many-values")

    def _opened(self, name: str, content: str) -> tuple[list[str], int]:
        """Append the start of a segment; return its fields and the number of the first field."""
        if _SEGMENT_CONTROLS.search(content):
            raise Unreadable("control-characters")
        if not _SEGMENT_NAME.fullmatch(name):
            raise Unreadable("broken-segment")
        if not is_segment(name):
            raise Unreadable("unknown-segment")
        if name in HEADER_SEGMENTS:
            self.message.delimiters = _delimiters(content)
        sign = self.message.delimiters.field
        if content[3:4] not in ("", sign):
            raise Unreadable("broken-segment")
        fields = content[4:].split(sign) if len(content) > 3 else []
        if name in HEADER_SEGMENTS:
            self.message.pieces.append(content[:4] + fields[0])
            return fields[1:], 3
        self.message.pieces.append(content[:4])
        return fields, 1

    def _role(self, name: str) -> str | None:
        """The role of the values if the segment is about another patient, else None."""
        another = self.patients > 1 or (name == "MRG" and self.trigger in _MOVED)
        return ANOTHER if another and name in ("PID", "MRG") else None

    def _field(
        self, name: str, number: int, raw: str, fields: Sequence[str], role: str | None
    ) -> None:
        kind, signs = type_of(name, number), self.message.delimiters
        if kind == "varies" and name == "OBX":
            kind = observed_type(fields)
            place = self._observed(kind, raw, fields, role)
            if place is not None:
                self.message.add(whole(place, raw, signs))
                return
        self.message.add(take_field(name, number, kind, raw, role, signs, self.rtf))

    def _observed(
        self, kind: str, raw: str, fields: Sequence[str], role: str | None
    ) -> FieldPlace | None:
        asked, unit = ([*fields, *[""] * 6][place] for place in (2, 5))
        told = unescape(asked, self.message.delimiters)
        code, _, label = told.partition(self.message.delimiters.component)
        return observed_place(kind, raw, code, label, unit, role)

    def _join(
        self,
        name: str,
        fields: Sequence[str],
        before: tuple[tuple[str, str], Value] | None,
        empty: bool,
    ) -> None:
        """Append the text just read to that of the previous segment, if it continues that text."""
        mark = (name, fields[2] if name == "OBX" else "")
        same = before is not None and before[0] == mark
        if empty:
            self.running = before if same else None
            return
        value = self.message.values[-1]
        if not value.atom.running:
            return
        if before is not None and same:
            first = before[1]
            first.pieces += value.pieces
            first.dirty = first.dirty or value.dirty
            self.message.values.pop()
            value = first
        self.running = (mark, value)

    def finish(self) -> None:
        """Set the texts that continue over several segments, after all segments are read."""
        for value in self.message.values:
            if len(value.pieces) > 1:
                value.text = plain_of(self.message.tokens_of(value))


def _delimiters(content: str) -> Delimiters:
    """The delimiters that a header segment declares (MSH-1 and MSH-2).

    Raises:
        Unreadable: `broken-header`.
    """
    sign = content[3:4]
    signs = content[4:].partition(sign)[0] if sign else ""
    declared = [*sign, *signs]
    bad = any(letter.isalnum() or letter.isspace() or letter in '".' for letter in declared)
    if not sign or not 1 <= len(signs) <= 5 or bad or len(set(declared)) < len(declared):
        raise Unreadable("broken-header")
    return Delimiters(sign, *signs, *[""] * (5 - len(signs)))
