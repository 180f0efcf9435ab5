"""A release loaded into PostgreSQL, a DuckDB file and a Parquet folder: completely and once, or not
at all.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from small_extract import KnownOnly

from deid.cli import main
from deid.errors import DeidError
from deid.formats.targets import database_target
from deid.formats.targets.contract import LoadableRelease, LoadableTable
from deid.jobs import Job, done_already, run_job
from deid.policy.model import read_policy
from deid.release.loading import load_release, target_of
from deid.spool import spooled

DAY = date(2026, 11, 21)
SCHEMA = pa.schema(
    [("n", pa.int64()), ("small", pa.int16()), ("f", pa.float64()), ("yes", pa.bool_()),
     ("d", pa.date32()), ("at", pa.timestamp("us", "UTC")), ("cost", pa.decimal128(9, 2)),
     ("word", pa.string()), ("sort", pa.dictionary(pa.int32(), pa.string()))]
)  # fmt: skip
ROWS = [
    (1, 2, 0.5, True, date(2020, 1, 31), None, Decimal("12.50"), 'a "b", \\N\nc', "x"),
    (None, None, None, None, None, None, None, None, None),
    (3, -4, -1e300, False, date(9999, 12, 31), datetime.fromisoformat("2020-01-31T05:06:07+00:00"),
     Decimal("-0.01"), "", "y"),
]  # fmt: skip


def _typed(sha256: str = "a" * 64, name: str = "typed") -> LoadableRelease:
    def batches() -> Iterator[pa.RecordBatch]:
        for row in ROWS:
            cells = zip(row, SCHEMA, strict=True)
            yield pa.record_batch([pa.array([c], f.type) for c, f in cells], schema=SCHEMA)

    return LoadableRelease(sha256, (LoadableTable(name, SCHEMA, batches),), 0)


def _asked(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(query)  # type: ignore[call-overload]
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def ward(own_database: str) -> str:
    _asked(
        own_database,
        "create table person (person_id int primary key, birth_date date, zip text, name text);"
        "create table note (note_id int primary key, person_id int, note_text text);"
        "create table lab (lab_id int primary key, person_id int, value numeric(6,2));"
        "insert into person select n, date '1950-01-01' + n - 8800001, '02139', 'Theodora Hoekstra'"
        "  from generate_series(8800001, 8800040) n;"
        "insert into note select n, 8800000 + n, 'Theodora Hoekstra was seen, weight stable.'"
        "  from generate_series(1, 40) n;"
        "insert into lab select n, 8800001 + n % 40, (n * 7919 % 2000 + 1) / 10.0"
        "  from generate_series(1, 2000) n;",
    )
    return own_database


def _released(url: str, out: Path, resume: bool = False, pause: float = 0) -> Path:
    with spooled([url]) as inputs:
        job = Job(inputs, out, read_policy("safe_harbor"), DAY, resume=resume)
        if not (resume and done_already(job)):
            run_job(job, KnownOnly(lambda text: time.sleep(pause)))
    return out


@pytest.mark.parametrize("driver", ["postgresql", "postgresql+psycopg", "duckdb"])
def test_types_and_cells_are_loaded_unchanged(
    own_database: str, tmp_path: Path, driver: str
) -> None:
    if driver == "duckdb":
        target_of(str(tmp_path / "x.duckdb")).load(_typed())
        with duckdb.connect(str(tmp_path / "x.duckdb")) as made:
            rows = made.sql("select * from typed order by n nulls last").to_arrow_table()
            found = [tuple(row.values()) for row in rows.to_pylist()]
    else:
        url = own_database.replace("postgresql", driver)
        assert target_of(f"{url}?schema=New Place").load(_typed()) == 3
        found = _asked(own_database, 'select * from "New Place".typed order by n nulls last')
    assert found == [ROWS[0], ROWS[2], ROWS[1]]


def test_inserts_load_the_same_rows_as_copies(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All servers except PostgreSQL are loaded with inserts."""
    monkeypatch.setattr(database_target, "_copy_rows", database_target._insert_rows)
    target_of(f"{own_database}?schema=b").load(_typed())
    found = _asked(own_database, "select * from b.typed order by n nulls last")
    assert found == [ROWS[0], ROWS[2], ROWS[1]]


def test_a_release_of_a_database_is_loaded_into_a_database(ward: str, tmp_path: Path) -> None:
    out = _released(ward, tmp_path / "out")
    target = target_of(f"{ward}?schema=research")
    loaded = load_release(out, target)
    assert (loaded.tables, loaded.rows, loaded.before) == (3, 2080, False)
    joined = "from research.person join research.note using (person_id)"
    assert _asked(ward, f"select count(*), min(note_text), max(birth_date) {joined}") == [
        (40, "[NAME] was seen, weight stable.", 1950)
    ]
    assert _asked(ward, "select sum(value) from research.lab") == [(Decimal("200100.00"),)]
    assert load_release(out, target).before
    assert _asked(ward, "select count(*) from research.person") == [(40,)]


def test_a_target_with_content_is_refused_and_left_unchanged(ward: str, tmp_path: Path) -> None:
    out = _released(ward, tmp_path / "out")
    for path, content in (("x.duckdb", b"x"), ("folder/f", b"x")):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    _asked(ward, "create schema views; create view views.v as select 1")
    target_of(f"{ward}?schema=other").load(_typed())
    target_of(str(tmp_path / "o.duckdb")).load(_typed())
    target_of(str(tmp_path / "o")).load(_typed())
    places = ["x.duckdb", "folder", "o.duckdb", "o"]
    for to in [*(str(tmp_path / p) for p in places), ward, f"{ward}?schema=views",
               f"{ward}?schema=other"]:  # fmt: skip
        with pytest.raises(DeidError) as refused:
            load_release(out, target_of(to))
        assert refused.value.code == "target-not-empty", to
    assert _asked(ward, "select count(*) from person") == [(40,)]
    assert (tmp_path / "x.duckdb").read_bytes() == (tmp_path / "folder" / "f").read_bytes() == b"x"


def test_files_that_the_job_did_not_write_are_not_loaded(ward: str, tmp_path: Path) -> None:
    out = _released(ward, tmp_path / "out")
    target = target_of(f"{ward}?schema=research")

    def code() -> str:
        with pytest.raises(DeidError) as refused:
            load_release(out, target)
        return refused.value.code

    (out / "more.csv").write_text("name\nTheodora Hoekstra\n")
    assert code() == "release-altered"
    (out / "more.csv").unlink()
    manifest = out / "_release" / "manifest.json"
    told = manifest.read_text()
    manifest.write_text(told.replace('"held": false', '"held": true'))
    assert code() in ("release-altered", "release-held")
    manifest.unlink()
    assert code() == "no-release"
    assert not _asked(ward, "select 1 from pg_namespace where nspname = 'research'")


def test_a_held_release_never_reaches_the_database(
    ward: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each patient has a unique weight, which the policy's risk limit does not permit."""
    _asked(ward, "alter table person add weight int")
    _asked(ward, "update person set weight = person_id % 100")
    policy = tmp_path / "limit.yaml"
    policy.write_text(
        "extends: safe_harbor\nname: limit\ncolumns:\n"
        "- {name: weight, action: keep, reason: measured}\n"
        "risk:\n- {quasi: [weight], cell_size: 5}\n"
    )
    to = f"{ward.replace('tester@', 'tester:canaryword@')}?schema=research"
    source = f"{ward}?schema=public"
    command = ["scrub", source, "-o", str(tmp_path / "out"), "--to", to]
    with pytest.raises(SystemExit) as ended:
        main([*command, "--policy", str(policy)])
    told = "".join(capfd.readouterr())
    assert ended.value.code == 3, told
    assert not _asked(ward, "select 1 from pg_namespace where nspname = 'research'")
    policy.write_text(policy.read_text().partition("risk:")[0])
    with pytest.raises(SystemExit) as ended:
        main([*command, "--policy", str(policy)])
    assert not ended.value.code, capfd.readouterr().err
    assert _asked(ward, "select count(*) from research.person") == [(40,)]
    for again, code in (([], 2), (["--resume"], 0)):
        with pytest.raises(SystemExit) as ended:
            main([*command, "--policy", str(policy), *again])
        assert (ended.value.code or 0) == code
    told += "".join(capfd.readouterr())
    written = b"".join(p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert "canaryword" not in told and b"canaryword" not in written
    assert b"--to TARGET" in written


def test_folders_are_partitioned_by_released_cells(ward: str, tmp_path: Path) -> None:
    out = _released(ward, tmp_path / "out")
    loaded = load_release(out, target_of(str(tmp_path / "by"), ["zip", "birth_date"]))
    assert loaded.rows == 2080
    folders = {p.parent.relative_to(tmp_path / "by").as_posix()
               for p in (tmp_path / "by").rglob("*.parquet")}  # fmt: skip
    assert folders == {"lab", "note", "person/zip=021/birth_date=1950"}
    person = ds.dataset(tmp_path / "by" / "person", partitioning="hive").to_table()
    assert set(person.column_names) == {"person_id", "zip", "name", "birth_date"}
    assert person.num_rows == 40
    assert json.loads((tmp_path / "by" / "_deid_release.json").read_text())["tables"] == 3
    with pytest.raises(DeidError, match="no released table has a column"):
        load_release(out, target_of(str(tmp_path / "again"), ["nothing"]))
    assert not list(tmp_path.glob(".*partial"))


@pytest.mark.parametrize("kind", ["database", "duckdb", "folder"])
def test_a_killed_load_leaves_no_partial_release(
    ward: str, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = _released(ward, tmp_path / "out")
    to = {"database": f"{ward}?schema=research", "duckdb": str(tmp_path / "r.duckdb"),
          "folder": str(tmp_path / "folder")}[kind]  # fmt: skip
    for at in range(4):
        child = os.fork()
        if child == 0:
            try:
                _load_and_die(out, to, at)
            finally:
                os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        # There are three tables, so the fourth run is not killed.
        assert code == (-signal.SIGKILL if at < 3 else 0)
        if at < 3:
            _until_rolled_back(ward)
            assert target_of(to).held_release() is None
    assert load_release(out, target_of(to)).before


def _until_rolled_back(url: str) -> None:
    query = "select 1 from pg_stat_activity where state like 'idle in transaction%' or (state = "
    query += "'active' and pid <> pg_backend_pid() and backend_type = 'client backend')"
    for _ in range(100):
        if not _asked(url, query):
            return
        time.sleep(0.05)


def _load_and_die(out: Path, to: str, at: int) -> None:
    """Load, and die while the rows of one of the tables are read."""
    from dataclasses import replace

    from deid.release import loading as load
    from deid.release.released_tables import read_release

    whole = read_release(out)

    def deadly(table: LoadableTable) -> LoadableTable:
        def batches() -> Iterator[pa.RecordBatch]:
            yield from table.batches()
            os.kill(os.getpid(), signal.SIGKILL)

        return replace(table, batches=batches)

    tables = tuple(deadly(t) if n == at else t for n, t in enumerate(whole.tables))
    load.read_release = lambda _: replace(whole, tables=tables)  # type: ignore[assignment]
    load_release(out, target_of(to))


def test_scrub_and_load_killed_at_random_points_give_the_same_rows(
    ward: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kills fall anywhere between reading the database and loading the last row."""
    # A killed process leaves its copy of the tables behind.
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    queries = [f"select * from {{}}.{t} order by 1, 2" for t in ("person", "note", "lab")]
    # Only this schema is read, because the release is loaded into another schema of the same
    # database.
    source = f"{ward}?schema=public"
    chance, killed, out, to = random.Random(25), 0, tmp_path / "out", f"{ward}?schema=research"
    whole = load_release(_released(source, tmp_path / "one"), target_of(f"{ward}?schema=one"))
    assert whole.rows == 2080
    began = time.monotonic()
    _released(source, tmp_path / "timed", pause=0.005)
    usual = time.monotonic() - began
    for attempt in range(12):
        child = os.fork()
        if child == 0:
            code = 99
            try:
                load_release(_released(source, out, True, pause=0.005), target_of(to))
                code = 0
            finally:
                os._exit(code)
        if attempt < 11:
            time.sleep(chance.uniform(0.05, 0.7) * usual)
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        killed += code == -signal.SIGKILL
        _until_rolled_back(ward)
    assert code == 0 and killed >= 3
    for query in queries:
        assert _asked(ward, query.format("research")) == _asked(ward, query.format("one"))
    assert load_release(out, target_of(to)).before


def test_a_fault_of_our_code_is_not_reported_as_one_of_the_database(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise KeyError("Hoekstra")

    # First the code of a driver raises the error, then our own code.
    monkeypatch.setattr(database_target, "_copy_rows", broken)
    for module, expected in (("psycopg.cursor", DeidError), ("deid.formats.x", KeyError)):
        broken.__globals__["__name__"] = module
        with pytest.raises(expected) as told:
            target_of(f"{own_database}?schema=b").load(_typed())
        if expected is DeidError:
            assert "(KeyError)" in told.value.hint and "Hoekstra" not in f"{told.value}"
    broken.__globals__["__name__"] = __name__
