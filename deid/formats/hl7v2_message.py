"""One HL7 v2 message taken apart: pieces that are written again as they are, and its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deid.formats.hl7v2_data import Opened, open_data
from deid.formats.hl7v2_escapes import (
    Delimiters,
    plain_of,
    tokens,
    unescape,
)
from deid.formats.hl7v2_loci import (
    ANOTHER,
    Place,
    is_running,
    place_of,
    special,
    type_of,
)
from deid.formats.hl7v2_observations import observed_place, observed_type
from deid.formats.hl7v2_pieces import Message, Value

HEADERS = ("MSH", "FHS", "BHS")
MOST_SEGMENTS = 100_000
MOST_VALUES = 50_000
# A field of codes that holds more than this holds prose.
LONGEST_CODE = 60
# In these segments codes come from short lists; what has the digits of a number is one.
_LISTED = re.compile(r"ACC|ARV|CON|EVN|GT1|IN[123]|MRG|MSH|NK1|ORC|PD1|PID|PRT|PV[12]|ROL|SCH|TXA")
_NUMBERED = re.compile(r"(?=.*[A-Za-z])(?:.*\d){5}|\d{7,}")
NULL = '""'
# Consecutive segments whose texts are one text; OBX as long as they observe the same.
_JOINED = {("OBX", 5), ("NTE", 3), ("DSP", 3)}
# Events in which MRG names another patient, from whom something was moved: A43, A44, A45.
_MOVED = frozenset(["A43", "A44", "A45"])
_LINE = re.compile(r"([\ufeff \t\x0b\x1c]*)([^\r\n]*)(\r\n|\r|\n|)")
_NAME = re.compile(r"[A-Z][A-Z0-9]{2}")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")
_QUALIFIED = {"CX": 5, "XPN": 7, "XTN": 3, "XCN": 13}
_NET = frozenset(["INTERNET", "X.400", "NET", "X400"])
_SSA = frozenset(["SSA", "USSSA", "USSA", "SSN"])
_DAY = re.compile(r"^\s*(\d{8})[\d.]*(?:[+-]\d{4})?\s*$")


class Unreadable(Exception):
    """A message that cannot be read whole; its only argument is a code."""


def parse(text: str, inherited: Delimiters) -> Message:
    """A message, or a segment of a batch, taken apart.

    `inherited` are the delimiters for a trailer, which declares none of its own.

    Raises:
        Unreadable: `control-characters`, `broken-header`, `broken-segment`, `too-many-segments`,
            `too-many-values`.
    """
    reader = _Reader(Message(inherited))
    count = 0
    for match in _LINE.finditer(text):
        before, content, end = match.groups()
        if not content.strip("\x1c \t"):
            reader.message.pieces += [before + content + end]
            continue
        count += 1
        if count > MOST_SEGMENTS:
            raise Unreadable("too-many-segments")
        if _CONTROLS.search(content):
            raise Unreadable("control-characters")
        reader.message.pieces.append(before)
        reader.segment(content)
        reader.message.pieces.append(end)
        if len(reader.message.values) > MOST_VALUES:
            raise Unreadable("too-many-values")
    reader.finish()
    return reader.message


@dataclass(slots=True)
class _Reader:
    """A message on the way: what the segments so far say of those to come."""

    message: Message
    trigger: str = ""
    patients: int = 0
    running: tuple[object, Value] | None = None

    # -- segments ------------------------------------------------------------------------------

    def segment(self, content: str) -> None:
        name = content[:3]
        if not _NAME.fullmatch(name):
            raise Unreadable("broken-segment")
        if name in HEADERS:
            self.message.delimiters = _delimiters(content)
        sign = self.message.delimiters.field
        if content[3:4] not in ("", sign):
            raise Unreadable("broken-segment")
        fields = content[4:].split(sign) if len(content) > 3 else []
        first, head = 1, content[:4]
        if name in HEADERS:
            head, fields, first = content[:4] + fields[0], fields[1:], 3
        if name == "MSH" and len(fields) > 6:
            parts = fields[6].split(self.message.delimiters.component)
            self.trigger = parts[1] if len(parts) > 1 else ""
        self.patients += name == "PID"
        self.message.pieces.append(head)
        before, self.running = self.running, None
        for number, raw in enumerate(fields, first):
            self.message.pieces += [sign] if number > first or name in HEADERS else []
            self._field(name, number, raw, fields, before)

    def _role(self, name: str) -> str | None:
        """Whose the values are where not the message's own patient's."""
        another = self.patients > 1 or (name == "MRG" and self.trigger in _MOVED)
        return ANOTHER if another and name in ("PID", "MRG") else None

    def finish(self) -> None:
        """The texts that run over several segments, now that all of them are there."""
        for value in self.message.values:
            if len(value.pieces) > 1:
                value.text = plain_of(self.message.tokens_of(value))

    # -- fields --------------------------------------------------------------------------------

    def _field(
        self, name: str, number: int, raw: str, fields: Sequence[str], before: object
    ) -> None:
        if raw in ("", NULL):
            self.message.pieces.append(raw)
            return
        role = self._role(name)
        kind = type_of(name, number)
        if kind == "varies" and name == "OBX":
            kind = observed_type(fields)
            place = self._observed(kind, raw, fields, role)
            if place is not None:
                self._atom(place, raw)
                return
        if kind == "" or not is_running(name, number, kind):
            self._composite(name, number, kind, raw, role)
            return
        place = place_of(name, number, kind if kind == "text" else "ST", 1, 0, "", role)
        self._text(place, raw, running=True)
        if (name, number) in _JOINED:
            self._join(name, fields, before)

    def _observed(
        self, kind: str, raw: str, fields: Sequence[str], role: str | None
    ) -> Place | None:
        asked, unit = ([*fields, *[""] * 6][place] for place in (2, 5))
        code, _, label = self._plain(asked).partition(self.message.delimiters.component)
        return observed_place(kind, raw, code, label, unit, role)

    def _composite(self, name: str, number: int, kind: str, raw: str, role: str | None) -> None:
        signs = self.message.delimiters
        for repeated, rep in enumerate(_split(raw, signs.repetition)):
            self.message.pieces += [signs.repetition] if repeated else []
            parts = _split(rep, signs.component)
            qualifier = self._qualifier(kind, parts)
            opened = self._opened(parts) if kind == "ED" else None
            for part, component in enumerate(parts, 1):
                self.message.pieces += [signs.component] if part > 1 else []
                if kind == "ED" and part == 5 and component:
                    self._data(name, number, component, opened, role)
                    continue
                subs = _split(component, signs.subcomponent)
                for sub, atom in enumerate(subs, 1):
                    self.message.pieces += [signs.subcomponent] if sub > 1 else []
                    nested = sub if len(subs) > 1 else 0
                    place = place_of(name, number, kind, part, nested, qualifier, role)
                    bare = kind != "CWE" or (part == 1 and "".join(parts[2:3]) == "")
                    self._value(place, atom, bare and _LISTED.fullmatch(name) is not None)

    def _qualifier(self, kind: str, parts: Sequence[str]) -> str:
        """What says more of the first components: the type of the identifier, name or telephone."""
        place = _QUALIFIED.get(kind, 0)
        said = parts[place - 1].strip().upper() if 0 < place <= len(parts) else ""
        if kind == "XTN":
            mail = said in _NET or "@" in parts[0]
            return "NET" if mail else said
        if kind == "CX" and not said and len(parts) > 3:
            authority = parts[3].partition(self.message.delimiters.subcomponent)[0]
            return "SS" if authority.upper() in _SSA else ""
        return said

    # -- values --------------------------------------------------------------------------------

    def _plain(self, raw: str) -> str:
        return unescape(raw, self.message.delimiters)

    def _value(self, place: Place, raw: str, listed: bool) -> None:
        if raw in ("", NULL):
            self.message.pieces.append(raw)
        elif place.kind == "text":
            self._text(place, raw, running=False)
        elif place.kind == "keep" and len(raw) > LONGEST_CODE:
            self._text(special(f"{place.path}[text]", "ST", None), raw, running=False)
        elif place.kind == "keep" and listed and _NUMBERED.match(raw):
            self._atom(special(f"{place.path}[number]", "CWE.1[number]", None), raw)
        else:
            self._atom(place, raw)

    def _atom(self, place: Place, raw: str) -> None:
        plain, dirty = raw, False
        if self.message.delimiters.escape and self.message.delimiters.escape in raw:
            found = list(tokens(raw, self.message.delimiters))
            plain, dirty = plain_of(found), any(token.lost for token in found)
        shape = "" if place.locus is None else place.locus.profile.shape
        if shape in ("date", "birth_date"):
            plain = _DAY.sub(r"\1", plain)
        elif shape == "zip" and not any(letter.isdigit() for letter in plain):
            place = special(f"{place.path}[other]", "XAD.5[other]", None)
        self._put(Value(place, plain, [], dirty=dirty), raw)

    def _text(self, place: Place, raw: str, *, running: bool) -> None:
        found = list(tokens(raw, self.message.delimiters, running=running))
        dirty = any(token.lost for token in found)
        self._put(Value(place, plain_of(found), [], running=running, dirty=dirty), raw)

    def _put(self, value: Value, raw: str) -> None:
        value.pieces.append(len(self.message.pieces))
        self.message.pieces.append(raw)
        self.message.values.append(value)

    def _join(self, name: str, fields: Sequence[str], before: object) -> None:
        """Let the text just read go on that of the segment before, if both are of one text."""
        value = self.message.values[-1]
        mark = (name, fields[2] if name == "OBX" else "")
        if isinstance(before, tuple) and before[0] == mark:
            first: Value = before[1]
            first.pieces += value.pieces
            first.dirty = first.dirty or value.dirty
            self.message.values.pop()
            value = first
        self.running = (mark, value)

    def _opened(self, parts: Sequence[str]) -> Opened | None:
        told = [self._plain(part) for part in parts[1:5]]
        return open_data(*told) if len(told) == 4 else None

    def _data(
        self, name: str, number: int, raw: str, opened: Opened | None, role: str | None
    ) -> None:
        path = f"{name}-{number}[ED].5"
        if opened is None:
            self._put(Value(special(f"{path}[binary]", "ED.5[binary]", role), raw, []), raw)
        else:
            self._put(Value(special(path, "TX", role), opened.text, [], opened=opened), raw)


def _split(raw: str, sign: str) -> list[str]:
    return raw.split(sign) if sign else [raw]


def _delimiters(content: str) -> Delimiters:
    """MSH-1 and MSH-2 of a header segment.

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
