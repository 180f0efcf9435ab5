# ruff: noqa: E501
"""JSON in table cells: decided path by path like JSON records, in any kind of table."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from document_canaries import canaries_in, canaries_left, canaries_of, canary, scrub_folder

from deid.formats import Record, members_of, open_source
from deid.formats.json.cells import JsonCellsSource

Rows = Sequence[Sequence[str | None]]
CLINIC = Path(__file__).parents[4] / "corpora" / "clinic"
HEADER = ("sex", "payload")
RECORD = {"first_name": "Rose", "visit": {"date": "2020-03-04", "codes": ["I10", "E11"]}, "n": 1.50}
CELLS: Rows = (
    ("F", json.dumps(RECORD)),
    ("M", None),
    ("F", '[{"first_name": "Ann"}, 7]'),
    ("M", "{}"),
)


def as_csv(path: Path, rows: Rows) -> Path:
    with path.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows])
    return path.with_suffix(".csv")


def as_parquet(path: Path, rows: Rows) -> Path:
    columns = dict(zip(HEADER, map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def as_sqlite(path: Path, rows: Rows) -> Path:
    with sqlite3.connect(path.with_suffix(".db")) as base:
        base.execute("CREATE TABLE visits (sex TEXT, payload TEXT)")
        base.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    base.close()
    return path.with_suffix(".db")


def as_duckdb(path: Path, rows: Rows) -> Path:
    with duckdb.connect(str(path.with_suffix(".duckdb"))) as base:
        base.execute("CREATE TABLE visits (sex VARCHAR, payload VARCHAR)")
        base.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    return path.with_suffix(".duckdb")


def as_excel(path: Path, rows: Rows) -> Path:
    book = openpyxl.Workbook()
    for row in (HEADER, *rows):
        book.active.append(row)
    book.save(path.with_suffix(".xlsx"))
    return path.with_suffix(".xlsx")


def as_dump(path: Path, rows: Rows) -> Path:
    values = ",\n".join(
        "(" + ", ".join("NULL" if c is None else f"'{c}'" for c in row) + ")" for row in rows
    )
    path.with_suffix(".sql").write_text(
        f"CREATE TABLE visits (sex text, payload text);\nINSERT INTO visits VALUES {values};\n"
    )
    return path.with_suffix(".sql")


TABLES = [as_csv, as_parquet, as_sqlite, as_duckdb, as_excel, as_dump]
PATHS = (
    "sex",
    "payload.first_name",
    "payload.visit.date",
    "payload.visit.codes[]",
    "payload.visit.codes[]",
    "payload.n",
    "payload[].first_name",
    "payload[]",
)


@pytest.mark.parametrize("as_table", TABLES, ids=lambda f: f.__name__)
def test_paths_are_columns_and_json_cells_are_written_back(
    as_table: Callable, tmp_path: Path, through: Callable
) -> None:
    path = as_table(tmp_path / "visits", CELLS)
    (member,) = members_of(path)
    source = open_source(path, None, member)
    assert source.columns == PATHS
    first = next(r for r in source.records() if isinstance(r, Record))
    assert first.cells == ("F", "Rose", "2020-03-04", "I10", "E11", "1.5", None, None)
    out, (key,) = through(path)
    assert plain_cells(out, key) == plain_cells(path, member) == [list(row) for row in CELLS]


def plain_cells(path: Path, member: str) -> list[list[str | None]]:
    """The rows of the table; an empty CSV cell is null."""
    source = open_source(path, None, member)
    assert isinstance(getattr(source, "source", source), JsonCellsSource)
    rows = source.inner.records()  # type: ignore[attr-defined]
    return [[cell or None for cell in row.cells] for row in rows if isinstance(row, Record)]


def test_decisions_are_those_of_json_records(tmp_path: Path) -> None:
    records = [
        {"sex": "F", "payload": {"first_name": n, "ssn": f"123-45-678{i}", "visit": {"date": "2020-03-04", "note": f"Seen with {n}@canary.example"}, "mother": {"last_name": n}}}
        for i, n in enumerate(["Rose", "Ann", "Ida", "Una"])
    ]  # fmt: skip
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    rows = [(r["sex"], json.dumps(r["payload"])) for r in records]
    as_csv(tmp_path / "in" / "b.csv", rows)  # type: ignore[arg-type]
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    lines = (tmp_path / "out" / "a.jsonl").read_text().splitlines()
    with (tmp_path / "out" / "b.csv").open(newline="") as file:
        header, *cells = csv.reader(file)
    found = [dict(zip(header, [row[0], json.loads(row[1])], strict=True)) for row in cells]
    assert found == [json.loads(line) for line in lines]
    name = header[1]
    assert found[0][name]["first_name"] == "[NAME]" and found[0][name]["visit"]["date"] == "2020"


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("payload", ['{"a": 1}', "see {a}"]),
        ("payload", ["[NAME] was seen", '{"a": 1}']),
        ("payload", ['{"a": 1', '{"a": 2}']),
        ("payload", ["{'a': 1}"]),
        ("payload", ['{"a": NaN}']),
        ("payload", ['{"a": 1} {"b": 2}']),
        ("payload", ['{"a": 1, "a": 2}']),
        ("payload", ['{"a": "\\ud800"}']),
        ("payload", ['{"a": "\\u0000"}']),
        ("payload", ["[" * 5000 + "]" * 5000]),
        ("payload", ["[]", "{}"]),
        ("payload", ["17", '"text"', "null"]),
        ("pay.load", ['{"a": 1}']),
        ("pay[0]", ['{"a": 1}']),
        ("2020-03-04", ['{"a": 1}']),
        ("Quillonby", ['{"a": 1}']),
        ("", ['{"a": 1}']),
        ("sex", ['{"a": 1}']),
        ("payload", [json.dumps({f"key{n}": n for n in range(3000)})]),
    ],
)
def test_columns_without_json_are_left_to_the_table(
    tmp_path: Path, header: str, cells: list[str]
) -> None:
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("sex", header), *(("F", cell) for cell in cells)])
    source = open_source(tmp_path / "t.csv")
    assert source.columns == ("sex", header) and not isinstance(source, JsonCellsSource)


def test_a_later_cell_that_is_not_json_is_withheld(tmp_path: Path) -> None:
    rows: list[tuple[str, str]] = [("F", '{"dose": 10, "unit": "mg"}')] * 250
    rows += [("F", f"Seen with {canary(0)}"), ("F", f'{{"dose": 10, "{canary(1)}')]
    (tmp_path / "in").mkdir()
    as_csv(tmp_path / "in" / "t.csv", rows)
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    assert canaries_in(tmp_path / "out") == set()
    out = (tmp_path / "out" / "t.csv").read_text().splitlines()
    assert len(out) == 253
    assert out[1] == 'F,"{""dose"": 10, ""unit"": ""mg""}"' and out[-1] == out[-2] == "F,"


def test_lists_beside_json_are_searched_and_bytes_withheld(tmp_path: Path) -> None:
    table = pa.table({"payload": ['{"dose": 1}'], "codes": [[canary(0)]], "raw": [b'{"a": 1}']})
    (tmp_path / "in").mkdir()
    pq.write_table(table, tmp_path / "in" / "t.parquet")
    assert open_source(tmp_path / "in" / "t.parquet").columns == ("raw", "payload.dose", "codes[]")
    scrub_folder(tmp_path / "in", tmp_path / "out")
    assert "raw" not in pq.read_schema(tmp_path / "out" / "t.parquet").names
    assert canaries_in(tmp_path / "out") == set()


def test_a_row_that_is_nested_too_deeply_is_withheld(tmp_path: Path) -> None:
    deep = '{"a":' * 70 + "1" + "}" * 70
    as_csv(tmp_path / "t", [("F", '{"a": 1}'), ("F", deep), ("F", '{"a": 2}')])
    found = list(open_source(tmp_path / "t.csv").records())
    assert [isinstance(one, Record) for one in found] == [True, False, True]


def test_resources_of_fhir_are_decided_by_its_tables(tmp_path: Path) -> None:
    """A column of resources is released like a file of the same resources."""
    lines = (CLINIC / "patients.ndjson").read_text("utf-8").splitlines()
    note = {
        "resourceType": "Observation",
        "status": "final",
        "subject": {"reference": "Patient/x", "display": canary(0)},
        canary(1): canary(2),
        "extension": [{"url": canary(3)}],
        "note": [{"text": f"Seen with {canary(4)}@canary.example"}],
    }
    lines.append(json.dumps(note))
    for folder in ("lines", "cells"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lines" / "a.ndjson").write_text("\n".join(lines), "utf-8")
    as_csv(tmp_path / "cells" / "a", [("F", line) for line in lines])
    for folder in ("lines", "cells"):
        release = scrub_folder(tmp_path / folder, tmp_path / f"{folder}-out")
        assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    wanted = (tmp_path / "lines-out" / "a.ndjson").read_text("utf-8").splitlines()
    with (tmp_path / "cells-out" / "a.csv").open(encoding="utf-8", newline="") as file:
        found = [row[1] for row in list(csv.reader(file))[1:]]
    assert [json.loads(cell) for cell in found] == [json.loads(line) for line in wanted]
    assert canaries_in(tmp_path / "cells-out") == set()


def test_a_resource_of_another_kind_than_its_column_is_withheld(tmp_path: Path) -> None:
    odd = json.dumps({"resourceType": "Basic", "modifierExtension": [{"url": "u"}]})
    as_csv(tmp_path / "t", [("F", '{"resourceType": "Basic", "language": "en"}'), ("F", odd)])
    found = [getattr(r, "code", "") for r in open_source(tmp_path / "t.csv").records()]
    assert found == ["", "unknown-modifier"]


def canary_cell(word: Callable[[], str]) -> dict[str, Any]:
    """A canary in each place; none may be released."""
    return {
        "first_name": word(),
        "last_name": word(),
        "ssn": word(),
        "mrn": word(),
        "email": f"{word()}@canary.example",
        "phone": word(),
        "address": {"street": word(), "city": word(), "zip": word()},
        "patient": {"name": {"given": [word(), word()], "family": word()}, "id": word()},
        "contacts": [{"name": word(), "relationship": "mother"}, {"name": word()}],
        "note": f"Seen with {word()}@canary.example. The patient is well.",
        "birth_date": word(),
        "admitted": word(),
        "qzx": word(),
        word(): "x",
        f"{word()}@canary.example": {"a": word()},
        f"{word().title()} {word().title()}": {"dose": 10},
        "2021-03-04": {"last_name": word()},
        "00441672": {"last_name": word()},
        "photo": word(),
        "url": f"https://{word()}.example/a",
        "device": {"serial_number": word(), "udi": word()},
        "insurance": {"member_id": word(), "policy": {"holder": {"full_name": word()}}},
        "escaped": f"https:\\/\\/{word()}.example",
        "doctor": word(),
        "account_number": word(),
        "employer": word(),
        "nested": json.dumps({"last_name": word()}),
        "license": word(),
        "ip_address": word(),
        "dose": 10,
        "diagnosis": "I10",
    }


@pytest.mark.parametrize("as_table", [as_csv, as_parquet, as_sqlite], ids=lambda f: f.__name__)
def test_no_canary_is_in_any_byte_of_released_json_cells(
    as_table: Callable, tmp_path: Path
) -> None:
    number = iter(range(300))
    rows = [("F", json.dumps(canary_cell(lambda: canary(next(number))))) for _ in range(6)]
    (tmp_path / "in").mkdir()
    path = as_table(tmp_path / "in" / "visits", rows)
    assert len(canaries_of(path.read_bytes())) >= 30 or path.suffix == ".parquet"
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    out = tmp_path / "out" / path.name
    (member,) = members_of(out)
    source = open_source(out, None, member)
    assert isinstance(source, JsonCellsSource)
    for row in source.inner.records():
        assert isinstance(row, Record)
        cell = json.loads(row.cells[1] or "")
        assert (cell["dose"], cell["diagnosis"]) == (10, "I10")
        assert cell["note"] == "Seen with [EMAIL]. The patient is well."
