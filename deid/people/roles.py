"""Who is who in the known tables, written down: a small YAML given as `--known`.

    tables:
      - path: contacts.csv          # beside this file
        patient: Patient No         # the column that leads to the patient
        columns:
          Name: {identifier: names, role: relative, part: full}
          Employer: {identifier: names, role: employer, part: organization}

Columns it does not name are known by the profile, as in a table given by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deid.columns.column_profiles import DescribedColumn
from deid.errors import UNREADABLE, DeidError
from deid.policy.strict_yaml import Field, StrictModel, field_validator, parse_strict
from recognizers import ENTITIES, PARTS, ColumnProfile
from safe_harbor import Identifier

SUFFIXES = (".yaml", ".yml")
# How a column profile calls whose the values are.
_ROLES = {
    "patient": "",
    "relative": "relative",
    "employer": "employer",
    "emergency_contact": "contact",
    "guarantor": "guarantor",
    "provider": "provider",
    "other": "other",
}
_SHAPES = {
    Identifier.NAMES: ("PERSON", "name"),
    Identifier.PLACES: ("CITY", "city"),
    Identifier.DATES: ("DATE_TIME", "date"),
}


class ColumnRole(StrictModel):
    """What one column holds, whose it is, and what part of it."""

    identifier: Identifier
    role: Literal[
        "patient", "relative", "employer", "emergency_contact", "guarantor", "provider", "other"
    ] = "patient"
    part: str = ""

    @field_validator("part")
    @classmethod
    def _known(cls, part: str) -> str:
        if part and part not in PARTS:
            raise ValueError(f"one of: {', '.join(sorted(PARTS))}")
        return part

    def described(self) -> DescribedColumn:
        """The column as the tables' own profile would describe it."""
        first = next(entity for entity, word in ENTITIES.items() if word is self.identifier)
        entity, shape = _SHAPES.get(self.identifier, (first, self.identifier.value))
        profile = ColumnProfile(
            kind="identifier",
            identifier=self.identifier,
            entity="ORGANIZATION" if self.part == "organization" else entity,
            shape=self.part if self.part in ("organization", "street", "zip") else shape,
            role=_ROLES[self.role],
            confidence=1.0,
            reasons=("named in the table of roles",),
        )
        return DescribedColumn(profile, by_schema=True, path="named", part=self.part)


class TableRoles(StrictModel):
    """One known table."""

    path: str = Field(min_length=1)
    patient: str | None = None
    columns: dict[str, ColumnRole] = Field(default_factory=dict)


class Roles(StrictModel):
    """The whole file."""

    tables: tuple[TableRoles, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A known table: where it lies, the column that leads to the patient, the columns named."""

    path: Path = field(repr=False)
    patient: str | None = None
    columns: Mapping[str, DescribedColumn] = field(default_factory=dict)


@contextmanager
def without_path(number: int) -> Iterator[None]:
    """A `--known` that cannot be opened is told by its number.

    Raises:
        DeidError: `known-unreadable`.
    """
    try:
        yield
    except OSError:
        raise DeidError(
            "known-unreadable",
            "a --known table is missing or may not be read",
            place=f"--known {number}",
            exit_code=UNREADABLE,
        ) from None


def known_tables(known: Path, patient_key: str | None) -> tuple[KnownTable, ...]:
    """The tables that one `--known` gives: itself, or those that a file of roles names.

    Raises:
        DeidError: `roles-invalid`, `roles-table-missing`, by ordinal.
    """
    if known.suffix.casefold() not in SUFFIXES:
        return (KnownTable(known, patient_key),)
    return tuple(
        KnownTable(
            _beside(known, table.path, ordinal),
            table.patient or patient_key,
            {name: role.described() for name, role in table.columns.items()},
        )
        for ordinal, table in enumerate(_read(known).tables, 1)
    )


def _beside(roles: Path, relative: str, ordinal: int) -> Path:
    path = roles.parent / relative
    if not path.is_file():
        raise DeidError(
            "roles-table-missing",
            "a table that the file of roles names does not exist",
            place=f"table {ordinal}",
            hint="paths are read from the folder of that file",
        )
    return path


def _read(path: Path) -> Roles:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise DeidError("roles-invalid", "the file of roles cannot be read", hint=_HINT) from None
    return parse_strict(
        Roles, text, code="roles-invalid", what="the file of roles", hint=_HINT, hidden="columns"
    )


_HINT = "tables: [{path, patient, columns: {NAME: {identifier, role, part}}}]"
