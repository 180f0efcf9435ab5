"""SQLite: every table keeps its declaration and cell types, in a file that is entirely new."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from deid.formats import RecordFault, left_behind, members_of, open_source

SCRIPT = """
create table person (person_id integer primary key, born date, zip int, weight real, note text);
insert into person values
  (1, '1951-07-19', 2139, 70.5, 'a'), (2, null, 5301, 2, ''), (3, '', 1, null, null);
create table visit (visit_id bigint, person_id int, any);
insert into visit values (10, 1, 5), (11, 2, '5'), (12, 3, 1.5);
create view old as select * from person;
create index i on person (born);
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return _made(tmp_path / "ward.db", SCRIPT)


def _made(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.executescript(script)
    return path


def _rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with create_engine(f"sqlite:///{path}").connect() as made:
        return [tuple(row) for row in made.execute(text(query))]


def test_only_the_tables_of_a_sqlite_file_are_members(database: Path) -> None:
    assert members_of(database) == ("person", "visit")
    assert left_behind(database) == {"indexes": 1, "views": 1}


def test_kept_cells_keep_their_value_and_type(database: Path, through: Callable) -> None:
    out, _ = through(database)
    for query in ("select * from person", "select *, typeof(any) from visit"):
        assert _rows(out, query) == _rows(database, query)
    declared = "select type from pragma_table_info('person')"
    assert _rows(out, declared) == _rows(database, declared)


def test_a_column_is_declared_by_its_released_values(database: Path, through: Callable) -> None:
    left = {"person_id": "[ID-7]", "born": "1951", "zip": "021", "weight": "[MRN]"}
    out, _ = through(database, lambda name, cell: cell and left.get(name, cell))
    declared = dict(_rows(out, "select name, type from pragma_table_info('person')"))
    assert declared == {
        "person_id": "INTEGER", "born": "TEXT", "zip": "TEXT", "weight": "TEXT", "note": "TEXT"
    }  # fmt: skip
    assert _rows(out, "select person_id, zip from person limit 1") == [(2000000007, "021")]


def test_nothing_of_deleted_rows_is_in_the_new_file(database: Path, through: Callable) -> None:
    gone = "values ('OLEJNICZAK'); delete from person where note = 'OLEJNICZAK'"
    _made(database, f"pragma secure_delete = off; insert into person (note) {gone}")
    assert b"OLEJNICZAK" in database.read_bytes()
    out, _ = through(database)
    assert b"OLEJNICZAK" not in out.read_bytes()


def test_the_original_is_not_touched(database: Path, through: Callable) -> None:
    before = database.read_bytes()
    through(database)
    assert database.read_bytes() == before


def test_a_column_that_contains_bytes_is_unsearched(tmp_path: Path) -> None:
    path = _made(tmp_path / "t.db", "create table t (a, b); insert into t values ('x', x'00ff')")
    assert open_source(path, None, "t").nested == {"b"}  # type: ignore[attr-defined]


def test_undecodable_text_is_a_fault_of_its_row_only(tmp_path: Path) -> None:
    script = "create table t (a); insert into t values ('x'), (cast(x'ff41' as text)), ('y')"
    source = open_source(_made(tmp_path / "t.db", script), None, "t")
    records = list(source.records())
    assert [r.code if isinstance(r, RecordFault) else r.cells for r in records] == [
        ("x",), "undecodable-bytes", ("y",)
    ]  # fmt: skip


def test_names_that_need_quotes_are_quoted(tmp_path: Path, through: Callable) -> None:
    script = 'create table "a ""b""; drop" ("c d" int); insert into "a ""b""; drop" values (1)'
    out, keys = through(_made(tmp_path / "t.db", script))
    assert keys == ('a "b"; drop',)
    assert _rows(out, "select count(*) from sqlite_master") == [(1,)]


def test_a_row_with_bytes_is_a_fault_and_a_column_of_bytes_is_unsearched(tmp_path: Path) -> None:
    script = "create table lab (mrn, dx, photo);"
    script += "".join(f"insert into lab values ({n}, 'I10', x'00ff{n:02}');" for n in range(20))
    script += (
        "update lab set dx = x'ff00' where mrn = 7; update lab set photo = null where mrn > 3;"
    )
    source = open_source(_made(tmp_path / "lab.db", script), None, "lab")
    assert source.nested == {"photo"}  # type: ignore[attr-defined]
    found = list(source.records())
    assert [(r.ordinal, r.code) for r in found if isinstance(r, RecordFault)] == [
        (8, "binary-data")
    ]
    assert len(found) == 20
