"""Years and ages in a row that show a person over 89, processed by row and by column."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from scrubbed_rows import rows_of, scrub_rows
from small_extract import KnownOnly

from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.policy.model import read_policy
from deid.tables.column_decisions import decide_columns
from deid.tables.table_batch import read_row_batches
from deid.tables.table_flow import TableFlow
from deid.text.scrubber import Scrubber

REFERENCE = date(2026, 11, 23)
Rows = list[tuple[str | None, ...] | None]


def scrubbed(folder: Path, text: str, reference: date = REFERENCE) -> tuple[Rows, int]:
    """The released rows, which are the same by row and by column, and the number of rows with later
    dates.
    """
    path = folder / "t.csv"
    path.write_text(text, "utf-8")
    policy, source = read_policy("safe_harbor"), open_source(path)
    people = gather_people([(path.name, source)], [], None)
    decisions = decide_columns(policy, path.name, source, False, ReadOptions())
    scrubber = Scrubber(policy, KnownOnly(), reference, run_date=REFERENCE)
    rows = list(scrub_rows(source.records(), path.name, decisions, scrubber, people))
    flow = TableFlow(path.name, decisions, scrubber, people)
    batches = [flow.run(read) for read in read_row_batches(source, texts=False)]
    by_column = [row for out in batches for row in rows_of(out, len(decisions))]
    assert [(r.cells, r.late) for r in by_column] == [(r.cells, r.late) for r in rows]
    by_row = [
        None if row.cells is None else tuple(row.cells[d.index] for d in decisions if d.leaves)
        for row in rows
    ]
    return by_row, sum(row.late for row in rows)


OLD = [
    ("visit_year,age", "1950,22", "1950,90+"),
    ("onset_year,onset_age", "1950,22", "1950,90+"),
    ("age_at_diagnosis,diagnosis_year", "30,1960", "90+,1960"),
    ("dx_yr,dx_age", "1962,31", "1962,90+"),
    ("surgery_date,age_at_surgery", "1955-06-01,20", "1955,90+"),
    ("admit_date,age", "03/04/2010,80", "2010,90+"),
    ("year,age_years", "2012,81", "2012,90+"),
    ("hs_grad_yr,sex", "1946,F", "90+,F"),
    ("HighSchoolGraduationYear,sex", "1950,F", "90+,F"),
    ("college_grad_year,sex", "1955,M", "90+,M"),
    ("med_school_grad_year,sex", "1956,M", "90+,M"),
    ("marriage_date,sex", "1950-06-10,F", "90+,F"),
    ("year_widowed,sex", "1950,F", "90+,F"),
    ("retirement_year,sex", "1984,M", "90+,M"),
    ("enlistment_date,sex", "1943-02-01,M", "90+,M"),
    ("hire_date,sex", "1948-01-02,M", "90+,M"),
    ("birth_year,hs_grad_yr", "1931,1949", "90+,90+"),
    ("birth_date,age", "1931-02-03,79", "90+,90+"),
    ("birth_date,onset_year,onset_age", "1931-02-03,1990,58", "90+,1990,90+"),
    ("age_months,visit_year", "240,1950", "90+,1950"),
    ("birth_year,birth_date", "1936,1936-12-25", "90+,90+"),
    ("mother_age,visit_year,birth_date", "80,2010,1960-01-01", "90+,2010,1960"),
    ("visit_year,age,hire_year", "2010,80,1948", "2010,90+,90+"),
    ("visit_year,age", "2025,88", "2025,90+"),
]
YOUNG = [
    ("visit_year,age", "2015,40", "2015,40"),
    ("visit_year,age", "2026,89", "2026,89"),
    ("onset_year,onset_age", "1990,44", "1990,44"),
    ("hs_grad_yr,sex", "1993,F", "1993,F"),
    ("retirement_year,sex", "2003,M", "2003,M"),
    ("marriage_date,sex", "1975-06-10,F", "1975,F"),
    ("visit_year,age,onset_year,onset_age", "2020,70,1960,10", "2020,70,1960,10"),
    ("birth_date,visit_date,age", "1936-12-25,2020-01-01,83", "1936,2020,83"),
    ("birth_date,service_date", "1960-12-25,1999-01-01", "1960,1999"),
    ("smoking_start_age,visit_date", "16,2024-01-05", "16,2024"),
    ("onset_age,sex", "22,F", "22,F"),
]


def _case(folder: Path, header: str, row: str) -> str:
    names = f"{header},lab_result\n"
    rows, _ = scrubbed(folder, f"{names}{row},5.1\n")
    return ",".join(cell or "" for cell in (rows[0] or ())[:-1])


@pytest.mark.parametrize(("header", "row", "left"), OLD)
def test_cells_that_show_an_age_over_89_are_pooled(
    tmp_path: Path, header: str, row: str, left: str
) -> None:
    assert _case(tmp_path, header, row) == left


@pytest.mark.parametrize(("header", "row", "left"), YOUNG)
def test_cells_that_show_no_age_over_89_are_kept(
    tmp_path: Path, header: str, row: str, left: str
) -> None:
    assert _case(tmp_path, header, row) == left


@pytest.mark.parametrize("visit", ["2023-02-03", "2023", "02/03/2023", "20230203"])
def test_a_row_later_than_the_reference_date_is_judged_at_its_own_date(
    tmp_path: Path, visit: str
) -> None:
    text = f"birth_date,visit_date,lab\n1931-03-04,{visit},5.1\n1960-03-04,{visit},5.2\n"
    rows, late = scrubbed(tmp_path, text, date(2010, 1, 1))
    assert [row[0] for row in rows if row] == ["90+", "1960"]
    assert late == 2


def test_a_row_before_the_reference_date_is_judged_at_the_reference_date(tmp_path: Path) -> None:
    text = "birth_date,visit_date,lab\n1931-03-04,2009-02-03,5.1\n"
    assert scrubbed(tmp_path, text, date(2010, 1, 1)) == ([("1931", "2009", "5.1")], 0)


def test_a_planned_date_after_the_run_is_not_used(tmp_path: Path) -> None:
    text = "birth_date,next_visit_date,lab\n1940-03-04,2031-02-03,5.1\n"
    assert scrubbed(tmp_path, text) == ([("1940", "2031", "5.1")], 0)
