"""DICOM data sets as JSON: one data set, or an array of them; each is a record.

Listed values are released in the form of their value representation. All other values are null;
elements keep their place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.dicom_json.elements import DataSet, DicomValue, read_data_set
from deid.formats.documents.whole_text import LARGEST_DOCUMENT_FILE, refuse_document
from deid.formats.fhir.json_text import JsonError, Style, read_json, style_of, write_json
from deid.formats.path_columns import PathColumns, count_paths
from deid.vocabularies.locus import Locus

_DICOM_HEAD = re.compile(
    rb'\s*(?:\xef\xbb\xbf)?\s*\[?\s*\{\s*"[0-9A-Fa-f]{8}"\s*:\s*\{\s*"(?:vr|Value)"\s*:'
)
_DICOM_SUFFIXES = (".json", ".dcmjson")
_DICOM_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class DataSetSkeleton:
    """A data set without its values, its values, and the column of each listed value."""

    tree: dict[str, Any] = field(repr=False)
    values: tuple[DicomValue, ...] = field(repr=False)
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DataSetSource:
    """One file; its columns are paths. `listed` is set if the file is an array."""

    path: Path
    paths: PathColumns
    loci: tuple[Locus | None, ...]
    listed: bool
    style: Style

    def __repr__(self) -> str:
        return f"DataSetSource({len(self.columns)} columns)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the values."""
        return self.paths.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """One record per data set, in order."""
        for ordinal, found in enumerate(_data_sets(_parsed_dicom(self.path)), 1):
            if isinstance(found, str):
                yield RecordFault(ordinal, found)
                continue
            values = _listed_values(found)
            cells: list[str | None] = [None] * len(self.columns)
            columns = self.paths.place(((value.path, value.text) for value in values), cells)
            yield Record(
                ordinal, tuple(cells), skeleton=DataSetSkeleton(found.tree, values, columns)
            )


def _parsed_dicom(path: Path) -> Any:
    """The parsed file.

    Raises:
        DeidError: `too-large`, `broken-json`, or another code of `read_json`.
    """
    if path.stat().st_size > LARGEST_DOCUMENT_FILE:
        raise refuse_document("too-large")
    try:
        return read_json(path.read_bytes())
    except JsonError as error:
        raise refuse_document(error.code) from None


def _data_sets(parsed: Any) -> Iterator[DataSet | str]:
    """Each data set of a file, or the error code of one that cannot be read."""
    for one in parsed if isinstance(parsed, list) else [parsed]:
        try:
            yield read_data_set(one)
        except JsonError as error:
            yield error.code


def _listed_values(found: DataSet) -> tuple[DicomValue, ...]:
    return tuple(value for value in found.values if value.locus is not None)


class DataSetSink:
    """Writes the data sets with their released values."""

    def __init__(self, path: Path, source: DataSetSource, columns: Mapping[int, str]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._listed, self._style = source.listed, source.style
        self._position = {column: place for place, column in enumerate(columns)}
        self._written = 0
        if self._listed:
            self._file.write("[")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one data set from the cells of the released columns and its skeleton."""
        if not isinstance(skeleton, DataSetSkeleton):
            raise TypeError("a data set needs the skeleton it was read with")
        for value, column in zip(skeleton.values, skeleton.columns, strict=True):
            place = self._position.get(column)
            value.put(None if place is None else cells[place])
        text = write_json(skeleton.tree, self._style)
        self._file.write(f"{',' if self._written else ''}\n{text}" if self._listed else text)
        self._written += 1

    def close(self) -> None:
        """Write the end of the array and close the file."""
        if not self._file.closed:
            self._file.write("\n]\n" if self._listed else "\n")
        self._file.close()


class DicomJson:
    """DICOM data sets in the JSON model of DICOMweb."""

    name = "dicom_json"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is of JSON and the first element of the file is of DICOM."""
        if suffix not in _DICOM_SUFFIXES:
            return False
        with path.open("rb") as file:
            return _DICOM_HEAD.match(file.read(_DICOM_HEAD_BYTES)) is not None

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all data sets.

        Raises:
            DeidError: `too-large`, `broken-json`.
        """
        parsed = _parsed_dicom(path)
        most: dict[str, int] = {}
        loci: dict[str, Locus | None] = {}
        for found in _data_sets(parsed):
            values = () if isinstance(found, str) else _listed_values(found)
            count_paths(most, (value.path for value in values))
            loci |= {value.path: value.locus for value in values}
        paths = PathColumns.of(most)
        with path.open("rb") as file:
            style = style_of(file.read(_DICOM_HEAD_BYTES).decode("utf-8", "replace"))
        own = tuple(loci[name] for name in paths.columns)
        return DataSetSource(path, paths, own, isinstance(parsed, list), style)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, which is in UTF-8."""
        if not isinstance(source, DataSetSource):
            raise TypeError("a DICOM sink needs a DICOM source")
        return DataSetSink(path, source, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The counts of private elements and of values that no table names."""
        counted: Counter[str] = Counter()
        try:
            for found in _data_sets(_parsed_dicom(path)):
                if isinstance(found, DataSet):
                    counted["unnamed-elements"] += found.private
                    counted["unnamed-values"] += len(found.values) - len(_listed_values(found))
        except DeidError:
            return {}
        return +counted


FORMAT = DicomJson()
