"""The closed lists of XML records: families of formats, tokens, and what each path holds.

A family is a format that its namespace or, without one, its root element names. `loci.csv` says
what a path of the family holds: its last one to three names, the most specific row first. The
columns from `kind` to `part` are those of every locus table. A row may also have a `token`, whose
form is that of constants, or a `field`, the field of HL7 v2 whose type the value has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from deid.formats.cda.specs import local
from deid.vocabularies import (
    is_code_of,
    is_language,
    is_measure_unit,
    is_measurement,
    is_short_code,
    system_named,
)
from deid.vocabularies.locus import Locus, profile_of
from deid.vocabularies.wording import CODED, DESCRIPTION, NAME, names_nobody
from recognizers import ColumnProfile
from recognizers import profile as profile_header
from safe_harbor import csv_rows

MOST_NAMES = 3
# A shorter text has no context by which a name in it could be found.
SHORTEST_TEXT = 4
# Characters of numbers: a longer one may be somebody's, alone in a text or as a listed number.
LONGEST_COUNT, LONGEST_AMOUNT = 3, 5
LONGEST_SHOWN_NAME = 100
_NUMBER_OR_ROOM = re.compile(r"\d+[A-Za-z]?")
_XML_FOLDER = files("deid.formats.xml_records")
# Shapes that are checked later, when the cells of the table are processed.
_CHECKED_LATER = frozenset(["number", "country", "race", "short_code"])
# Shapes of codes, whose cells need no further check of their form.
_CODE_SHAPES = frozenset(["code", "system", "language"])
UNLISTED = "[unlisted]"


@dataclass(frozen=True, slots=True)
class XmlRule:
    """What the values of a path are: a locus, the form of its constants, or a field of HL7 v2."""

    locus: Locus | None
    token: str = ""
    field: str = ""


@cache
def _families(told_by: str) -> Mapping[str, str]:
    rows = csv_rows(_XML_FOLDER / "families.csv")
    return {row[told_by]: row["family"] for row in rows if row[told_by]}


def family_of(namespace: str) -> str:
    """The family of formats with that namespace; "" for any other namespace."""
    return _families("namespace").get(namespace, "")


def family_of_root(name: str) -> str:
    """The family of a document without a namespace, by its root element; "" for others."""
    return _families("root").get(name, "")


@cache
def _xml_rules() -> Mapping[tuple[str, str], XmlRule]:
    found = {}
    for row in csv_rows(_XML_FOLDER / "loci.csv"):
        listed = row["kind"] and not row["field"]
        profile = profile_of(row, "a path of xml_records") if listed else None
        locus = None if profile is None else Locus(row["path"], profile, row["part"])
        for path in row["path"].split("|"):
            found[row["family"], path] = XmlRule(locus, row["token"], row["field"])
    return found


@cache
def schema_names() -> frozenset[str]:
    """The names of elements and attributes that the tables of the families have."""
    paths = [path for _, path in _xml_rules()]
    listed = {name for path in paths for name in path.split(".") if not name.isupper()}
    return frozenset(listed | _families("root").keys())


@lru_cache(maxsize=1 << 14)
def is_schema_name(name: str) -> bool:
    """Whether a name of an element or attribute may be shown: it is listed, or of known words."""
    return name in schema_names() or (len(name) <= LONGEST_SHOWN_NAME and names_nobody(name, NAME))


def rule_at(place: XmlPlace) -> XmlRule | None:
    """The rule for the values of a place: by the types above it, or else by the names."""
    rules = _xml_rules()
    for count in range(MOST_NAMES, 0, -1):
        for names in (place.typed, place.names):
            found = rules.get((place.family, ".".join(names[-count:])))
            if found is not None:
                return found
    return None


@cache
def _token_patterns() -> Mapping[str, re.Pattern[str]]:
    rows = csv_rows(_XML_FOLDER / "tokens.csv")
    return {row["token"]: re.compile(row["pattern"]) for row in rows}


@lru_cache(maxsize=1 << 14)
def is_constant(token: str, value: str) -> bool:
    """Whether the value is a constant of that form; the words in it must name nobody."""
    found = _token_patterns()[token].fullmatch(value)
    if found is None:
        return False
    words = found.groupdict().get("words")
    return words is None or names_nobody(re.sub(r"\W+|_", " ", words), NAME)


@dataclass(frozen=True, slots=True)
class XmlPlace:
    """Where a value is: its family and the names above it; `typed` has types in place of names.

    `names` make the path, and `typed` find the row of the table.
    """

    family: str = ""
    names: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()

    def below(self, name: str, kind: str = "") -> XmlPlace:
        """The place of a part."""
        return XmlPlace(self.family, (*self.names, name), (*self.typed, kind or name))


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a value that an element states: `text`, and `shown` if its words are known.

    It names the parts `within` and the element's own text; the names `through` make no path.
    """

    text: str = field_of(repr=False)
    shown: str
    within: frozenset[str]
    through: frozenset[str]


@cache
def _label_rows() -> Mapping[tuple[str, str], Sequence[Mapping[str, str]]]:
    found: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in csv_rows(_XML_FOLDER / "pairs.csv"):
        found.setdefault((row["family"], row["element"]), []).append(row)
    return found


def label_at(place: XmlPlace, element: Any) -> Label | None:
    """The label of the values in an element, by the table of pairs; None if it states none."""
    for row in _label_rows().get((place.family, place.typed[-1]), ()) or _label_rows().get(
        (place.family, "*"), ()
    ):
        told = element.get(row["label"])
        if told is None and "/" in row["label"]:
            told = _text_below(element, row["label"].split("/"))
        if told and told.strip():
            text = " ".join(told.split())
            shown = text if is_schema_name(text) and "." not in text else _last_name(text)
            within, through = (frozenset(row[key].split()) for key in ("within", "through"))
            return Label(text, shown, within, through)
    return None


def _last_name(label: str) -> str:
    """The last part of a label with dots (`IT.AGE`) if its words are known; else ""."""
    last = label.rpartition(".")[2]
    return last if is_schema_name(last) else ""


def _text_below(element: Any, names: Sequence[str]) -> str:
    for name in names:
        found = [child for child in element if local(child) == name]
        if not found:
            return ""
        element = found[0]
    return element.text or ""


@cache
def _systems() -> Mapping[str, Mapping[tuple[str, str], str]]:
    found: dict[str, dict[tuple[str, str], str]] = {}
    for row in csv_rows(_XML_FOLDER / "systems.csv"):
        found.setdefault(row["family"], {})[row["beside"], row["value"]] = row["system"]
    return found


def stated_system(family: str, element: Any) -> str:
    """The code system that another part of the element's parent states; "" if none does."""
    above = element.getparent()
    for (name, value), system in _systems().get(family, {}).items() if above is not None else ():
        for other in above:
            if local(other) == name:
                told = (other.text or "").strip() or _text_below(other, ["value"]).strip()
                if value in ("*", told):
                    return system or told
    return ""


@cache
def _roles() -> Mapping[tuple[str, str], str]:
    return {
        (row["family"], row["element"]): row["role"] for row in csv_rows(_XML_FOLDER / "roles.csv")
    }


def role_at(place: XmlPlace) -> str:
    """The person whom the nearest element with a role is about; "" for the patient."""
    roles = _roles()
    told = ((place.family, name) for name in reversed(place.typed))
    return next((roles[one] for one in told if one in roles), "")


def locus_at(rule: XmlRule, place: XmlPlace, label: str, system: str, value: str) -> Locus:
    """The locus of a value, with the path of its own.

    If a `label` beside the value names an identifier, the value is one. A code or short text that
    is on no list gets a locus that blanks it. `system` is the code system beside a code, or "".
    """
    assert rule.locus is not None
    path, profile, part = ".".join(place.names), rule.locus.profile, rule.locus.part
    if label and profile.kind != "identifier":
        seen = labeled_profile(label)
        if seen is not None:
            return Locus(f"{path}[{seen.entity}]", seen)
    if profile.kind in ("keep", "text") and not may_keep_value(profile.shape, system, value):
        return Locus(path + UNLISTED, _unlisted().profile)
    if profile.shape in _CODE_SHAPES:
        profile = replace(profile, shape="coded")
    role = profile.role or (role_at(place) if profile.kind not in ("keep", "text") else "")
    role = "" if role == "patient" else role
    return Locus(path, replace(profile, role=role), part)


def unlisted_locus(place: XmlPlace, label: str, value: str) -> Locus | None:
    """The locus of a value that no table lists; None if it is judged by its path and column.

    Ancestors do not change what an identifier is: `labReport.surname` is read as `surname`, not as
    the name of a report. A text of few words has no context by which a name in it could be found.
    """
    path = ".".join(place.names)
    kind = _kind_of_path(path)
    if kind not in ("keep", "text"):
        return None
    for name in (label, place.names[-1]):
        seen = labeled_profile(name) if name and not _is_name_of_parent(name) else None
        if seen is not None:
            return Locus(f"{path}[{seen.entity}]", seen)
    if kind == "text" and (_is_room_number(value) or not may_keep_value("text", "", value)):
        return Locus(path + UNLISTED, _unlisted().profile)
    return None


@lru_cache(maxsize=1 << 12)
def _kind_of_path(path: str) -> str:
    return profile_header(path, ()).kind


def _is_name_of_parent(name: str) -> bool:
    """Whether what is named is the element above: `name` in `medication.name`."""
    return name.casefold() == "name"


def _is_room_number(value: str) -> bool:
    """Whether the text is a number, or one of a room, such as `656A`."""
    return len(value) > LONGEST_COUNT and _NUMBER_OR_ROOM.fullmatch(value) is not None


@lru_cache(maxsize=1 << 12)
def labeled_profile(label: str) -> ColumnProfile | None:
    """The profile of the values under a label that names an identifier, else None."""
    seen = profile_header(label, ())
    if seen.kind not in ("identifier", "quasi"):
        return None
    shape = "key" if seen.shape == "patient_key" else seen.shape
    return replace(seen, shape=shape, reasons=("the label of the value names this identifier",))


@cache
def _unlisted() -> Locus:
    row = {"kind": "keep", "identifier": "", "entity": "", "shape": "unlisted", "role": ""}
    return Locus("", profile_of(row, "a value on no list of xml_records"))


@lru_cache(maxsize=1 << 14)
def may_keep_value(shape: str, system: str, value: str) -> bool:
    """Whether a value that the table keeps under that shape may be kept."""
    if shape == "number" and value.isdecimal() and len(value) > LONGEST_AMOUNT:
        return False
    if shape in _CHECKED_LATER:
        return True
    if shape == "text":
        return len(value.split()) >= SHORTEST_TEXT or _is_short_text(value)
    if shape == "unit":
        return is_measure_unit(value)
    if shape == "measure":
        return is_measurement(value)
    if shape == "language":
        return is_language(value)
    if shape == "code":
        return _is_code(system, value)
    if shape == "system":
        return system_named(value) is not None or names_nobody(value, *CODED)
    return names_nobody(value, *CODED)


def _is_short_text(value: str) -> bool:
    """Whether a text without a sentence's context has known words, or is a measurement."""
    return names_nobody(value, DESCRIPTION) or is_measurement(value)


def _is_code(system: str, value: str) -> bool:
    if system_named(system) is not None:
        return is_code_of(system, value)
    return is_short_code(value) or names_nobody(value, *CODED)
