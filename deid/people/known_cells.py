"""The known values in the cells of a row, each with its role and part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from deid.columns.column_profiles import DescribedColumn
from deid.formats.cda.closed_lists import CDA_CONSTANTS
from deid.people.linking import normal_key
from deid.vocabularies.name_parts import NAME_TITLES, name_part
from deid.vocabularies.wording import WORDED_KEY, names_nobody
from recognizers import (
    KIND_SHAPES,
    KnownValue,
    header_words,
    identifier_told_by,
    is_care_unit,
    is_filler_value,
    word_evidence,
)
from safe_harbor import Identifier, is_state

LONGEST_COMMENT, LONG = 400, 11
# In the name of a product, runs of three letters and more count as words.
_PRODUCT_WORD, _LEAST_LISTED = re.compile(r"[^\W\d_]{3,}"), 2
# A number after a blank, one of three digits, or a second number.
_OWN_NUMBER = re.compile(r"(?:^|[\s#:(/])\w?\d|\d{3}|\d\D+\d")
_WHOLE_ADDRESS = re.compile(
    r"[,;\n]\s*([A-Z][^\W\d_]+(?:[ .'-]+[^\W\d_]+){0,3}),?\s+"
    r"([A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
    r"[ ,]*(?:\d{5}(?:-?\d{4})?)?\s*(?:,?\s*U\.?S\.?A?\.?)?\s*$"
)
_COMMENTS = frozenset({"comment", "remark", "memo", "alert", "annotation"})
_SHAPE_PARTS = {
    "organization": "organization",
    "street": "street",
    "city": "city",
    "county": "county",
    "state": "state",
    "zip": "zip",
    "facility": "facility",
    "birth_date": "birth",
    "date": "event",
    "age": "age",
}
_ROLE_OF_PREFIX = {
    "": "patient",
    "relative": "relative",
    "contact": "emergency_contact",
    "guarantor": "guarantor",
    "provider": "provider",
    "employer": "employer",
}
# Words of a relationship or role column, and the role that each group means.
_ROLE_WORDS = (
    ("employer", ("employer", "employed", "workplace", "company", "former employer")),
    (
        "facility",
        ("school", "facility", "agency", "shelter", "nursing home", "pharmacy", "hospital"),
    ),
    ("provider", ("pcp", "provider", "physician", "doctor", "attending", "referral", "surgeon")),
    ("guarantor", ("guarantor", "subscriber", "insured", "policy holder")),
    ("emergency_contact", ("emergency", "next of kin", "proxy", "poa", "guardian", "attorney")),
    ("patient", ("self", "patient")),
)


class CountedCells(Enum):
    """The cells of a column that count as known values."""

    ALL = auto()
    #: Cells that look like a value of the identifier, in a withheld column.
    LOOKALIKES = auto()
    #: Cells that consist of more than published words, in a column of keys.
    UNPUBLISHED = auto()
    #: Cells that are not the kind of a care unit and may name one, in a column of kinds.
    NAMED_UNITS = auto()


@dataclass(frozen=True, slots=True)
class KnownColumn:
    """One column that holds known values: index, identifier, role and part.

    `counted` says which of its cells count. The normalized values in `ignored` never count.
    """

    index: int
    identifier: Identifier
    role: str
    part: str
    counted: CountedCells = CountedCells.ALL
    ignored: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def is_withheld(self) -> bool:
        """Whether the column is withheld because its contents are unknown."""
        return self.counted is CountedCells.LOOKALIKES

    @property
    def is_read_by_cell(self) -> bool:
        """Whether only the words of a cell show if it holds a value, and how many values."""
        read = self.part in ("street", "comment") or self.identifier is Identifier.DEVICES
        judged = self.counted in (CountedCells.LOOKALIKES, CountedCells.NAMED_UNITS)
        return read or judged or bool(self.ignored)

    def tells(self, value: str) -> bool:
        """Whether a cell that is no placeholder may be a value of the column's identifier."""
        if self.ignored and normal_key(value) in self.ignored:
            return False
        if self.identifier is Identifier.DEVICES and _is_model(value):
            return False
        match self.counted:
            case CountedCells.LOOKALIKES:
                return identifier_told_by(value) is self.identifier
            case CountedCells.UNPUBLISHED:
                return not names_nobody(value, WORDED_KEY)
            case CountedCells.NAMED_UNITS:
                return not is_care_unit(value)
        return True


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """The columns of known values in a table, and the columns that say who a row is about."""

    columns: tuple[KnownColumn, ...]
    role_columns: tuple[int, ...]

    def values(self, cells: Sequence[str | None]) -> Iterator[KnownValue]:
        """The known values of one row, without nulls and placeholders."""
        role = row_role([cells[i] for i in self.role_columns])
        for column in self.columns:
            yield from self.values_of_cell(column, cells[column.index], role)

    def values_of_cell(
        self, column: KnownColumn, value: str | None, role: str
    ) -> Iterator[KnownValue]:
        """The known values of one cell, in a row about a person with that role."""
        if value is None or is_filler_value(value) or not _is_searchable(column, value):
            return
        yield _known_value(column, value.strip(), role)
        if column.part == "street" and (town := _town_of(value)):
            yield _known_value(replace(column, part="city"), town, role)


def telling_columns(
    columns: Sequence[str], seen: Sequence[DescribedColumn], *, comments: bool = False
) -> KnownColumns:
    """The columns of a table that hold values to search for.

    With `comments`, these include the remarks of tables with names, because clerks write names and
    numbers there. Remarks of an input are searched as texts instead: findings in them are known
    values.
    """
    searchable = [
        column
        for index, (header, described) in enumerate(zip(columns, seen, strict=True))
        for column in _known_columns(index, header, described)
    ]
    named = any(c.identifier is Identifier.NAMES and c.role != "provider" for c in searchable)
    if not (comments and named):
        searchable = [c for c in searchable if c.part != "comment"]
    role_columns = [
        index
        for index, described in enumerate(seen)
        if not described.path
        and (described.profile.shape == "relation" or "relation" in header_words(columns[index]))
    ]
    return KnownColumns(tuple(searchable), tuple(role_columns))


def _known_columns(index: int, header: str, described: DescribedColumn) -> Iterator[KnownColumn]:
    """Yield the known columns in a table column; a withheld one may hold several identifiers."""
    if described.profile.kind == "unsure" and not described.path:
        yield KnownColumn(index, Identifier.NAMES, "other", "", CountedCells.LOOKALIKES)
        yield KnownColumn(index, Identifier.OTHERS, "other", "", CountedCells.LOOKALIKES)
    elif (column := _column(index, header, described)) is not None:
        yield column


def _column(index: int, header: str, described: DescribedColumn) -> KnownColumn | None:
    seen = described.profile
    words = set() if described.path else set(header_words(header))
    if described.part == "none":
        return None
    if seen.kind == "text":
        told = bool(words & _COMMENTS)
        return KnownColumn(index, Identifier.OTHERS, "patient", "comment") if told else None
    if seen.kind == "keep" and seen.shape in KIND_SHAPES:
        return KnownColumn(index, Identifier.PLACES, "other", "facility", CountedCells.NAMED_UNITS)
    if seen.kind not in ("identifier", "quasi") or seen.identifier is None:
        return None
    if seen.shape in ("state", "date_part", "year", "birth_year") or seen.entity == "AGE":
        return None
    if words & NAME_TITLES:
        return None
    part = _SHAPE_PARTS.get(seen.shape, "")
    if described.part:
        part = described.part
    elif seen.shape == "name":
        part = name_part(words)
    role = _ROLE_OF_PREFIX.get(seen.role, "other")
    is_keys = seen.identifier is Identifier.OTHERS and seen.shape == "key"
    counted = CountedCells.UNPUBLISHED if is_keys else CountedCells.ALL
    return KnownColumn(index, seen.identifier, role, part, counted)


def _is_model(value: str) -> bool:
    """Whether the value names a product (`Accula SARS-CoV-2 Test`), not one device or a person.

    Most of its words are everyday or clinical words. It has at most one short number, and this
    number is part of a word. A number after a blank may be the number of the device (`Pump 30`).
    """
    words = [word_evidence(run) for run in _PRODUCT_WORD.findall(value)]
    listed = sum(word.is_ordinary for word in words)
    worded = listed >= _LEAST_LISTED and 2 * listed > len(words)
    return worded and _OWN_NUMBER.search(value) is None and identifier_told_by(value) is None


def _town_of(address: str) -> str:
    """The town in an address of one cell: before the state, after a comma or a line end."""
    match = _WHOLE_ADDRESS.search(address)
    return match[1].strip() if match and is_state(match[2]) else ""


def row_role(cells: Sequence[str | None]) -> str:
    """The role of the person that a row is about, from its role cells; "" if all are empty."""
    text = " ".join(cell.casefold() for cell in cells if cell and not is_filler_value(cell))
    if not text:
        return ""
    return next(
        (role for role, words in _ROLE_WORDS if any(word in text for word in words)), "relative"
    )


def _known_value(column: KnownColumn, value: str, role: str) -> KnownValue:
    if not role or role == "patient" or column.role != "patient" or column.part == "comment":
        return KnownValue(column.identifier, value, column.role, column.part)
    part = column.part
    if role in ("employer", "facility") and column.identifier is Identifier.NAMES:
        part = "organization"
    return KnownValue(column.identifier, value, role, part)


def _is_searchable(column: KnownColumn, value: str) -> bool:
    """Whether the value is long enough, and a comment short enough, to be searched for.

    Constants that a format puts into every document are not searched for.
    """
    if value.strip() in CDA_CONSTANTS:
        return False
    if column.part == "comment":
        return len(value) <= LONGEST_COMMENT
    if not column.tells(value):
        return False
    if len(value) > LONG:
        return True
    return sum(c.isalnum() for c in value) >= least_letters(column.identifier)


def least_letters(identifier: Identifier) -> int:
    """Return how many letters and digits a short value needs to be searched for."""
    return 2 if identifier in (Identifier.NAMES, Identifier.PLACES) else 3
