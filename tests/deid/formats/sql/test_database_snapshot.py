"""Databases behind a URL, tested with a real PostgreSQL server where one can be started."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sql

from deid.errors import DeidError
from deid.formats import open_source
from deid.formats.sql.database_addresses import address_of
from deid.formats.sql.database_snapshot import DatabaseSelection, snapshot
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.spool import spooled
from recognizers import Finder

DAY = date(2026, 11, 21)
SCRIPT = """
create table person (person_id bigint primary key, birth_date date, zip char(5), first_name text,
  last_name varchar(40), weight numeric(6,2), smoker boolean, seen timestamptz, tags text[]);
insert into person values
  (8800012, '1951-07-19', '02139', 'Hubert', 'Olejniczak', 70.50, true,
   '2020-01-31 05:06:07+00', '{a}'),
  (8800007, null, '05301', 'Kasia', 'Abernathy', 61.25, false, null, null);
create table note (note_id int primary key, person_id bigint, note_text text);
insert into note values (1, 8800012, 'Hubert Olejniczak was seen, weight stable.');
create schema billing; create table billing.claim (person_id bigint, amount numeric);
insert into billing.claim values (8800012, 12.345);
"""  # fmt: skip


@pytest.fixture
def ward(own_database: str) -> str:
    engine = sql.create_engine(own_database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as made:
        made.exec_driver_sql(SCRIPT)
    engine.dispose()
    return own_database


def _rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as made:
        for table in path.rglob("*.parquet"):
            made.execute(f"create view {table.stem} as select * from '{table}'")
        return made.execute(query).fetchall()


def _changed(url: str, script: str) -> None:
    engine = sql.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as made:
        made.exec_driver_sql(script)
    engine.dispose()


def _tables(path: Path) -> list[str]:
    return sorted(p.relative_to(path).as_posix() for p in path.rglob("*.parquet"))


def test_every_table_is_copied_with_its_types(ward: str, tmp_path: Path) -> None:
    path = snapshot(ward, tmp_path / "copy", 1)
    assert _tables(path) == ["billing/claim.parquet", "note.parquet", "person.parquet"]
    assert path.stat().st_mode & 0o077 == 0
    query = "select person_id, birth_date, weight, smoker, seen is null from person"
    assert _rows(path, query) == [
        (8800007, None, Decimal("61.25"), False, True),
        (8800012, date(1951, 7, 19), Decimal("70.50"), True, False),
    ]


def test_equal_rows_make_equal_bytes_and_other_rows_other_bytes(ward: str, tmp_path: Path) -> None:
    def bytes_of(copy: str) -> dict[str, bytes]:
        path = snapshot(ward, tmp_path / copy, 1)
        return {name: (path / name).read_bytes() for name in _tables(path)}

    first = bytes_of("first")
    # Now the rows have another order on the disk pages, but the same order by primary key.
    _changed(ward, "update person set zip = zip where person_id = 8800007")
    assert bytes_of("second") == first
    _changed(ward, "update person set zip = '05302' where person_id = 8800007")
    third = bytes_of("third")
    assert [name for name in first if first[name] != third[name]] == ["person.parquet"]


def test_schemas_and_conditions_select_the_rows(ward: str, tmp_path: Path) -> None:
    billing = snapshot(ward, tmp_path / "a", 1, DatabaseSelection(("billing",)))
    assert _tables(billing) == ["claim.parquet"]
    assert _tables(snapshot(f"{ward}?schema=billing", tmp_path / "b", 1)) == ["claim.parquet"]
    chosen = DatabaseSelection.of(["public"], ["person=zip like '05%' and birth_date is null"])
    path = snapshot(ward, tmp_path / "c", 1, chosen)
    assert _rows(path, "select person_id from person") == [(8800007,)]
    assert _rows(path, "select count(*) from note") == [(1,)]


@pytest.mark.parametrize(
    ("schemas", "where", "code"),
    [
        (["Billing"], [], "schema-missing"),
        ([], ["nobody=true"], "where-invalid"),
        ([], ["person=last_name = Olejniczak"], "where-invalid"),
        ([], ["person=true; drop table note"], "where-invalid"),
        ([], ["person"], "where-invalid"),
    ],
)
def test_an_invalid_selection_is_refused_without_showing_it(
    ward: str, tmp_path: Path, schemas: list[str], where: list[str], code: str
) -> None:
    with pytest.raises(DeidError) as refused:
        snapshot(ward, tmp_path / "copy", 1, DatabaseSelection.of(schemas, where))
    error = refused.value
    assert error.code == code
    assert "Olejniczak" not in f"{error}{error!r}{error.hint}{error.place}"
    _changed(ward, "select 1 from note")


def test_values_that_no_type_can_hold_are_read_as_text(ward: str, tmp_path: Path) -> None:
    _changed(ward, "insert into person (person_id, birth_date) values (1, 'infinity')")
    _changed(ward, "update person set weight = 'NaN' where person_id = 1")
    path = snapshot(ward, tmp_path / "copy", 1)
    query = "select birth_date, weight from person order by person_id"
    assert _rows(path, query) == [
        ("infinity", "NaN"),
        (None, "61.25"),
        ("1951-07-19", "70.50"),
    ]


def test_rows_of_partitions_are_copied_once(ward: str, tmp_path: Path) -> None:
    _changed(
        ward,
        "create table lab (id int, year int) partition by list (year);"
        "create table lab_a partition of lab for values in (2021);"
        "create table lab_b partition of lab for values in (2022);"
        "insert into lab values (1, 2021), (2, 2022)",
    )
    path = snapshot(ward, tmp_path / "copy", 1)
    assert _rows(path, "select count(*) from lab") == [(2,)]
    assert not [name for name in _tables(path) if name.startswith("lab_")]


def test_lists_are_read_as_nested_columns_and_bytes_are_unsearched(
    ward: str, tmp_path: Path
) -> None:
    _changed(ward, "alter table person add photo bytea default 'Olejniczak', add more jsonb")
    _changed(ward, "update person set more = '{\"a\": [1]}'")
    source = open_source(snapshot(ward, tmp_path / "copy", 1) / "person.parquet")
    place = source.columns.index("tags[]")
    assert [r.cells[place] for r in source.records()] == [None, "a"]  # type: ignore[union-attr]
    place = source.columns.index("more.a[]")
    assert {r.cells[place] for r in source.records()} == {"1"}  # type: ignore[union-attr]
    assert source.nested == {"photo"}  # type: ignore[attr-defined]


def test_all_tables_are_copied_from_one_snapshot(
    ward: str, tmp_path: Path, monkeypatch: Any
) -> None:
    from deid.formats.sql import database_snapshot

    copied = database_snapshot._copy_table

    def while_others_write(source: Any, table: Any, path: Path, place: str) -> None:
        _changed(ward, "insert into note values (2, 8800007, 'x'); delete from billing.claim")
        monkeypatch.setattr(database_snapshot, "_copy_table", copied)
        copied(source, table, path, place)

    monkeypatch.setattr(database_snapshot, "_copy_table", while_others_write)
    path = snapshot(ward, tmp_path / "copy", 1)
    assert _rows(path, "select count(*) from note") == [(1,)]
    assert _rows(path, "select count(*) from claim") == [(1,)]


def test_nothing_is_written_to_the_database(ward: str) -> None:
    from deid.formats.sql.database_connection import database_url, open_database
    from deid.formats.sql.database_snapshot import _reading

    url, _ = database_url(ward, "")
    with open_database(url, "") as connection:
        source = _reading(connection, url, "")
        with pytest.raises(sql.exc.InternalError, match="read-only"):
            source.execute(sql.text("delete from note"))


def test_a_database_is_released_table_by_table(ward: str, tmp_path: Path) -> None:
    finder = Finder.load(model=False, reference_date=DAY)
    with spooled([ward]) as inputs:
        job = Job(inputs, tmp_path / "out", read_policy("safe_harbor"), DAY)
        release = run_job(job, finder)
    assert release.manifest["verdict"]["supported"] == "safe_harbor"
    assert release.manifest["residual"]["hits"] == 0
    assert _tables(tmp_path / "out") == ["billing/claim.parquet", "note.parquet", "person.parquet"]
    joined = """
        select birth_date, zip, weight, note_text from person join note using (person_id)
    """
    assert _rows(tmp_path / "out", joined) == [
        (1951, "021", Decimal("70.50"), "[NAME] was seen, weight stable.")
    ]
    assert not inputs[0].exists()


def test_no_password_or_condition_is_shown(
    own_database: str, ward: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The server uses trust authentication, so it does not check the password of the URL."""
    from deid.cli import main

    url = ward.replace("tester@", "tester:canaryword@")
    out = tmp_path / "out"
    for command in (
        ["scrub", url, "-o", str(out), "--where", "person=last_name <> 'Canaryowski'"],
        ["scrub", url, "-o", str(tmp_path / "b"), "--where", "person=canaryword is 'Canaryowski'"],
        ["scrub", url.replace("tester:", "nobody:"), "-o", str(tmp_path / "c")],
        ["scrub", url.replace("127.0.0.1", "127.0.0.1:x"), "-o", str(tmp_path / "d")],
        ["scrub", url, "-o", str(tmp_path / "e"), "--dry-run"],
        ["profile", url],
        ["find", url],
    ):
        with pytest.raises(SystemExit):
            main(command)
    told = "".join(capfd.readouterr())
    written = b"".join(p.read_bytes() for p in out.rglob("*") if p.is_file())
    assert "canary" not in told.lower() and b"canary" not in written.lower()
    assert b"--where TABLE=CONDITION" in (out / "_release" / "manifest.json").read_bytes()
    assert not (tmp_path / "b").exists()


@pytest.fixture
def closed() -> Iterator[str]:
    pytest.importorskip("psycopg")
    yield "postgresql://olejniczak:secret@127.0.0.1:1/ward"


def test_an_unreachable_server_is_an_error_without_the_password(
    closed: str, tmp_path: Path
) -> None:
    with pytest.raises(DeidError) as refused:
        snapshot(closed, tmp_path / "copy", 3)
    error = refused.value
    assert (error.code, error.place) == ("database-unreachable", "input 3")
    assert "secret" not in repr(error) + error.hint and error.__suppress_context__


@pytest.mark.parametrize("end", ["?prepare_threshold=secret", f"@{'h' * 300}/ward"])
def test_an_option_that_the_driver_refuses_is_an_error_without_the_password(
    ward: str, end: str, tmp_path: Path
) -> None:
    address = f"{ward}{end}" if end[0] == "?" else f"postgresql://olejniczak:secret{end}"
    with pytest.raises(DeidError) as refused:
        snapshot(
            address.replace("?prepare", "&prepare" if "?" in ward else "?prepare"),
            tmp_path / "copy",
            1,
        )
    assert refused.value.code == "database-unreachable"
    assert "secret" not in repr(refused.value) and refused.value.__suppress_context__


def test_columns_of_unknown_types_are_read_as_text_without_warnings(
    ward: str, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    _changed(ward, "create table place (spot point); insert into place values ('(1,2)')")
    path = snapshot(ward, tmp_path / "copy", 1)
    assert _rows(path, "select spot from place") == [("(1,2)",)]
    assert not [one for one in recwarn if issubclass(one.category, sql.exc.SAWarning)]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("sqlite://ward.db", "database-url-invalid"),
        ("postgresql://host:x/ward", "database-url-invalid"),
        ("oracle+nothing://host/ward", "extra-missing"),
    ],
)
def test_an_address_that_is_not_a_supported_database_is_refused(
    tmp_path: Path, address: str, code: str
) -> None:
    with pytest.raises(DeidError) as refused:
        snapshot(address, tmp_path / "copy", 1)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("postgresql://u@h/db", "postgresql://u@h/db"),
        ("postgresql:/u@h/db", "postgresql://u@h/db"),  # as pathlib writes it
        ("postgresql:///db", "postgresql:///db"),
        ("notes/a.txt", ""),
        ("C:/notes", ""),
    ],
)
def test_a_database_url_is_distinguished_from_a_path(name: str, address: str) -> None:
    assert address_of(name) == address
