"""The formats in order of precedence. Each format is loaded on first use."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from deid.errors import DeidError, unreadable
from deid.formats.contract import (
    Format,
    ReadOptions,
    RecordSource,
    delimiter_named,
    is_container,
    is_tabular,
)
from deid.formats.delimited.separators import is_delimited_text
from deid.formats.fixed_width.fixed_width_file import FixedWidth
from deid.formats.plugin_format import plugin_formats
from deid.formats.signatures import sniff_file
from deid.formats.signatures.withheld_format import WithheldFormat
from deid.formats.table_cells import TableOfDocuments

FORMATS: tuple[str, ...] = (
    "hl7v2.messages",
    "documents.html_page",
    "text.text_files",
    "fhir.resources",
    "dicom_json.data_sets",
    "json.records",
    "json.json_lines",
    "text.yaml_file",
    "delimited.pedigree_file",
    "delimited.csv_table",
    "typed.parquet_file",
    "typed.sas_file",
    "sql.duckdb_file",
    "sql.sqlite_file",
    "sql.dump",
    "workbook.excel",
    "containers.zip_archive",
    "containers.tar_archive",
    "containers.gzip_file",
    "cda.documents",
    "xml_records.documents",
    "documents.rtf",
    "documents.docx",
    "documents.mail_files",
    "documents.odt",
    "pdf.document",
    "x12.interchanges",
    "ncpdp.claims",
)
# The kinds of documents that table cells may hold, in the order in which they are tried.
_CELL_DOCUMENTS = (
    ("documents.rtf_cells", "RTF_CELLS"),
    ("json.cells", "JSON_CELLS"),
    ("reference_cells", "REFERENCE_CELLS"),
)


@cache
def formats() -> tuple[Format, ...]:
    """All shipped formats, then the formats of other packages.

    Raises:
        DeidError: `plugin-failed`, `plugin-invalid`.
    """
    own = tuple(map(_shipped_format, FORMATS))
    return own + plugin_formats(own)


def _formats_in_order() -> Iterator[Format]:
    """The formats, each loaded only when it is reached: a text file loads no workbook reader."""
    yield from map(_shipped_format, FORMATS)
    yield from formats()[len(FORMATS) :]


@cache
def _shipped_format(name: str) -> Format:
    found: Format = importlib.import_module(f"deid.formats.{name}").FORMAT
    if not is_tabular(found):
        return found
    for name_of_kind, kind in _CELL_DOCUMENTS:
        documents = getattr(importlib.import_module(f"deid.formats.{name_of_kind}"), kind)
        found = TableOfDocuments(found, documents)
    return found


def format_of(path: Path, options: ReadOptions | None = None) -> Format | None:
    """Return the format that reads the file. The content of the file decides, or else its suffix.

    If the options have a layout, fixed-width files are read with it.

    Content with the signature of a format that no reader supports is a `WithheldFormat`. None
    means that neither the name nor the content of the file identifies its format.
    """
    suffix = path.suffix.casefold()
    if options is not None and options.layout is not None:
        laid_out = FixedWidth(options.layout)
        if laid_out.accepts(path, suffix):
            return laid_out
    named = _delimited(path, options) or _accepting(path, suffix)
    seen = sniff_file(path, as_text=named is None or named.name == "text")
    if seen is None or suffix in seen.suffixes:
        return named
    read = _accepting(path, seen.read_as) if seen.read_as else None
    return read or WithheldFormat(seen.format)


def _delimited(path: Path, options: ReadOptions | None) -> Format | None:
    """Return the CSV format if the given delimiter splits a text file into even rows, else None."""
    given = None if options is None else delimiter_named(options.delimiter)
    if given is None or not is_delimited_text(path, given):
        return None
    return _shipped_format("delimited.csv_table")


def is_named_container(name: str) -> bool:
    """Whether the name is that of a container. The content of the file is not read."""
    path = Path(name)
    suffix = path.suffix.casefold()
    return any(is_container(one) and one.accepts(path, suffix) for one in formats())


def _accepting(path: Path, suffix: str) -> Format | None:
    """The first format that accepts the file with that suffix."""
    return next(
        (candidate for candidate in _formats_in_order() if candidate.accepts(path, suffix)), None
    )


def _format_for(path: Path, options: ReadOptions | None) -> Format:
    found = format_of(path, options)
    if found is None:
        raise unreadable(
            "unknown-format",
            "the file is in no supported format",
            hint=f"known formats: {', '.join(f.name for f in formats())}",
        )
    return found


def open_source(path: Path, options: ReadOptions | None = None, member: str = "") -> RecordSource:
    """Open the file, or the named member of a container, with its format.

    Raises:
        DeidError: `unknown-format`, or the error of the format if it cannot read the file.
    """
    found = _format_for(path, options)
    if is_container(found):
        return found.open(path, options or ReadOptions(), member)
    return found.open(path, options or ReadOptions())


def members_of(path: Path, options: ReadOptions | None = None) -> tuple[str, ...]:
    """The names with which the tables of a file are opened: `("",)` for a file that is one table.

    Raises:
        DeidError: `unknown-format`, or the error of the format if it cannot read the file.
    """
    found = _format_for(path, options)
    return found.members(path, options or ReadOptions()) if is_container(found) else ("",)


def left_behind(
    path: Path, member: str = "", options: ReadOptions | None = None
) -> Mapping[str, int]:
    """Value-free codes and counts of the content of a table that no policy releases.

    What is left out of the container itself is reported with its first table.
    """
    found = format_of(path, options)
    tell = getattr(found, "left_behind", None)
    if found is None or tell is None:
        return {}
    try:
        told: dict[str, int] = dict(tell(path, member, options))
        if member and is_container(found) and member == found.members(path, ReadOptions())[0]:
            told |= tell(path, "", options)
    except DeidError:  # nothing of the file is released; the error is reported elsewhere
        return {}
    return told
