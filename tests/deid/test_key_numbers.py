"""Keys keep their joins: the same key, the same number, in the whole job."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from deid.columns import decide
from deid.formats import ReadOptions, open_source
from deid.key_numbers import KeyNumbers, number_keys
from deid.people import gather
from deid.policy import read_policy
from deid.scrubbing import Scrubber
from deid.table import scrub_rows, survey_rows
from safe_harbor import Residue

REFERENCE = date(2026, 11, 21)


def _columns(folder: Path, tables: dict[str, str]) -> dict[str, list[list[str | None]]]:
    """The columns of each table as they leave, by name of the table."""
    policy = read_policy("safe_harbor")
    sources = []
    for name, text in tables.items():
        (folder / name).write_text(text, "utf-8")
        sources.append((name, open_source(folder / name)))
    people = gather(sources, [], None)
    scrubber = Scrubber(policy, None, REFERENCE)  # type: ignore[arg-type]  # no text is searched
    decided = {n: decide(policy, n, s, False, ReadOptions()) for n, s in sources}
    for name, source in sources:
        survey_rows(source.records(), name, decided[name], scrubber, people)
    out = {}
    for name, source in sources:
        rows = list(scrub_rows(source.records(), name, decided[name], scrubber, people))
        left = {c.residue for row in rows for c in row.changes.get(0, ())}
        assert left == {Residue.TAG}
        out[name] = [
            list(column) for column in zip(*(row.cells or () for row in rows), strict=True)
        ]
    return out


def test_tables_still_join_in_order_of_first_sight(tmp_path: Path) -> None:
    tables = {
        "a_visits.csv": "mrn,sex\n00402817,F\n00402900,M\n00402817,F\n",
        "b_labs.csv": "mrn,result_value\n402900,1.5\n402817.0,2.5\nA-77,3.5\n,4.5\n",
    }
    columns = _columns(tmp_path, tables)
    assert columns["a_visits.csv"][0] == ["[ID-1]", "[ID-2]", "[ID-1]"]
    assert columns["b_labs.csv"][0] == ["[ID-2]", "[ID-1]", "[ID-3]", ""]


def test_a_retired_number_of_the_same_patient_has_a_number_of_its_own(tmp_path: Path) -> None:
    columns = _columns(tmp_path, {"p.csv": "mrn,prior_mrn,sex\n00402817,00111222,F\n"})
    assert (columns["p.csv"][0], columns["p.csv"][1]) == (["[ID-1]"], ["[ID-2]"])


def test_what_nobody_typed_as_a_key_has_no_number(tmp_path: Path) -> None:
    columns = _columns(tmp_path, {"p.csv": "mrn,sex\n00402817,F\n000000,F\n00402818,F\n"})
    assert columns["p.csv"][0] == ["[ID-1]", "[ID]", "[ID-2]"]


def test_the_repr_shows_no_key(tmp_path: Path) -> None:
    numbers = KeyNumbers()
    numbers.see(["00402817", "402817", "A-77"])
    assert repr(numbers) == "KeyNumbers(2 keys)"


def test_broken_records_have_no_keys_to_number(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("mrn,sex\n00402817\n00402818,F\n", "utf-8")
    source = open_source(path)
    numbers = KeyNumbers()
    decisions = decide(read_policy("safe_harbor"), "t.csv", source, False, ReadOptions())
    number_keys(source.records(), decisions, numbers)
    assert numbers.number("00402817") is None and numbers.number("402818") == 1
