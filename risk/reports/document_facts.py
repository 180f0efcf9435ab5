"""The facts that a report needs as a document: the file measured, the program, the recipient and
the expiry date."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from risk.errors import RiskError
from risk.measures.release_context import kind_of_variable

_JUDGED = ("replicable", "distinguishable", "knowable", "unique", "useful")
_YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class JudgedVariable:
    """Why a column is a direct identifier, a quasi-identifier, or neither.

    Review of 2015: an identifier is replicable, distinguishable and knowable; it is direct if
    unique or of no use for analysis.
    """

    column: str
    replicable: bool
    distinguishable: bool
    knowable: bool
    unique: bool
    useful: bool
    reason: str

    @property
    def kind(self) -> str:
        return kind_of_variable(
            replicable=self.replicable,
            distinguishable=self.distinguishable,
            knowable=self.knowable,
            unique=self.unique,
            useful=self.useful,
        )


@dataclass(frozen=True)
class DocumentFacts:
    """The facts that a report needs as a document.

    `file`, `sha256` and `rows` are those of the table measured; `columns` are all of its columns,
    `variables` the judgments about them. `expires` is the last day of the determination.
    """

    file: str
    sha256: str | None
    rows: int
    made_on: date
    version: str
    command: str
    columns: tuple[str, ...] = ()
    variables: tuple[JudgedVariable, ...] = ()
    recipient: str = ""
    purpose: str = ""
    expires: date | None = None

    def __post_init__(self) -> None:
        if self.expires is not None and self.expires <= self.made_on:
            raise RiskError(
                "--expires must be later than the date of the determination",
                code="bad-expiry",
                place="--expires",
                hint="give a later day, YYYY-MM-DD",
            )

    def unsettled(self, quasi: Sequence[str]) -> tuple[str, ...]:
        """Sentences about the differences between the judgments and the measured
        quasi-identifiers."""
        judged = {variable.column: variable.kind for variable in self.variables}
        found = [
            f"{name} was judged a quasi-identifier, but was not measured"
            for name, kind in judged.items()
            if kind == "quasi" and name not in quasi
        ]
        found += [
            f"{name} was judged a direct identifier, but is in the table"
            for name, kind in judged.items()
            if kind == "direct" and name in self.columns
        ]
        if judged and (rest := [c for c in self.columns if c not in judged and c not in quasi]):
            found.append(f"columns that were not judged: {', '.join(rest)}")
        return tuple(found)


def read_variables(path: Path) -> tuple[JudgedVariable, ...]:
    """Read the judgments about columns from a CSV file: column, replicable, distinguishable,
    knowable, unique, useful (yes or no), reason.

    Raises:
        RiskError: `bad-variables` for another file.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        return tuple(_variable_of(row) for row in rows)
    except (OSError, UnicodeDecodeError, KeyError, AttributeError):
        raise RiskError(
            "the file cannot be read, lacks a column, or has an answer other than yes or no",
            code="bad-variables",
            place="--variables",
            hint=f"give a CSV with the columns column, {', '.join(_JUDGED)} (yes or no), reason",
        ) from None


def _variable_of(row: Mapping[str, str]) -> JudgedVariable:
    answers = {name: _YES_OR_NO[row[name].strip().lower()] for name in _JUDGED}
    return JudgedVariable(row["column"], reason=row.get("reason") or "", **answers)
