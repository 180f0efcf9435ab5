"""Excel: every sheet is written with its values and types only; hidden parts of a workbook are left
out and counted.
"""

from __future__ import annotations

import datetime as dt
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from deid.errors import DeidError
from deid.formats import Record, RecordFault, left_behind, members_of, open_source

ROWS: list[list[object]] = [
    ["Id", "Name", "Born", "Weight", "Seen", "At"],
    [1, "Hubert", dt.datetime(1951, 7, 19), 70.5, True, dt.time(3, 4)],
    [2, "=1+1", dt.datetime(1951, 7, 19, 3, 4), None, False, None],
]


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    path = tmp_path / "ward.xlsx"
    book = Workbook()
    sheet = book.active
    sheet.title = "Patients"
    for row in ROWS:
        sheet.append(row)
    sheet["B3"].data_type = "s"
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet["A2"].comment = Comment("OLEJNICZAK", "OLEJNICZAK")
    sheet["A2"].hyperlink = "mailto:olejniczak@example.org"
    sheet.oddHeader.left.text = "OLEJNICZAK"
    allowed = DataValidation(type="list", formula1='"OLEJNICZAK,ABEL"')
    allowed.add("A2")
    sheet.add_data_validation(allowed)
    hidden = book.create_sheet("Old")
    hidden.sheet_state = "veryHidden"
    hidden.append(["key", "value"])
    hidden.append(["a", 1])
    book.create_sheet("Empty")
    book.defined_names["OLEJNICZAK"] = DefinedName("OLEJNICZAK", attr_text="Patients!$A$1")
    book.properties.creator = book.properties.title = "OLEJNICZAK"
    book.save(path)
    return path


def _values(path: Path, sheet: str) -> list[list[object]]:
    return [list(row) for row in load_workbook(path)[sheet].iter_rows(values_only=True)]


def test_sheets_with_any_cells_are_members_even_when_hidden(workbook: Path) -> None:
    assert members_of(workbook) == ("Patients", "Old")


def test_hidden_rows_and_columns_are_read_like_others(workbook: Path) -> None:
    source = open_source(workbook, None, "Patients")
    assert source.columns == ("Id", "Name", "Born", "Weight", "Seen", "At")
    cells = [r.cells for r in source.records() if isinstance(r, Record)]
    assert cells == [
        ("1", "Hubert", "1951-07-19", "70.5", "true", "03:04:00"),
        ("2", "=1+1", "1951-07-19 03:04:00", None, "false", None),
    ]


def test_kept_values_keep_their_type_and_a_hidden_sheet_stays_hidden(
    workbook: Path, through: Callable
) -> None:
    out, keys = through(workbook)
    assert keys == ("Patients", "Old")
    assert _values(out, "Patients") == ROWS
    assert [s.sheet_state for s in load_workbook(out).worksheets] == ["visible", "veryHidden"]
    assert pd.read_excel(out, sheet_name="Patients")["Id"].tolist() == [1, 2]


def test_a_text_never_becomes_a_formula(workbook: Path, through: Callable) -> None:
    out, _ = through(workbook, lambda name, cell: "=HYPERLINK(1)" if name == "Name" else cell)
    assert load_workbook(out)["Patients"]["B2"].data_type == "s"


def test_transformed_workbook_values_have_a_type(workbook: Path, through: Callable) -> None:
    left = {"Id": "[ID-5]", "Born": "1951", "Weight": "[MRN]"}
    out, _ = through(workbook, lambda name, cell: cell and left.get(name, cell))
    assert _values(out, "Patients")[1][:4] == [2000000005, "Hubert", 1951, "[MRN]"]


def test_only_the_values_of_a_workbook_are_released(workbook: Path, through: Callable) -> None:
    out, _ = through(workbook)
    with zipfile.ZipFile(out) as package:
        content = b"".join(package.read(name) for name in package.namelist()).lower()
    assert b"olejniczak" not in content and b"openpyxl" not in content
    told = left_behind(workbook, "Patients")
    assert {"comments", "defined-names", "hyperlinks", "validations"} <= told.keys()
    assert told["document-properties"] == 2 and "headers-and-footers" in told


def test_the_same_sheets_are_the_same_bytes(workbook: Path, through: Callable) -> None:
    first, _ = through(workbook, out="one")
    time.sleep(2.1)  # archives store times in steps of two seconds
    second, _ = through(workbook, out="two")
    assert first.read_bytes() == second.read_bytes()


def test_a_formula_is_replaced_by_its_saved_value_or_by_none(
    tmp_path: Path, through: Callable
) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    for row in (["a", "b"], [1, "=A2*2"]):
        book.active.append(row)
    book.save(path)
    assert left_behind(path, "Sheet")["formulas"] == 1
    out, _ = through(path)
    assert _values(out, "Sheet") == [["a", "b"], [1, None]]


def test_titles_above_a_table_are_withheld(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    for row in (["Ward of Dr Olejniczak"], [], ["a", "b", "c"], [1, 2, 3], [], [4, 5, None]):
        book.active.append(row)
    book.save(path)
    source = open_source(path, None, "Sheet")
    assert source.columns == ("a", "b", "c")
    assert [r.code if isinstance(r, RecordFault) else r.cells for r in source.records()] == [
        "above-the-header", ("1", "2", "3"), ("4", "5", None)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "titles",
    [
        [["Census report", None, "Ward: 4 West"]],
        [["Patient", None, None, "Visit"]],
        [["St. Elsewhere Hospital", "Printed 11/03/2024", "Page 1"], []],
    ],
    ids=["merged", "groups", "printed"],
)
def test_the_row_of_column_names_is_found_below_wide_titles(
    tmp_path: Path, titles: list[list[str | None]]
) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    rows = [["100231", "Olejniczak", "1980-03-04", "ED"], ["100232", "Abel", "1971-03-04", "ICU"]]
    for row in (*titles, ["MRN", "Last Name", "DOB", "Unit"], *rows):
        book.active.append(row)
    book.save(path)
    source = open_source(path, None, "Sheet")
    assert source.columns == ("MRN", "Last Name", "DOB", "Unit")
    assert [list(r.cells) for r in source.records() if isinstance(r, Record)] == rows


def test_a_row_wider_than_its_header_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    for row in (["a", "b"], [1, 2, "Olejniczak"], [3, 4]):
        book.active.append(row)
    book.save(path)
    records = list(open_source(path, None, "Sheet").records())
    assert [isinstance(r, RecordFault) for r in records] == [True, False]


def test_a_column_under_a_merged_title_has_no_name_and_is_read(tmp_path: Path) -> None:
    """Before, every row of such a sheet was withheld."""
    path = tmp_path / "t.xlsx"
    book = Workbook()
    rows = [["100231", "120", "80"], ["100232", "131", "85"], ["100233", "118", None]]
    for row in (["MRN", "Blood pressure", None], *rows):
        book.active.append(row)
    book.active.merge_cells("B1:C1")
    book.save(path)
    source = open_source(path, None, "Sheet")
    assert source.columns == ("MRN", "Blood pressure", "")
    assert [list(r.cells) for r in source.records() if isinstance(r, Record)] == rows


def test_a_sheet_with_two_columns_of_one_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    book.active.append(["a", "a"])
    book.save(path)
    with pytest.raises(DeidError) as refused:
        open_source(path, None, "Sheet")
    assert refused.value.code == "double-header"


@pytest.mark.parametrize("above", [[], [["Vitals of the ward"]]], ids=["top", "titled"])
@pytest.mark.parametrize("merged", [True, False])
def test_a_header_of_two_rows_gives_each_column_the_name_of_its_group(
    tmp_path: Path, above: list[list[object]], merged: bool, through: Callable
) -> None:
    path = tmp_path / "t.xlsx"
    book = Workbook()
    groups = ["Visit 1", None if merged else "Visit 1", "Visit 2", None if merged else "Visit 2"]
    rows = [["120/80", 70, "118/79", 68], ["131/85", 64, "125/83", 66], ["99/61", 81, None, None]]
    for row in (*above, groups, ["BP", "HR", "BP", "HR"], *rows):
        book.active.append(row)
    book.save(path)
    records = list(open_source(path, None, "Sheet").records())
    assert [isinstance(r, RecordFault) for r in records] == [True] * len(above) + [False] * 3
    out, _ = through(path)
    titles = ["Visit 1 BP", "Visit 1 HR", "Visit 2 BP", "Visit 2 HR"]
    assert _values(out, "Sheet") == [titles, *rows]
