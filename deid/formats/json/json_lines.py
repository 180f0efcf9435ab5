"""JSON lines: documents `{"id", "text", "patient"?, "known"?}`, or any flat objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.text.encoding import detect_encoding

JSON_LINES_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")
# A lone surrogate, which cannot be encoded as UTF-8.
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_JSON_LINE = 1 << 26
DEEPEST_JSON = 256
_STRING_OR_BRACKET = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """The parsed object of one line, or the code of its fault."""

    ordinal: int
    keys: Mapping[str, Any] | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class JsonlSource:
    """One file of JSON objects; the columns are all its keys, in order of first occurrence.

    The key `known` holds the known values of the document's person; it is used, but never written.
    `typed` are the keys that never hold a string: their released numbers are written as numbers;
    `nested` are the keys that hold a list or an object in any line.
    """

    path: Path
    columns: tuple[str, ...]
    typed: frozenset[str]
    nested: frozenset[str]
    codec: str

    def __repr__(self) -> str:
        return f"JsonlSource({len(self.columns)} columns)"

    def records(self) -> Iterator[Record | RecordFault]:
        """One record or fault per line; lists and objects become JSON text."""
        for line in _read_json_lines(self.path, self.codec):
            if line.keys is None:
                yield RecordFault(line.ordinal, line.fault)
            else:
                yield _json_record(line.ordinal, line.keys, self.columns)


def _json_record(
    ordinal: int, keys: Mapping[str, Any], columns: Sequence[str]
) -> Record | RecordFault:
    known = keys.get("known")
    if known is not None and not is_known(known):
        return RecordFault(ordinal, "broken-known-values")
    cells = tuple(_json_cell(keys.get(column)) for column in columns)
    person = _json_cell(keys.get("patient"))
    return Record(ordinal, cells, patient=person, known=known)


def is_known(known: Any) -> bool:
    return isinstance(known, dict) and all(
        isinstance(values, list) and all(isinstance(value, str) for value in values)
        for values in known.values()
    )


def _json_cell(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _read_json_lines(path: Path, codec: str) -> Iterator[JsonLine]:
    ordinal = 0
    with path.open("rb") as file:
        if codec == "utf-8-sig":
            file.read(3)
        for raw in _bounded(file):
            if raw.strip():
                ordinal += 1
                yield _json_line(ordinal, raw)


def _bounded(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; a line that is too long is cut, so that it does not fill the memory."""
    while raw := file.readline(LONGEST_JSON_LINE + 1):
        rest = raw
        while len(raw) > LONGEST_JSON_LINE and rest and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_JSON_LINE)
        yield raw


def _json_line(ordinal: int, raw: bytes) -> JsonLine:
    if len(raw) > LONGEST_JSON_LINE:
        return JsonLine(ordinal, None, "line-too-long")
    try:
        refuse_deep_nesting(raw)
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=refuse_repeated_keys)
    except UnicodeDecodeError:
        return JsonLine(ordinal, None, "undecodable-bytes")
    except (ValueError, RecursionError):
        return JsonLine(ordinal, None, "broken-json")
    if not isinstance(value, dict):
        return JsonLine(ordinal, None, "not-an-object")
    if b"\\u" in raw and LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        return JsonLine(ordinal, None, "lone-surrogate")
    return JsonLine(ordinal, value)


def refuse_deep_nesting(raw: bytes) -> None:
    """Refuse text that is nested too deep: the parser's own limit depends on the Python version.

    Raises:
        ValueError: objects and arrays are nested more than `DEEPEST_JSON` deep.
    """
    if raw.count(b"{") + raw.count(b"[") <= DEEPEST_JSON:
        return
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(raw):
        mark = found[0]
        depth += (mark in b"{[") - (mark in b"]}")
        if depth > DEEPEST_JSON:
            raise ValueError("nested too deep")


def refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; refuse a repeated key, which would hide its first value from the search."""
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise ValueError("a key occurs twice")
    return keys


class JsonlSink:
    """Writes one object per line; keys without a value are left out."""

    def __init__(self, path: Path, source: JsonlSource, columns: Mapping[int, str]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._names = tuple(columns.values())
        self._typed = frozenset(n for i, n in columns.items() if source.columns[i] in source.typed)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record from the cells of the released keys, in order."""
        pairs = zip(self._names, cells, strict=True)
        keys = {name: self._value(name, cell) for name, cell in pairs if cell is not None}
        self._file.write(json.dumps(keys, ensure_ascii=False) + "\n")

    def _value(self, name: str, cell: str) -> Any:
        if name not in self._typed:
            return cell
        try:
            return json.loads(cell)
        except ValueError:
            return cell

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


class Jsonl:
    """A file of JSON lines."""

    name = "jsonl"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is one of JSON lines."""
        return suffix in JSON_LINES_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the keys of all lines.

        Raises:
            DeidError: `unreadable-encoding`, or `no-json` if no line is an object.
        """
        encoding = detect_encoding(path)
        if encoding.codec not in ("utf-8", "cp1252"):
            raise _json_lines_refusal("unreadable-encoding", "the JSON lines are not in UTF-8")
        codec = "utf-8-sig" if encoding.bom else "utf-8"
        columns: dict[str, None] = {}
        strings: set[str] = set()
        nested: set[str] = set()
        objects = 0
        for line in _read_json_lines(path, codec):
            if line.keys is not None:
                objects += 1
                columns |= dict.fromkeys(key for key in line.keys if key != "known")
                strings |= {key for key, value in line.keys.items() if isinstance(value, str)}
                nested |= {key for key, v in line.keys.items() if isinstance(v, list | dict)}
        if not objects and path.stat().st_size:
            raise _json_lines_refusal("no-json", "no line of the file is a JSON object")
        return JsonlSource(
            path, tuple(columns), frozenset(columns.keys() - strings), frozenset(nested), codec
        )

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output; it is UTF-8 without a byte order mark."""
        if not isinstance(source, JsonlSource):
            raise TypeError("a JSON lines sink needs a JSON lines source")
        return JsonlSink(path, source, columns)


def _json_lines_refusal(code: str, message: str) -> DeidError:
    return unreadable(
        code, message, hint="write each record as one JSON object on one line, in UTF-8"
    )


FORMAT = Jsonl()
