"""Typed columns, in Arrow batches: read as records of cells, written with valid types again.

Which type a column of the output can have is known when all its cells are: a year of a date is an
integer, one `90+` among them makes the column text. So a sink spools what it is given, already
scrubbed, as text, and writes the file when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from deid.formats.contract import Record, RecordFault
from deid.formats.typed.typed_values import KEY_BASE, restore_number, spell_value

ROWS_PER_BATCH = 1 << 13
SPOOLED_ROWS, SPOOLED_CHARACTERS = 1 << 15, 1 << 25
LONGEST_CELL = 1 << 24


@dataclass(frozen=True, slots=True)
class Lost:
    """Rows of a file that cannot be read."""

    rows: int
    code: str


Read = Callable[[], Iterator[pa.RecordBatch | Lost]]
Write = Callable[[Path, pa.Schema, Iterator[pa.RecordBatch]], Path]


@dataclass(frozen=True, slots=True)
class ColumnarSource:
    """A table of typed columns. `nested` are those that hold lists, structures or bytes.

    `facts` is what the sink of the same format needs beside the types, `size` about how many bytes
    the cells are, `keys` as in `ReadOptions`. The `repr` shows no name.
    """

    schema: pa.Schema = field(repr=False)
    read: Read = field(repr=False)
    facts: Any = field(default=None, repr=False)
    size: int = 0
    keys: int = 0
    _regular: list[bool] = field(default_factory=list, repr=False, compare=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, as they are written."""
        return tuple(self.schema.names)

    @property
    def nested(self) -> frozenset[str]:
        """The columns whose cells are no single value: not searched, so not passed on."""
        return frozenset(f.name for f in self.schema if not _is_text_type(_value_type(f.type)))

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in order; one that cannot be read is a fault."""
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
        """Can every row be read, and is every cell one value?"""
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
    return all(_is_sound_text(column) for column in columns if _is_text(column.type))


def _is_sound_text(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    longest = pc.max(pc.binary_length(column)).as_py() or 0
    return longest <= LONGEST_CELL and not pc.any(pc.match_substring(column, "\0")).as_py()


def _column_texts(column: pa.Array, keys: int) -> pa.Array:
    """A sound column as text, cell by cell as `_column_cells` has it."""
    if keys and _is_numeric_type(column.type):
        return _with_tags(column, keys)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if isinstance(column, pa.ExtensionArray):
        return pa.array([spell_value(value) for value in column.to_pylist()], pa.string())
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    return column.cast(pa.string())


def _with_tags(column: pa.Array, keys: int) -> pa.Array:
    """Numbers as text, those of keys as their tags."""
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
    """The cells of a column; rows with a text that nothing can hold go to `faults`."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        broken: dict[int, str] = {}
        values = _column_cells(column.dictionary, broken, keys)
        places = column.indices.to_pylist()
        if broken:
            faults.update({n: broken[p] for n, p in enumerate(places) if p in broken})
        return [None if place is None else values[place] for place in places]
    if _is_text(kind):
        return _texts(column, faults)
    if _is_text_type(kind):
        found: list[str | None] = _column_texts(column, keys).to_pylist()
        return found
    return [spell_value(value) for value in column.to_pylist()]


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
    """Writes a table of typed columns when it is closed; `path` then says where.

    `columns` are the headers that leave and the type each had.
    """

    def __init__(self, path: Path, columns: Sequence[tuple[str, pa.DataType]], write: Write):
        self.path = path
        self._write_file = write
        self._names = [name for name, _ in columns]
        self._guesses = [_Guess.of(_value_type(kind)) for _, kind in columns]
        self._spool = path.with_name(f"{path.name}.spool")
        schema = pa.schema([(str(n), pa.large_string()) for n in range(len(columns))])
        self._writer = pa.ipc.new_file(str(self._spool), schema)
        self._schema = schema
        self._rows: list[Sequence[str | None]] = []
        self._characters = 0

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """One record: the cells of the columns that leave, in order."""
        self._rows.append(cells)
        self._characters += sum(len(cell) for cell in cells if cell)
        if len(self._rows) >= SPOOLED_ROWS or self._characters >= SPOOLED_CHARACTERS:
            self._flush()

    def write_columns(self, columns: Sequence[pa.Array]) -> None:
        """Some records at once: the columns that leave, in order, as text."""
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
        """Decide the types, write the file, and leave nothing beside it."""
        self._flush()
        self._writer.close()
        types = [guess.type for guess in self._guesses]
        schema = pa.schema(list(zip(self._names, types, strict=True)))
        try:
            self.path = self._write_file(self.path, schema, self._typed(schema))
        finally:
            self._spool.unlink(missing_ok=True)

    def _typed(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        with pa.memory_map(str(self._spool)) as file:
            reader = pa.ipc.open_file(file)
            for number in range(reader.num_record_batches):
                texts = reader.get_batch(number).columns
                arrays = [_parsed_array(a, f.type) for a, f in zip(texts, schema, strict=True)]
                yield pa.record_batch(arrays, schema=schema)


@dataclass(slots=True)
class _Guess:
    """Which types the cells of a column, seen so far, can have."""

    textual: bool
    candidates: list[pa.DataType]

    @classmethod
    def of(cls, kind: pa.DataType) -> _Guess:
        """A column of numbers or times stays one, or becomes integers; others are text."""
        whole = [pa.int32(), pa.int64()]
        if pa.types.is_floating(kind):
            return cls(False, [kind, pa.float64()])
        if pa.types.is_unsigned_integer(kind):
            return cls(False, [kind, pa.int64()])
        if pa.types.is_integer(kind):
            return cls(False, [kind, *(t for t in whole if t.bit_width > kind.bit_width)])
        if pa.types.is_null(kind) or not _is_text_type(kind) or _is_text(kind) or _is_uuid(kind):
            return cls(True, [])
        return cls(False, [kind, *whole])

    @property
    def type(self) -> pa.DataType:
        return self.candidates[0] if self.candidates else pa.string()

    def take(self, texts: pa.Array) -> pa.Array:
        """The cells as they are spooled; types that they cannot have are struck out."""
        if not self.textual:
            texts = _as_numbers(texts)
        while self.candidates and not _spells_type(texts, self.candidates[0]):
            del self.candidates[0]
        return texts


def _as_numbers(texts: pa.Array) -> pa.Array:
    """Cells of a column of numbers: key tags as numbers, empty cells as null."""
    marked = pc.or_(pc.equal(texts, ""), pc.starts_with(texts, "["))
    if not pc.any(marked).as_py():
        return texts
    return pa.array([restore_number(text) or None for text in texts.to_pylist()], pa.large_string())


def _spells_type(texts: pa.Array, kind: pa.DataType) -> bool:
    """Is every text the spelling of a value of the type?"""
    try:
        back = _parsed_array(texts, kind)
        if pa.types.is_float16(kind):
            back = back.cast(pa.float32())
        same = pc.all(pc.equal(back.cast(pa.large_string()), texts))
    except pa.ArrowException:
        return False
    return same.as_py() is not False


def _parsed_array(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_time(kind):
        day, space = (pa.scalar(text, pa.large_string()) for text in ("1970-01-01", " "))
        dated = pc.binary_join_element_wise(day, texts, space)
        return dated.cast(pa.timestamp(kind.unit)).cast(kind)
    if pa.types.is_float16(kind):
        return texts.cast(pa.float32()).cast(kind)
    if pa.types.is_duration(kind):
        return texts.cast(pa.int64()).cast(kind)
    return texts.cast(kind)


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_numeric_type(kind: pa.DataType) -> bool:
    """Can a number of a key stand there?"""
    whole = pa.types.is_integer(kind) and kind.bit_width >= 32
    return bool(whole or pa.types.is_float64(kind) or pa.types.is_decimal(kind))


def _is_uuid(kind: pa.DataType) -> bool:
    return isinstance(kind, pa.UuidType)


def _is_text_type(kind: pa.DataType) -> bool:
    """Is a value of the type one value that its text can stand for?"""
    return bool(
        _is_text(kind)
        or pa.types.is_null(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_date(kind)
        or pa.types.is_timestamp(kind)
        or pa.types.is_time(kind)
        or pa.types.is_duration(kind)
        or _is_uuid(kind)
    )


def leaving(source: ColumnarSource, columns: Mapping[int, str]) -> list[tuple[str, pa.DataType]]:
    """The header and the type of each column that leaves."""
    return [(name, source.schema.field(index).type) for index, name in columns.items()]
