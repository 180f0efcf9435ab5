"""What `deid scrub --to` and `deid load` print about a load."""

from __future__ import annotations

from deid.cli import say
from deid.formats.targets.contract import LoadedRelease
from deid.reports.wording import plural


def columns_named(partition_by: str | None) -> list[str]:
    """The columns of `--partition-by`."""
    return [name.strip() for name in (partition_by or "").split(",") if name.strip()]


def tell_loaded(loaded: LoadedRelease) -> None:
    """Report what was loaded."""
    tables = plural(loaded.tables, "table")
    if loaded.before:
        say(f"the target already holds this release: {tables}")
    else:
        say(f"loaded {tables} with {plural(loaded.rows, 'row')}")
    if loaded.others:
        say(f"not loaded, because they hold no table: {plural(loaded.others, 'file')}")
