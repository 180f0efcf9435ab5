"""CDISC tables of few subjects: published terms and study times leave, planted values do not."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from deid.formats import ReadOptions, Record, open_source
from deid.policy.model import read_policy
from deid.tables.cell_survey import Surveys, survey_columns, with_vouchers
from deid.tables.column_decisions import decide_columns

VITALS = {
    "STUDYID": "ZQ01",
    "DOMAIN": "VS",
    "USUBJID": "ZQ01-001",
    "VSSEQ": "1",
    "VSTESTCD": "DIABP",
    "VSTEST": "Diastolic Blood Pressure",
    "VSPOS": "SUPINE",
    "VSSTRESN": "81",
    "VSSTRESU": "mmHg",
    "VSLOC": "ARM",
    "VSTPT": "1 hr 45 min predose",
    "VSTPTNUM": "-1.75",
    "VSELTM": "-PT1H45M",
    "VSTPTREF": "Day 1 Dose",
    "VISITNUM": "3",
    "VISIT": "WEEK 2",
    "EPOCH": "TREATMENT",
    "VSDY": "15",
    "VSNOMLBL": "Week 2",
}
HARMLESS = [name for name in VITALS if name not in ("STUDYID", "USUBJID")]
PLANTED = [
    *("Zebulon Quartermaine", "KOWALSKI", "Rose Long", "Opelousas", "Toledo", "4417120"),
    *("MRN44172", "617-555-0143", "1951-07-19", "Randomized to Toledo", "Quartermaine predose"),
    *("P93Y", "93 years", "zq@example.org", "Grafton General Hospital"),
]


def _blanked(folder: Path, rows: list[dict[str, str]]) -> list[set[str]]:
    """Return, for each row, the columns whose cell is not released as it is."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path = folder / "vs.csv"
    path.write_text(text.getvalue())
    source, surveys = open_source(path, ReadOptions()), Surveys()
    decisions = decide_columns(read_policy("safe_harbor"), path.name, source, False, ReadOptions())
    survey_columns(surveys, source, decisions, (source.columns.index("USUBJID"),))
    vouched = with_vouchers(surveys, source, decisions, lambda _header, _values: ())
    records = [r.cells for r in source.records() if isinstance(r, Record)]
    return [
        {d.header for d in vouched if not d.stays or d.refuses(cells[d.index] or "")}
        for cells in records
    ]


@pytest.mark.parametrize("rows", [1, 2, 30])
def test_terms_and_study_times_of_one_subject_leave(tmp_path: Path, rows: int) -> None:
    found = _blanked(tmp_path, [VITALS | {"VSSEQ": str(n + 1)} for n in range(rows)])
    assert not set(HARMLESS) & set.union(*found)


@pytest.mark.parametrize("value", PLANTED)
def test_no_planted_value_leaves_a_column_of_a_cdisc_table(tmp_path: Path, value: str) -> None:
    rows = [VITALS | {"VSSEQ": str(n + 1)} for n in range(30)]
    planted = [VITALS | {header: value} for header in HARMLESS]
    found = _blanked(tmp_path, rows + planted)[len(rows) :]
    assert [
        header for header, blank in zip(HARMLESS, found, strict=True) if header not in blank
    ] == []
