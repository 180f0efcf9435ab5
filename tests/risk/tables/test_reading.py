"""Tables from files: delimiters, gzip, missing values; damage is reported without repeating a
value.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from risk.errors import RiskError
from risk.tables.classes import Classes
from risk.tables.reading import read_delimiter, read_header, read_table

SECRET = "Marigold"


def rows(path: Path, names: list[str] | None = None, **options: str) -> list[tuple[object, ...]]:
    table = read_table(path, names, **options)  # type: ignore[arg-type]
    return list(zip(*(c.values[c.codes].tolist() for c in table.columns), strict=True))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters_are_detected(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"a{mark}b\n1{mark}x\n2{mark}\n")
    assert rows(path) == [("1", "x"), ("2", None)]
    assert read_header(path) == ("a", "b")


def test_quotes_line_ends_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes('\ufeff"a","b"\r\n"1,0","line\r\nbreak"\r\n'.encode())
    assert rows(path, ["b", "a"]) == [("line\r\nbreak", "1,0")]


def test_gzip_and_parquet_files_are_read(tmp_path: Path) -> None:
    packed = tmp_path / "t.csv.gz"
    packed.write_bytes(gzip.compress(b"a,b\n1,2\n1,3\n"))
    assert rows(packed, ["a"]) == [("1",), ("1",)]
    columns = {"a": pa.array([1, None, 1]), "s": pa.array(["x", "", None])}
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table(columns), path, row_group_size=2)
    assert rows(path) == [(1, "x"), (None, None), (1, None)]
    assert read_header(path) == ("a", "s")


def test_many_batches_share_one_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    lines = [f"{i % 1000},{'x' * 400}" for i in range(30_000)]
    path.write_text("a,b\n" + "\n".join(lines) + "\n")
    classes = Classes.of(read_table(path))
    assert len(classes) == 1000 and set(classes.sizes.tolist()) == {30}


def test_a_header_alone_is_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n")
    assert rows(path) == []


BAD = {
    "ragged-row": b"a,b\n1,2\nMarigold\n",
    "not-utf8": b"a,b\n1,Marigold\xff\n",
    "empty-file": b"",
}


@pytest.mark.parametrize("code", BAD)
def test_damage_is_reported_by_code_and_place(tmp_path: Path, code: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(BAD[code])
    with pytest.raises(RiskError) as caught:
        read_table(path)
    error = caught.value
    assert (error.code, error.exit_code) == (code, 6)
    assert SECRET not in f"{error} {error.place} {error.hint}"
    own = error.__context__ is None or error.__suppress_context__
    assert own, "the parser's own error repeats the row"
    if code == "ragged-row":
        assert error.place == "row 2"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,Marigold\n" * 9999, mtime=0)[:60]),
        ("t.parquet", b"PAR1 Marigold PAR1"),
    ],
)
def test_truncated_files_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RiskError) as caught:
        read_table(path)
    assert caught.value.exit_code == 6 and SECRET not in str(caught.value)


def test_a_missing_file_and_a_missing_column_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RiskError) as caught:
        read_table(tmp_path / "nowhere.csv")
    assert caught.value.exit_code == 6
    path = tmp_path / "t.csv"
    path.write_text("a,a\n1,2\n")
    for name in ("b", "a"):
        with pytest.raises(RiskError) as caught:
            read_table(path, [name])
        assert caught.value.exit_code == 2


def test_a_quotation_mark_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    """It puts all following rows into one cell, so half of the table would be measured as if it
    were complete.
    """
    path = tmp_path / "t.csv"
    path.write_text('age,note\n1,"open\n2,b\n3,c\n')
    with pytest.raises(RiskError) as found:
        read_table(path, ["age"])
    assert (found.value.code, found.value.exit_code) == ("open-quote", 6)
    path.write_text('age,note\n1,5" tube\n2,"a\nb"\n')
    assert read_table(path, ["age"]).rows == 2


def test_lines_that_end_in_carriage_returns_are_counted_for_an_open_quote(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'age,note\r1,"open\r2,b\r3,c\r')
    with pytest.raises(RiskError) as found:
        read_table(path, ["age"])
    assert found.value.code == "open-quote"


def test_a_note_of_many_lines_beside_a_single_quotation_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('age,note\n1,"' + "slept well\n" * 20_000 + '"\n2,5" tube\n')
    assert read_table(path, ["age"]).rows == 2


def test_an_empty_line_of_one_column_is_a_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age\n1\n\n2\n")
    assert read_table(path).rows == 3


def test_a_header_that_is_not_utf_8_is_reported_as_such(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\u00e2ge,sex\n1,M\n".encode("latin-1"))
    with pytest.raises(RiskError) as found:
        read_table(path)
    assert found.value.code == "not-utf8"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_the_table_is_read_with(tmp_path: Path, mark: str) -> None:
    text = f"a{mark}b\n1{mark}x\n"
    (tmp_path / "t.csv").write_text(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert {read_delimiter(tmp_path / name) for name in ("t.csv", "t.csv.gz")} == {mark}
    assert len(read_header(tmp_path / "t.csv")) == 2


def test_tables_with_typed_columns_and_standard_input_have_a_comma(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a;b": [1]}), tmp_path / "t.parquet")
    assert read_delimiter(tmp_path / "t.parquet") == read_delimiter("-") == ","
