"""DuckDB: every table is read with its types; views and indexes are left out and counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from deid.errors import DeidError
from deid.formats import left_behind, members_of, open_source


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "ward.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("create table person (id integer, born date, weight decimal(5,2), ok boolean)")
        made.execute("insert into person values (1, '1951-07-19', 70.50, true), (2, null, 1, null)")
        made.execute(
            "create schema cdm; create table cdm.note (id bigint, body varchar, tags text[])"
        )
        made.execute("insert into cdm.note values (1, 'seen', ['a'])")
        made.execute("create view old as select * from person; create index i on person (id)")
    return path  # fmt: skip


def _rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as made:
        return made.execute(query).fetchall()


def test_only_the_tables_of_a_duckdb_file_are_members(database: Path) -> None:
    assert members_of(database) == ("cdm.note", "person")
    assert left_behind(database) == {"views": 1, "indexes": 1}
    assert open_source(database, None, "cdm.note").nested == {"tags"}  # type: ignore[attr-defined]


def test_a_new_database_has_the_same_tables(database: Path, through: Callable) -> None:
    out, keys = through(database)
    assert keys == ("cdm.note", "person")
    assert _rows(out, "select * from person") == _rows(database, "select * from person")
    assert _rows(out, "select column_type from (describe person)") == [
        ("INTEGER",), ("DATE",), ("DECIMAL(5,2)",), ("BOOLEAN",)
    ]  # fmt: skip


def test_keys_join_and_years_are_numbers(database: Path, through: Callable) -> None:
    left = {"id": "[ID-1]", "born": "1951"}
    out, _ = through(database, lambda name, cell: cell and left.get(name, cell))
    joined = "select p.born from person p join cdm.note n on n.id = p.id limit 1"
    assert _rows(out, joined) == [(1951,)]


def test_old_pages_are_not_in_the_new_file(database: Path, through: Callable) -> None:
    with duckdb.connect(str(database)) as made:
        made.execute("create table gone (name varchar); insert into gone values ('OLEJNICZAK')")
        made.execute("checkpoint; drop table gone")
    out, _ = through(database)
    assert b"OLEJNICZAK" not in out.read_bytes()


def test_a_missing_duckdb_table_is_refused(database: Path) -> None:
    with pytest.raises(DeidError) as refused:
        open_source(database, None, "ghost")
    assert refused.value.code == "table-missing"
