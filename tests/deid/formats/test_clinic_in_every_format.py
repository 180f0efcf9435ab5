"""The linked clinic in a workbook, a database and an archive gives the same result as its CSV
tables.
"""

from __future__ import annotations

import csv
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from deid.formats import Record, members_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.text.engine import load_finder
from recognizers import Finder

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
NAMES = ("patients", "contacts", "encounters", "results", "devices", "notes")
DAY = date(2026, 11, 21)
Rows = list[list[str]]


def _rows(name: str) -> Rows:
    delimiter = ";" if name == "contacts" else ","
    with (CLINIC / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


TABLES = {name: _rows(name) for name in NAMES}


def _parquet(folder: Path) -> Path:
    for name, (header, *rows) in TABLES.items():
        columns = zip(*rows, strict=True)
        table = pa.table(dict(zip(header, map(list, columns), strict=True)))
        pq.write_table(table, folder / f"{name}.parquet")
    return folder


def _archive(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "clinic.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            archive.write(CLINIC / f"{name}.csv", f"clinic/{name}.csv")
    return folder


def _workbook(folder: Path) -> Path:
    book = Workbook(write_only=True)
    for name, rows in TABLES.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([cell or None for cell in row])
    book.save(folder / "clinic.xlsx")
    return folder


def _sqlite(folder: Path) -> Path:
    with closing(sqlite3.connect(folder / "clinic.db")) as database:
        for name, (header, *rows) in TABLES.items():
            columns = ", ".join(f'"{column}" text' for column in header)
            database.execute(f"create table {name} ({columns})")
            marks = ", ".join("?" for _ in header)
            database.executemany(f"insert into {name} values ({marks})", rows)
        database.commit()
    return folder


def _duckdb(folder: Path) -> Path:
    parts = _parquet(folder)
    with duckdb.connect(str(folder / "clinic.duckdb")) as database:
        for name in NAMES:
            part = parts / f"{name}.parquet"
            database.execute(f"create table {name} as select * from read_parquet('{part}')")
            part.unlink()
    return folder


@pytest.fixture(scope="module")
def finder() -> Finder:
    return load_finder(DAY)


@pytest.mark.parametrize("made", [_parquet, _archive, _workbook, _sqlite, _duckdb])
def test_every_expected_value_is_met_in_every_container(
    made: Callable[[Path], Path], finder: Finder, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    job = Job((made(tmp_path / "in"),), tmp_path / "out", read_policy("safe_harbor"), DAY)
    manifest = run_job(job, finder).manifest
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    assert manifest["records_in"] == manifest["records_out"] == 367
    assert not [c for c in manifest["columns"] if c["action"] in ("withhold", "drop")]
    got = _read(tmp_path / "out")
    wrong, met = [], 0
    for row in csv.DictReader((CLINIC / "expected.csv").open(encoding="utf-8-sig")):
        table = got.get(row["table"].removesuffix(".csv"))
        if table is not None:
            met += 1
            cell = table[int(row["row"]) - 1][row["column"]] or ""
            if cell not in (row["expected"], row["also_ok"] or row["expected"]):
                wrong.append((row["table"], row["row"], row["column"]))
    assert (met, wrong) == (776, [])


def _read(out: Path) -> dict[str, list[dict[str, str | None]]]:
    tables = {}
    for path in (p for p in out.iterdir() if p.is_file()):
        for member in members_of(path):
            source = open_source(path, None, member)
            tables[Path(member or path.name).stem] = [
                dict(zip(source.columns, record.cells, strict=True))
                for record in source.records()
                if isinstance(record, Record)
            ]
    return tables
