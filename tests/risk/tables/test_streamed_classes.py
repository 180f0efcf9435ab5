"""Classes counted while rows are read are the same as in memory, for any number of columns and any
source.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from risk import RiskError, assess, open_population, read_classes, read_header, read_table
from risk.tables import batch_counter
from risk.tables.batch_counter import BatchCounter

NAMES = ["age", "sex", "zip"]
ROWS = [("30", "F", "02139"), ("30", "F", "02139"), ("", "M", "02139"), ("31", "", "10001")] * 3


def csv_file(path: Path, rows: Sequence[tuple[str, ...]] = ROWS) -> Path:
    path.write_text("\n".join(",".join(row) for row in [tuple(NAMES), *rows]) + "\n")
    return path


def report(source: Any, names: list[str] = NAMES) -> str:
    return json.dumps(assess(source, names).as_json())


@given(
    st.lists(st.lists(st.integers(0, 40), min_size=13, max_size=13), min_size=1, max_size=60),
    st.integers(1, 20),
)
def test_batches_count_like_a_dictionary(rows: list[list[int]], size: int) -> None:
    """Thirteen columns of six bits need two machine words; the dictionaries grow from batch to
    batch.
    """
    counter = BatchCounter(13)
    counted = Counter(map(tuple, rows))
    for start in range(0, len(rows), size):
        part = np.array(rows[start : start + size], np.uint8)
        most = np.array(rows[: start + size]).max(axis=0) + 1
        counter.add(list(part.T), most.tolist())
        counter._count()
    codes, sizes = counter.classes()
    found = dict(zip(zip(*(c.tolist() for c in codes), strict=True), sizes.tolist(), strict=True))
    assert found == counted


@pytest.mark.parametrize("at_a_time", [1, 3, 1 << 22])
def test_a_file_gives_the_same_report_as_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    monkeypatch.setattr(batch_counter, "_ROWS_AT_A_TIME", at_a_time)
    path = csv_file(tmp_path / "t.csv")
    assert report(read_classes(path, NAMES)) == report(read_table(path, NAMES))


def test_all_kinds_of_missing_values_are_one_value(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": ["", None, "x"], "b": [1.0, float("nan"), None]}), path)
    classes = read_classes(path, ["a"])
    assert sorted(classes.sizes.tolist()) == [1, 2]
    assert report(read_classes(path, ["a", "b"]), ["a", "b"]) == report(
        read_table(path), ["a", "b"]
    )


def test_a_folder_of_parts_is_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "visits"
    for year, state, ages in (
        ("2023", "NY", [30, 31]),
        ("2024", "N%20Y", [30]),
        ("2024", "NY", []),
    ):
        part = folder / f"year={year}" / f"state={state}" / "part-0.parquet"
        part.parent.mkdir(parents=True)
        parquet.write_table(pa.table({"age": pa.array(ages, pa.int64())}), part)
    (folder / "_SUCCESS.parquet").write_text("bookkeeping")
    assert read_header(folder) == ("age", "year", "state")
    table = read_table(folder, ["state", "age", "year"])
    rows = [c.values[c.codes].tolist() for c in table.columns]
    assert rows == [["NY", "NY", "N Y"], [30, 31, 30], ["2023", "2023", "2024"]]
    assert len(read_classes(folder, ["year"])) == 2


def test_a_folder_whose_parts_differ_is_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        parquet.write_table(pa.table({name: [1]}), tmp_path / f"{name}.parquet")
    with pytest.raises(RiskError, match="different columns"):
        read_classes(tmp_path, ["a"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(RiskError, match="no Parquet"):
        read_table(tmp_path / "empty")


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_table_of_a_database_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"clinic.{kind}"
    connect: Any = duckdb.connect if kind == "duckdb" else sqlite3.connect
    with connect(str(path)) as database:
        database.execute('create table people (age text, sex text, "zip" text)')
        for row in ROWS:
            database.execute("insert into people values (?, ?, ?)", [v or None for v in row])
    database.close()
    expected = report(read_table(csv_file(tmp_path / "t.csv")))
    assert report(read_classes(path, NAMES)) == expected
    assert report(read_classes(f"{path}::people", NAMES)) == expected
    assert read_header(path) == tuple(NAMES)
    with pytest.raises(RiskError, match="no such table"):
        read_table(f"{path}::persons")
    with connect(str(path)) as database:
        database.execute("create table other (x text)")
    database.close()
    with pytest.raises(RiskError, match="2 tables"):
        read_table(path)


def test_classes_are_refused_where_rows_are_needed(tmp_path: Path) -> None:
    classes = read_classes(csv_file(tmp_path / "t.csv"), ["age", "sex"])
    with pytest.raises(ValueError, match="not formed"):
        assess(classes, ["age"])


def test_people_of_a_population_are_counted_while_read(tmp_path: Path) -> None:
    path = csv_file(tmp_path / "people.csv")
    found = open_population(str(path), NAMES, count="none")
    assert found.total == len(ROWS) and len(found.counts) == 3


spark = pytest.mark.skipif(
    find_spec("pyspark") is None or which("java") is None,
    reason="pyspark and Java are not on this machine",
)


@spark
def test_spark_gives_the_same_report(tmp_path: Path) -> None:
    rows = [*ROWS, ('"a ""b"" c"', "F ", '"x,\ny"')]
    path = csv_file(tmp_path / "t.csv", rows)
    from risk import read_classes_by_spark

    assert report(read_classes_by_spark(path, NAMES)) == report(read_table(path))
    folder = tmp_path / "parts" / "year=2024"
    folder.mkdir(parents=True)
    parquet.write_table(pa.table({"a.b": [1, 1, None]}), folder / "p.parquet")
    names = ["year", "a.b"]
    expected = report(read_table(folder.parent), names)
    assert report(read_classes_by_spark(folder.parent, names), names) == expected


@spark
def test_spark_shows_no_value_of_a_malformed_row(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from risk import read_classes_by_spark

    path = csv_file(tmp_path / "t.csv", [*ROWS, ("30", "Marigold")])
    with pytest.raises(RiskError, match="more or fewer cells"):
        read_classes_by_spark(path, NAMES)
    assert "Marigold" not in "".join(capfd.readouterr())
