"""Finds the locus of each place in an HL7 v2 message: by a row for the field, or for its type.

`types.csv` has the data type of every field and component of the versions 2.1 to 2.8.2. `loci.csv`
has the content of a type or a single field. `roles.csv` has the person to whom the content belongs.
A row for the field (`PID-3.1`) comes before a row for the type (`CX.1`), and a row with the
qualifier of the value (`CX.1[SS]`) before a row without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

from deid.vocabularies.locus import Locus, LocusTable
from safe_harbor import csv_rows

# Component types whose second and further parts are described only by their own rows.
_SUBCOMPONENT_TYPES = frozenset(["EI", "FN", "HD", "SAD"])
# The role of values in the part of a message about another patient.
ANOTHER = "relative"


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """One place in a message: its path, without ordinals or values, and its locus."""

    path: str
    locus: Locus | None

    @property
    def kind(self) -> str:
        """`keep`, `text`, `identifier`, `quasi`, or `unsure` if the value is not released."""
        return "unsure" if self.locus is None else self.locus.profile.kind


_HL7_FOLDER = files("deid.formats.hl7v2")


@cache
def _types() -> dict[tuple[str, int], str]:
    rows = csv_rows(_HL7_FOLDER / "types.csv")
    return {(row["name"], int(row["part"])): row["type"] for row in rows}


@cache
def _code_tables() -> dict[tuple[str, int], tuple[str, ...]]:
    rows = csv_rows(_HL7_FOLDER / "types.csv")
    return {
        (row["name"], int(row["part"])): tuple(row["tables"].split("|"))
        for row in rows
        if row["tables"]
    }


@cache
def _roles_by_path() -> dict[str, str]:
    return {row["path"]: row["role"] for row in csv_rows(_HL7_FOLDER / "roles.csv")}


@cache
def _hl7_loci() -> LocusTable:
    return LocusTable.read("deid.formats.hl7v2")


def type_of(name: str, part: int) -> str:
    """The type of a segment's field or of a type's component; "" if the table has none."""
    found = _types().get((same_type(name), part), "")
    return same_type(found) if found else ""


def tables_of(name: str, part: int) -> tuple[str, ...]:
    """Return the code tables (such as `0001`) of a field or component; empty if it has none."""
    return _code_tables().get((same_type(name), part), ())


def same_type(kind: str) -> str:
    """Return the type in the table that has the same components as `kind`: `CWE` for `CE`."""
    return _types().get((kind, 0), kind)


# Segments of version 2.9, which are missing in the table of types.
_NEWER = frozenset(["CTR", "DEV", "DPS", "LTS", "OH1", "OH2", "OH3", "OH4", "PAC", "SCZ"])


@cache
def is_segment(name: str) -> bool:
    """Whether the name is a standard segment or a site's Z-segment."""
    return name[0] == "Z" or name in _NEWER or any(one == name for one, _ in _types())


def is_composite(kind: str) -> bool:
    """Whether the type has components."""
    return (same_type(kind), 1) in _types()


@lru_cache(maxsize=1 << 15)
def field_place(
    segment: str, field: int, kind: str, part: int, sub: int, qualifier: str, role: str | None
) -> FieldPlace:
    """The place of one value.

    `kind` is the type of the field; `part` and `sub` count components and subcomponents from 1, and
    a `sub` of 0 means that the component has none. `qualifier` is the type of an identifier or
    telephone number, for example; `role`, if not None, replaces the role of the value.
    """
    varies = type_of(segment, field) == "varies"
    name = f"{segment}-{field}"
    base = f"{name}[{kind}]" if varies else name
    plain = not is_composite(kind) and part == 1 and not sub
    path = base if plain else f"{base}.{part}" + (f".{sub}" if sub else "")
    found = _find_line(base, kind, part, sub, qualifier)
    if found is None:
        return FieldPlace(path, None)
    if found.path.endswith(f"[{qualifier}]") and qualifier:
        path += f"[{qualifier}]"
    whose = _value_role(segment, name, found.profile.role, kind) if role is None else role
    profile = replace(found.profile, role=whose, reasons=("a path of hl7v2",))
    return FieldPlace(path if role is None else f"{path}@{role}", Locus(path, profile, found.part))


@lru_cache(maxsize=1 << 12)
def is_running(segment: str, field: int, kind: str) -> bool:
    """Whether the whole field, including its delimiters, is one text."""
    if kind == "text":
        return True
    base = f"{segment}-{field}"
    lines = (_hl7_loci().find(f"{base}[{kind}]"), _hl7_loci().find(base))
    own = next((found for found in lines if found is not None), None)
    if own is None and not is_composite(kind):
        own = _hl7_loci().find(kind)
    return own is not None and own.profile.kind == "text"


def special(path: str, line: str, role: str | None) -> FieldPlace:
    """Return the place `path` with the locus of the table row `line`, regardless of its type."""
    found = _hl7_loci().find(line)
    if found is None:
        raise KeyError(line)
    profile = replace(found.profile, role=found.profile.role if role is None else role)
    shown = path if role is None else f"{path}@{role}"
    return FieldPlace(shown, Locus(path, profile, found.part))


def _value_role(segment: str, field: str, typed: str, kind: str) -> str:
    """The role of a value: by its field, its row of the table, its type or its segment."""
    roles = _roles_by_path()
    role = roles.get(field) or typed or roles.get(kind) or roles.get(segment, "")
    return "" if role == "patient" else role


def _find_line(base: str, kind: str, part: int, sub: int, qualifier: str) -> Locus | None:
    """Return the first row for the place; None for a value beyond the components of its type."""
    names = list(_locus_names(base, kind, part, sub))
    if not names:
        return None
    if qualifier:
        names = [f"{name}[{qualifier}]" for name in names] + names
    return next((found for name in names if (found := _hl7_loci().find(name)) is not None), None)


def _locus_names(base: str, kind: str, part: int, sub: int) -> Iterator[str]:
    """The names of the rows to try, from the most specific to the most general."""
    inner = type_of(kind, part) if is_composite(kind) else kind
    if not inner or (not is_composite(kind) and (part > 1 or sub > 1)):
        return
    deeper = type_of(inner, sub or 1) if is_composite(inner) else inner
    if not deeper or (sub > 1 and not is_composite(inner)):
        return
    leaf = type_of(deeper, 1) if is_composite(deeper) else deeper
    yield from (f"{base}.{part}.{sub}",) if sub else ()
    yield from (f"{base}.{part}", base)
    if is_composite(kind) and not (sub > 1 and inner in _SUBCOMPONENT_TYPES):
        yield f"{kind}.{part}"
    if is_composite(inner):
        yield f"{inner}.{sub or 1}"
    if is_composite(deeper):
        yield f"{deeper}.1"
    yield leaf
