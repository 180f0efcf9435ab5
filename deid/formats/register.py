"""The formats, in the order they are asked; each is loaded when it is first needed."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from deid.errors import UNREADABLE, DeidError
from deid.formats.contract import Format, ReadOptions, Source

FORMATS: tuple[str, ...] = ("text_folder", "jsonl", "csv_table")


@cache
def formats() -> tuple[Format, ...]:
    """Every registered format."""
    return tuple(importlib.import_module(f"deid.formats.{name}").FORMAT for name in FORMATS)


def format_of(path: Path) -> Format | None:
    """The first format that accepts the file, None if none does."""
    return next((candidate for candidate in formats() if candidate.accepts(path)), None)


def open_source(path: Path, options: ReadOptions | None = None) -> Source:
    """The file, opened by its format.

    Raises:
        DeidError: `unknown-format`, or what the format says of a file it cannot read.
    """
    found = format_of(path)
    if found is None:
        raise DeidError(
            "unknown-format",
            "no format reads this file",
            hint=f"known formats: {', '.join(f.name for f in formats())}",
            exit_code=UNREADABLE,
        )
    return found.open(path, options or ReadOptions())
