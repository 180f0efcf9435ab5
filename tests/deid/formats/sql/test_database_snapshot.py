"""Databases behind a URL: PostgreSQL for real where its server can be started."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
import sqlalchemy as sql

from deid.errors import DeidError
from deid.formats import members_of, open_source
from deid.formats.sql.database_snapshot import address_of, snapshot
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
    with duckdb.connect(str(path), read_only=True) as made:
        return made.execute(query).fetchall()


def test_every_table_is_copied_with_its_types(ward: str, tmp_path: Path) -> None:
    path = snapshot(ward, tmp_path / "copy", 1)
    assert members_of(path) == ("billing.claim", "note", "person")
    assert path.parent.stat().st_mode & 0o077 == 0
    query = "select person_id, birth_date, weight, smoker, seen is null from person"
    assert _rows(path, query) == [
        (8800007, None, Decimal("61.25"), False, True),
        (8800012, date(1951, 7, 19), Decimal("70.50"), True, False),
    ]


def test_lists_are_not_passed_for_text(ward: str, tmp_path: Path) -> None:
    source = open_source(snapshot(ward, tmp_path / "copy", 1), None, "person")
    place = source.columns.index("tags")
    assert [r.cells[place] for r in source.records()] == [None, '["a"]']  # type: ignore[union-attr]


def test_a_database_is_released_as_a_new_one(ward: str, tmp_path: Path) -> None:
    finder = Finder.load(model=False, reference_date=DAY)
    with spooled([ward]) as inputs:
        job = Job(inputs, tmp_path / "out", read_policy("safe_harbor"), DAY)
        release = run_job(job, finder)
    assert release.manifest["verdict"]["supported"] == "safe_harbor"
    assert release.manifest["residual"]["hits"] == 0
    [path] = (tmp_path / "out").glob("*.duckdb")
    joined = """
        select birth_date, zip, weight, note_text from person join note using (person_id)
    """
    assert _rows(path, joined) == [
        (1951, "021", Decimal("70.50"), "[NAME] was seen, weight stable.")
    ]
    assert not inputs[0].exists()


@pytest.fixture
def closed() -> Iterator[str]:
    pytest.importorskip("psycopg")
    yield "postgresql://olejniczak:secret@127.0.0.1:1/ward"


def test_a_server_that_does_not_answer_is_one_sentence(closed: str, tmp_path: Path) -> None:
    with pytest.raises(DeidError) as refused:
        snapshot(closed, tmp_path / "copy", 3)
    error = refused.value
    assert (error.code, error.place) == ("database-unreachable", "input 3")
    assert "secret" not in repr(error) + error.hint and error.__suppress_context__


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("sqlite://ward.db", "database-url-invalid"),
        ("postgresql://host:x/ward", "database-url-invalid"),
        ("oracle+nothing://host/ward", "extra-missing"),
    ],
)
def test_what_is_no_database_is_said_so(tmp_path: Path, address: str, code: str) -> None:
    with pytest.raises(DeidError) as refused:
        snapshot(address, tmp_path / "copy", 1)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("postgresql://u@h/db", "postgresql://u@h/db"),
        ("postgresql:/u@h/db", "postgresql://u@h/db"),  # as a path has it
        ("notes/a.txt", ""),
        ("C:/notes", ""),
    ],
)
def test_a_url_is_known_for_one(name: str, address: str) -> None:
    assert address_of(name) == address
