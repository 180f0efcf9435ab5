"""Decides whether an HL7 v2 code, number or unit may be kept.

The check uses the table of the field or component, the coding system beside the value, or else the
words of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deid.formats.hl7v2.loci import is_composite, tables_of, type_of
from deid.vocabularies import (
    has_list,
    in_list,
    is_code_of,
    is_laboratory_test,
    is_language,
    is_measure_unit,
    is_measurement,
    is_short_code,
    system_named,
)
from deid.vocabularies.wording import CODED, PAYER, names_nobody

# Of coded elements (CWE): the component of each code and the component of its coding system.
_SYSTEM_OF_COMPONENT = {1: 3, 4: 6, 10: 12}
_SYSTEM_COMPONENTS = frozenset(_SYSTEM_OF_COMPONENT.values())
_CODING_SYSTEMS, _LANGUAGES, _STRUCTURES = "0396", "0296", "0354"
# Sites add local codes to these tables: identifier types, check digits, coding systems, files.
_EXTENDED = frozenset(["0061", "0192", "0203", "0291", "0301", "0363", "0396"])
# Fields of units of measure, whose coding system is often missing.
_UNIT_FIELDS = frozenset(
    [
        *("OBX-6", "OM2-2", "OM4-5", "SAC-20", "SAC-24", "INV-11"),
        *("RXA-7", "RXA-14", "RXA-24", "RXC-4", "RXC-6", "RXC-9", "RXD-5", "RXD-17", "RXD-23"),
        *("RXE-5", "RXE-11", "RXE-24", "RXE-26", "RXE-29", "RXE-34", "RXG-7", "RXG-16", "RXG-18"),
        *("RXG-24", "RXO-4", "RXO-12", "RXO-19", "RXO-22", "RXO-26"),
    ]
)
_QUANTITY_UNIT = ("CQ", 2)
# Fields of the insurance company: its code and its name.
_PAYER_FIELDS = frozenset(["IN1-3", "IN1-4"])
# Fields that name a test.
_TEST_FIELDS = frozenset(["OBR-4", "OBX-3"])
# The shape of places that hold only codes of their HL7 table, such as types of messages. No code of
# the table is a value of a person, whatever numbers it has (`A31`, `2.3.1`).
LISTED = "listed"
# Shapes that are checked later, when the cells of the table are processed.
_HL7_CLOSED_KINDS = frozenset(["number", "country", "race"])


@dataclass(frozen=True, slots=True)
class CodePlace:
    """The place of a value.

    It consists of the segment, the field and its type, the number of the component with all
    components of the field, and the number of the subcomponent (0 for none) with all subcomponents.
    """

    segment: str
    field: int
    kind: str
    part: int
    parts: Sequence[str]
    sub: int
    subs: Sequence[str]


def may_keep_hl7_code(asked: CodePlace, shape: str, value: str) -> bool:
    """Whether a value that the locus table keeps under that shape may be kept."""
    if shape in _HL7_CLOSED_KINDS or not value:
        return True
    if shape == "unit":
        return is_measure_unit(value) or is_measurement(value)
    if shape == "measure":
        return is_measurement(value)
    if f"{asked.segment}-{asked.field}" in _PAYER_FIELDS and asked.part == 1:
        return names_nobody(value, *PAYER)
    holder, place, beside, tables = value_holder(asked)
    if shape == LISTED:
        return _is_of_tables(tables_of(holder, place), value)
    if holder == "CWE":
        if place not in _SYSTEM_COMPONENTS and _fits_field(asked, value):
            return True
        return _coded_element(place, beside, tables, value)
    return _is_listed_value(type_of(holder, place), tables_of(holder, place) or tables, value)


def _fits_field(asked: CodePlace, value: str) -> bool:
    """Whether the field is of units and the value is one, or of tests and the value is one."""
    name = f"{asked.segment}-{asked.field}"
    if name in _UNIT_FIELDS or (asked.kind, asked.part) == _QUANTITY_UNIT:
        return is_measure_unit(value)
    return name in _TEST_FIELDS and is_laboratory_test(value)


def value_holder(asked: CodePlace) -> tuple[str, int, Sequence[str], Sequence[str]]:
    """Return what defines a value.

    This is the type (or segment) that defines it, its number there, its siblings, and the code
    tables of the type that contains it.
    """
    whole = tables_of(asked.segment, asked.field)
    if not is_composite(asked.kind):
        return asked.segment, asked.field, (), whole
    inner = type_of(asked.kind, asked.part)
    if not is_composite(inner):
        return asked.kind, asked.part, asked.parts, whole
    return inner, asked.sub or 1, asked.subs, tables_of(asked.kind, asked.part)


def _coded_element(place: int, beside: Sequence[str], tables: Sequence[str], value: str) -> bool:
    if place in _SYSTEM_COMPONENTS:
        return _is_system(value)
    if place not in _SYSTEM_OF_COMPONENT:
        return names_nobody(value, *CODED)
    if _is_of_tables(tables, value):
        return True
    named = system_beside(place, beside)
    if system_named(named) is None:
        return names_nobody(value, *CODED)
    return is_code_of(named, value) or is_short_code(value)


def system_beside(place: int, beside: Sequence[str]) -> str:
    """Return the name of the coding system beside a code; "" if there is none."""
    system = _SYSTEM_OF_COMPONENT.get(place, 0)
    return beside[system - 1].strip() if 0 < system <= len(beside) else ""


def _is_system(value: str) -> bool:
    known = in_list("v2-0396", value) or system_named(value) is not None
    return known or names_nobody(value, *CODED)


def _is_of_tables(tables: Sequence[str], value: str) -> bool:
    if any(in_list(f"v2-{table}", value) for table in tables):
        return True
    if _STRUCTURES in tables:
        message, _, event = value.partition("_")
        return in_list("v2-0076", message) and (not event or in_list("v2-0003", event))
    return _LANGUAGES in tables and is_language(value)


def _is_listed_value(kind: str, tables: Sequence[str], value: str) -> bool:
    """Whether a value outside a coded element is in its table or, for local tables, known words."""
    if _is_of_tables(tables, value) or (_CODING_SYSTEMS in tables and _is_system(value)):
        return True
    listed = any(has_list(f"v2-{table}") for table in tables)
    closed = kind == "NM" or (kind == "ID" and listed and not _EXTENDED.intersection(tables))
    return is_short_code(value) if closed else names_nobody(value, *CODED)
