"""Reports: titles, run dates and blank lines above the header, totals and signatures below the
rows.
"""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from deid.formats import Record, RecordFault, format_of, open_source
from deid.formats.delimited.header_row import grouped_header, is_record, names_columns
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

HEADER = ["MRN", "Patient Name", "Admit Date", "Unit"]
ROWS = [[f"4417{n:03}", "KOWALCZYK, KASIA", f"03/{n + 1:02}/2024", "4W"] for n in range(12)]
TITLES = {
    "title": ["Whetstone Valley Census", "Run date: 03/14/2024 by H Olejniczak", ""],
    "commas": ['"Census, all units", June', "For: Olejniczak, Hubert", "", ""],
    "padded": ["Census,,,", "Run date:,03/14/2024,,", ",,,"],
    "quotes": ['Census "all" units', '"Prepared by ""KK"""', ""],
    "pairs": ["Report:,Census", "Site:,Teche Regional", "From:,2024-01-01", "To:,2024-03-31"],
    "dated": ["Census of,Teche Regional,,03/14/2024"],
    "groups": ["Census,,,", ",,Stay,"],
    "groups alone": ["Patient,,Stay,"],
}


def _table(delimiter: str = ",") -> list[str]:
    quoted = [[f'"{c}"' if delimiter in c else c for c in row] for row in [HEADER, *ROWS]]
    return [delimiter.join(row) for row in quoted]


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("titles", TITLES.values(), ids=TITLES)
def test_the_header_is_found_below_titles(tmp_path: Path, titles: list[str]) -> None:
    source = open_source(_write(tmp_path / "census.csv", [*titles, *_table()]))
    assert source.columns == tuple(HEADER)
    found = list(source.records())
    above = [r for r in found if isinstance(r, RecordFault)]
    rows = [r for r in found if isinstance(r, Record)]
    assert [list(r.cells) for r in rows] == ROWS
    assert {fault.code for fault in above} == {"above-the-header"}
    assert len(above) == sum(bool(t.strip(" ,")) for t in titles)
    assert [r.ordinal for r in found] == list(range(1, len(found) + 1))


@pytest.mark.parametrize("delimiter", ["\t", "|", ";", "^"])
def test_the_header_is_found_with_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    lines = ["Census, all units, June", "Run by: Olejniczak, Hubert", "", *_table(delimiter)]
    source = open_source(_write(tmp_path / "census.csv", lines))
    assert source.columns == tuple(HEADER)


@pytest.mark.parametrize("delimiter", ["\t", "|"])
def test_a_report_with_a_text_suffix_is_a_table(tmp_path: Path, delimiter: str) -> None:
    path = _write(tmp_path / "census.txt", ["Census", "Run date: 03/14/2024", *_table(delimiter)])
    found = format_of(path)
    assert found is not None and found.name == "csv"
    assert open_source(path).columns == tuple(HEADER)


def test_a_note_that_ends_in_a_short_table_is_a_note(tmp_path: Path) -> None:
    note = ["Seen with Dr Okafor today.", "Labs below.", "Plan: home.", "Test\tValue\tUnit"]
    path = _write(tmp_path / "note.txt", [*note, "WBC\t5.1\tK/uL", "HGB\t13\tg/dL"])
    found = format_of(path)
    assert found is not None and found.name == "text"


def test_totals_and_signatures_below_are_withheld(tmp_path: Path) -> None:
    lines = ["Census", *_table(), "", "Total rows: 12", '"Signed: Olejniczak, Hubert"']
    source = open_source(_write(tmp_path / "census.csv", lines))
    codes = [r.code for r in source.records() if isinstance(r, RecordFault)]
    assert codes == ["above-the-header", "ragged-row", "ragged-row"]


def test_a_report_without_column_names_gets_no_header(tmp_path: Path) -> None:
    lines = ["Census", *_table()[1:]]
    source = open_source(_write(tmp_path / "census.csv", lines))
    assert source.columns == ("Census",)
    assert all(isinstance(r, RecordFault) for r in source.records())


def test_a_table_with_titles_is_not_read_by_column(tmp_path: Path) -> None:
    lines = ["Census,,,", ",".join(HEADER)]
    lines += [",".join(row).replace("KOWALCZYK, ", "") for row in ROWS]
    source = open_source(_write(tmp_path / "census.csv", lines))
    assert not source.is_regular()  # type: ignore[attr-defined]
    assert len(list(csv.reader(lines))) == len(list(source.records())) + 1


LIKE_NAMES = [
    ["Census,,,", "Patient:,Smith,,"],
    ["Census", "Patient Name,Rose,,"],
    ["Census", "Patient,,Stay,"],
]


@pytest.mark.parametrize("titles", LIKE_NAMES, ids=["surname", "first", "groups"])
def test_a_title_that_reads_like_column_names_is_not_the_header(
    tmp_path: Path, titles: list[str]
) -> None:
    source = open_source(_write(tmp_path / "census.csv", [*titles, *_table()]))
    assert source.columns == tuple(HEADER)
    assert sum(isinstance(r, RecordFault) for r in source.records()) == len(titles)


@pytest.mark.parametrize("top", [["Census"], [], ["Name,Sex,Unit,Route"]])
def test_the_row_of_a_person_is_not_taken_for_a_header(tmp_path: Path, top: list[str]) -> None:
    lines = [*top, *(f"{name},Sex,Unit,Oral," for name in ("Smith", "Brown", "Young", "Bell"))]
    if not top:
        lines.insert(0, "Name,Sex,Status,Route")
    source = open_source(_write(tmp_path / "census.csv", lines))
    assert source.columns == tuple(lines[0].split(","))
    assert all(isinstance(r, RecordFault) for r in source.records())


def test_a_cell_as_long_as_a_note_is_not_a_column_name(tmp_path: Path) -> None:
    assert not names_columns(["Unit", "Date", "unit " * 60])


def test_a_first_row_of_tags_above_tags_is_a_record() -> None:
    assert is_record(["[NAME]"], [["[NAME]"], ["[NAME]"]])
    assert is_record(["[ID-1]", "[NAME]"], [["[ID-2]", "[NAME]"], ["[ID-3]", ""]])
    assert not is_record(["[NAME]", "[DOB]"], [["Ewa", "1980"], ["Bo", "1970"]])


SURNAMES = ["White", "Page", "Ward", "Race", "Price", "Church", "Rank", "Field", "Street"]


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("surname", SURNAMES)
def test_a_row_with_a_surname_that_is_also_a_header_word_is_a_record(
    surname: str, rows: int
) -> None:
    below = [
        ["1002", "Smith", "Bob", "M", "1971-05-06", "60614"],
        ["1003", "Jones", "Carl", "M", "1965-07-08", "10001"],
        ["1004", "Garcia", "Dora", "F", "1990-09-10", "94110"],
    ][:rows]
    first = ["1001", surname, "Alice", "F", "1980-01-02", "77002"]
    assert is_record(first, below)
    for kept in ([1, 4], [1, 3], [0, 1], [1, 5], [1, 2, 3]):
        assert is_record([first[k] for k in kept], [[row[k] for k in kept] for row in below])


@pytest.mark.parametrize(
    "first",
    [["sex", "2019", "2020"], ["name", "1", "2"], ["F", "id"], ["sex", "M", "age"], ["ward", "99"]],
)
def test_a_header_with_numbers_or_single_letters_is_still_a_header(first: list[str]) -> None:
    assert not is_record(first, [["F", "12", "13"][: len(first)], ["M", "1", "44"][: len(first)]])


def test_a_header_repeated_on_each_page_is_still_a_header() -> None:
    header = ["name", "ward"]
    assert not is_record(header, [["Ann", "ICU"], header, ["Bo", "ED"]])


VISITS = [
    ["120/80", "70", "118/79", "68"],
    ["131/85", "64", "125/83", "66"],
    ["99/61", "81", "", ""],
]
GROUPED = {
    "repeated": (["Visit 1", "Visit 1", "Visit 2", "Visit 2"], ["BP", "HR", "BP", "HR"]),
    "merged": (["Visit 1", "", "Visit 2", ""], ["BP", "HR", "BP", "HR"]),
    "by measure": (["BP", "HR", "BP", "HR"], ["Baseline", "Baseline", "Follow-up", "Follow-up"]),
    "partly": (["Sex", "Visit 1", "Visit 1", "Age"], ["", "BP", "HR", ""]),
}


@pytest.mark.parametrize("name", GROUPED)
def test_a_header_of_two_rows_gives_each_column_the_name_of_its_group(
    tmp_path: Path, name: str
) -> None:
    groups, labels = GROUPED[name]
    rows = [*VISITS, *VISITS]
    path = _write(tmp_path / "visits.csv", [",".join(row) for row in (groups, labels, *rows)])
    source = open_source(path)
    filled = [group or groups[n - 1] for n, group in enumerate(groups)]
    pairs = zip(filled, labels, strict=True)
    assert source.columns == tuple(" ".join(filter(None, pair)) for pair in pairs)
    assert [list(r.cells) for r in source.records() if isinstance(r, Record)] == rows


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["note", "note", "sex", "age"], ["asthma", "fever", "F", "4417"]),
        (["sex", "sex", "age", "age"], ["male", "female", "missing 1", "missing 2"]),
        (["bp", "hr", "sbp", "dbp"], ["normal", "normal", "value", "value"]),
        (["Olejniczak", "Olejniczak", "Kowalczyk", "Kowalczyk"], ["BP", "HR", "BP", "HR"]),
        (["03/14/2024", "03/14/2024", "06/14/2024", "06/14/2024"], ["BP", "HR", "BP", "HR"]),
        (["Visit 1", "Visit 1", "Visit 2", "Visit 2"], ["BP", "BP", "HR", "HR"]),
    ],
    ids=["record", "digits", "one header", "names", "dates", "same names"],
)
def test_two_rows_are_not_read_as_one_header_in_doubt(first: list[str], second: list[str]) -> None:
    assert grouped_header([first, second, *VISITS], 0) is None


def test_the_names_of_groups_are_released_by_the_rules_for_names(tmp_path: Path) -> None:
    head = ["Patient,,Visit 1,,Qwzyx,", "MRN,Last Name,BP,HR,BP,HR"]
    rows = [
        f"{441037 + n},Okafor,1{n}/80,{60 + n % 7},1{n + 1}/85,{70 + n % 7}" for n in range(10, 30)
    ]
    path = _write(tmp_path / "visits.csv", [*head, *rows])
    job = Job((path,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 11, 22))
    assert run_job(job, Finder.load(model=False)).exit_code == 0
    text = (tmp_path / "out" / "visits.csv").read_text()
    titles = text.partition("\n")[0].split(",")
    assert "Visit 1 BP" in titles and "Visit 1 HR" in titles
    assert not [value for value in ("Qwzyx", "Okafor", "4410") if value in text]
    assert len(text.splitlines()) == len(rows) + 1
