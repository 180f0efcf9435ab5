"""Typed columns in Arrow batches: read as records of cells, written with valid types again.

The type of an output column depends on all its cells: the year of a date is an integer, but one
`90+` among the years makes the column text. So a sink spools the scrubbed cells as text and writes
the file when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from deid.formats.contract import Record, RecordFault
from deid.formats.typed.column_guess import (
    ColumnGuess,
    is_single_value,
    is_text_type,
    may_hold_key,
    parsed_array,
    value_type_of,
)
from deid.formats.typed.nested_values import (
    NestedGuess,
    nested_array,
    nested_cells,
    types_within,
)
from deid.formats.typed.typed_values import KEY_BASE, spell_value

ROWS_PER_BATCH = 1 << 13
SPOOLED_ROWS, SPOOLED_CHARACTERS = 1 << 15, 1 << 25
LONGEST_CELL = 1 << 24


@dataclass(frozen=True, slots=True)
class Lost:
    """Rows that cannot be read."""

    rows: int
    code: str


Read = Callable[[], Iterator[pa.RecordBatch | Lost]]
Write = Callable[[Path, pa.Schema, Iterator[pa.RecordBatch]], Path]


@dataclass(frozen=True, slots=True)
class ColumnarSource:
    """A table of typed columns. `nested` are the columns that hold lists, structures or bytes.

    `facts` is what the sink of the same format needs besides the types, `size` is the approximate
    size of the cells in bytes, and `keys` is as in `ReadOptions`. The `repr` shows no names.
    """

    schema: pa.Schema = field(repr=False)
    read: Read = field(repr=False)
    facts: Any = field(default=None, repr=False)
    size: int = 0
    keys: int = 0
    _regular: list[bool] = field(default_factory=list, repr=False, compare=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns as the release writes them."""
        return tuple(self.schema.names)

    @property
    def nested(self) -> frozenset[str]:
        """The columns of cells that are not single values, which are not passed on."""
        return frozenset(f.name for f in self.schema if not is_single_value(value_type_of(f.type)))

    @property
    def trees(self) -> frozenset[str]:
        """The nested columns that are read as JSON and searched path by path."""
        return frozenset(f.name for f in self.schema if _is_tree(f.type))

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in order. A row that cannot be read becomes a fault."""
        ordinal = 0
        for batch in self.read():
            if isinstance(batch, Lost):
                for _ in range(batch.rows):
                    ordinal += 1
                    yield RecordFault(ordinal, batch.code)
                continue
            yield from _batch_records(batch, ordinal, self.keys)
            ordinal += batch.num_rows

    def is_regular(self) -> bool:
        """Whether every row can be read and every cell is a single value."""
        if not self._regular:
            self._regular.append(not self.nested and all(map(_is_sound, self.read())))
        return self._regular[0]

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The cells of a regular table by column, as text."""
        for batch in self.read():
            if isinstance(batch, pa.RecordBatch):
                texts = [_column_texts(column, self.keys) for column in batch.columns]
                yield pa.record_batch(texts, names=list(self.columns))


def _is_sound(batch: pa.RecordBatch | Lost) -> bool:
    if isinstance(batch, Lost):
        return False
    columns = (
        column.dictionary if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    )
    return all(_is_sound_text(column) for column in columns if is_text_type(column.type))


def _is_sound_text(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    longest = pc.max(pc.binary_length(column)).as_py() or 0
    return longest <= LONGEST_CELL and not pc.any(pc.match_substring(column, "\0")).as_py()


def _column_texts(column: pa.Array, keys: int) -> pa.Array:
    """A column in which every cell can be read, as text, with the same cells as `_column_cells`."""
    if keys and may_hold_key(column.type):
        return _with_tags(column, keys)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if isinstance(column, pa.ExtensionArray):
        return pa.array([spell_value(value) for value in column.to_pylist()], pa.string())
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    return column.cast(pa.string())


def _with_tags(column: pa.Array, keys: int) -> pa.Array:
    """Numbers as text. Numbers of keys become their tags."""
    above = pc.greater(column, pa.scalar(KEY_BASE).cast(pa.int64()))
    held = pc.and_(above, pc.less_equal(column, pa.scalar(KEY_BASE + keys, pa.int64())))
    texts = column.cast(pa.string())
    if not pc.any(held).as_py():
        return texts
    bare = pc.subtract(column.cast(pa.int64(), safe=False), pa.scalar(KEY_BASE, pa.int64()))
    tags = pc.binary_join_element_wise("[ID-", bare.cast(pa.string()), "]", "")
    return pc.if_else(held, tags, texts)


def _batch_records(batch: pa.RecordBatch, before: int, keys: int) -> Iterator[Record | RecordFault]:
    faults: dict[int, str] = {}
    columns = [_column_cells(column, faults, keys) for column in batch.columns]
    for place, cells in enumerate(zip(*columns, strict=True)):
        code = faults.get(place) if faults else None
        ordinal = before + place + 1
        yield Record(ordinal, cells) if code is None else RecordFault(ordinal, code)


def _column_cells(column: pa.Array, faults: dict[int, str], keys: int) -> list[str | None]:
    """The cells of a column. Rows with text that cannot be decoded are added to `faults`."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        broken: dict[int, str] = {}
        values = _column_cells(column.dictionary, broken, keys)
        places = column.indices.to_pylist()
        if broken:
            faults.update({n: broken[p] for n, p in enumerate(places) if p in broken})
        return [None if place is None else values[place] for place in places]
    if is_text_type(kind):
        return _texts(column, faults)
    if _is_tree(kind):
        return nested_cells(column, partial(_nested_texts, keys=keys), faults)
    if is_single_value(kind):
        found: list[str | None] = _column_texts(column, keys).to_pylist()
        return found
    return [spell_value(value) for value in column.to_pylist()]


def _nested_texts(column: pa.Array, keys: int) -> list[str | None]:
    """The single values within nested cells as text; null for text that cannot be decoded."""
    broken: dict[int, str] = {}
    texts = _column_cells(column, broken, keys)
    return [None if place in broken else text for place, text in enumerate(texts)]


def _texts(column: pa.Array, faults: dict[int, str]) -> list[str | None]:
    try:
        column.validate(full=True)
        texts: list[str | None] = column.to_pylist()
    except (pa.ArrowInvalid, UnicodeDecodeError):
        raw = column.cast(pa.large_binary(), safe=False).to_pylist()
        texts = [_decode_cell(value, place, faults) for place, value in enumerate(raw)]
    longest = pc.max(pc.binary_length(column)).as_py() or 0
    for place, text in enumerate(texts):
        if text is not None and "\0" in text:
            faults[place] = "control-characters"
        elif longest > LONGEST_CELL and text is not None and len(text) > LONGEST_CELL:
            faults[place] = "field-too-long"
    return texts


def _decode_cell(value: bytes | None, place: int, faults: dict[int, str]) -> str | None:
    try:
        return None if value is None else value.decode("utf-8")
    except UnicodeDecodeError:
        faults[place] = "undecodable-bytes"
        return None


class ColumnarSink:
    """Writes a table of typed columns when it is closed. After that, `path` is the file.

    `columns` holds the header and the original type of each released column.
    """

    def __init__(self, path: Path, columns: Sequence[tuple[str, pa.DataType]], write: Write):
        self.path = path
        self._write_file = write
        self._names = [name for name, _ in columns]
        self._guesses = [
            NestedGuess(kind) if _is_tree(kind) else ColumnGuess.of(value_type_of(kind))
            for _, kind in columns
        ]
        self._spool = path.with_name(f"{path.name}.spool")
        schema = pa.schema([(str(n), pa.large_string()) for n in range(len(columns))])
        self._writer = pa.ipc.new_file(str(self._spool), schema)
        self._schema = schema
        self._rows: list[Sequence[str | None]] = []
        self._characters = 0

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record: the cells of the released columns, in order."""
        self._rows.append(cells)
        self._characters += sum(len(cell) for cell in cells if cell)
        if len(self._rows) >= SPOOLED_ROWS or self._characters >= SPOOLED_CHARACTERS:
            self._flush()

    def write_columns(self, columns: Sequence[pa.Array]) -> None:
        """Write several records: the released columns, in order, as text."""
        self._flush()
        self._spool_columns([column.cast(pa.large_string()) for column in columns])

    def _flush(self) -> None:
        if not self._rows:
            return
        columns = zip(*self._rows, strict=True)
        self._rows, self._characters = [], 0
        self._spool_columns([pa.array(cells, pa.large_string()) for cells in columns])

    def _spool_columns(self, columns: Sequence[pa.Array]) -> None:
        arrays = [g.take(texts) for g, texts in zip(self._guesses, columns, strict=True)]
        if arrays:
            self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))

    def close(self) -> None:
        """Decide the types, write the file, and remove the spool."""
        self._flush()
        self._writer.close()
        types = [guess.type for guess in self._guesses]
        schema = pa.schema(list(zip(self._names, types, strict=True)))
        try:
            self.path = self._write_file(self.path, schema, self._typed(schema))
        finally:
            self._spool.unlink(missing_ok=True)

    def _typed(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with pa.OSFile(str(self._spool)) as file:
            reader = pa.ipc.open_file(file)
            for number in range(reader.num_record_batches):
                texts = reader.get_batch(number).columns
                arrays = [_typed_texts(a, f.type) for a, f in zip(texts, schema, strict=True)]
                yield pa.record_batch(arrays, schema=schema)


def _typed_texts(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    return (nested_array if _holds_values(kind) else parsed_array)(texts, kind)


def _holds_values(kind: pa.DataType) -> bool:
    return bool(pa.types.is_nested(kind))


def _is_tree(kind: pa.DataType) -> bool:
    """Whether the type is a nested type of single values."""
    return _holds_values(kind) and all(map(is_single_value, types_within(kind)))


def leaving(source: ColumnarSource, columns: Mapping[int, str]) -> list[tuple[str, pa.DataType]]:
    """The header and the type of each released column."""
    return [(name, source.schema.field(index).type) for index, name in columns.items()]
