"""SQL dumps: the rows of every table are read and written; all other statements are left out, and
no value is guessed.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deid.errors import DeidError
from deid.formats import RecordFault, left_behind, members_of, open_source
from deid.formats.sql.dump_values import copied, copied_rows, inserted, inserted_rows
from deid.formats.sql.statements import Dialect, read_dump
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.text.engine import load_finder

DIALECTS: tuple[Dialect, ...] = ("mysql", "sqlserver", "standard")
DAY = date(2026, 11, 22)
Through = Callable[..., tuple[Path, tuple[str, ...]]]
COPY = """--
-- PostgreSQL database dump
SET statement_timeout = 0;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ begin
  insert into audit values ('Kasia Okafor'); end; $$;
CREATE TABLE public.patients (id integer, mrn text);
COMMENT ON TABLE public.patients IS 'Kasia Okafor''s; list';
COPY public.patients (mrn, last_name, hgb, remark) FROM stdin;
00441037\tOkafor\t9.5\tMs. Okafor came.\\nTab\\there, back\\\\slash
00441074\tZhang\t10.5\t\\N
\\.

COPY public.notes (mrn, note) FROM stdin;
00441037\tHer son drove Ms. Okafor.
\\.
SELECT pg_catalog.setval('s', 61, true);
"""
INSERTS = """-- MySQL dump 10.13
/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE `patients` (`mrn` varchar(10) COMMENT 'of (row), b', `last_name` text,
  `hgb` decimal(4,1), PRIMARY KEY (`mrn`), KEY `m` (`last_name`));
LOCK TABLES `patients` WRITE; # Kasia Okafor's
INSERT INTO `patients` VALUES ('00441037','O\\'Neil; (x)',9.5),('00441074','O''Neil',NULL);
INSERT INTO `labs` (`mrn`,`value`) VALUES ('00441037',-1);
"""


def _path(folder: Path, text: str, name: str = "d.sql") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def _rows(path: Path, member: str) -> list[object]:
    records = open_source(path, None, member).records()
    return [r.code if isinstance(r, RecordFault) else r.cells for r in records]


def test_rows_of_copy_blocks_are_read_as_they_were_stored(tmp_path: Path) -> None:
    path = _path(tmp_path, COPY)
    assert members_of(path) == ("public.patients", "public.notes")
    assert _rows(path, "public.patients") == [
        ("00441037", "Okafor", "9.5", "Ms. Okafor came.\nTab\there, back\\slash"),
        ("00441074", "Zhang", "10.5", None),
    ]


def test_rows_of_inserts_are_read_with_the_columns_of_their_definition(tmp_path: Path) -> None:
    path = _path(tmp_path, INSERTS)
    assert members_of(path) == ("patients", "labs")
    assert open_source(path, None, "patients").columns == ("mrn", "last_name", "hgb")
    assert _rows(path, "patients") == [
        ("00441037", "O'Neil; (x)", "9.5"),
        ("00441074", "O'Neil", None),
    ]


@pytest.mark.parametrize("text", [COPY, INSERTS], ids=["copy", "inserts"])
def test_a_written_dump_reads_back_and_contains_no_other_statement(
    tmp_path: Path, through: Through, text: str
) -> None:
    path = _path(tmp_path, text)
    target, members = through(path)
    assert members == members_of(target) == members_of(path)
    for member in members:
        assert _rows(target, member) == _rows(path, member)
    written = target.read_text("utf-8")
    assert "Kasia" not in written and "COMMENT" not in written and "FUNCTION" not in written


@pytest.mark.parametrize("text", [COPY, INSERTS], ids=["copy", "inserts"])
def test_a_dump_is_released_without_its_patients(tmp_path: Path, text: str) -> None:
    (tmp_path / "in").mkdir()
    _path(tmp_path / "in", text)
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY)
    release = run_job(job, load_finder(DAY))
    assert release.manifest["residual"]["hits"] == 0
    written = (tmp_path / "out" / "d.sql").read_text("utf-8")
    assert not [v for v in ("0044", "Okafor", "Neil", "Zhang", "Kasia") if v in written]
    assert "9.5" in written


def test_statements_that_are_not_released_are_counted(tmp_path: Path) -> None:
    assert left_behind(_path(tmp_path, COPY), "public.patients") == {
        "set-statements": 1,
        "create-statements": 2,
        "comment-statements": 1,
        "select-statements": 1,
    }


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("INSERT INTO t (a) VALUES (now())", ["statement-not-understood"]),
        ("INSERT INTO t (a) VALUES ('x'), (f('y')), ('z')", [("x",), "statement-not-understood"]),
        ("INSERT INTO t (a) VALUES ('x') RETURNING a", [("x",), "statement-not-understood"]),
        ("INSERT INTO t (a) VALUES ('x', 'y')", ["ragged-row"]),
        ("INSERT INTO t (a) VALUES (0x4B61)", ["statement-not-understood"]),
        (r"INSERT INTO t (a) VALUES ('C:\'' , ')", ["statement-not-understood"]),
        (r"INSERT INTO t (a) VALUES (E'it\'s\n')", [("it's\n",)]),
        (r"INSERT INTO t (a) VALUES (E'\u004Basia \303\251\xc3\xa9')", [("Kasia éé",)]),
        (r"INSERT INTO t (a) VALUES (E'\xe9')", ["undecodable-bytes"]),
        (r"INSERT INTO t (a) VALUES (E'\uD83D')", ["statement-not-understood"]),
        ("INSERT INTO t (a) VALUES ('x') ON CONFLICT DO NOTHING", [("x",)]),
        ("INSERT INTO t (größe) VALUES ('x')", [("x",)]),
        ("CREATE TABLE s.T (a int);INSERT INTO t VALUES ('x')", [("x",)]),
        ("INSERT INTO t (a) VALUES ('2021-03-04'::date)", [("2021-03-04",)]),
        ("INSERT INTO t (a) VALUES (TO_DATE('2010-01-02','YYYY-MM-DD'))", [("2010-01-02",)]),
        ("INSERT INTO t (a) VALUES (to_timestamp( '02-JAN-10', 'DD-MON-RR' ), 7)", ["ragged-row"]),
        ("INSERT INTO t (a, b) VALUES (DATE '2010-01-02', 7)", [("2010-01-02", "7")]),
        ("INSERT INTO t (a) VALUES (TIMESTAMP'2010-01-02 03:04:05')", [("2010-01-02 03:04:05",)]),
        ("INSERT INTO t (a) VALUES (CAST(N'2010-01-02' AS DateTime2(7)))", [("2010-01-02",)]),
        ("INSERT INTO t (a) VALUES (TO_CLOB('Kasia''s'))", [("Kasia's",)]),
        ("INSERT INTO t (a) VALUES (TO_NUMBER('101'))", [("101",)]),
        ("INSERT INTO t (a) VALUES (TO_NUMBER(101))", [("101",)]),
        ("INSERT INTO t (a) VALUES (to_nclob('Kasia'))", [("Kasia",)]),
        ("INSERT INTO t (a) VALUES (date('2010-01-02'))", [("2010-01-02",)]),
        ("INSERT INTO t (a) VALUES (TO_DATE(f('x'),'YYYY'))", ["statement-not-understood"]),
        ("INSERT INTO t (a) VALUES (CAST(0x4B AS DateTime))", ["statement-not-understood"]),
        ("INSERT INTO t (a) VALUES ('a -- b; /* c */')", [("a -- b; /* c */",)]),
        (r"INSERT INTO t (a, b) VALUES (B'1', '\x01'), (x'00', E'\001')", [("1", "1"), ("0", "1")]),
    ],
)  # fmt: skip
def test_rows_of_statements_that_are_not_understood_are_withheld(
    tmp_path: Path, statement: str, rows: list[object]
) -> None:
    assert _rows(_path(tmp_path, f"{statement};\n"), "t") == rows


def test_escapes_are_read_as_the_server_reads_them(tmp_path: Path) -> None:
    copied = _path(tmp_path, "COPY t (a) FROM stdin;\nMu\\xc3\\xb1oz \\u004b\n\\xe9\n\\.\n")
    assert _rows(copied, "t") == [("Muñoz u004b",), "undecodable-bytes"]
    text = r"INSERT INTO `t` (`a`) VALUES ('\555-12-9876 \x41 \f');"
    assert _rows(_path(tmp_path, text, "m.sql"), "t") == [("555-12-9876 x41 f",)]


def test_a_bit_is_read_as_a_number_and_a_text_with_a_control_character_is_withheld(
    tmp_path: Path, through: Through
) -> None:
    bits = [r"'\0'", r"'\1'", "b'0'", "b'1'", "0x01", r"_binary '\0'", "_binary '\x01'", "'\x01'"]
    rows = "".join(f",('Kasia',{bit})" for bit in [*bits, r"'a\0'", r"'\0\0'"])
    text = f"-- MySQL dump 10.13\nINSERT INTO `t` (`a`,`b`) VALUES {rows[1:]};\n"
    read = [("Kasia", bit) for bit in ("0", "1", "0", "1", "1", "0", "1", "1")]
    path = _path(tmp_path, text)
    assert _rows(path, "t") == [*read, "control-characters", "control-characters"]
    target, _ = through(path)
    assert _rows(target, "t") == read and "('Kasia', 0)" in target.read_text("utf-8")
    copied = "COPY t (a, b) FROM stdin;\nKasia\t\\\\x01\nKasia\t\\000\nKasia\ta\\000\n\\.\n"
    path = _path(tmp_path, copied, "c.sql")
    assert _rows(path, "t") == [("Kasia", "1"), ("Kasia", "0"), "control-characters"]
    target, _ = through(path, out="copied")
    assert "Kasia\t1\nKasia\t0\n" in target.read_text("utf-8")


def test_a_backslash_is_an_ordinary_character_in_a_sqlite_dump(tmp_path: Path) -> None:
    made = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE `t` (a TEXT);\n"
    path = _path(tmp_path, made + "INSERT INTO t VALUES('C:\\new\\dir');\nCOMMIT;\n")
    assert _rows(path, "t") == [("C:\\new\\dir",)]


def test_rows_without_known_columns_are_withheld_and_counted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    known = "INSERT INTO t (sex) VALUES ('F');\nINSERT INTO t VALUES ('Kasia');\n"
    path = _path(tmp_path / "in", known + "INSERT INTO v VALUES ('Kasia');\n")
    assert _rows(path, "t") == ["statement-not-understood", ("F",)]
    assert _rows(path, "v") == ["statement-not-understood"]
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY)
    counts = run_job(job, load_finder(DAY)).manifest
    assert [counts[k] for k in ("records_in", "records_out", "quarantined")] == [3, 1, 2]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("INSERT INTO t (a) VALUES ('x", "broken-dump"),
        ("INSERT INTO t (a) VALUES ('x')", "broken-dump"),
        ("COPY t (a) FROM stdin;\nx\n", "broken-dump"),
        ("CREATE FUNCTION f() AS $a$ x;", "broken-dump"),
        ("INSERT INTO t (a) VALUES ('x');INSERT INTO t (b) VALUES ('y');", "broken-dump"),
        ("INSERT INTO t SELECT 'Kasia';", "no-table"),
        ("COPY t (a) FROM stdin WITH (FORMAT csv);\nKasia\n\\.\n", "no-table"),
        ("INSERT INTO t VALUES ('Kasia');", "no-table"),
        ("SELECT 1;", "no-table"),
    ],
)
def test_a_dump_that_cannot_be_read_completely_is_refused(
    tmp_path: Path, text: str, code: str
) -> None:
    with pytest.raises(DeidError) as raised:
        members_of(_path(tmp_path, text))
    assert raised.value.code == code and "Kasia" not in str(raised.value)


def test_an_independent_reader_accepts_the_written_dump(tmp_path: Path, through: Through) -> None:
    rows = ", ".join(f"('{n:08d}', 'it''s; {n}', {n}.5)" for n in range(1200))
    target, _ = through(_path(tmp_path, f"INSERT INTO t (mrn, note, hgb) VALUES {rows};\n"))
    with sqlite3.connect(":memory:") as database:
        database.executescript(target.read_text("utf-8"))
        assert database.execute("select count(*), min(note) from t").fetchone() == (1200, "it's; 0")


LETTERS = "aB;,()-#$ " + chr(39) + chr(34) + chr(96) + chr(92) + "\n\t\r/*\u00e9[]"
CELLS = st.one_of(st.none(), st.booleans(), st.integers(-9, 9999), st.text(LETTERS, max_size=8))


@settings(max_examples=200, deadline=None)
@example([("a", chr(92))], "standard")
@example([(None, chr(92))], "sqlserver")
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4), st.sampled_from(DIALECTS))
def test_any_row_reads_back_as_it_was_written(
    rows: list[tuple[Any, Any]], dialect: Dialect
) -> None:
    head = {"mysql": b"-- MySQL dump\n", "sqlserver": b"GO\n"}.get(dialect, b"")
    values = ", ".join(inserted(row, dialect) for row in rows)
    data = head + f"INSERT INTO t (a, b) VALUES {values};\n".encode()
    dump = read_dump(data)
    ((start, end),) = dump.tables["t"].spans()
    assert list(inserted_rows(data, start, end, dump.dialect)) == rows
    texts = [tuple(None if c is None else str(c) for c in row) for row in rows]
    data = b"COPY t (a, b) FROM stdin;\n" + "".join(map(copied, texts)).encode() + b"\\.\n"
    ((start, end),) = read_dump(data).tables["t"].spans()
    assert list(copied_rows(data, start, end)) == texts


def test_postgresql_loads_the_written_version_of_its_own_dump(
    tmp_path: Path, through: Through, own_database: str
) -> None:
    if shutil.which("pg_dump") is None or shutil.which("psql") is None:
        pytest.skip("no PostgreSQL client on this machine")
    made = r"""create table notes (mrn text, note text);
        insert into notes values ('00441037', E'back\\slash, tab\t, line\n, quote''s'),
        ('2', null)"""
    _run("psql", "-q", "-d", own_database, "-c", made)
    dump = _run("pg_dump", "--no-owner", "-d", own_database)
    target, _ = through(_path(tmp_path, dump))
    before = _run("psql", "-At", "-d", own_database, "-c", "select * from notes")
    again = f"drop table notes;\n{target.read_text('utf-8')}"
    _run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", own_database, given=again)
    assert _run("psql", "-At", "-d", own_database, "-c", "select * from notes") == before


def _run(*command: str, given: str | None = None) -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if "server version" in done.stderr and "mismatch" in done.stderr:
        pytest.skip("the client is older than the server")
    assert done.returncode == 0, done.stderr
    return done.stdout
