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
    AgeRule,
    BandRule,
    DateRule,
    FlatRule,
    HierarchyRule,
    Icd10CmRule,
    StateRule,
    ZipRule,
    quantile_bands,
    round_bands,
)
from risk.tables.coding import CodedColumn, CodedTable, encode

_UNUSED = 0.98


def _number_rule(make: Callable[..., BandRule]) -> Callable[[CodedColumn], HierarchyRule]:
    def build(column: CodedColumn) -> HierarchyRule:
        counts = np.bincount(column.codes, minlength=column.cardinality)
        numbers = [_float_or_none(value) for value in column.values]
        repeated = [
            n for n, c in zip(numbers, counts, strict=True) if n is not None for _ in range(int(c))
        ]
        if not repeated:
            raise _not_understood(column, "number", 0)
        return make(repeated)

    return build


def _date_rule(column: CodedColumn) -> HierarchyRule:
    times = any(":" in str(value) for value in column.values)
    return DateRule(_date_order(column), times)


HIERARCHY_KINDS: Mapping[str, Callable[[CodedColumn], HierarchyRule]] = {
    "age": lambda column: AgeRule(),
    "date": _date_rule,
    "zip": lambda column: ZipRule(),
    "state": lambda column: StateRule(),
    "icd10cm": lambda column: Icd10CmRule(),
    "number": _number_rule(round_bands),
    "quantile": _number_rule(quantile_bands),
    "flat": lambda column: FlatRule(),
}


def build_hierarchy(kind: str, column: CodedColumn) -> tuple[Hierarchy, HierarchyRule]:
    """Build a built-in hierarchy over the values of a column.

    Raises:
        RiskError: `unknown-kind`, or `not-understood` where values are none of that kind.
    """
    if kind not in HIERARCHY_KINDS:
        raise RiskError(
            "unknown built-in hierarchy",
            code="unknown-kind",
            place=f"column {column.name!r}",
            hint=f"known: {', '.join(HIERARCHY_KINDS)}",
        )
    rule = HIERARCHY_KINDS[kind](column)
    return apply_rule(rule, column), rule


def apply_rule(rule: HierarchyRule, column: CodedColumn) -> Hierarchy:
    """The hierarchy that a rule gives for a column's values and the rule's own domain."""
    seen = list(dict.fromkeys(text_of(v) for v in column.values if v is not None))
    known = set(seen)
    rows, lost = [], 0
    for value in (*seen, *(v for v in rule.domain(seen) if v not in known)):
        labels = rule.labels_of(value)
        if labels is None:
            lost += 1
        else:
            rows.append([value, *labels])
    if lost:
        raise _not_understood(column, rule.kind, lost)
    if not rows:
        rows.append([TOP, *(rule.labels_of("0") or (TOP,))])
    return Hierarchy.of_rows(column.name, rows, source=rule.kind)


def restore_rule(kind: str, settings: Mapping[str, Any]) -> HierarchyRule:
    """The rule that a saved plan names."""
    if kind == "number":
        return BandRule(tuple(tuple(float(c) for c in cut) for cut in settings.get("cuts", ())))
    if kind == "date":
        return DateRule(str(settings.get("order", "mdy")), bool(settings.get("times")))
    plain: dict[str, HierarchyRule] = {
        "age": AgeRule(),
        "zip": ZipRule(),
        "state": StateRule(),
        "icd10cm": Icd10CmRule(),
        "flat": FlatRule(),
    }
    if kind not in plain:
        raise RiskError("the plan names an unknown hierarchy", code="plan-invalid")
    return plain[kind]


def guess_hierarchy(column: CodedColumn) -> str:
    """The built-in kind that fits a column's name and values; `flat` if none does.

    Dates, states and diagnosis codes are recognized by their form. Ages and ZIP codes look like
    other numbers, so the column name must say what they are.
    """
    values = [text_of(v) for v in column.values if v is not None]
    words = set("".join(c if c.isalnum() else " " for c in column.name.lower()).split())
    named: dict[str, HierarchyRule] = {"age": AgeRule(), "zip": ZipRule()}
    for word, kind in (("age", "age"), ("zip", "zip"), ("zip5", "zip"), ("zipcode", "zip")):
        if word in words and all(named[kind].labels_of(v) for v in values):
            return kind
    for kind, rule in (
        ("state", StateRule()), ("date", DateRule(_date_order(column))), ("icd10cm", Icd10CmRule())
    ):  # fmt: skip
        looks = kind != "icd10cm" or any(len(v) > 3 for v in values)
        if values and looks and all(rule.labels_of(v) for v in values):
            return kind
    if len(values) > 20 and all(_float_or_none(v) is not None for v in values):
        return "number"
    return "flat"


def read_hierarchies(folder: Path, columns: list[str]) -> dict[str, Hierarchy]:
    """Read ARX's CSV files for the columns that have one: `COLUMN.csv` or
    `..._hierarchy_COLUMN.csv`.

    Raises:
        RiskError: no such folder, or a file that is no hierarchy.
    """
    if not folder.is_dir():
        raise RiskError(
            "the folder of hierarchies does not exist",
            code="missing-hierarchies",
            hint="one file COLUMN.csv per column: value;level 1;level 2;...",
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
    """Read one ARX hierarchy: no header line, semicolons (or commas, tabs, pipes) between
    levels."""
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


def _date_order(column: CodedColumn) -> str:
    """mdy, or dmy if a first number is above 12."""
    for value in column.values:
        parts = str(value).split(" ")[0].replace("-", "/").replace(".", "/").split("/")
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() for p in parts):
            continue
        if len(parts[0]) <= 2 and int(parts[0]) > 12:
            return "dmy"
    return "mdy"


def _float_or_none(value: object) -> float | None:
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if number == number else None


def _not_understood(column: CodedColumn, kind: str, lost: int) -> RiskError:
    return RiskError(
        f"{lost or 'all'} of {column.cardinality} values do not fit the hierarchy {kind!r}",
        code="not-understood",
        place=f"column {column.name!r}",
        hint=f"choose another with `--hierarchy {column.name}=KIND`, or a file; KIND is one of "
        f"{', '.join(HIERARCHY_KINDS)}",
    )


def with_hierarchies(
    table: Any, hierarchies: Mapping[str, Hierarchy]
) -> tuple[CodedTable, dict[str, Hierarchy]]:
    """Encode the table (anything that `encode` accepts), with a hierarchy for every column: the
    given one, or the built-in one that fits its values."""
    coded = encode(table)
    found = {
        column.name: hierarchies.get(column.name)
        or build_hierarchy(guess_hierarchy(column), column)[0]
        for column in coded.columns
    }
    return coded, found
