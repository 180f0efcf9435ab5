"""FHIR R4 and R5: NDJSON of bulk exports, Bundles and single resources in JSON and XML.

A record is a resource: a line, or an entry of a Bundle (the Bundle without its entries is the first
record). Its columns are element paths; paths that are not in `loci.csv` are never released.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.fhir.files import fhir_refusal, looks_like_fhir, read_fhir_layout
from deid.formats.fhir.json_text import JsonError
from deid.formats.fhir.render import render_resource
from deid.formats.fhir.resource_tree import ObjectNode
from deid.formats.fhir.syntax import FhirLayout, FhirPart
from deid.formats.fhir.walk import TakenResource, take_part, take_resource, take_wrapped
from deid.formats.fhir.wrappers import holds_resource
from deid.formats.fhir.xml_files import looks_like_fhir_xml, read_xml_layout
from deid.formats.path_columns import PathColumns, count_paths
from deid.vocabularies.locus import Locus

_FHIR_SUFFIXES = (".ndjson", ".jsonl", ".jsonlines", ".json")

# Replaces the only resource of a file if it was withheld.
WITHHELD_RESOURCE = {
    "resourceType": "OperationOutcome",
    "issue": [{"severity": "error", "code": "suppressed"}],
}


@dataclass(frozen=True, slots=True)
class ResourceSkeleton:
    """The data that the sink needs to write a record: its tree and the column of each leaf."""

    tree: ObjectNode = field(repr=False)
    places: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FhirSource:
    """One file; its columns are paths.

    `person` is the key of a Bundle's only patient, to whom all its entries belong.
    """

    path: Path
    paths: PathColumns
    loci: tuple[Locus | None, ...]
    layout: FhirLayout
    rtf: str
    person: str | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"FhirSource({len(self.columns)} columns, {self.layout.shape})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the leaves."""
        return self.paths.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """Every record in order."""
        for ordinal, _, taken in _all_taken(self.path, self.layout, self.rtf):
            if isinstance(taken, RecordFault):
                yield taken
            else:
                yield self._record(ordinal, taken)

    def _record(self, ordinal: int, taken: TakenResource) -> Record:
        cells: list[str | None] = [None] * len(self.columns)
        places = self.paths.place(((locus.path, value) for locus, value in taken.leaves), cells)
        skeleton = ResourceSkeleton(taken.tree, places)
        return Record(ordinal, tuple(cells), patient=self.person, skeleton=skeleton)


def _layout_of(path: Path) -> FhirLayout:
    return read_xml_layout(path) if looks_like_fhir_xml(path) else read_fhir_layout(path)


def _all_taken(
    path: Path, layout: FhirLayout, rtf: str
) -> Iterator[tuple[int, str, TakenResource | RecordFault]]:
    """The ordinal and kind of each part of a file, and its leaves and tree or its fault."""
    for part in layout.syntax.parts(path, layout.shape):
        if isinstance(part, RecordFault):
            yield part.ordinal, "", part
        else:
            yield part.ordinal, part.part, _taken_of(part, rtf)


def _taken_of(part: FhirPart, rtf: str) -> TakenResource | RecordFault:
    """The leaves and tree of one part, or its fault."""
    try:
        value = part.value()
        if not isinstance(value, dict):
            return RecordFault(part.ordinal, "not-an-object")
        if part.part == "entry":
            return take_part(value, "Bundle.entry", rtf)
        if "resourceType" not in value and "exportId" in value and "eventId" in value:
            return take_part(value, "BulkLog", rtf)
        if "resourceType" not in value and holds_resource(value):
            return take_wrapped(value, rtf)
        return take_resource(value, rtf)
    except JsonError as error:
        return RecordFault(part.ordinal, error.code)


class FhirSink:
    """Writes records in the layout of their source."""

    def __init__(self, path: Path, source: FhirSource, columns: Mapping[int, str]) -> None:
        self._syntax, self._shape = source.layout.syntax, source.layout.shape
        self._position = {column: place for place, column in enumerate(columns)}
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._tail = ""
        self._entries = -1

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record from the cells of the released columns, in order."""
        known = cast(ResourceSkeleton, skeleton)
        position = self._position
        values = [cells[position[place]] if place in position else None for place in known.places]
        value = render_resource(known.tree, values)
        if self._shape == "bundle":
            self._write_part(value)
        elif self._shape == "array":
            self._entries = max(self._entries, 0)
            self._file.write("" if self._entries else "[")
            self._write_entry(value)
        else:
            self._file.write(self._syntax.resource(value) + "\n")

    def _write_part(self, value: dict[str, Any]) -> None:
        if self._entries < 0:
            shell = value if value.get("resourceType") == "Bundle" else None
            self._open(shell or {"resourceType": "Bundle", "type": "collection", "entry": []})
            if shell is not None:
                return
        self._write_entry(value)

    def _write_entry(self, value: dict[str, Any]) -> None:
        self._file.write(self._syntax.entry(value, first=not self._entries))
        self._entries += 1

    def _open(self, shell: dict[str, Any]) -> None:
        """Write the Bundle up to its entries, and keep what follows them."""
        self._entries = 0
        head, self._tail = self._syntax.bundle(shell)
        self._file.write(head)

    def close(self) -> None:
        """Write what is buffered and close the file."""
        if self._shape == "bundle" and self._entries >= 0:
            self._file.write((self._tail if self._entries else self._tail.lstrip()) + "\n")
        if self._shape == "array":
            self._file.write("\n]\n" if self._entries > 0 else "[]\n")
        if self._shape == "resource" and not self._file.tell():
            self._file.write(self._syntax.resource(WITHHELD_RESOURCE) + "\n")
        self._file.close()


class Fhir:
    """FHIR resources in JSON or XML."""

    name = "fhir"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix fits and the file begins with a FHIR resource in JSON or XML."""
        if suffix == ".xml":
            return looks_like_fhir_xml(path)
        return suffix in _FHIR_SUFFIXES and looks_like_fhir(path)

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all records.

        Raises:
            DeidError: `broken-json`, `document-too-long`, an error of `parse_xml_file`, or
                `no-resource` if no record is a resource.
        """
        layout = _layout_of(path)
        most: Counter[str] = Counter()
        loci: dict[str, Locus] = {}
        gone: dict[str, Locus] = {}
        patients: set[str] = set()
        records = 0
        for _, part, taken in _all_taken(path, layout, options.rtf):
            if isinstance(taken, RecordFault):
                if part == "shell":
                    raise fhir_refusal(taken.code, "the Bundle around the entries cannot be read")
                continue
            records += 1
            patients |= _patient_of(taken)
            count_paths(most, (locus.path for locus, _ in taken.leaves))
            for locus, value in taken.leaves:
                # A path that is left out of one record may be released in others.
                (gone if value is None else loci).setdefault(locus.path, locus)
        if not records:
            raise fhir_refusal("no-resource", "no record of the file is a FHIR resource")
        return _source(path, layout, options.rtf, most, gone | loci, patients)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The counts of parts that are left out or written as text, by kind."""
        counted: Counter[str] = Counter()
        for _, _, taken in _all_taken(path, _layout_of(path), (options or ReadOptions()).rtf):
            if not isinstance(taken, RecordFault):
                counted.update(taken.left)
        return dict(counted)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output; it is UTF-8 without a byte order mark."""
        if not isinstance(source, FhirSource):
            raise TypeError("a FHIR sink needs a FHIR source")
        return FhirSink(path, source, columns)


def _patient_of(taken: TakenResource) -> set[str]:
    """The key of the record's patient if the record is a Patient resource."""
    paths = ("Patient.id", "Bundle.entry.fullUrl[own]")
    keys = [value for locus, value in taken.leaves if value and locus.path in paths]
    return set(keys[:1])


def _source(
    path: Path,
    layout: FhirLayout,
    rtf: str,
    most: Counter[str],
    loci: Mapping[str, Locus],
    patients: set[str],
) -> FhirSource:
    paths = PathColumns.of(most)
    person = (
        next(iter(patients)) if layout.shape in ("bundle", "array") and len(patients) == 1 else None
    )
    told = tuple(loci[name] for name in paths.columns)
    return FhirSource(path, paths, told, layout, rtf, person)


FORMAT = Fhir()
