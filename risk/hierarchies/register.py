"""Hierarchies by name: built in by type, guessed from a column's values, or read from a file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.bands import BandRule, quantile_bands, round_bands, usual_range
from risk.hierarchies.hierarchy import TOP, Hierarchy
from risk.hierarchies.level_maps import text_of
from risk.hierarchies.rules import (
    AgeRule,
    DateRule,
    FlatRule,
    HierarchyRule,
    Icd10CmRule,
    StateRule,
    YearRule,
    ZipRule,
)
from risk.spellings.spans import parse_span
from risk.spellings.words import says_nothing
from risk.tables.coding import CodedColumn, CodedTable, encode

#: At most one value in this many may be a word that a rule does not understand; such a word keeps
#: its own label.
_ODD_EVERY = 10
_FITTING_BESIDE_ONE = 3


def _number_rule(make: Callable[..., BandRule]) -> Callable[[CodedColumn], HierarchyRule]:
    def build(column: CodedColumn) -> HierarchyRule:
        numbers = _numbers_of_rows(column)
        if not len(numbers):
            raise _not_understood(column, "number", 0)
        return make(numbers)

    return build


def _date_rule(column: CodedColumn) -> HierarchyRule:
    times = any(":" in str(value) for value in column.values)
    return DateRule(_date_order(column), times)


HIERARCHY_KINDS: Mapping[str, Callable[[CodedColumn], HierarchyRule]] = {
    "age": lambda column: AgeRule(),
    "year": lambda column: YearRule(),
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
        RiskError: `unknown-kind`, or `not-understood` if values are not of that kind.
    """
    if kind not in HIERARCHY_KINDS:
        raise RiskError(
            "--hierarchy names an unknown kind",
            code="unknown-kind",
            place=f"column {column.name!r}",
            hint=f"use one of: {', '.join(HIERARCHY_KINDS)}",
        )
    rule = HIERARCHY_KINDS[kind](column)
    return apply_rule(rule, column), rule


def apply_rule(rule: HierarchyRule, column: CodedColumn) -> Hierarchy:
    """Build the hierarchy of a rule over a column's values and the rule's own domain.

    A few values (see `_few_odd`) may be words that the rule does not understand; they keep their
    own label at every level but the last.
    """
    seen = list(dict.fromkeys(text_of(v) for v in column.values if v is not None))
    known = set(seen)
    rows, odd = [], []
    for value in (*seen, *(v for v in rule.domain(seen) if v not in known)):
        labels = rule.labels_of(value)
        if labels is None:
            odd.append(value)
        else:
            rows.append([value, *labels])
    if not _few_odd(odd, len(seen)):
        raise _not_understood(column, rule.kind, len(odd))
    rows += [[value] * (len(rows[0]) - 1) + [TOP] for value in odd]
    if not rows:
        rows.append([TOP, *(rule.labels_of("0") or (TOP,))])
    return Hierarchy.of_rows(column.name, rows, source=rule.kind)


def restore_rule(kind: str, settings: Mapping[str, Any]) -> HierarchyRule:
    """Return the rule that a saved plan names."""
    if kind == "number":
        return BandRule(tuple(tuple(float(c) for c in cut) for cut in settings.get("cuts", ())))
    if kind == "date":
        return DateRule(str(settings.get("order", "mdy")), bool(settings.get("times")))
    plain: dict[str, HierarchyRule] = {
        "age": AgeRule(),
        "year": YearRule(),
        "zip": ZipRule(),
        "state": StateRule(),
        "icd10cm": Icd10CmRule(),
        "flat": FlatRule(),
    }
    if kind not in plain:
        raise RiskError(
            "the saved plan names a hierarchy that this version does not have", code="plan-invalid"
        )
    return plain[kind]


def guess_hierarchy(column: CodedColumn) -> str:
    """The built-in kind that fits a column's name and values; `flat` if none does.

    Dates, states and diagnosis codes are recognized by their form. Ages, years and ZIP codes look
    like other numbers, so the column name must say what they are. A few values may be words of
    another kind.
    """
    values = [text_of(v) for v in column.values if v is not None]
    words = set("".join(c if c.isalnum() else " " for c in column.name.lower()).split())
    for word, kind in _KIND_OF_WORD.items():
        if word in words and _fits(HIERARCHY_KINDS[kind](column), values):
            return kind
    for kind, rule in (
        ("state", StateRule()), ("date", DateRule(_date_order(column))), ("icd10cm", Icd10CmRule())
    ):  # fmt: skip
        looks = kind != "icd10cm" or any(len(v) > 3 for v in values)
        if values and looks and _fits(rule, values):
            return kind
    if len(values) > 20 and _few_odd([v for v in values if parse_span(v) is None], len(values)):
        return "number"
    return "flat"


_KIND_OF_WORD = {
    **dict.fromkeys(("age", "ages"), "age"),
    **dict.fromkeys(("zip", "zip3", "zip5", "zipcode", "postal"), "zip"),
    **dict.fromkeys(("birth", "birthyear", "born", "yob", "year", "dob", "birthdate"), "year"),
}


def _fits(rule: HierarchyRule, values: Sequence[str]) -> bool:
    """Whether a rule understands the values, except for a few (see `_few_odd`)."""
    return _few_odd([value for value in values if rule.labels_of(value) is None], len(values))


def _few_odd(odd: Sequence[str], values: int) -> bool:
    """Whether the values that a rule does not understand (`odd`) are few.

    They are at most one in ten, or a single one beside three or more values that fit. Words without
    information (`nan`, Unknown, Declined) are ignored if other values fit.
    """
    if not odd:
        return True
    strange = sum(not says_nothing(value) for value in odd)
    if strange == 1:
        return values - len(odd) >= _FITTING_BESIDE_ONE
    return len(odd) < values and strange * _ODD_EVERY <= values


def outlying_values(column: CodedColumn, rule: HierarchyRule) -> int:
    """The number of distinct numbers far outside the bands of a rule, such as 9999 for a missing
    age."""
    if not isinstance(rule, BandRule):
        return 0
    low, high = usual_range(_numbers_of_rows(column))
    numbers = (single_number(value) for value in column.values)
    return sum(not low <= number <= high for number in numbers if number is not None)


def _numbers_of_rows(column: CodedColumn) -> NDArray[np.float64]:
    """Return the numbers of a column, each as often as it occurs, without ranges and words."""
    counts = np.bincount(column.codes, minlength=column.cardinality)
    numbers = [single_number(value) for value in column.values]
    known = np.array([number is not None for number in numbers], bool)
    found = np.array([number for number in numbers if number is not None], np.float64)
    return np.repeat(found, counts[known])


def read_hierarchies(folder: Path, columns: list[str]) -> dict[str, Hierarchy]:
    """Read ARX's CSV files for the columns that have one: `COLUMN.csv` or
    `..._hierarchy_COLUMN.csv`.

    Raises:
        RiskError: no such folder, or a file that is not a hierarchy.
    """
    if not folder.is_dir():
        raise RiskError(
            "the folder of hierarchies does not exist",
            code="missing-hierarchies",
            hint="name a folder with one file COLUMN.csv per column: value;level 1;level 2;...",
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
    """Return `mdy`, or `dmy` if the first number of a date is above 12."""
    for value in column.values:
        parts = str(value).split(" ")[0].replace("-", "/").replace(".", "/").split("/")
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() for p in parts):
            continue
        if len(parts[0]) <= 2 and int(parts[0]) > 12:
            return "dmy"
    return "mdy"


def single_number(value: object) -> float | None:
    """The value as a finite number; None for a range, a word, `inf` or `nan`."""
    span = None if value is None else parse_span(text_of(value))
    return span.low if span is not None and span.single else None


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
    """Encode the table (anything that `encode` accepts), with a hierarchy for every column.

    This is the given hierarchy, or the built-in one that fits the values of the column.
    """
    coded = encode(table)
    found = {
        column.name: hierarchies.get(column.name)
        or build_hierarchy(guess_hierarchy(column), column)[0]
        for column in coded.columns
    }
    return coded, found
