"""Splits an HL7 v2 field into repetitions, components and subcomponents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from deid.formats.hl7v2.codes import (
    LISTED,
    CodePlace,
    may_keep_hl7_code,
    system_beside,
    value_holder,
)
from deid.formats.hl7v2.embedded_data import Opened, open_data
from deid.formats.hl7v2.escapes import Delimiters, tokens, unescape
from deid.formats.hl7v2.loci import FieldPlace, field_place, is_running, special, type_of
from deid.formats.hl7v2.pieces import Atom, FieldPieces, Unreadable
from deid.formats.stamps import day_of_stamp, spelled_clock
from deid.vocabularies import system_named
from deid.vocabularies.wording import DESCRIPTION, names_nobody
from recognizers import conforms, held_shape

NULL = '""'
MOST_PARTS = 20_000
LONGEST_TEXT = 1 << 22
# Many messages repeat the same short fields.
LONGEST_CACHED_FIELD = 200
# A code field with a long value holds prose. So does a code field of several words without a coding
# system, unless it names a test, a payer or software.
LONGEST_CODE = 60
_THREE_WORDS = re.compile(r"(?:.*?\b[^\W\d_]{2,}\b){3}")
_NAMED_CODE_FIELDS = re.compile(r"OBX-3|OBR-4|OM\d-\d+|IN1-[24]|AUT-3|MSH-\d+|SFT-\d")
# The codes of these fields come from short lists; a value with many digits is taken for a number.
_CODED_FIELDS = re.compile(
    r"(?:ACC|ARV|CON|EVN|GT1|IN[123]|MRG|MSH|NK1|ORC|PD1|PID|PRT|PV[12]|ROL|SCH|TXA)-\d+|OBX-5"
)
_FIVE_DIGITS_OR_SEVEN = re.compile(r"(?=.*[A-Za-z])(?:.*\d){5}|\d{7,}")
_SEVEN_DIGITS = re.compile(r"\d{7,}")
# The components of coded elements (CWE) that hold codes.
_CODE_COMPONENTS = (1, 4, 10)
_NEVER = re.compile(r"(?!)")
# The component that holds the type of an identifier, name or telephone number.
_TYPE_COMPONENTS = {"CX": 5, "XPN": 7, "XTN": 3, "XCN": 13}
# ED-2 and ED-3 of a document that becomes plain text.
_TEXT_TYPE = {2: "TEXT", 3: "plain"}
_NET = frozenset(["INTERNET", "X.400", "NET", "X400"])
_SSA = frozenset(["SSA", "USSSA", "USSA", "SSN"])


def take_field(
    name: str, number: int, kind: str, raw: str, role: str | None, signs: Delimiters, rtf: str
) -> FieldPieces:
    """Split field `number` of a segment, of type `kind`; `role`, if set, is the role of its values.

    `rtf` is the option of that name in `ReadOptions`: the form in which RTF is written.

    Raises:
        Unreadable: `too-many-values`, `text-too-long`.
    """
    if len(raw) <= LONGEST_CACHED_FIELD:
        return _remembered(name, number, kind, raw, role, signs, rtf)
    return _field_pieces(name, number, kind, raw, role, signs, rtf)


def whole(place: FieldPlace, raw: str, signs: Delimiters) -> FieldPieces:
    """Return the pieces of a field that is a single value."""
    return FieldPieces((raw,), (_atom(place, raw, 0, signs),))


def _field_pieces(
    name: str, number: int, kind: str, raw: str, role: str | None, signs: Delimiters, rtf: str
) -> FieldPieces:
    if raw in ("", NULL):
        return FieldPieces((raw,), ())
    if kind and is_running(name, number, kind):
        place = field_place(name, number, kind if kind == "text" else "ST", 1, 0, "", role)
        return FieldPieces((raw,), (_text_atom(place, raw, 0, signs, running=True),))
    if sum(raw.count(sign) for sign in (signs.repetition, signs.component) if sign) > MOST_PARTS:
        raise Unreadable("too-many-values")
    pieces: list[str] = []
    atoms: list[Atom] = []
    for repeated, rep in enumerate(_split_raw(raw, signs.repetition)):
        pieces += [signs.repetition] if repeated else []
        for between, piece, atom in _repetition(name, number, kind, rep, role, signs, rtf):
            pieces += [between] if between else []
            if atom is not None:
                atoms.append(_moved_atom(atom, len(pieces)))
            pieces.append(piece)
    return FieldPieces(tuple(pieces), tuple(atoms))


_remembered = lru_cache(maxsize=1 << 13)(_field_pieces)


def _moved_atom(atom: Atom, piece: int) -> Atom:
    return Atom(atom.place, atom.text, piece, atom.running, atom.dirty, atom.opened)


def _repetition(
    name: str, number: int, kind: str, raw: str, role: str | None, signs: Delimiters, rtf: str
) -> Iterator[tuple[str, str, Atom | None]]:
    """Yield each piece of a repetition: the delimiter before it, its text, and its value if any."""
    parts = _split_raw(raw, signs.component)
    qualifier = _qualifier(kind, parts, signs)
    system = "".join(parts[2:3]) if kind == "CWE" else ""
    opened = _opened_data(parts, signs, rtf) if kind == "ED" else None
    prose = not system and _NAMED_CODE_FIELDS.fullmatch(f"{name}-{number}") is None
    for part, component in enumerate(parts, 1):
        before = signs.component if part > 1 else ""
        if kind == "ED" and part == 5 and component not in ("", NULL):
            yield before, component, _encapsulated_data(name, number, parts[4], opened, role)
            continue
        if opened is not None and opened.document.becomes_text and part in _TEXT_TYPE:
            yield before, _TEXT_TYPE[part], None
            continue
        subs = _split_raw(component, signs.subcomponent)
        if len(subs) > MOST_PARTS:
            raise Unreadable("too-many-values")
        for sub, piece in enumerate(subs, 1):
            between = signs.subcomponent if sub > 1 else before
            if piece in ("", NULL):
                yield between, piece, None
                continue
            nested = sub if len(subs) > 1 else 0
            place = field_place(name, number, kind, part, nested, qualifier, role)
            free = len(piece) > LONGEST_CODE or (prose and _THREE_WORDS.match(piece) is not None)
            asked = CodePlace(name, number, kind, part, parts, nested, subs)
            yield between, piece, _value_atom(place, piece, asked, free, signs)


def _qualifier(kind: str, parts: Sequence[str], signs: Delimiters) -> str:
    place = _TYPE_COMPONENTS.get(kind, 0)
    said = parts[place - 1].strip().upper() if 0 < place <= len(parts) else ""
    if kind == "XTN":
        return "NET" if said in _NET or "@" in parts[0] else said
    if kind in ("XPN", "XCN") and _is_whole_name(parts):
        return "WHOLE"
    if kind == "CX" and not said and len(parts) > 3:
        authority = _split_raw(parts[3], signs.subcomponent)[0]
        return "SS" if authority.upper() in _SSA else ""
    return said


def _is_whole_name(parts: Sequence[str]) -> bool:
    """Whether the first component holds a whole name, not only a family name or a number."""
    alone = not "".join(parts[1:3])
    several = re.search(r"[^\W\d_][\s,]+[^\W\d_]", parts[0]) is not None
    return alone and not any(letter.isdigit() for letter in parts[0]) and several


def _counts(asked: CodePlace) -> re.Pattern[str]:
    """Return the pattern of the numbers that, in place of a code, count as identifying numbers.

    Codes of HL7 and user tables (ID, IS) are not long numbers; codes of a known terminology may be.
    In fields with short code lists and in nested elements, codes of an unknown coding system must
    not be long numbers.
    """
    holder, place, beside, _ = value_holder(asked)
    within = holder not in (asked.kind, asked.segment)
    listed = within or _CODED_FIELDS.fullmatch(f"{asked.segment}-{asked.field}") is not None
    if holder == "CWE":
        if place not in _CODE_COMPONENTS:
            return _SEVEN_DIGITS
        known = system_named(system_beside(place, beside)) is not None
        return _FIVE_DIGITS_OR_SEVEN if listed and not known else _NEVER
    kind = asked.kind if holder == asked.segment else type_of(holder, place)
    if listed or (kind in ("ID", "IS") and asked.segment not in ("MSH", "SFT")):
        return _FIVE_DIGITS_OR_SEVEN
    return _NEVER if kind in ("NM", "SI") else _SEVEN_DIGITS


def _value_atom(
    place: FieldPlace,
    raw: str,
    asked: CodePlace,
    free: bool,
    signs: Delimiters,
) -> Atom:
    if place.kind == "text":
        return _text_atom(place, raw, 0, signs, running=False)
    path = place.path
    if _shape_at(place) == LISTED:
        if _is_listed_code(place, raw, asked, signs):
            return _atom(place, raw, 0, signs)
        place = special(f"{path}[local]", "ID", None)
    if place.kind == "keep" and (free or _may_name(place, raw)) and _is_searched(raw, signs):
        return _text_atom(special(f"{path}[text]", "ST", None), raw, 0, signs, running=False)
    if place.kind == "keep" and _counts(asked).match(raw):
        place = special(f"{path}[number]", "CWE.1[number]", None)
    elif place.kind == "keep" and not _is_listed_code(place, raw, asked, signs):
        place = special(f"{path}[unlisted]", "CWE.1[unlisted]", None)
    return _atom(place, raw, 0, signs)


def _is_searched(raw: str, signs: Delimiters) -> bool:
    """Whether a text in place of a code is searched: a long text, or a text of known words."""
    return len(raw) > LONGEST_CODE or names_nobody(unescape(raw, signs), DESCRIPTION)


def _is_listed_code(place: FieldPlace, raw: str, asked: CodePlace, signs: Delimiters) -> bool:
    return may_keep_hl7_code(asked, _shape_at(place), unescape(raw, signs).strip())


def _shape_at(place: FieldPlace) -> str:
    return "" if place.locus is None else place.locus.profile.shape


def _may_name(place: FieldPlace, raw: str) -> bool:
    """Whether a value looks like neither a code nor an identifier, so it may be a name."""
    coded = _shape_at(place) in ("coded", "term")
    return coded and not conforms("coded", raw) and held_shape(raw) is None


def _atom(place: FieldPlace, raw: str, piece: int, signs: Delimiters) -> Atom:
    plain, dirty = raw, False
    if signs.escape and signs.escape in raw:
        plain, dirty = _raw_text(raw, signs, running=False)
    shape = _shape_at(place)
    if shape in ("date", "birth_date"):
        plain = day_of_stamp(plain)
    elif shape == "time":
        plain = spelled_clock(plain)
    elif shape == "zip" and not any(letter.isdigit() for letter in plain):
        place = special(f"{place.path}[other]", "XAD.5[other]", None)
    return Atom(place, plain, piece, dirty=dirty)


def _text_atom(
    place: FieldPlace, raw: str, piece: int, signs: Delimiters, *, running: bool
) -> Atom:
    structure = [signs.repetition, signs.component, "\r"] if running else []
    if not any(sign and sign in raw for sign in (signs.escape, *structure)):
        return Atom(place, raw, piece, running)
    plain, dirty = _raw_text(raw, signs, running=running)
    return Atom(place, plain, piece, running, dirty)


def _raw_text(raw: str, signs: Delimiters, *, running: bool) -> tuple[str, bool]:
    """The decoded text of a raw value, and whether part of it cannot be decoded."""
    if len(raw) > LONGEST_TEXT:
        raise Unreadable("text-too-long")
    plain, lost = [], False
    for token in tokens(raw, signs, running=running):
        plain.append(token.plain)
        lost = lost or token.lost
    return "".join(plain), lost


def _opened_data(parts: Sequence[str], signs: Delimiters, rtf: str) -> Opened | None:
    """The document in ED-5; None if it is missing or cannot be read."""
    if len(parts) < 5 or parts[4] in ("", NULL):
        return None
    kind, subtype, coding, data = (unescape(part, signs) for part in parts[1:5])
    return open_data(kind, subtype, coding, data, rtf)


def _encapsulated_data(
    name: str, number: int, raw: str, opened: Opened | None, role: str | None
) -> Atom:
    path = f"{name}-{number}[ED].5"
    if opened is None:
        return Atom(special(f"{path}[binary]", "ED.5[binary]", role), raw)
    return Atom(special(path, "TX", role), opened.text, opened=opened)


def _split_raw(raw: str, sign: str) -> list[str]:
    return raw.split(sign) if sign else [raw]
