"""Published data models: what their columns hold, and how to recognize their tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from deid.vocabularies.locus import profile_of
from recognizers import ColumnProfile
from safe_harbor import csv_rows

_NUMBERED_SUFFIX = re.compile(r"[._-](?:0\d{0,3}|\d)$")


@dataclass(frozen=True, slots=True)
class _Line:
    table: str
    names: tuple[str, ...]
    profile: ColumnProfile

    def speaks_of(self, table: str, column: str) -> bool:
        """Whether this line of a model describes that column of that table."""
        named = any(fnmatchcase(column.casefold(), name.casefold()) for name in self.names)
        return named and self.table in ("*", table)


@dataclass(frozen=True, slots=True)
class Schema:
    """One table of a published model: `table` is its name in the model, "" for any table."""

    name: str
    table: str

    def column(self, header: str) -> ColumnProfile | None:
        """Return the profile that the model gives a column; None if the model does not list it."""
        lines = [line for line in _model_lines(self.name) if line.speaks_of(self.table, header)]
        own = next((line for line in lines if line.table != "*"), None)
        found = own or next(iter(lines), None)
        return None if found is None else found.profile


@cache
def _model_lines(name: str) -> tuple[_Line, ...]:
    lines = []
    for row in _schema_rows(f"{name}.csv"):
        if not row["column"]:
            continue
        profile = profile_of(row, f"a column of {name}")
        lines.append(_Line(row["table"], tuple(row["column"].split("|")), profile))
    return tuple(lines)


@cache
def _model_tables(name: str) -> frozenset[str]:
    return frozenset(row["table"] for row in _schema_rows(f"{name}.csv")) - {"*"}


@cache
def _marks() -> tuple[Mapping[str, str], ...]:
    """The columns by which the tables of each model are recognized, and the least share of a
    table's columns that the model must list.
    """
    return tuple(_schema_rows("marks.csv"))


def _schema_rows(file: str) -> list[dict[str, str]]:
    return csv_rows(files("deid.vocabularies.schemas") / file)


def find_schema(table: str, columns: Sequence[str]) -> Schema | None:
    """The published model that a table follows, by its path and columns; None if there is none."""
    folded = {column.strip().casefold() for column in columns}
    stem = re.sub(r"[^a-z0-9]+", "_", PurePosixPath(table).name.casefold().split(".")[0])
    for mark in _marks():
        own = _model_table(mark["schema"], stem)
        if mark["stem"] == "required" and not own:
            continue
        if mark["columns"] and not folded & set(mark["columns"].casefold().split("|")):
            continue
        schema = Schema(mark["schema"], own)
        known = sum(schema.column(column.strip()) is not None for column in columns)
        if columns and known >= float(mark["share"]) * len(columns):
            return schema
    return None


def is_table(stem: str) -> bool:
    """Whether a file is named after a table of a published model or a FHIR resource.

    Case does not matter. The name may have the part number of bulk exports: `Encounter.000`.
    """
    name = _NUMBERED_SUFFIX.sub("", stem)
    if name.casefold() in _fhir_resources():
        return True
    models = {mark["schema"] for mark in _marks()}
    return any(name.casefold() in _model_tables(model) for model in models)


@cache
def _fhir_resources() -> frozenset[str]:
    text = (files("deid.vocabularies.schemas") / "fhir_types.txt").read_text("utf-8")
    return frozenset(text.casefold().split())


def _model_table(name: str, stem: str) -> str:
    """Return the table of a model that a file is named after: `person` for `omop_person_2024`."""
    padded = f"_{stem}_"
    found = [table for table in _model_tables(name) if f"_{table}_" in padded]
    return max(found, key=len, default="")


@cache
def published_names() -> frozenset[str]:
    """The column names of published models, as the models spell them."""
    models = {mark["schema"] for mark in _marks()}
    names = (name for model in models for line in _model_lines(model) for name in line.names)
    return frozenset(name for name in names if not any(mark in name for mark in "*?["))
