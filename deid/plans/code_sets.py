"""`deid plan --set-column`: generalize sets of codes until no small set singles out a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.plans.applied_plan import write_columns
from deid.plans.request import PlanArguments
from risk import (
    CodedColumn,
    CodedTable,
    CodeSets,
    Hierarchy,
    build_hierarchy,
    cluster_codes,
    encode,
    guess_hierarchy,
    protect_sets,
    rare_sets,
    read_hierarchies,
    read_table,
)


def plan_sets(
    arguments: PlanArguments,
    column: str,
    separator: str,
    known: int,
    k: int | None,
    out: Path | None,
    keep: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Plan, count the rare sets again in the result, and write the table on request.

    The summary holds no code.

    With `--person-column`, a row holds one code and a person has several rows. Otherwise a row is a
    person and its cell holds the codes between separators.
    """
    if k is None:
        raise DeidError(
            "no-limit", "--set-column needs --k", hint="for example --k 5 --known-events 2"
        )
    names = None if out else [column, *([arguments.person] if arguments.person else [])]
    table = read_table(arguments.table, names, delimiter=arguments.delimiter)
    held = _sets_of(table, column, separator, arguments.person)
    made = protect_sets(held, _hierarchy(arguments, column, held), k, known)
    told = _with_set_labels(table, column, separator, held, made.labels, bool(arguments.person))
    after = _sets_of(told, column, separator, arguments.person)
    summary: dict[str, Any] = {
        "method": "k^m",
        "k": k,
        "m": known,
        "persons": len(held.sets),
        "codes": len(held.codes),
        "labels": len({word for word in made.labels if word is not None}),
        "codes_left_out": sum(word is None for word in made.labels),
        "codes_by_level": {str(n): made.levels.count(n) for n in sorted(set(made.levels))},
        "loss": {"granularity": made.loss},
        "rare_sets": {"before": made.before, "after": len(rare_sets(after.sets, k, known))},
        "persons_in_rare_sets": made.persons,
        "optimal": False,
    }
    if out is not None:
        summary["output"] = write_columns(out, told, arguments, (column,), keep)
    return summary


def _sets_of(table: CodedTable, column: str, separator: str, person: str | None) -> CodeSets:
    codes = table.column(column)
    if person:
        return CodeSets.of_rows(codes, table.column(person))
    return CodeSets.of_cells(codes, separator)


def _hierarchy(arguments: PlanArguments, column: str, held: CodeSets) -> Hierarchy:
    found = read_hierarchies(arguments.folder, [column]) if arguments.folder else {}
    if column in found:
        return found[column]
    coded = encode({column: list(held.codes)}).columns[0]
    kind = arguments.kinds.get(column) or guess_hierarchy(coded)
    if kind in ("flat", "clusters"):
        return cluster_codes(held)
    return build_hierarchy(kind, coded)[0]


def _with_set_labels(
    table: CodedTable,
    column: str,
    separator: str,
    held: CodeSets,
    labels: tuple[str | None, ...],
    by_row: bool,
) -> CodedTable:
    """Return the table with codes replaced by their labels, each label once per cell."""
    words = dict(zip(held.codes, labels, strict=True))
    codes = table.column(column)
    values = codes.values.copy()
    for i, value in enumerate(codes.values):
        if value is None:
            continue
        parts = [str(value)] if by_row else [p.strip() for p in str(value).split(separator)]
        kept = dict.fromkeys(word for p in parts if p and (word := words[p]) is not None)
        values[i] = separator.join(kept) or None
    told = CodedColumn(column, codes.codes, values)
    columns = tuple(told if c.name == column else c for c in table.columns)
    return CodedTable(columns, table.rows)
