"""Rows of a table of which no cell is released, in every format: they are read back as records."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from openpyxl import Workbook

from deid.formats import ReadOptions, Record, members_of, open_source
from deid.formats.fixed_width.layout import read_layout
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
NOTE = "Qwzyx"
TABLE = [[("White", "Black", "Asian")[n % 3], "MF"[n % 2]] for n in range(30)]
TABLE = [*TABLE[:15], [NOTE, ""], *TABLE[15:], [NOTE, ""]]
TITLES = ["race", "sex"]
Rows = list[list[str]]


def _delimited(path: Path, titles: list[str], rows: Rows) -> None:
    mark = {".tsv": "\t", ".psv": "|"}.get(path.suffix, ",")
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=mark, lineterminator="\n").writerows([titles, *rows])


def _quoted(path: Path, titles: list[str], rows: Rows) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([titles, *rows])


def _workbook(path: Path, titles: list[str], rows: Rows) -> None:
    book = Workbook()
    for row in [titles, *rows]:
        book.active.append([cell or None for cell in row])
    book.save(path)


def _json_lines(path: Path, titles: list[str], rows: Rows) -> None:
    path.write_text("".join(json.dumps(dict(zip(titles, r, strict=True))) + "\n" for r in rows))


def _json(path: Path, titles: list[str], rows: Rows) -> None:
    path.write_text(json.dumps([dict(zip(titles, row, strict=True)) for row in rows]))


def _yaml(path: Path, titles: list[str], rows: Rows) -> None:
    path.write_text("".join(f"- {titles[0]}: {row[0]}\n" for row in rows))


def _parquet(path: Path, titles: list[str], rows: Rows) -> None:
    columns = [[cell or None for cell in column] for column in zip(*rows, strict=True)]
    pq.write_table(pa.table(dict(zip(titles, columns, strict=True))), path)


def _sas(path: Path, titles: list[str], rows: Rows) -> None:
    table = pd.DataFrame(rows, columns=titles)
    pyreadstat.write_xport(table, str(path), file_format_version=5, table_name="T")


def _sqlite(path: Path, titles: list[str], rows: Rows) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"create table t ({', '.join(f'{title} text' for title in titles)})")
        database.executemany(f"insert into t values ({', '.join('?' * len(titles))})", rows)
        database.commit()


def _duckdb(path: Path, titles: list[str], rows: Rows) -> None:
    with duckdb.connect(str(path)) as database:
        database.execute(f"create table t ({', '.join(f'{title} text' for title in titles)})")
        database.executemany(f"insert into t values ({', '.join('?' * len(titles))})", rows)


def _mysql(path: Path, titles: list[str], rows: Rows) -> None:
    listed = ",".join(f"({', '.join(repr(cell) for cell in row)})" for row in rows)
    path.write_text(
        f"-- MySQL dump 10.13\nCREATE TABLE `t` ({', '.join(f'`{t}` text' for t in titles)});\n"
        f"INSERT INTO `t` VALUES {listed};\n"
    )


def _postgresql(path: Path, titles: list[str], rows: Rows) -> None:
    copied = "".join("\t".join(cell or "\\N" for cell in row) + "\n" for row in rows)
    path.write_text(f"COPY t ({', '.join(titles)}) FROM stdin;\n{copied}\\.\n")


def _fixed_width(path: Path, titles: list[str], rows: Rows) -> None:
    path.write_text("".join("".join(f"{cell:<8}" for cell in row) + "\n" for row in rows))


WRITERS: dict[str, Callable[[Path, list[str], Rows], None]] = {
    "a.csv": _delimited,
    "b.tsv": _delimited,
    "c.psv": _delimited,
    "d.csv": _quoted,
    "e.xlsx": _workbook,
    "f.jsonl": _json_lines,
    "g.json": _json,
    "h.yaml": _yaml,
    "i.parquet": _parquet,
    "j.xpt": _sas,
    "k.db": _sqlite,
    "l.duckdb": _duckdb,
    "m.sql": _mysql,
    "n.sql": _postgresql,
    "o.dat": _fixed_width,
}


@pytest.mark.parametrize("width", [1, 2])
def test_a_row_that_is_written_empty_is_read_back_in_its_place(tmp_path: Path, width: int) -> None:
    (tmp_path / "in").mkdir()
    for name, write in WRITERS.items():
        write(tmp_path / "in" / name, TITLES[:width], [row[:width] for row in TABLE])
    (tmp_path / "layout.csv").write_text(
        "name,start,width\n" + "".join(f"{t},{8 * n + 1},8\n" for n, t in enumerate(TITLES[:width]))
    )
    options = ReadOptions(layout=read_layout(tmp_path / "layout.csv"))
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY, read=options)
    assert run_job(job, Finder.load(model=False)).exit_code == 0
    released = {path.name: path for path in (tmp_path / "out").iterdir() if path.is_file()}
    assert len(released) == len(WRITERS)
    expected = [["" if cell == NOTE else cell for cell in row[:width]] for row in TABLE]
    for name, path in released.items():
        read = [
            [cell or "" for cell in record.cells]
            for record in open_source(path, options, members_of(path, options)[0]).records()
            if isinstance(record, Record)
        ]
        assert read == (expected if name != "h.yaml" else [row[:1] for row in expected]), name
