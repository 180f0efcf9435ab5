"""Attacks with names: headers, tables, sheets, keys, metadata, files and folders named for a
person.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook

from benchmarks.attacks.lab import Lab, Run

_LISTS = Path(__file__).parents[2] / "corpora" / "names_of_things"
_ROWS, _SHORT = 12, 6


def hostile_names() -> list[str]:
    """The names that no release may contain."""
    lines = (_LISTS / "hostile.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def attack_columns_of_csv(lab: Lab) -> bool:
    """Head over 300 columns with persons, days, ages, numbers and places; also in a dry run."""
    names = hostile_names()
    path = lab.write("labs.csv", _csv(["mrn", *names]))
    planned = lab.deid("scrub", path, "--dry-run", "--json")
    drafted = lab.deid("profile", path)
    run = lab.scrub(path)
    printed = [planned.stdout, planned.stderr, drafted.stdout, drafted.stderr]
    return run.code in (0, 4) and _absent(lab, names, run, printed)


def attack_schema_and_metadata_of_parquet(lab: Lab) -> bool:
    """Put names into the columns and the metadata of pandas, the table and its fields."""
    names = hostile_names()
    fields = [pa.field(n, pa.float64(), metadata={"note": n}) for n in names]
    schema = pa.schema([pa.field("mrn", pa.string()), *fields])
    told = {"pandas": json.dumps({"columns": names}), "author": names[0], names[1]: "x"}
    schema = schema.with_metadata(told)
    cells = [pa.array([f"{i:07}" for i in range(_ROWS)])]
    cells += [pa.array([4.1 + i for i in range(_ROWS)])] * len(names)
    path = lab.here / "labs.parquet"
    pq.write_table(pa.table(cells, schema=schema), path)
    run = lab.scrub(path)
    return run.code in (0, 4) and _absent(lab, names, run)


def attack_sheets_and_headers_of_workbooks(lab: Lab) -> bool:
    """Name the sheets, headers and author of a workbook for persons and places."""
    names = [
        name for name in hostile_names() if not set(name) & set("[]:*?/\\'") and len(name) < 31
    ]
    book = Workbook()
    book.remove(book.active)
    book.properties.creator = names[0]
    for number, name in enumerate(names[:8]):
        sheet = book.create_sheet(name)
        sheet.append(["potassium", *names[number * 30 : number * 30 + 30]])
        for row in range(_ROWS):
            sheet.append([4.1 + row, *[3.0 + row] * len(names[number * 30 : number * 30 + 30])])
    path = lab.here / "labs.xlsx"
    book.save(path)
    run = lab.scrub(path)
    return run.code in (0, 4) and _absent(lab, names, run)


def attack_tables_of_databases(lab: Lab) -> bool:
    """Name tables, schemas and columns of SQLite, DuckDB and an SQL dump for persons and days."""
    names = hostile_names()
    folder = lab.here / "in"
    folder.mkdir()
    tables = {name: names[n * 25 : n * 25 + 25] for n, name in enumerate(names[::25])}
    unlike = {t: c for t, c in tables.items() if len({n.casefold() for n in c}) == len(c)}
    _fill(sqlite3.connect(folder / "labs.db", isolation_level=None), unlike)
    database = duckdb.connect(str(folder / "labs.duckdb"))
    database.execute('create schema "smith_john"')
    database.execute('create table "smith_john"."labs" as select 4.1 as potassium')
    _fill(database, unlike)
    (folder / "labs.sql").write_text("\n".join(_dumped(unlike)), "utf-8")
    run = lab.scrub(folder)
    return run.code in (0, 4) and _absent(lab, names, run)


def attack_keys_of_json(lab: Lab) -> bool:
    """Use names as keys at the top, within records, above them and around the document."""
    names = hostile_names()
    flat = [{"mrn": f"{i:07}", **dict.fromkeys(names, 4.1 + i)} for i in range(_ROWS)]
    nested = [
        {"visit": {n: {"labs": {n: 4.1 + i, "potassium": 3.9}}, "codes": [{n: 2.5}]}}
        for n in names
        for i in range(2)
    ]
    envelope = {names[0]: {"total": 3, names[2]: 1, "records": [{"potassium": 4.1, names[7]: 3}]}}
    folder = lab.here / "in"
    lab.write("in/flat.jsonl", "\n".join(map(json.dumps, flat)))
    lab.write("in/nested.json", json.dumps(nested[:120]))
    lab.write("in/lines.ndjson", "\n".join(map(json.dumps, nested[120:])))
    lab.write("in/envelope.json", json.dumps(envelope, ensure_ascii=False))
    run = lab.scrub(folder)
    return run.code in (0, 4) and _absent(lab, names, run)


def attack_files_and_folders(lab: Lab) -> bool:
    """Name files, folders, suffixes and archive members for people, days and places."""
    names = [n for n in hostile_names() if not set(n) & set("/\\:?*[]")]
    folder = lab.here / "in"
    for number, name in enumerate(names):
        above = names[number - 1] if number % 3 == 0 else "data"
        suffix = ".txt" if number % 2 else ".csv"
        text = "Stable." if number % 2 else "potassium\n4.1\n3.9\n"
        lab.write(f"in/{above}/{name}{suffix}", text)
    lab.write("in/file_7.csv", "potassium\n4.1\n3.9\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.comment = names[0].encode()
        for number, name in enumerate(names[:60]):
            archive.writestr(f"{names[number + 1]}/{name}.csv", "potassium\n4.1\n3.9\n")
    lab.write("in/labs.zip", packed.getvalue())
    run = lab.scrub(folder)
    return run.code in (0, 4) and _absent(lab, names, run)


def attack_map_of_names(lab: Lab) -> bool:
    """Ask for the names map within OUT; beside OUT, only its owner may read it."""
    path = lab.write("labs.csv", _csv(["mrn", "glucose_john_smith"]))
    inside = lab.scrub(path, "--names-map", lab.here / "out" / "map.csv")
    beside = lab.here / "map.csv"
    run = lab.scrub(path, "--names-map", beside)
    rows = list(csv.DictReader(beside.read_text("utf-8").splitlines()))
    told = [(row["original"], row["released"]) for row in rows]
    private = beside.stat().st_mode & 0o077 == 0
    return (
        (inside.code, run.code) == (2, 0)
        and private
        and told == [("glucose_john_smith", "column_2")]
        and _absent(lab, ["glucose_john_smith"], run)
    )


def _csv(names: Sequence[str]) -> str:
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(names)
    writer.writerows([f"{i:07}", *[4.1 + i] * (len(names) - 1)] for i in range(_ROWS))
    return made.getvalue()


def _fill(
    database: sqlite3.Connection | duckdb.DuckDBPyConnection, tables: dict[str, list[str]]
) -> None:
    for table, columns in tables.items():
        listed = ", ".join(f"{_quoted(column)} double" for column in columns)
        database.execute(f"create table {_quoted(table)} ({listed})")
        marks = ", ".join("?" for _ in columns)
        for row in range(3):
            cells = [4.1 + row] * len(columns)
            database.execute(f"insert into {_quoted(table)} values ({marks})", cells)
    database.close()


def _dumped(tables: dict[str, list[str]]) -> Iterator[str]:
    yield "-- PostgreSQL database dump"
    for table, columns in tables.items():
        listed = ", ".join(map(_quoted, columns))
        cells = ", ".join(["'4.1'"] * len(columns))
        yield f"INSERT INTO {_quoted(table)} ({listed}) VALUES ({cells}), ({cells});"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _absent(lab: Lab, names: Iterable[str], run: Run, printed: Sequence[str] = ()) -> bool:
    """Whether no name is in a name or a byte below OUT, unpacked, or in the printed output."""
    pieces = [lab.released(), run.stdout.encode(), run.stderr.encode()]
    pieces += [text.encode() for text in printed] + list(_unpacked(lab.here / "out"))
    seen = b"\n".join(pieces).lower()
    return not any(_stands_in(name, seen) for name in names)


def _stands_in(name: str, seen: bytes) -> bool:
    """Whether the text holds the name, as it is or escaped in JSON; a short name only as a whole
    word, not as part of `summary`.
    """
    for form in (name.lower().encode(), json.dumps(name).lower().encode()[1:-1]):
        if form in seen:
            edge = rb"(?<![a-z])%s(?![a-z])"
            if len(name) >= _SHORT or re.search(edge % re.escape(form), seen):
                return True
    return False


def _unpacked(out: Path) -> Iterator[bytes]:
    for path in out.rglob("*"):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield from (archive.read(name) for name in archive.namelist())
        elif path.suffix == ".duckdb":
            with duckdb.connect(str(path), read_only=True) as database:
                tables = database.execute("select * from duckdb_columns()").fetchall()
                yield repr(tables).encode()
        elif path.suffix == ".parquet":
            yield (
                repr(pq.read_schema(path)).encode() + repr(pq.read_metadata(path).metadata).encode()
            )
