"""Pedigrees as PLINK and linkage programs keep them (`.ped`, `.fam`): six columns, then genotypes.

A line says of one person their family, their number, their parents' numbers, sex and phenotype.
What follows are genotypes, which are read as one cell. Files of that name with commas or tabs
below a header are tables like others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

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
# What the programs write for a value that is not known.
_NOT_KNOWN = "0"


@dataclass(frozen=True, slots=True)
class PedigreeSource:
    """One pedigree without a header. Its `repr` shows nothing that is in it."""

    path: Path
    columns: tuple[str, ...]
    encoding: Encoding
    delimiter: str

    def __repr__(self) -> str:
        return f"PedigreeSource({len(self.columns)} columns)"

    def records(self) -> Iterator[Record | RecordFault]:
        """The persons; a `RecordFault` for a line of fewer cells than the first."""
        with _open_pedigree(self.path, self.encoding) as file:
            for ordinal, line in enumerate(filter(str.strip, file), 1):
                cells = line.rstrip("\r\n").split(None, _PERSON)
                if len(cells) != len(self.columns):
                    yield RecordFault(ordinal, "ragged-row")
                else:
                    yield Record(ordinal, tuple(cell.strip() for cell in cells))


class PedigreeSink:
    """Writes persons with blanks or tabs between the cells, and 0 for what is not known.

    Where one of the six columns does not leave, the others are a table with a header.
    """

    def __init__(self, path: Path, source: PedigreeSource, columns: Mapping[int, str]) -> None:
        whole = list(columns)[:_PERSON] == list(range(_PERSON))
        self._delimiter = source.delimiter if whole else "\t"
        self._file = path.open("w", encoding=source.encoding.codec, newline="")
        if not whole:
            self._file.write(self._delimiter.join(columns.values()) + "\n")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """One person: the cells of the columns that leave, in order."""
        self._file.write(self._delimiter.join(cell or _NOT_KNOWN for cell in cells) + "\n")

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


class Pedigree:
    """Pedigrees of six columns and their genotypes."""

    name = "pedigree"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """By the end of its name."""
        return suffix in _PEDIGREE_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the first line; every byte is checked to decode.

        Raises:
            DeidError: `unreadable-encoding`, `empty-table`, `broken-header`, `not-a-table`.
        """
        encoding = detect_encoding(path)
        with _open_pedigree(path, encoding) as file:
            first = next(filter(str.strip, file), "")
        if not first:
            raise unreadable("empty-table", "the table has no header line", "a file of persons")
        cells = first.split(None, _PERSON)
        if len(cells) < _PERSON or not all(map(_SEX_OR_PHENOTYPE.fullmatch, cells[4:_PERSON])):
            return CsvTable().open(path, options)
        delimiter = "\t" if "\t" in first else " "
        return PedigreeSource(path, _PEDIGREE_COLUMNS[: len(cells)], encoding, delimiter)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output beside `source`'s own way of writing."""
        if isinstance(source, CsvSource):
            return CsvTable().create(path, source, columns)
        if not isinstance(source, PedigreeSource):
            raise TypeError("a pedigree sink needs a pedigree source")
        return PedigreeSink(path, source, columns)


def _open_pedigree(path: Path, encoding: Encoding) -> IO[str]:
    file = path.open(encoding=encoding.codec, errors=encoding.errors, newline="")
    if encoding.bom:
        file.read(1)
    return file


FORMAT = Pedigree()
