"""Parquet: typed columns are read, the output has valid types, and nothing of the old file is
copied.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deid.errors import DeidError
from deid.formats import ColumnSource, ReadOptions, Record, format_of, open_source

DAY = dt.date(1951, 7, 19)
TYPED = {
    "tiny": pa.array([1, None, 3], pa.int8()),
    "whole": pa.array([1, 2, 2**40], pa.int64()),
    "unsigned": pa.array([2**63, 1, None], pa.uint64()),
    "half": pa.array([1.5, None, 2.0], pa.float16()),
    "single": pa.array([0.1, 2.0, None], pa.float32()),
    "double": pa.array([1 / 3, 1e22, 70.0]),
    "exact": pa.array([Decimal("1.500"), Decimal("-2.000"), None], pa.decimal128(18, 3)),
    "flag": pa.array([True, False, None]),
    "day": pa.array([DAY, None, DAY]),
    "moment": pa.array([dt.datetime(2020, 1, 31, 5, 6, 7, 89)] * 3, pa.timestamp("us")),
    "zoned": pa.array([dt.datetime(2020, 1, 31, 5, 6, 7, 89)] * 3, pa.timestamp("us", "UTC")),
    "clock": pa.array([dt.time(5, 6, 7), None, dt.time(0)], pa.time64("us")),
    "text": pa.array(["a", "", None]),
    "sort": pa.array(["x", "y", "x"]).dictionary_encode(),
    "void": pa.nulls(3, pa.string()),
}


def _file(path: Path, columns: dict[str, pa.Array], **options: object) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


def test_kept_values_keep_their_type_and_exact_value(tmp_path: Path, through: Callable) -> None:
    path = _file(tmp_path / "t.parquet", TYPED)
    out, _ = through(path)
    before, after = pq.read_table(path), pq.read_table(out)
    assert after.to_pylist() == before.to_pylist()
    changed = {f.name for f in before.schema if after.schema.field(f.name).type != f.type}
    assert changed == {"sort"}  # a category is written as the text that it stands for


@pytest.mark.parametrize(
    ("kind", "cells", "expected", "written"),
    [
        (pa.date32(), ["1951", None, "1960"], [1951, None, 1960], pa.int32()),
        (pa.timestamp("us"), ["1951", "90+", ""], ["1951", "90+", None], pa.string()),
        (pa.int32(), ["[ID-1]", "[ID]", "[ID-17]"], [2000000001, None, 2000000017], pa.int32()),
        (pa.int16(), ["[ID-1]", "[ID-2]", None], [2000000001, 2000000002, None], pa.int32()),
        (pa.float64(), ["[ID-1]", None, None], [2000000001.0, None, None], pa.float64()),
        (pa.decimal128(9, 0), ["[ID-1]", "", ""], [2000000001, None, None], pa.int32()),
        (pa.int32(), ["053", "000", "100"], ["053", "000", "100"], pa.string()),
        (pa.int32(), ["[MRN]", "[MRN]", None], ["[MRN]", "[MRN]", None], pa.string()),
        (pa.int64(), ["89", "90+", "7"], ["89", "90+", "7"], pa.string()),
        (pa.string(), ["[ID-1]", "1951", ""], ["[ID-1]", "1951", ""], pa.string()),
        (pa.bool_(), ["", "", None], [None, None, None], pa.bool_()),
    ],
    ids=lambda value: str(value)[:24],
)  # fmt: skip
def test_transformed_parquet_values_have_a_valid_type(
    tmp_path: Path,
    through: Callable,
    kind: pa.DataType,
    cells: list[str | None],
    expected: list[object],
    written: pa.DataType,
) -> None:
    path = _file(tmp_path / "t.parquet", {"row": pa.array([0, 1, 2]), "c": pa.nulls(3, kind)})
    numbers = iter(cells)
    out, _ = through(path, lambda name, cell: next(numbers) if name == "c" else cell)
    column = pq.read_table(out)["c"]
    assert (column.to_pylist(), column.type) == (expected, written)


def test_the_old_parquet_footer_is_not_copied(tmp_path: Path, through: Callable) -> None:
    named = pa.field("name", pa.string(), metadata={"comment": "OLEJNICZAK"})
    table = pa.Table.from_arrays(
        [pa.array(["OLEJNICZAK", "ABEL"])],
        schema=pa.schema([named], metadata={"pandas": "OLEJNICZAK", "origin": "ABEL"}),
    )
    path = tmp_path / "t.parquet"
    pq.write_table(table, path)
    out, _ = through(path, lambda name, cell: "[NAME]")
    footer = pq.read_metadata(out)
    assert footer.metadata is None
    assert footer.row_group(0).column(0).statistics.min == "[NAME]"
    assert b"OLEJNICZAK" not in out.read_bytes() and b"ABEL" not in out.read_bytes()


def test_lists_structures_and_bytes_are_reported_as_nested(tmp_path: Path) -> None:
    path = _file(
        tmp_path / "t.parquet",
        {"l": pa.array([["a"]]), "s": pa.array([{"a": "b"}]), "b": pa.array([b"\1"]), "t": ["a"]},
    )
    assert open_source(path).nested == {"l", "s", "b"}  # type: ignore[attr-defined]


def test_row_groups_are_read_one_after_the_other(tmp_path: Path) -> None:
    path = _file(tmp_path / "t.parquet", {"n": pa.array(range(30_000))}, row_group_size=7_000)
    cells = [r.cells[0] for r in open_source(path).records() if isinstance(r, Record)]
    assert cells == [str(n) for n in range(30_000)]


def test_a_table_without_rows_keeps_its_types(tmp_path: Path, through: Callable) -> None:
    path = _file(tmp_path / "t.parquet", {name: a[:0] for name, a in TYPED.items()})
    out, _ = through(path)
    assert pq.read_schema(out).field("day").type == pa.date32()
    assert pq.read_metadata(out).num_rows == 0


def test_the_repr_of_a_parquet_source_shows_no_column_name(tmp_path: Path) -> None:
    path = _file(tmp_path / "t.parquet", {"HUBERT": pa.array(["x"])})
    assert "HUBERT" not in repr(open_source(path))


def test_reading_and_writing_by_column_gives_the_same_cells_and_file(
    tmp_path: Path, through: Callable
) -> None:
    path = _file(tmp_path / "t.parquet", TYPED | {"id": pa.array(["a", None, ""])})
    source, by_row = open_source(path), through(path)[0]
    assert source.is_regular()  # type: ignore[attr-defined]
    batches = list(source.batches())  # type: ignore[attr-defined]
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert rows == [r.cells for r in source.records() if isinstance(r, Record)]
    found, target = format_of(path), tmp_path / "columns.parquet"
    assert found is not None
    sink = found.create(target, source, dict(enumerate(source.columns)))
    for batch in batches:
        sink.write_columns(batch.columns)  # type: ignore[attr-defined]
    sink.close()
    assert target.read_bytes() == by_row.read_bytes()


def test_a_table_with_lists_or_broken_text_is_not_regular(tmp_path: Path) -> None:
    lists = _file(tmp_path / "l.parquet", {"l": pa.array([["a"]])})
    broken = _file(tmp_path / "b.parquet", {"t": pa.array(["a", "\0"])})
    assert not isinstance(open_source(lists), ColumnSource)
    assert not open_source(broken).is_regular()  # type: ignore[attr-defined]


def test_numbered_keys_of_a_release_are_read_back_as_tags(tmp_path: Path) -> None:
    columns = {
        "whole": pa.array([2_000_000_001, 2_000_000_003, None], pa.int32()),
        "float": pa.array([2_000_000_002.0, 1.5, None]),
        "exact": pa.array([Decimal("2000000002.00"), None, None], pa.decimal128(18, 2)),
    }
    source = open_source(_file(tmp_path / "t.parquet", columns), ReadOptions(keys=2))
    cells = [r.cells for r in source.records() if isinstance(r, Record)]
    assert cells == [
        ("[ID-1]", "[ID-2]", "[ID-2]"), ("2000000003", "1.5", None), (None, None, None)
    ]  # fmt: skip
    [batch] = source.batches()  # type: ignore[attr-defined]
    assert [tuple(row.values()) for row in batch.to_pylist()] == cells


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"PARE\x2a\0\0\0" + bytes(40) + b"PARE", "encrypted-parquet"),
        (b"PARENT_PHONE,CHILD_SEX\n5551234567,F\n", "broken-parquet"),
        (b"", "broken-parquet"),
    ],
    ids=["encrypted", "a table", "empty"],
)
def test_a_parquet_file_is_encrypted_if_it_begins_and_ends_with_its_mark(
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(DeidError) as told:
        open_source(path)
    assert told.value.code == code
