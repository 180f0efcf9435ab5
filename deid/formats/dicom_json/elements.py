"""Splits a DICOM data set in JSON into its values, each with its path and its locus.

`loci.csv` lists elements by tag, and the others by value representation (VR). A kept value must
have the form of its VR or of its code. Private elements, bulk data and unlisted names have no
locus.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from deid.formats.fhir.json_text import JsonError
from deid.formats.stamps import day_of_stamp, spelled_clock
from deid.vocabularies import is_code_of, system_named
from deid.vocabularies.locus import Locus, LocusTable
from deid.vocabularies.wording import CODED, names_nobody

DEEPEST_SEQUENCE, MOST_ELEMENT_VALUES = 32, 50_000
DICOM_TAG = re.compile(r"[0-9A-Fa-f]{8}")
_STANDARD_UID = re.compile(r"1\.2\.840\.10008(?:\.\d{1,5}){1,9}")
# Value representations of numbers (PS3.5 section 6.2).
_NUMBER_KINDS = frozenset(["DS", "IS", "FD", "FL", "SS", "US", "SL", "UL", "SV", "UV"])
_DICOM_NUMBER = re.compile(r"\s*[-+]?(?:\d{1,12}(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?\s*")
_CODE_STRING = re.compile(r"[A-Z0-9_ ]{1,16}")
_AGE_STRING = re.compile(r"(\d{3})([DWMY])")
_DICOM_DAY, _DICOM_YEAR = re.compile(r"\d{8}"), re.compile(r"\d{4}")
_CLOCK = re.compile(r"\d\d:\d\d(?:\d\d(?:\.\d{1,6})?)?")
_NUMBERED_KEY = re.compile(r"\[[A-Z]+-(\d+)\]")
_PLACEHOLDER_IN_CODE = re.compile(r"[\[\]]")
# Code value and coding scheme designator of a code sequence.
_CODE_VALUE, _DESIGNATOR = "00080100", "00080102"


@dataclass(frozen=True, slots=True)
class DicomValue:
    """A value: its path, its locus (None if it is left out), its text, and where it stands."""

    path: str
    locus: Locus | None
    text: str = field(repr=False)
    holder: Any = field(repr=False)
    place: str | int
    vr: str
    was: Any = field(repr=False)

    def put(self, cell: str | None) -> None:
        """Write the released cell in the form of the VR; null if there is none."""
        unchanged = cell is not None and cell == self.text
        self.holder[self.place] = self.was if unchanged else _in_form_of_vr(cell or "", self.vr)


@dataclass(slots=True)
class DataSet:
    """A data set without its values, and its values in order."""

    tree: dict[str, Any] = field(default_factory=dict, repr=False)
    values: list[DicomValue] = field(default_factory=list, repr=False)
    private: int = 0


def read_data_set(value: Any) -> DataSet:
    """Split a data set into a tree without values, and the values.

    Raises:
        JsonError: `not-an-object`, `too-deep`, `too-many-values`.
    """
    found = DataSet()
    found.tree = _clean_set(value, found, 0)
    return found


def _clean_set(value: Any, found: DataSet, depth: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise JsonError("not-an-object")
    if depth > DEEPEST_SEQUENCE:
        raise JsonError("too-deep")
    tree: dict[str, Any] = {}
    for tag, element in value.items():
        vr = element.get("vr") if isinstance(element, dict) else None
        if not DICOM_TAG.fullmatch(tag) or int(tag[3], 16) % 2 or not isinstance(vr, str):
            found.private += 1
            continue
        tree[tag] = {"vr": vr} if re.fullmatch("[A-Z]{2}", vr) else {}
        listed = element.get("Value")
        if isinstance(listed, list) and vr == "SQ":
            tree[tag]["Value"] = [_clean_set(item, found, depth + 1) for item in listed]
        elif isinstance(listed, list):
            tree[tag]["Value"] = _clean_values(tag.upper(), vr, listed, value, found)
    return tree


def _clean_values(
    tag: str, vr: str, listed: list[Any], beside: Mapping[str, Any], found: DataSet
) -> list[Any]:
    """The list without its values; the parts of a person's name keep their keys."""
    kept: list[Any] = [None] * len(listed)
    for place, one in enumerate(listed):
        if isinstance(one, dict):
            parts = [key for key in one if key in ("Alphabetic", "Ideographic", "Phonetic")]
            kept[place] = dict.fromkeys(parts)
            for key in parts:
                _add_value(tag, vr, one[key], (kept[place], key), beside, found)
        elif one is not None and not isinstance(one, list):
            _add_value(tag, vr, one, (kept, place), beside, found)
    return kept


def _add_value(
    tag: str, vr: str, was: Any, spot: tuple[Any, Any], beside: Mapping[str, Any], found: DataSet
) -> None:
    if len(found.values) == MOST_ELEMENT_VALUES:
        raise JsonError("too-many-values")
    text = str.__str__(was).strip() if isinstance(was, str) else str(was)
    if not text:
        return
    path, locus = _element_locus(tag, vr, text, beside)
    cell = _read_value(text, vr) if locus is not None else text
    found.values.append(DicomValue(path, locus, cell, *spot, vr, was))


@cache
def _dicom_loci() -> LocusTable:
    return LocusTable.read("deid.formats.dicom_json")


def _element_locus(
    tag: str, vr: str, text: str, beside: Mapping[str, Any]
) -> tuple[str, Locus | None]:
    """The path of a value, and its locus; None if nothing says what the value is."""
    table, path = _dicom_loci(), vr
    if table.find(tag) is not None:
        path = tag
    elif vr == "UI" and _STANDARD_UID.fullmatch(text):
        path = "UI[published]"
    elif vr == "AS" and (age := _AGE_STRING.fullmatch(text)) and age[2] != "Y":
        path = f"AS[{age[2]}]"
    locus = table.find(path)
    kept = locus is not None and locus.profile.kind == "keep"
    if kept and not _has_form(tag, vr, text, beside):
        locus = None
    if vr == "AS" and not _AGE_STRING.fullmatch(text):
        locus = None
    return (path if path == tag else f"{tag}:{path}"), locus


def _has_form(tag: str, vr: str, text: str, beside: Mapping[str, Any]) -> bool:
    """Whether a kept value has the form of its VR and, if it is a code, of its coding scheme."""
    if tag == _CODE_VALUE:
        scheme = _scheme_of(beside)
        listed = system_named(scheme) is not None or names_nobody(text, *CODED)
        return listed and is_code_of(scheme, text)
    if tag == _DESIGNATOR:
        return system_named(text) is not None or names_nobody(text, *CODED)
    if vr == "UI":
        return True
    if vr in ("CS", "AT"):
        return _CODE_STRING.fullmatch(text) is not None and names_nobody(text, *CODED)
    if vr in _NUMBER_KINDS:
        return _DICOM_NUMBER.fullmatch(text) is not None
    return names_nobody(text, *CODED)


def _scheme_of(beside: Mapping[str, Any]) -> str:
    element = beside.get(_DESIGNATOR)
    listed = element.get("Value") if isinstance(element, dict) else None
    first = listed[0] if isinstance(listed, list) and listed else ""
    return first.strip() if isinstance(first, str) else ""


# -- spellings: as a cell, and as a value of the VR -------------------------------------------


def _read_value(text: str, vr: str) -> str:
    if vr == "PN":
        family, _, rest = text.partition("^")
        return ", ".join(filter(None, (family.strip(), " ".join(rest.replace("^", " ").split()))))
    if vr == "AS" and (age := _AGE_STRING.fullmatch(text)):
        return str(int(age[1]))
    if vr == "TM":
        return spelled_clock(text)
    if vr == "DT":
        return day_of_stamp(text)
    return text


def _spelled_name(cell: str) -> str:
    return re.sub(r"[\\=]", " ", cell)


def _spelled_date(cell: str) -> str:
    """A day, or the first day of a year: a DICOM date has no other precision."""
    text = cell.replace("-", "")
    if _DICOM_DAY.fullmatch(text):
        return text
    return f"{text}0101" if _DICOM_YEAR.fullmatch(text) else ""


def _spelled_uid(cell: str) -> str:
    number = _NUMBERED_KEY.fullmatch(cell)
    return f"2.25.{number[1]}" if number else ""


def _spelled_code(cell: str) -> str:
    return "" if _PLACEHOLDER_IN_CODE.search(cell) else cell


_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "PN": _spelled_name,
    "DA": _spelled_date,
    "DT": lambda cell: cell if cell.isdigit() else "",
    "TM": lambda cell: cell.replace(":", "") if _CLOCK.fullmatch(cell) else "",
    "UI": _spelled_uid,
    "CS": _spelled_code,
    "AS": lambda cell: f"{int(cell):03d}Y" if cell.isdigit() else "",
}


def _in_form_of_vr(cell: str, vr: str) -> str | None:
    """The cell as a value of that VR; None if it is no such value."""
    spelled = _SPELLINGS.get(vr)
    return (spelled(cell) if spelled else cell) or None
