"""Parquet lists, structures and maps are read like the same JSON and written with their types
again.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deid.formats import RecordFault, open_source
from deid.formats.typed.arrow_batches import ROWS_PER_BATCH
from deid.formats.typed.nested_values import nested_cells

sys.path.append(str(Path(__file__).parents[3] / "leaks"))
from document_canaries import canaries_in, canary, scrub_folder

DAY = dt.date(1961, 3, 4)
NAME = pa.struct([("family", pa.string()), ("given", pa.list_(pa.string())), ("born", pa.date32())])
KEPT: dict[str, pa.Array] = {
    "row": pa.array([1, 2, 3]),
    "name": pa.array(
        [{"family": "a", "given": ["b", None], "born": DAY}, None, {"family": None, "given": []}],
        NAME,
    ),
    "levels": pa.array([[1, None], [], None], pa.list_(pa.int16())),
    "exact": pa.array([[1.5], [2.25, 1e22], [0.1]], pa.large_list(pa.float64())),
    "flags": pa.array([{"x": True}, {"x": None}, {"x": False}]),
    "deep": pa.array([[[{"a": [1]}]], [], [[{"a": []}, None]]]),
    "results": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int32())),
    "moments": pa.array([[dt.datetime(2020, 1, 2, 3, 4, 5, 6)], None, []]),
    "triple": pa.array([[1, 2, 3], None, [4, 5, 6]], pa.list_(pa.int32(), 3)),
}


def test_kept_nested_values_keep_their_structure_and_type(
    tmp_path: Path, through: Callable
) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(KEPT), path)
    out, _ = through(path)
    before, after = pq.read_table(path), pq.read_table(out)
    left = {"born": None}
    expected = before.to_pylist()
    expected[2]["name"] |= left
    assert after.to_pylist() == expected
    changed = {f.name for f in before.schema if after.schema.field(f.name).type != f.type}
    assert changed == {"exact", "triple"}  # only one kind of list is written


@pytest.mark.parametrize("slice_at", [0, 1])
def test_sliced_columns_are_read_from_their_start(slice_at: int) -> None:
    for column in KEPT.values():
        if not pa.types.is_nested(column.type):
            continue
        read = lambda leaves: leaves.cast(pa.string()).to_pylist()  # noqa: E731
        whole = nested_cells(column, read, {})
        assert nested_cells(column.slice(slice_at), read, {}) == whole[slice_at:]


def _people() -> list[dict[str, Any]]:
    return [
        {
            "patient_id": f"pt-{n:04d}",
            "name": {"family": canary(n).title(), "given": [canary(40 + n).title(), "Ruth"]},
            "address": [{"city": canary(80 + n).title(), "state": "ND", "zip": "58102"}],
            "birth": {"date": dt.date(1951, 3, 1 + n)},
            "contact": {"phone": f"701-555-01{10 + n}", "email": f"{canary(120 + n)}@c.example"},
            "visits": [
                {"date": dt.date(2021, 3, 4), "note": f"{canary(n).title()} rested; cuff fine",
                 "systolic": 120 + n, "code": "8480-6"},
                {"date": dt.date(2021, 4, 4), "note": "Stable on metformin", "systolic": 131,
                 "code": "8480-6"},
            ],
            "labs": [("glucose", 100 + n), ("sodium", 140)],
            "ids": {"ssn": f"219-09-{9900 + n}", "mrn": f"{canary(160 + n)}-{1000 + n}"},
        }
        for n in range(24)
    ]  # fmt: skip


def _written(folder: Path, rows: list[dict[str, Any]], name: str = "people.parquet") -> Path:
    folder.mkdir()
    kinds = {"labs": pa.map_(pa.string(), pa.int64())}
    columns = {key: pa.array([row[key] for row in rows], kinds.get(key)) for key in rows[0]}
    pq.write_table(pa.table(columns), folder / name)
    return folder


def test_nested_columns_are_released_like_the_same_json(tmp_path: Path) -> None:
    rows = _people()
    folder = _written(tmp_path / "in", rows)
    assert scrub_folder(folder, tmp_path / "out").exit_code == 0
    (tmp_path / "json").mkdir()
    as_json = [row | {"labs": dict(row["labs"])} for row in rows]
    lines = [json.dumps(row, default=lambda day: day.isoformat()) for row in as_json]
    (tmp_path / "json" / "people.jsonl").write_text("\n".join(lines) + "\n")
    assert scrub_folder(tmp_path / "json", tmp_path / "out-json").exit_code == 0
    found = pq.read_table(tmp_path / "out" / "people.parquet").to_pylist()
    told = (tmp_path / "out-json" / "people.jsonl").read_text().splitlines()
    assert canaries_in(tmp_path / "out") == set()
    assert found[3]["name"] == {"family": "[NAME]", "given": ["[NAME]", "[NAME]"]}
    assert found[3]["visits"][0] == {
        "date": 2021, "note": "[NAME] rested; cuff fine", "systolic": 123, "code": "8480-6",
    }  # fmt: skip
    assert len(found) == len(told) == 24
    for row, line in zip(found, told, strict=True):
        own = json.loads(json.dumps(row | {"labs": dict(row["labs"])}))
        assert _as_text(own) == _as_text(json.loads(line))


def _as_text(value: Any) -> Any:
    """With numbers as text: a released year is a number in Parquet and a text in JSON."""
    if isinstance(value, dict):
        return {key: _as_text(below) for key, below in value.items()}
    return [_as_text(below) for below in value] if isinstance(value, list) else str(value)


def test_nested_values_are_known_values_for_other_tables(tmp_path: Path) -> None:
    folder = _written(tmp_path / "in", _people())
    with (folder / "calls.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patient_id", "note_text"])
        writer.writerows([f"pt-{n:04d}", f"spoke with {canary(n)} today"] for n in range(24))
    assert scrub_folder(folder, tmp_path / "out").exit_code == 0
    assert canaries_in(tmp_path / "out") == set()
    assert "spoke with [NAME] today" in (tmp_path / "out" / "calls.csv").read_text()


def test_a_nested_value_that_json_cannot_hold_withholds_the_row(tmp_path: Path) -> None:
    """A map with a repeated key, and text that is not valid UTF-8."""
    twice = pa.array([[("k", 1), ("k", 2)], [("k", 3)]], pa.map_(pa.string(), pa.int32()))
    text = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff\xfe"]).buffers())
    raw = pa.StructArray.from_arrays([text], ["text"])
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"m": twice, "s": raw}), path)
    found = list(open_source(path).records())
    assert [type(one) for one in found] == [RecordFault, RecordFault]
    assert {one.code for one in found} == {"broken-nested-value"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([[b"a"], [b"\x00\xff"]]),
        pa.array([{"a": b"x"}, None]),
        pa.array([list(range(3000))] * 2),
        pa.array([None, None], pa.list_(pa.string())),
    ],
    ids=["bytes in lists", "bytes in structures", "too many values", "nothing"],
)
def test_nested_columns_that_cannot_be_searched_are_withheld(
    tmp_path: Path, cells: pa.Array
) -> None:
    (tmp_path / "in").mkdir()
    table = {"patient_id": ["pt-0001", "pt-0002"], "systolic": [120, 130], "held": cells}
    pq.write_table(pa.table(table), tmp_path / "in" / "t.parquet")
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    names = pq.read_schema(tmp_path / "out" / "t.parquet").names
    assert "patient_id" in names and "held" not in names


def test_one_long_list_does_not_withhold_the_other_columns(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    rows = [
        {"patient_id": f"pt-{n:04d}", "wave": list(range(2500)), "vitals": {"systolic": 120 + n}}
        for n in range(3)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in" / "t.parquet")
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    found = pq.read_table(tmp_path / "out" / "t.parquet").to_pylist()
    assert [row["vitals"] for row in found] == [{"systolic": 120 + n} for n in range(3)]
    assert "wave" not in found[0]


def test_nested_columns_with_late_values_keep_them(tmp_path: Path, through: Callable) -> None:
    rows = ROWS_PER_BATCH * 5
    cells = pa.array([{"a": None if n < rows - 1 else "late"} for n in range(rows)])
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": range(rows), "s": cells}), path)
    out, _ = through(path)
    assert pq.read_table(out)["s"].to_pylist() == cells.to_pylist()
