"""The roles file, a small YAML given as `--known`, says which person each column is about.

    tables:
      - path: contacts.csv          # path relative to this file
        patient: Patient No         # the column with the patient's key
        columns:
          Name: {identifier: names, role: relative, part: full}
          Employer: {identifier: names, role: employer, part: organization}

The profile describes columns that the file does not name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deid.columns.column_profiles import DescribedColumn
from deid.errors import UNREADABLE, DeidError
from deid.naming.files import shown_place
from deid.policy.strict_yaml import Field, StrictModel, field_validator, parse_strict
from recognizers import ENTITIES, VALUE_PARTS, ColumnProfile
from safe_harbor import Identifier

ROLES_FILE_SUFFIXES = (".yaml", ".yml")
# The name of each role in a column profile.
_PREFIX_OF_ROLE = {
    "patient": "",
    "relative": "relative",
    "employer": "employer",
    "emergency_contact": "contact",
    "guarantor": "guarantor",
    "provider": "provider",
    "other": "other",
}
_PROFILE_SHAPES = {
    Identifier.NAMES: ("PERSON", "name"),
    Identifier.PLACES: ("CITY", "city"),
    Identifier.DATES: ("DATE_TIME", "date"),
}


class ColumnRole(StrictModel):
    """What one column holds: an identifier, the role of the person who has it, and its part."""

    identifier: Identifier
    role: Literal[
        "patient", "relative", "employer", "emergency_contact", "guarantor", "provider", "other"
    ] = "patient"
    part: str = ""

    @field_validator("part")
    @classmethod
    def _known(cls, part: str) -> str:
        if part and part not in VALUE_PARTS:
            raise ValueError(f"one of: {', '.join(sorted(VALUE_PARTS))}")
        return part

    def described(self) -> DescribedColumn:
        """The column as a profile would describe it."""
        first = next(entity for entity, word in ENTITIES.items() if word is self.identifier)
        entity, shape = _PROFILE_SHAPES.get(self.identifier, (first, self.identifier.value))
        profile = ColumnProfile(
            kind="identifier",
            identifier=self.identifier,
            entity="ORGANIZATION" if self.part == "organization" else entity,
            shape=self.part if self.part in ("organization", "street", "zip") else shape,
            role=_PREFIX_OF_ROLE[self.role],
            confidence=1.0,
            reasons=("named in the table of roles",),
        )
        return DescribedColumn(profile, by_schema=True, path="named", part=self.part)


class TableRoles(StrictModel):
    """One known table of a roles file."""

    path: str = Field(min_length=1)
    patient: str | None = None
    columns: dict[str, ColumnRole] = Field(default_factory=dict)


class Roles(StrictModel):
    """The whole roles file."""

    tables: tuple[TableRoles, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A known table: its path, its column of patient keys, and the columns that the file names."""

    path: Path = field(repr=False)
    patient: str | None = None
    columns: Mapping[str, DescribedColumn] = field(default_factory=dict)


@contextmanager
def without_path(number: int, path: Path) -> Iterator[None]:
    """Report an unreadable `--known` by its number, and by its name only if the name is harmless.

    Raises:
        DeidError: `known-unreadable`.
    """
    try:
        yield
    except OSError:
        raise DeidError(
            "known-unreadable",
            "a --known table is missing or cannot be read",
            place=shown_place(f"--known {number}", path.name),
            hint="check the path and the permissions",
            exit_code=UNREADABLE,
        ) from None


def known_tables(known: Path, patient_key: str | None) -> tuple[KnownTable, ...]:
    """The tables of one `--known`: the file itself, or the tables that a roles file names.

    Raises:
        DeidError: `roles-invalid`, `roles-table-missing` (with the ordinal of the table).
    """
    if known.suffix.casefold() not in ROLES_FILE_SUFFIXES:
        return (KnownTable(known, patient_key),)
    return tuple(
        KnownTable(
            _resolve(known, table.path, ordinal),
            table.patient or patient_key,
            {name: role.described() for name, role in table.columns.items()},
        )
        for ordinal, table in enumerate(_read_roles(known).tables, 1)
    )


def _resolve(roles: Path, relative: str, ordinal: int) -> Path:
    path = roles.parent / relative
    if not path.is_file():
        raise DeidError(
            "roles-table-missing",
            "a table that the roles file names does not exist",
            place=shown_place(f"table {ordinal}", relative),
            hint="paths are relative to the folder of the roles file",
        )
    return path


def _read_roles(path: Path) -> Roles:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise DeidError("roles-invalid", "the roles file cannot be read", hint=_HINT) from None
    return parse_strict(
        Roles, text, code="roles-invalid", what="the roles file", hint=_HINT, hidden="columns"
    )


_HINT = "tables: [{path, patient, columns: {NAME: {identifier, role, part}}}]"
