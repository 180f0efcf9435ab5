"""Pedigree files of PLINK and linkage programs (`.ped`, `.fam`): six columns, then genotypes.

A line holds the family, number, parents' numbers, sex and phenotype of one person. The genotypes
that follow are read as one cell. Files with these suffixes that have a header and delimiters are
read like any delimited table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.errors import unreadable
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.delimited.csv_table import CsvSource, CsvTable
from deid.formats.text.encoding import Encoding, detect_encoding

_PEDIGREE_COLUMNS = (
    *("pedigree_id", "individual_id", "father_id", "mother_id", "sex", "phenotype"),
    "genotypes",
)
_PERSON = len(_PEDIGREE_COLUMNS) - 1
_PEDIGREE_SUFFIXES = (".ped", ".fam")
_SEX_OR_PHENOTYPE = re.compile(r"-?\d+(?:\.\d+)?|[MFU]|NA", re.IGNORECASE)
# The programs write this for an unknown value.
_NOT_KNOWN = "0"


@dataclass(frozen=True, slots=True)
class PedigreeSource:
    """One pedigree file without a header. Its `repr` shows none of its content."""

    path: Path
    columns: tuple[str, ...]
    encoding: Encoding
    delimiter: str

    def __repr__(self) -> str:
        return f"PedigreeSource({len(self.columns)} columns)"

    def records(self) -> Iterator[Record | RecordFault]:
        """The persons; a `RecordFault` for a line with fewer cells than the first line."""
        with self.encoding.open(self.path) as file:
            for ordinal, line in enumerate(filter(str.strip, file), 1):
                cells = line.rstrip("\r\n").split(None, _PERSON)
                if len(cells) != len(self.columns):
                    yield RecordFault(ordinal, "ragged-row")
                else:
                    yield Record(ordinal, tuple(cell.strip() for cell in cells))


class PedigreeSink:
    """Writes persons with blanks or tabs between the cells, and 0 for unknown values.

    If one of the six columns is withheld, the others are written as a table with a header.
    """

    def __init__(self, path: Path, source: PedigreeSource, columns: Mapping[int, str]) -> None:
        whole = list(columns)[:_PERSON] == list(range(_PERSON))
        self._delimiter = source.delimiter if whole else "\t"
        self._file = path.open("w", encoding=source.encoding.codec, newline="")
        if not whole:
            self._file.write(self._delimiter.join(columns.values()) + "\n")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one person: the cells of the released columns, in order."""
        self._file.write(self._delimiter.join(cell or _NOT_KNOWN for cell in cells) + "\n")

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


class Pedigree:
    """Pedigree files of six columns and genotypes."""

    name = "pedigree"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of a pedigree file."""
        return suffix in _PEDIGREE_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the first line and check that every byte can be decoded.

        Raises:
            DeidError: `unreadable-encoding`, `empty-table`, `broken-header`, `not-a-table`.
        """
        encoding = detect_encoding(path)
        with encoding.open(path) as file:
            first = next(filter(str.strip, file), "")
        if not first:
            raise unreadable(
                "empty-table", "the pedigree file is empty", "write one person per line"
            )
        cells = first.split(None, _PERSON)
        if len(cells) < _PERSON or not all(map(_SEX_OR_PHENOTYPE.fullmatch, cells[4:_PERSON])):
            return CsvTable().open(path, options)
        delimiter = "\t" if "\t" in first else " "
        return PedigreeSource(path, _PEDIGREE_COLUMNS[: len(cells)], encoding, delimiter)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, which is written in the same way as `source`."""
        if isinstance(source, CsvSource):
            return CsvTable().create(path, source, columns)
        if not isinstance(source, PedigreeSource):
            raise TypeError("a pedigree sink needs a pedigree source")
        return PedigreeSink(path, source, columns)


FORMAT = Pedigree()
