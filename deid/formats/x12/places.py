"""Finds the values of a block, each with its path (`NM1-03[IL]`, `HI-01.4`) and its locus.

`loci.csv` lists elements, with the qualifier of the value in brackets; `roles.csv` has the person
to whom the values after an entity code belong. Unlisted values are left out, and a kept value must
look like a code or a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files

from deid.formats.x12.segment_split import ENVELOPE, RENEWED, Block, Segment, Signs, is_person_level
from deid.vocabularies.locus import Locus, LocusTable
from deid.vocabularies.wording import CODED, names_nobody
from recognizers import word_evidence
from safe_harbor import csv_rows

# By segment and element: the element of the same segment that qualifies it.
_QUALIFIERS = {
    ("NM1", 9): 8, ("ENT", 4): 3, ("REF", 2): 1, ("N1", 4): 3,
    ("PER", 4): 3, ("PER", 6): 5, ("PER", 8): 7,
}  # fmt: skip
_TAKES_ROLE = frozenset(("NM1", "N1", "N2", "N3", "N4", "PER", "DMG", "REF", "PRV"))
_PERSON_BEGINS = frozenset(
    ("INS", "CLP", "CLM", "LX", "SVC", "SBR", "PAT", "UM", "HD", "EB", "ENT")
)
# Codes are short, except the codes of diagnoses, procedures, drugs and specialties, and the names
# of guides, loops and elements in acknowledgments.
_SHORT_X12_CODE = re.compile(r"[A-Z0-9]{1,4}")
# More than four letters without a digit are a name. Only ICD-10-PCS has such codes (`GZHZZZZ`).
_MEDICAL_CODE = re.compile(r"(?!\d{6})(?=[A-Z.]*\d|[A-Z]{1,4}$|[A-Z]{4}ZZZ$)[A-Z0-9][A-Z0-9.]{0,7}")
# Codes of as many letters may be short names.
_LETTER_CODE = re.compile(r"[A-Z]{3,4}")
SHORT_NAME = 3
# Log2 of the bearers of a name.
_OFTEN_BORNE = 12
_GUIDE = re.compile(r"\d{6}(?:X\d{3}[A-Z]?\d?[A-Z]?\d?)?")
_LOOP = re.compile(r"\d{4}[A-Z]{0,2}")
_CONTEXT_NAME = re.compile(
    r"SITUATIONAL TRIGGER|(?:(?:PATIENT|SUBSCRIBER) (?:NAME|NUMBER) )?[A-Z][A-Z\d]{1,2}\d\d"
)
_LONG_CODES = {
    "LIN-03": re.compile(r"\d{10,11}|\d{4,5}-\d{3,4}-\d{1,2}"),
    "PRV-03": re.compile(r"\d{3}[A-Z0-9]{6}[A-Z]"),
    "DMG-05.3": re.compile(r"\d{4}-\d"),  # CDC race and ethnicity
    **dict.fromkeys(("AK1-03", "AK2-03"), _GUIDE),
    **dict.fromkeys(("AK3-03", "IK3-03", "CTX-04"), _LOOP),
    **dict.fromkeys(("CTX-01", "CTX-01.1"), _CONTEXT_NAME),
}
_MEDICAL_PLACES = re.compile(r"(?:HI|SV[1235]|SVC|SVD|EQ|EB-13|TOO|LQ|MOA|MIA|III|CL1)\b.*")
_X12_AMOUNT = re.compile(r"-?(?:\d{1,7}(?:\.\d{1,4})?|\.\d{1,4})")
_DAY_RANGE = re.compile(r"(\d{8})-(\d{8})")
_DAY_AND_TIME = re.compile(r"(\d{8})\d{4,6}")


@dataclass(frozen=True, slots=True)
class X12Value:
    """A value: its position (segment, element, repetition and component, from 0), path and locus.

    `half` is 1 or 2 for the first or second day of a range, and 0 otherwise.
    """

    segment: int
    element: int
    repetition: int
    component: int
    half: int
    path: str
    locus: Locus | None
    text: str = field(repr=False)


@cache
def _x12_loci() -> LocusTable:
    return LocusTable.read("deid.formats.x12")


@cache
def _roles_by_entity() -> dict[str, str]:
    return {row["entity"]: row["role"] for row in csv_rows(files("deid.formats.x12") / "roles.csv")}


@cache
def known_tags() -> frozenset[str]:
    """The tags of the segments in the table."""
    rows = csv_rows(files("deid.formats.x12") / "loci.csv")
    return frozenset(row["path"].partition("-")[0] for row in rows)


def element_locus(tag: str, element: int, component: int = 0) -> Locus | None:
    """The locus of an element, regardless of its qualifier and its entity."""
    return _placed(_element_path(tag, element, component), (), "")


def values_of(block: Block) -> Iterator[X12Value]:
    """The values of a block in order; values without a locus are not released."""
    role = "provider"
    insured_is_other = False
    for number, segment in enumerate(block.segments):
        tag = segment.tag
        if tag in ENVELOPE:
            role, insured_is_other = "provider", False
            continue
        if tag == "HL":
            role = "" if is_person_level(segment) else "provider"
            insured_is_other = segment.element(3) == "22" and segment.element(4) == "1"
        elif tag in _PERSON_BEGINS:
            role = ""
        elif tag in ("NM1", "N1"):
            role = _entity_role(segment.element(1), insured_is_other)
        own = role if tag in _TAKES_ROLE else ""
        yield from _segment_values(number, segment, block.signs, own)


def _entity_role(entity: str, insured_is_other: bool) -> str:
    found = _roles_by_entity().get(entity, "provider")
    if found == "patient":
        return "relative" if insured_is_other and entity == "IL" else ""
    return found


def _segment_values(number: int, segment: Segment, signs: Signs, role: str) -> Iterator[X12Value]:
    for element, raw in enumerate(segment.elements, 1):
        if element in RENEWED.get(segment.tag, ()):
            continue
        for repetition, part in enumerate(_repetitions(raw, signs.repetition)):
            components = part.split(signs.component)
            for component, text in enumerate(components):
                if not text.strip():
                    continue
                nested = component + 1 if len(components) > 1 else 0
                place = _element_path(segment.tag, element, nested)
                told = _qualifier_of(segment, element, text)
                locus = _placed(place, told, role)
                spots = (number, element - 1, repetition, component)
                yield from _checked_values(spots, place, locus, text)


def _repetitions(raw: str, sign: str) -> list[str]:
    return raw.split(sign) if sign else [raw]


def _element_path(tag: str, element: int, component: int) -> str:
    return f"{tag}-{element:02d}" + (f".{component}" if component else "")


def _qualifier_of(segment: Segment, element: int, text: str) -> tuple[str, ...]:
    if segment.tag in ("NM1", "N1") and element == (3 if segment.tag == "NM1" else 2):
        whole = segment.tag == "NM1" and segment.element(2) == "2"
        return (segment.element(1), "2" if whole else "")
    place = _QUALIFIERS.get((segment.tag, element), 0)
    return (segment.element(place),) if place else ()


@lru_cache(maxsize=1 << 14)
def _placed(path: str, qualifiers: tuple[str, ...], role: str) -> Locus | None:
    names = [f"{path}[{qualifier}]" for qualifier in qualifiers if qualifier]
    if path.endswith(".1"):  # a single component may be written with a separator after it
        names.append(path)
        names.append(path.removesuffix(".1"))
    table = _x12_loci()
    found = next((one for name in (*names, path) if (one := table.find(name)) is not None), None)
    if found is None and "." not in path:
        found = table.find(f"{path}.1")
    if found is None:
        return None
    whose = role if role != "patient" else ""
    profile = replace(found.profile, role=found.profile.role or whose, reasons=("a path of x12",))
    shown = f"{found.path}@{profile.role}" if profile.role else found.path
    return Locus(shown, profile, found.part)


def _checked_values(
    spots: tuple[int, int, int, int], place: str, locus: Locus | None, text: str
) -> Iterator[X12Value]:
    text = text.strip()
    if locus is not None and locus.profile.shape in ("date", "birth_date"):
        if days := _DAY_RANGE.fullmatch(text):
            yield from (
                X12Value(*spots, half, f"{locus.path}.{half}", locus, days[half]) for half in (1, 2)
            )
            return
        text = _DAY_AND_TIME.sub(r"\1", text)
    if locus is not None and not _has_its_look(place, locus, text):
        locus = None
    path = place if locus is None else locus.path
    yield X12Value(*spots, 0, path if locus else f"{path}[unlisted]", locus, text)


def _has_its_look(place: str, locus: Locus, text: str) -> bool:
    """Whether a kept value has the form of its element's codes or numbers, or is another value."""
    if locus.profile.kind != "keep":
        return True
    if locus.profile.shape == "number":
        return _X12_AMOUNT.fullmatch(text) is not None
    if locus.profile.shape == "country":
        return len(text) <= 3 and text.isalpha()
    usual = _MEDICAL_CODE if _MEDICAL_PLACES.fullmatch(place) else _SHORT_X12_CODE
    if _LONG_CODES.get(place, usual).fullmatch(text) is None:
        return False
    return not (_LETTER_CODE.fullmatch(text) and _may_be_short_name(text))


@lru_cache(maxsize=1 << 12)
def _may_be_short_name(code: str) -> bool:
    """Whether letters in place of a code may be a name: a frequent name of three letters, or any
    four letters that are no known word, because no code of the guides has four letters."""
    if names_nobody(code, *CODED):
        return False
    return len(code) > SHORT_NAME or word_evidence(code.casefold()).bearers >= _OFTEN_BORNE
