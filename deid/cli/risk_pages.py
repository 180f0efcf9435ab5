"""Writes the pages of the risk commands, with source and date, completely or not at all."""

from __future__ import annotations

import shlex
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from deid.errors import DeidError
from deid.standard_streams import is_dash

if TYPE_CHECKING:
    from risk import DocumentFacts


def document_facts(table: str, rows: int) -> DocumentFacts:
    """The facts on a page: file, hash, number of rows, day, version and command."""
    from risk import DocumentFacts, file_sha256

    from_stdin = is_dash(table)
    return DocumentFacts(
        file="standard input" if from_stdin else Path(table).name,
        sha256=None if from_stdin else file_sha256(table),
        rows=rows,
        made_on=date.today(),
        version=version("safe-harbor-deid"),
        command=shlex.join(["deid", *sys.argv[1:]]),
    )


def refuse_other_file(path: Path, option: str, *suffixes: str) -> None:
    """Refuse to replace a file that does not have the suffix of a report."""
    if path.exists() and path.suffix.lower() not in suffixes:
        raise DeidError(
            "out-exists",
            "a file that is not a report exists at the path of the report",
            place=option,
            hint="name a new file",
        )


def write_page(path: Path, page: str) -> None:
    """Write a report completely or not at all; only an earlier report is replaced.

    `-` is stdout, which then holds nothing else.
    """
    if is_dash(path):
        print(page)
        return
    refuse_other_file(path, "--html", ".html", ".htm")
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise DeidError(
            "cannot-write",
            "the report cannot be written",
            place="--html",
            hint="name a file in a folder that you can write to",
        ) from None
