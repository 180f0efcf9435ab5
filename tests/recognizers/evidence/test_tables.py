"""Each row of the tables is tested on its own examples; a faulty table is refused by place."""

from __future__ import annotations

from pathlib import Path

import pytest

from recognizers.errors import RowError
from recognizers.evidence.register import (
    marked,
    read_proved,
    read_rule_table,
    shared_lists,
    shipped,
    table_names,
    unproved,
)
from recognizers.evidence.rows import Row
from recognizers.text.normalized_text import NormalizedText

ROWS = [row for name in table_names() for row in shipped(name)]
STUDY = """
entity: OTHER_ID
rows:
- id: study-number
  left: '(?i)\\bstudy (?:number|no|id)[ :#]{1,3}'
  value: 'ST-\\d{4}'
  strength: 0.95
  example: 'Study number [[ST-2041]] signed.'
  counterexample: 'Study number pending.'
"""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_matches_its_example_and_not_its_counterexample(row: Row) -> None:
    assert unproved(row) == ""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_does_not_match_its_example_without_the_value(row: Row) -> None:
    text, spans = marked(row.example)
    (start, end), *_ = spans
    emptied = NormalizedText.of(text[:start] + text[end:])
    assert not {(start, end)} & {(hit.start, hit.end) for hit in row.hits(emptied)}


def table(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_row_of_a_hospital_is_read_and_tested(tmp_path: Path) -> None:
    (row,) = read_proved(table(tmp_path, STUDY))
    text = "Enrolled, study no: ST-7788 today"
    (hit,) = row.hits(NormalizedText.of(text))
    assert (text[hit.start : hit.end], hit.row) == ("ST-7788", "own/study-number")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("rows:", "row:", "rows-unreadable"),
        ("rows:", "rows: [", "rows-unreadable"),
        ("strength: 0.95", "strength: 2020-13-45", "rows-unreadable"),
        ("- id: study-number", "- no_id: x", "row-invalid"),
        ("strength: 0.95", "strength: high", "row-invalid"),
        ("strength: 0.95", "strenght: 0.95", "row-invalid"),
        ("OTHER_ID", "STUDY", "row-invalid"),
        ("ST-", "(?=ST-)", "row-invalid"),
        ("ST-\\d{4}'", "{NO_LIST}'", "row-invalid"),
        ("strength: 0.95", "strength: 0.95\n  check: none_such", "row-invalid"),
        ("[[ST-2041]]", "ST-2041", "row-unproved"),
        ("[[ST-2041]]", "[[XX-2041]]", "row-unproved"),
        ("Study number pending.", "Study number ST-1111.", "row-unproved"),
    ],
)
def test_a_faulty_table_is_refused(tmp_path: Path, old: str, new: str, code: str) -> None:
    with pytest.raises(RowError) as caught:
        read_proved(table(tmp_path, STUDY.replace(old, new)))
    assert caught.value.code == code
    assert "own" in caught.value.place and "2041" not in str(caught.value)


def test_a_repeated_row_id_is_refused(tmp_path: Path) -> None:
    twice = STUDY + STUDY[STUDY.index("- id:") :]
    with pytest.raises(RowError) as caught:
        read_rule_table(table(tmp_path, twice))
    assert "twice" in caught.value.hint


def test_a_missing_table_of_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RowError) as caught:
        read_rule_table(tmp_path / "absent.yaml")
    assert caught.value.code == "rows-unreadable"


def test_lists_may_be_nested_in_lists(tmp_path: Path) -> None:
    text = STUDY.replace("rows:", "lists:\n  FOUR: '\\d{4}'\n  OWN: 'ST-{FOUR}'\nrows:", 1)
    (row,) = read_proved(table(tmp_path, text.replace("'ST-\\d{4}'", "'{OWN}'")))
    assert row.value == r"ST-\d{4}"
    assert "MONTH" in shared_lists()


def seen(row: Row, text: str) -> list[tuple[str, float]]:
    page = NormalizedText.of(text)
    return [(text[hit.start : hit.end], round(hit.strength, 2)) for hit in row.hits(page)]


NUMBER = Row("n", "OTHER_ID", 0.6, r"\d{3,5}", left="no ", raised_by_left="case", width=20)


def test_neighboring_words_raise_and_lower_the_strength() -> None:
    lowered = Row("n", "OTHER_ID", 0.6, r"\d{3}", left="no ", lowered_by_right=" mg")
    assert seen(NUMBER, "case no 441") == [("441", 0.95)]
    assert seen(NUMBER, "visit no 441") == [("441", 0.6)]
    assert seen(lowered, "no 441 mg") == [("441", 0.1)]


def test_digits_and_exceptions_of_a_value() -> None:
    assert not Row("n", "US_SSN", 0.9, digits=(4, 9)).allows("12345")
    assert Row("n", "US_SSN", 0.9, digits=(4, 9)).allows("1234")
    assert not Row("n", "US_SSN", 0.9, least_digits=3).allows("A12")
    assert not Row("n", "US_SSN", 0.9, except_value=r"20\d\d").allows("2018")


def test_a_label_finds_a_value_beside_it_attached_to_it_or_below_it() -> None:
    label = Row("n", "OTHER_ID", 0.9, kind="label", left="badge", glued=True, below=True)
    assert seen(label, "Badge no: A-4471, seen") == [("A-4471", 0.9)]
    assert seen(label, "badge4471") == [("4471", 0.9)]
    assert seen(label, "Badge  Name\nA-4471  Ann") == [("A-4471", 0.8)]
    assert seen(label, "badge: Ann") == []
