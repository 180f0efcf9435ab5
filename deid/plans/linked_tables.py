"""The other tables of an extract, without the rows of persons whom the plan leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deid.errors import DeidError
from deid.plans.applied_plan import columns_kept, write_table
from deid.plans.planning import MadePlan
from risk import read_header, read_table, unknown_column


def released_persons(made: MadePlan, link: str) -> frozenset[str]:
    """The link codes of the persons whom the plan releases; a row without a code has none."""
    column = made.whole.column(link)
    kept = np.unique(column.codes[made.plan.kept])
    return frozenset(str(column.values[code]) for code in kept if column.values[code] is not None)


def output_names(tables: Sequence[str]) -> list[str]:
    """The file name of each table in the output folder."""
    return [f"{Path(table).name.split('.')[0]}.csv" for table in tables]


def check_linked(tables: Sequence[str], main: str, link: str, delimiter: str | None) -> None:
    """Refuse linked tables that cannot be written, before any table is written.

    Raises:
        DeidError: two tables have the same name.
        RiskError: a table cannot be read or lacks the link column.
    """
    names = output_names([main, *tables])
    if len(set(names)) < len(names):
        raise DeidError(
            "out-exists",
            "two tables of the extract have the same name",
            place="--linked",
            hint="rename one of them",
        )
    for table in tables:
        known = read_header(table, delimiter=delimiter)
        if link not in known:
            raise unknown_column(link, known)


def write_linked(
    folder: Path,
    tables: Sequence[str],
    made: MadePlan,
    link: str,
    keep: Sequence[str],
    delimiter: str | None,
) -> list[dict[str, Any]]:
    """Write the rows of released persons of every linked table into `folder`.

    The link codes stay. The other columns stay if the profile classifies them as `keep` or if
    `keep` names them. See `check_linked`.
    """
    names = output_names(tables)
    persons = released_persons(made, link)
    told = []
    for table, name in zip(tables, names, strict=True):
        whole = read_table(table, delimiter=delimiter)
        column = whole.column(link)
        released = np.array([v is not None and str(v) in persons for v in column.values], bool)
        rows = whole.take(released[column.codes])
        own = [n for n in keep if n in whole.names]
        kept = columns_kept(rows, (), [link, *own])
        stays = [c for c in rows.columns if c.name in kept.stays]
        write_table(folder / name, stays, rows.rows, ",")
        told.append(
            {
                "table": name,
                "rows": rows.rows,
                "rows_left_out": whole.rows - rows.rows,
                "columns_kept": [c.name for c in stays],
                "withheld": dict(kept.withheld),
            }
        )
    return told
