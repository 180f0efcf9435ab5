"""JSON of records: arrays, envelopes of arrays, objects keyed by values, one object, nested lines.

The columns are the paths of the leaves. A path has as many columns as there are leaves in the
record with the most leaves at that path. Every path is classified as a column. Released records
keep their structure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.fhir.json_text import JsonError, read_json
from deid.formats.json.json_lines import JSON_LINES_SUFFIXES, is_known
from deid.formats.json.layout import JsonLayout, JsonText, read_json_layout, record_texts
from deid.formats.json.path_survey import PathSurvey
from deid.formats.json.record_tree import Hole, TakenRecord, take_record
from deid.formats.json.sink import JsonRecordsSink, RecordSkeleton, hole
from deid.formats.path_columns import PathColumns

MOST_PATH_COLUMNS = 50_000
_BYTES_SAMPLED = 1 << 22
_OPENERS = (b"{", b"[")


@dataclass(frozen=True, slots=True)
class JsonRecordsSource:
    """One file. Its columns are the paths of its leaves.

    If `by_name` is true, all columns of one name are decided as one column; `valued` are the paths
    of objects whose keys are values because they rarely repeat.
    """

    path: Path
    paths: PathColumns
    layout: JsonLayout
    valued: frozenset[str] = field(repr=False)
    by_name: bool = True

    def __repr__(self) -> str:
        return f"JsonRecordsSource({len(self.columns)} columns, {self.layout.kind})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the leaves."""
        return self.paths.columns

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The beginning of the record paths of each collection."""
        return tuple(collection.prefix for collection in self.layout.collections)

    def records(self) -> Iterator[Record | RecordFault]:
        """Every record in order."""
        for text in record_texts(self.path, self.layout):
            yield self._record(text) if isinstance(text, JsonText) else text

    def sample(self, size: int) -> Iterator[Record]:
        """The first records of each collection."""
        seen: Counter[int | None] = Counter()
        for text in record_texts(self.path, self.layout):
            if not isinstance(text, JsonText) or seen[text.collection] >= size:
                continue
            seen[text.collection] += 1
            if isinstance(record := self._record(text), Record):
                yield record

    def _record(self, text: JsonText) -> Record | RecordFault:
        try:
            value = _parsed_record(text, self.layout)
            known, patient = _known_of_record(value)
            taken = _taken(value, text, self.layout, self.valued)
        except JsonError as error:
            return RecordFault(text.ordinal, error.code)
        cells: list[str | None] = [None] * len(self.columns)
        places = self.paths.place(taken.leaves, cells)
        skeleton = RecordSkeleton(taken.tree, places, text.collection, taken.key)
        return Record(text.ordinal, tuple(cells), patient, known, skeleton)


def _parsed_record(text: JsonText, layout: JsonLayout) -> Any:
    """The parsed record: an object or, under a key that is a value, a list."""
    value: Any = read_json(text.raw)
    if not isinstance(value, dict) and (text.key is None or not isinstance(value, list)):
        raise JsonError("not-an-object")
    if layout.kind == "envelope" and text.collection is None:
        for number, collection in enumerate(layout.collections):
            below: Any = value
            for key in collection.path[:-1]:
                below = below[key]
            below[collection.path[-1]] = Hole(hole(number))
    return value


def _known_of_record(value: Any) -> tuple[Mapping[str, Sequence[str]] | None, str | None]:
    """Return the known values of a record, which are used but never written, and its patient."""
    if not isinstance(value, dict):
        return None, None
    known, patient = value.pop("known", None), value.get("patient")
    if known is not None and not is_known(known):
        raise JsonError("broken-known-values")
    return known, str.__str__(patient) if isinstance(patient, str) else None


def _taken(value: Any, text: JsonText, layout: JsonLayout, valued: Collection[str]) -> TakenRecord:
    prefix = "" if text.collection is None else layout.collections[text.collection].prefix
    return take_record(value, prefix, text.key, valued)


class JsonRecords:
    """JSON other than FHIR: a document of records, or lines with nested lists or objects."""

    name = "json"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is `.json`, or one of JSON lines with a nested record among the first
        lines."""
        return suffix == ".json" or (suffix in JSON_LINES_SUFFIXES and _is_nested(path))

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all records.

        Raises:
            DeidError: `broken-json`, `document-too-long`, `too-many-columns`, or `no-json` if
                no record is an object.
        """
        try:
            layout = read_json_layout(path)
            valued, most = _looked_over(path, layout, frozenset())
            if valued:
                _, most = _looked_over(path, layout, valued)
        except JsonError as error:
            raise _json_records_refusal(error.code, "the document cannot be read as JSON") from None
        if most.total() > MOST_PATH_COLUMNS:
            raise _json_records_refusal("too-many-columns", "the records have too many columns")
        return JsonRecordsSource(path, PathColumns.of(most), layout, valued)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output; it is UTF-8 without a byte order mark."""
        if not isinstance(source, JsonRecordsSource):
            raise TypeError("a JSON sink needs a JSON source")
        return JsonRecordsSink(path, source.layout, source.columns, columns)


def _looked_over(
    path: Path, layout: JsonLayout, valued: frozenset[str]
) -> tuple[frozenset[str], Counter[str]]:
    """Survey the paths of a file.

    Returns the paths of objects whose keys are values, and the largest number of leaves at each
    path in one record.
    """
    survey = PathSurvey()
    for taken in _separable_records(path, layout, valued):
        survey.add(taken)
    if not survey.records and path.stat().st_size and layout.kind in ("lines", "single"):
        raise _json_records_refusal("no-json", "no record of the file is a JSON object")
    own = {"", *(collection.prefix for collection in layout.collections)}
    around = {".".join(c.path[:n]) for c in layout.collections for n in range(len(c.path))}
    return survey.keyed_by_values(own) - around, survey.most


def _separable_records(
    path: Path, layout: JsonLayout, valued: Collection[str]
) -> Iterator[TakenRecord]:
    """The records that can be split into leaves.

    Raises:
        JsonError: the envelope around them cannot be split.
    """
    for text in record_texts(path, layout):
        if not isinstance(text, JsonText):
            continue
        try:
            value = _parsed_record(text, layout)
            _known_of_record(value)
            yield _taken(value, text, layout, valued)
        except JsonError:
            if layout.kind == "envelope" and text.collection is None:
                raise


def _is_nested(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_BYTES_SAMPLED)
    for line in islice(head.split(b"\n"), 2000):
        if not any(mark in line.lstrip()[1:] for mark in _OPENERS):
            continue
        try:
            value = read_json(line)
        except JsonError:
            continue
        if isinstance(value, dict) and _is_record(value):
            return True
    return False


def _is_record(value: dict[str, Any]) -> bool:
    """Whether an object holds a list or an object and is not a note (has no `text` string)."""
    if isinstance(value.get("text"), str):
        return False
    return any(isinstance(below, list | dict) for key, below in value.items() if key != "known")


def _json_records_refusal(code: str, message: str) -> DeidError:
    hint = "one JSON object or array in UTF-8, or one object per line"
    return unreadable(code, message, hint=hint)


FORMAT = JsonRecords()
