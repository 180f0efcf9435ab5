"""A regular table reads the same by column and by row; every other table counts as irregular."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.errors import DeidError
from deid.formats import Record, format_of, open_source
from deid.formats.delimited.csv_table import CsvSink, CsvSource

CELL = st.text(alphabet="ab9 ,;\"|é\t\n\r'", max_size=6)


def _source(path: Path, data: bytes) -> CsvSource:
    path.write_bytes(data)
    source = open_source(path)
    assert isinstance(source, CsvSource)
    return source


def _by_column(source: CsvSource) -> list[tuple[str, ...]]:
    batches = source.batches()
    return [row for b in batches for row in zip(*(c.to_pylist() for c in b.columns), strict=True)]


def _by_row(source: CsvSource) -> list[tuple[str | None, ...] | None]:
    return [r.cells if isinstance(r, Record) else None for r in source.records()]


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=6),
    quote_all=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
)
def test_a_table_read_by_column_is_the_table_read_by_row(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[str]],
    quote_all: bool,
    line_end: str,
    bom: bool,
) -> None:
    out = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(out, lineterminator=line_end, quoting=quoting).writerows([["k", "l", "m"], *rows])
    data = (b"\xef\xbb\xbf" if bom else b"") + out.getvalue().encode()
    source = _source(tmp_path_factory.mktemp("t") / "t.csv", data)
    plain = not any("\n" in cell or "\r" in cell for row in rows for cell in row)
    assert plain <= source.is_regular()
    if source.is_regular():
        assert _by_column(source) == _by_row(source)


@settings(max_examples=150, deadline=None)
@given(data=st.text(alphabet='ab,"\n\r', max_size=40))
def test_a_regular_table_reads_the_same_by_column_and_by_row(
    tmp_path_factory: pytest.TempPathFactory, data: str
) -> None:
    source = _source(tmp_path_factory.mktemp("t") / "t.csv", f"k,l\n{data}".encode())
    if source.punctuation.delimiter == "," and source.is_regular():
        assert _by_column(source) == _by_row(source)


@pytest.mark.parametrize(
    "body",
    [b"1\n", b"1,2,3\n", b'"1"x,2\n', b'1"1,2\n', b'"1,2\n', b"\n", b"1,\x00\n", b"1,\xff\n"],
)
def test_faults_make_a_table_irregular(tmp_path: Path, body: bytes) -> None:
    assert not _source(tmp_path / "t.csv", b"a,b\n1,2\n" + body + b"1,2\n").is_regular()


def test_other_encodings_and_lone_columns_are_read_row_by_row(tmp_path: Path) -> None:
    assert not _source(tmp_path / "t.csv", "a,b\n1,é\n".encode("cp1252")).is_regular()
    assert not _source(tmp_path / "u.csv", b"a\n1\n").is_regular()


def test_a_table_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    source = _source(tmp_path / "t.csv", b"a,b\n1,2\n")
    assert source.is_regular()
    source.path.write_bytes(b"a,b\n1,2,3\n")
    with pytest.raises(DeidError) as caught:
        list(source.batches())
    assert caught.value.code == "input-changed"


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.lists(st.none() | CELL, min_size=2, max_size=3), min_size=1, max_size=5),
    quote_all=st.booleans(),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_columns_and_rows_are_written_alike(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[str | None]],
    quote_all: bool,
    delimiter: str,
    line_end: str,
) -> None:
    width = len(rows[0])
    rows = [row for row in rows if len(row) == width]
    folder = tmp_path_factory.mktemp("t")
    mark = '"' if quote_all else ""
    head = delimiter.join(f"{mark}{c}{mark}" for c in "abc"[:width])
    data = (head + line_end) * 2
    source = _source(folder / "t.csv", data.replace("a", "x", 0).encode())
    found = format_of(source.path)
    assert found is not None
    written = []
    for name in ("rows.csv", "columns.csv"):
        sink = found.create(folder / name, source, dict(enumerate("abc"[:width])))
        assert isinstance(sink, CsvSink)
        if name == "rows.csv":
            for row in rows:
                sink.write(row)
        else:
            columns = [pa.array(c, pa.string()) for c in zip(*rows, strict=True)]
            sink.write_columns(columns)
            sink.write_columns([column.slice(0, 0) for column in columns])
        sink.close()
        written.append((folder / name).read_bytes())
    assert written[0] == written[1]


def test_a_table_too_wide_for_the_automaton_is_read_row_by_row(tmp_path: Path) -> None:
    line = b",".join([b"a"] * 1002) + b"\n"
    assert not _source(tmp_path / "wide.csv", line * 3).is_regular()


def test_a_byte_order_mark_inside_a_table_makes_it_irregular(tmp_path: Path) -> None:
    mark = "\ufeff".encode()
    assert _source(tmp_path / "a.csv", mark + b"a,b\n1,2\n").is_regular()
    assert not _source(tmp_path / "b.csv", mark + b"a,b\n" + mark + b"1,2\n").is_regular()


def test_a_table_of_a_thousand_columns_is_read_without_messages(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    header = ",".join(f"c{n}" for n in range(1000))
    body = f"{header}\n" + (",".join(map(str, range(1000))) + "\n") * 12
    assert _source(tmp_path / "t.csv", body.encode()).is_regular()
    assert capfd.readouterr().err == ""
