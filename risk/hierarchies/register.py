"""Hierarchies by name: built in by type, guessed from a column's values, or read from a file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from risk.errors import RiskError
from risk.hierarchies.hierarchy import TOP, Hierarchy
from risk.hierarchies.level_maps import text_of
from risk.hierarchies.rules import (
    Ages,
    Bands,
    Dates,
    Flat,
    Icd10Cm,
    Rule,
    States,
    Zips,
    quantile_bands,
    round_bands,
)
from risk.tables.coding import CodedColumn, CodedTable, encode

_MOST = 0.98


def _numbers(make: Callable[..., Bands]) -> Callable[[CodedColumn], Rule]:
    def build(column: CodedColumn) -> Rule:
        counts = np.bincount(column.codes, minlength=column.cardinality)
        numbers = [_number(value) for value in column.values]
        repeated = [
            n for n, c in zip(numbers, counts, strict=True) if n is not None for _ in range(int(c))
        ]
        if not repeated:
            raise _not_understood(column, "number", 0)
        return make(repeated)

    return build


def _dates(column: CodedColumn) -> Rule:
    times = any(":" in str(value) for value in column.values)
    return Dates(_order(column), times)


KINDS: Mapping[str, Callable[[CodedColumn], Rule]] = {
    "age": lambda column: Ages(),
    "date": _dates,
    "zip": lambda column: Zips(),
    "state": lambda column: States(),
    "icd10cm": lambda column: Icd10Cm(),
    "number": _numbers(round_bands),
    "quantile": _numbers(quantile_bands),
    "flat": lambda column: Flat(),
}


def build_hierarchy(kind: str, column: CodedColumn) -> tuple[Hierarchy, Rule]:
    """A built-in hierarchy over the values of a column.

    Raises:
        RiskError: `unknown-kind`, or `not-understood` where values are none of that kind.
    """
    if kind not in KINDS:
        raise RiskError(
            "there is no such built-in hierarchy",
            code="unknown-kind",
            place=f"column {column.name!r}",
            hint=f"known: {', '.join(KINDS)}",
        )
    rule = KINDS[kind](column)
    return apply_rule(rule, column), rule


def apply_rule(rule: Rule, column: CodedColumn) -> Hierarchy:
    """The hierarchy a rule makes of a column's values and of its own domain."""
    seen = list(dict.fromkeys(text_of(v) for v in column.values if v is not None))
    known = set(seen)
    rows, lost = [], 0
    for value in (*seen, *(v for v in rule.domain(seen) if v not in known)):
        told = rule.tell(value)
        if told is None:
            lost += 1
        else:
            rows.append([value, *told])
    if lost:
        raise _not_understood(column, rule.kind, lost)
    if not rows:
        rows.append([TOP, *(rule.tell("0") or (TOP,))])
    return Hierarchy.of_rows(column.name, rows, source=rule.kind)


def restore(kind: str, settings: Mapping[str, Any]) -> Rule:
    """The rule a saved plan names."""
    if kind == "number":
        return Bands(tuple(tuple(float(c) for c in cut) for cut in settings.get("cuts", ())))
    if kind == "date":
        return Dates(str(settings.get("order", "mdy")), bool(settings.get("times")))
    plain: dict[str, Rule] = {
        "age": Ages(), "zip": Zips(), "state": States(), "icd10cm": Icd10Cm(), "flat": Flat()
    }  # fmt: skip
    if kind not in plain:
        raise RiskError("the plan names an unknown hierarchy", code="plan-invalid")
    return plain[kind]


def guess_hierarchy(column: CodedColumn) -> str:
    """The built-in kind that a column's name and values speak for; `flat` where none does.

    Dates, states and diagnosis codes are known by their look; ages and ZIP codes look like other
    numbers and need a name that says so.
    """
    values = [text_of(v) for v in column.values if v is not None]
    words = set("".join(c if c.isalnum() else " " for c in column.name.lower()).split())
    named: dict[str, Rule] = {"age": Ages(), "zip": Zips()}
    for word, kind in (("age", "age"), ("zip", "zip"), ("zip5", "zip"), ("zipcode", "zip")):
        if word in words and all(named[kind].tell(v) for v in values):
            return kind
    for kind, rule in (
        ("state", States()), ("date", Dates(_order(column))), ("icd10cm", Icd10Cm())
    ):  # fmt: skip
        looks = kind != "icd10cm" or any(len(v) > 3 for v in values)
        if values and looks and all(rule.tell(v) for v in values):
            return kind
    if len(values) > 20 and all(_number(v) is not None for v in values):
        return "number"
    return "flat"


def read_hierarchies(folder: Path, columns: list[str]) -> dict[str, Hierarchy]:
    """ARX's CSV files for those columns that have one: `COLUMN.csv` or `..._hierarchy_COLUMN.csv`.

    Raises:
        RiskError: no such folder, or a file that is no hierarchy.
    """
    if not folder.is_dir():
        raise RiskError(
            "the folder of hierarchies is not there",
            code="missing-hierarchies",
            hint="one file COLUMN.csv a column: value;level 1;level 2;...",
        )
    found = {}
    for column in columns:
        names = (f"{column}.csv", f"hierarchy_{column}.csv")
        for path in sorted(folder.glob("*.csv")):
            if path.name == names[0] or path.name.endswith(f"_{names[1]}") or path.name == names[1]:
                found[column] = read_hierarchy(path, column)
                break
    return found


def read_hierarchy(path: Path, column: str) -> Hierarchy:
    """One ARX hierarchy: no header line, semicolons (or commas, tabs, pipes) between levels."""
    place = f"hierarchy of {column!r}"
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise RiskError(
            "the hierarchy cannot be read as UTF-8 text",
            code="unreadable-hierarchy",
            place=place,
            exit_code=6,
        ) from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = max(";,\t|", key=first.count)
    rows: list[list[str | None]] = [
        [cell or None for cell in row] for row in csv.reader(text.splitlines(), delimiter=mark)
        if row
    ]  # fmt: skip
    return Hierarchy.of_rows(column, rows)


def _order(column: CodedColumn) -> str:
    """mdy, or dmy where a first number above 12 shows it."""
    for value in column.values:
        parts = str(value).split(" ")[0].replace("-", "/").replace(".", "/").split("/")
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() for p in parts):
            continue
        if len(parts[0]) <= 2 and int(parts[0]) > 12:
            return "dmy"
    return "mdy"


def _number(value: object) -> float | None:
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if number == number else None


def _not_understood(column: CodedColumn, kind: str, lost: int) -> RiskError:
    return RiskError(
        f"{lost or 'all'} of {column.cardinality} values are not told by the hierarchy {kind!r}",
        code="not-understood",
        place=f"column {column.name!r}",
        hint=f"name another with `--hierarchy {column.name}=KIND` ({', '.join(KINDS)}) or a file",
    )


def with_hierarchies(
    table: Any, hierarchies: Mapping[str, Hierarchy]
) -> tuple[CodedTable, dict[str, Hierarchy]]:
    """The table encoded (it is anything `encode` takes), and a hierarchy for every column of it:
    the one given, or the built-in one that its values speak for."""
    coded = encode(table)
    found = {
        column.name: hierarchies.get(column.name)
        or build_hierarchy(guess_hierarchy(column), column)[0]
        for column in coded.columns
    }
    return coded, found
