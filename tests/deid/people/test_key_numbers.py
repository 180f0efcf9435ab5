"""Keys keep their joins: in the whole job, the same key gets the same number."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from scrubbed_rows import scrub_rows

from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.people.key_numbers import KeyNumbers, number_keys
from deid.policy.model import read_policy
from deid.tables.column_decisions import decide_columns
from deid.text.scrubber import Scrubber
from deid.transforms.number import number_tag
from safe_harbor import Residue

REFERENCE = date(2026, 11, 21)


def _columns(folder: Path, tables: dict[str, str]) -> dict[str, list[list[str | None]]]:
    """The released columns of each table, by table name."""
    policy = read_policy("safe_harbor")
    sources = []
    for name, text in tables.items():
        (folder / name).write_text(text, "utf-8")
        sources.append((name, open_source(folder / name)))
    people = gather_people(sources, [], None)
    scrubber = Scrubber(policy, None, REFERENCE)  # type: ignore[arg-type]  # no text is searched
    decided = {n: decide_columns(policy, n, s, False, ReadOptions()) for n, s in sources}
    for name, source in sources:
        number_keys(source.records(), decided[name], people.keys)
    out = {}
    for name, source in sources:
        rows = list(scrub_rows(source.records(), name, decided[name], scrubber, people))
        left = {c.residue for row in rows for c in row.changes.get(0, ())}
        assert left == {Residue.TAG}
        out[name] = [
            list(column) for column in zip(*(row.cells or () for row in rows), strict=True)
        ]
    return out


def test_keys_are_numbered_in_order_of_appearance_and_still_join(tmp_path: Path) -> None:
    tables = {
        "a_visits.csv": "mrn,sex\n00402817,F\n00402900,M\n00402817,F\n",
        "b_labs.csv": "mrn,result_value\n402900,1.5\n402817.0,2.5\nA-77,3.5\n,4.5\n",
    }
    columns = _columns(tmp_path, tables)
    assert columns["a_visits.csv"][0] == ["[ID-1]", "[ID-2]", "[ID-1]"]
    assert columns["b_labs.csv"][0] == ["[ID-2]", "[ID-1]", "[ID-3]", ""]


def test_a_retired_number_of_a_patient_gets_a_separate_number(tmp_path: Path) -> None:
    columns = _columns(tmp_path, {"p.csv": "mrn,prior_mrn,sex\n00402817,00111222,F\n"})
    assert (columns["p.csv"][0], columns["p.csv"][1]) == (["[ID-1]"], ["[ID-2]"])


def test_a_placeholder_key_gets_no_number(tmp_path: Path) -> None:
    columns = _columns(tmp_path, {"p.csv": "mrn,sex\n00402817,F\n000000,F\n00402818,F\n"})
    assert columns["p.csv"][0] == ["[ID-1]", "[ID]", "[ID-2]"]


def test_the_repr_of_key_numbers_shows_no_key(tmp_path: Path) -> None:
    numbers = KeyNumbers()
    numbers.see(["00402817", "402817", "A-77"])
    assert repr(numbers) == "KeyNumbers(2 keys)"


def test_broken_records_have_no_keys_to_number(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("mrn,sex\n00402817\n00402818,F\n", "utf-8")
    source = open_source(path)
    numbers = KeyNumbers()
    decisions = decide_columns(read_policy("safe_harbor"), "t.csv", source, False, ReadOptions())
    number_keys(source.records(), decisions, numbers)
    assert numbers.number("00402817") is None and numbers.number("402818") == 1


KEY = st.sampled_from(["1", "01", "A-1", "a1", "0", "N/A", "77.0", "99999", "00001", "ß", "7 7"])


@settings(deadline=None)
@given(values=st.lists(st.none() | KEY | st.text(max_size=3), max_size=30))
def test_columns_are_numbered_like_cells_whether_packed_or_not(values: list[str | None]) -> None:
    by_cell, by_column, packed = KeyNumbers(), KeyNumbers(), KeyNumbers(max_held=2)
    by_cell.see(value for value in values if value)
    column = pa.array(values, pa.string())
    by_column.see_columns([column])
    for start in range(0, len(values), 3):
        packed.see_columns([column.slice(start, 3)])
    tags = [None if value is None else number_tag(by_cell.number(value)) for value in values]
    assert by_column.tags(column).to_pylist() == packed.tags(column).to_pylist() == tags
    assert [packed.number(value) for value in values if value] == [
        by_cell.number(value) for value in values if value
    ]


def test_keys_of_several_columns_are_numbered_row_by_row() -> None:
    numbers = KeyNumbers()
    numbers.see_columns([pa.array(["a", "b"]), pa.array(["c", "a"])])
    assert [numbers.number(key) for key in "acb"] == [1, 2, 3]
