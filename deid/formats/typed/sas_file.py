"""SAS: transport files (XPT, versions 5 and 8) and SAS7BDAT, read in chunks.

Transport files are written as version 5 if that version can hold them. Other transport files and
SAS7BDAT files are written as Parquet, with `.parquet` added to the name: only SAS writes SAS7BDAT
reliably.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyreadstat

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, RecordSource, Sink, first_bytes
from deid.formats.typed.arrow_batches import ColumnarSink, ColumnarSource, Lost, leaving
from deid.formats.typed.parquet_file import write_parquet
from deid.vocabularies.data_models import find_schema
from deid.vocabularies.wording import NAME, names_nobody
from recognizers import profile

_SAS_SUFFIXES = (".xpt", ".xport", ".sas7bdat")
_TRANSPORT = re.compile(rb"HEADER RECORD\*{7}(?:LIBRARY|LIBV8) ")
_MEMBER_HEADER = re.compile(rb"HEADER RECORD\*{7}(?:MEMBER |MEMBV8) ")
_SAS7BDAT = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_CARD = 80
ROWS_PER_CHUNK = 20_000
# TS-140, the layout of version 5: names of 8 characters, labels of 40, texts of 200 bytes.
_NAME, LONGEST_LABEL, LONGEST_TEXT = re.compile(r"[A-Za-z_]\w{0,7}", re.ASCII), 40, 200
_LONG_REPLACEMENT = re.compile(r"column_(\d{2,5})")
# The positions of the creation times in version 5. A release has a fixed time there.
_WRITTEN, _DATED = (144, 160, 464, 480), b"01JAN60:00:00:00"
_EPOCH_DAYS, _DAY = 3653, 86_400
_SAS_DAY_RANGE = (-719_162, 2_932_896)  # years 1 to 9999, in days since 1970
_SAS_NUMBER_FORMAT = re.compile(r"(?:NULL|F|BEST|COMMA|Z)?[\d.]*", re.IGNORECASE)
# Numbers that are years or dates such as 20240314; the fewest seconds that cannot be days.
_FIRST_YEAR, _LAST_YEAR, _WRITTEN_DAYS = 1850, 2100, range(18_500_101, 21_001_232)
_LEAST_SECONDS = 40_000_000
_SAS_DATE_FORMAT = re.compile(
    r"(?:[EB]8601DA|IS8601DA|N?L?DATE|DAY|DDMMYY|MMDDYY|YYMMDD|MONYY|YYMON|YYMM|MMYY|MONNAME|"
    r"JULIAN|JULDAY|(?:WEEK|WORD)DAT[EX]|YEAR|YYQR?|QTRR?|DOWNAME|WEEKDAY)[BCDNPS]?[\d.]*",
    re.IGNORECASE,
)
_SAS_DATETIME_FORMAT = re.compile(
    r"(?:[EB]8601(?:DT|DX|DZ|DN)|IS8601DT|DATETIME|DT[A-Z]+|DATEAMPM|NLDATM\w*)[\d.]*",
    re.IGNORECASE,
)
_SAS_TIME_FORMAT = re.compile(
    r"(?:[EB]8601T[MXZ]|IS8601TM|TIME|TIMEAMPM|TOD|HHMM|MMSS|HOUR)[\d.]*", re.I
)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a file describes its columns: labels, SAS formats, encoding. The `repr` hides names."""

    transport: bool
    encoding: str | None
    table: str = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    rows: int | None


class SasFile:
    """A SAS file with one data set."""

    name = "sas"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of a SAS file."""
        return suffix in _SAS_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the names and types.

        Raises:
            DeidError: `broken-sas`, `several-datasets`, `empty-table`, `broken-header`.
        """
        transport = _is_transport(path)
        if transport:
            _refuse_several(path)
        meta, encoding, first = _read_header(path, transport)
        if not meta.column_names:
            raise _sas_refusal("empty-table", "the data set has no columns")
        if any("\0" in name for name in meta.column_names):
            raise _sas_refusal("broken-header", "a column's name holds control characters")
        names = meta.column_names
        said = zip(names, _column_kinds(path, names), strict=True)
        types = [_sas_column_type(meta, name, says, first[name]) for name, says in said]
        layout = _Layout(
            transport,
            encoding,
            meta.table_name or "",
            tuple(label or "" for label in meta.column_labels),
            meta.number_rows if not transport else None,
        )
        schema = pa.schema(list(zip(meta.column_names, types, strict=True)))
        read = partial(_sas_batches, path, schema, layout)
        return ColumnarSource(schema, read, layout, path.stat().st_size, options.keys)

    def create(self, path: Path, source: ColumnarSource, columns: Mapping[int, str]) -> Sink:
        """Open the output. The choice between XPT and Parquet is made when it is closed."""
        layout: _Layout = source.facts
        labels = {name: layout.labels[index] for index, name in columns.items()}
        write = partial(_write_transport, layout=layout, labels=labels)
        return ColumnarSink(path, leaving(source, columns), write)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Counts of file labels and value labels, and whether a SAS7BDAT changes its format."""
        transport = _is_transport(path)
        meta, _, _ = _read_header(path, transport)
        found = {
            "file-labels": int(bool(meta.file_label)),
            "formats": len(meta.variable_to_label or {}),
            "written-as-parquet": int(not transport),
        }
        return {what: count for what, count in found.items() if count}


def _is_transport(path: Path) -> bool:
    head = first_bytes(path, _CARD)
    if _TRANSPORT.match(head):
        return True
    if head[12:32] != _SAS7BDAT:
        raise _sas_refusal("broken-sas", "the file is not a SAS data set")
    return False


def _refuse_several(path: Path) -> None:
    """Refuse a library of several data sets, because readers see only the first."""
    size = path.stat().st_size
    if size % _CARD:
        raise _sas_refusal("broken-sas", "the file ends in the middle of a record")
    found, block = 0, _CARD * 50_000
    with path.open("rb") as file:
        while data := file.read(block):
            starts = (match.start() for match in _MEMBER_HEADER.finditer(data))
            found += sum(start % _CARD == 0 for start in starts)
    if found > 1:
        hint = "write each data set to a separate file"
        raise _sas_refusal("several-datasets", "the file holds several data sets", hint)


def _sas_reader(transport: bool) -> Any:
    return pyreadstat.read_xport if transport else pyreadstat.read_sas7bdat


def _read_header(path: Path, transport: bool) -> tuple[Any, str | None, Any]:
    """The metadata of the file, the encoding of its texts, and its first rows."""
    for encoding in (None, "WINDOWS-1252"):
        try:
            first, meta = _sas_reader(transport)(
                str(path),
                output_format="dict",
                row_limit=200,
                encoding=encoding,
                disable_datetime_conversion=True,
            )
            full = _sas_reader(transport)(str(path), metadataonly=True, encoding=encoding)[1]
            meta.number_rows = full.number_rows
            return meta, encoding, first
        except Exception:  # messages of the C library may quote the data
            continue
    raise _sas_refusal("broken-sas", "the data set cannot be read")


def _sas_column_type(meta: Any, name: str, says: str, first: Sequence[Any]) -> pa.DataType:
    if meta.readstat_variable_types[name] == "string":
        return pa.string()
    kind = meta.original_variable_types.get(name) or ""
    if _SAS_DATE_FORMAT.fullmatch(kind):
        return pa.date32()
    if _SAS_DATETIME_FORMAT.fullmatch(kind):
        return pa.timestamp("us")
    if _SAS_TIME_FORMAT.fullmatch(kind):
        return pa.time64("us")
    return _type_by_name(name, says, first) if _SAS_NUMBER_FORMAT.fullmatch(kind) else pa.float64()


def _type_by_name(name: str, says: str, first: Sequence[Any]) -> pa.DataType:
    """Return the type of numbers without a format: under a date name they count from 1960.

    Years and dates such as `20240314` stay numbers. If numbers that count from 1960
    were read as spreadsheet dates, they would be off by 60 years.
    """
    seen = [v for v in first if isinstance(v, int | float) and not math.isnan(v)]
    if not seen or says not in ("date", "birth_date"):
        return pa.float64()
    if all(_FIRST_YEAR <= v <= _LAST_YEAR for v in seen) or all(v in _WRITTEN_DAYS for v in seen):
        return pa.float64()
    if median(map(abs, seen)) >= _LEAST_SECONDS:  # a single value may be close to 1960
        return pa.timestamp("us")
    return pa.time64("us") if name.upper().endswith("TM") else pa.date32()


def _column_kinds(path: Path, names: Sequence[str]) -> list[str]:
    """The shape of each column by a published data model, otherwise by its header."""
    schema = find_schema(path.name, names)
    known = [None if schema is None else schema.column(name.strip()) for name in names]
    return [(k or profile(name, [])).shape for k, name in zip(known, names, strict=True)]


def _sas_batches(path: Path, schema: pa.Schema, layout: _Layout) -> Iterator[pa.RecordBatch | Lost]:
    read = 0
    while True:
        try:
            chunk, _ = _sas_reader(layout.transport)(
                str(path),
                output_format="dict",
                row_offset=read,
                row_limit=ROWS_PER_CHUNK,
                encoding=layout.encoding,
                disable_datetime_conversion=True,
            )
            arrays = [_sas_array(chunk[f.name], f.type) for f in schema]
            batch = pa.record_batch(arrays, schema=schema)
        except Exception:
            yield Lost(max(1, (layout.rows or 0) - read), "broken-sas")
            return
        if batch.num_rows:
            yield batch
        read += batch.num_rows
        if batch.num_rows < ROWS_PER_CHUNK:
            break
    if layout.rows is not None and read < layout.rows:
        yield Lost(layout.rows - read, "broken-sas")


def _sas_array(values: Any, kind: pa.DataType) -> pa.Array:
    if pa.types.is_string(kind):
        return pa.array([value or "" for value in values], kind)
    numbers = pa.array(values, pa.float64(), from_pandas=True)
    if pa.types.is_floating(kind):
        return numbers
    # Counted from 1960. A number outside the calendar has no known meaning.
    if pa.types.is_date(kind):
        days = pc.floor(pc.subtract(numbers, _EPOCH_DAYS))
        return _within(days, _SAS_DAY_RANGE).cast(pa.int32()).cast(kind)
    timed = pa.types.is_time(kind)
    seconds = numbers if timed else pc.subtract(numbers, _EPOCH_DAYS * _DAY)
    told = _within(seconds, (0, _DAY - 1) if timed else [day * _DAY for day in _SAS_DAY_RANGE])
    return pc.round(pc.multiply(told, 1e6)).cast(pa.int64()).cast(kind)


def _within(numbers: pa.Array, ends: Sequence[int]) -> pa.Array:
    inside = pc.and_(pc.greater_equal(numbers, ends[0]), pc.less_equal(numbers, ends[1]))
    return pc.if_else(inside, numbers, pa.scalar(None, pa.float64()))


def _write_transport(
    path: Path,
    schema: pa.Schema,
    batches: Iterator[pa.RecordBatch],
    layout: _Layout,
    labels: Mapping[str, str],
) -> Path:
    """Write transport version 5, with the data set in memory, or Parquet if it does not fit."""
    beside = path.with_name(f"{path.name}.parquet")
    names = _transport_names(schema.names)
    if not layout.transport or names is None:
        return write_parquet(beside, schema, batches)
    table = pa.Table.from_batches(list(batches), schema)
    if not table.num_rows or not _short(table) or _ends_blank(table):
        return write_parquet(beside, schema, iter(table.to_batches()))
    told: dict[str, str | None] = {
        short: _vouched_label(labels.get(name, "")) or (name if name != short else "")
        for name, short in zip(schema.names, names, strict=True)
    }
    pyreadstat.write_xport(
        table.rename_columns(names).to_pandas(date_as_object=True, timestamp_as_object=False),
        str(path),
        column_labels={name: label for name, label in told.items() if label},
        table_name=_table_name(path, layout.table),
        file_format_version=5,
    )
    with path.open("r+b") as file:
        for place in _WRITTEN:
            file.seek(place)
            file.write(_DATED)
    return path


def _transport_names(names: Sequence[str]) -> list[str] | None:
    """The names in version 5 (`column_10` becomes `COL10`); None if other names are too long."""
    short = [_LONG_REPLACEMENT.sub(r"COL\1", name) for name in names]
    fit = all(map(_NAME.fullmatch, short)) and len({name.casefold() for name in short}) == len(
        names
    )
    return short if fit else None


def _short(table: pa.Table) -> bool:
    texts = [c for c in table.columns if pa.types.is_string(c.type)]
    lengths = (pc.max(pc.binary_length(column)).as_py() or 0 for column in texts)
    return all(length <= LONGEST_TEXT for length in lengths)


def _ends_blank(table: pa.Table) -> bool:
    """Whether the last row is only blanks, which readers take for the padding of the file."""
    last = table.slice(table.num_rows - 1).to_pylist()[0].values()
    texts = all(pa.types.is_string(field.type) for field in table.schema)
    return texts and not any((cell or "").strip(" ") for cell in last)


def _vouched_label(label: str) -> str:
    """The label of a column if it may be released, under the rule for column names; else ""."""
    return label if len(label) <= LONGEST_LABEL and names_nobody(label, NAME) else ""


def _table_name(path: Path, table: str) -> str:
    """The data set's name if it is part of the file name, which was searched; otherwise `DATA`."""
    own = _NAME.fullmatch(table) and table.casefold() in path.stem.casefold()
    return table.upper() if own else "DATA"


def _sas_refusal(code: str, message: str, hint: str = "export it again") -> DeidError:
    return unreadable(code, message, hint=hint)


FORMAT = SasFile()
