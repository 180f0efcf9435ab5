"""Clarity notes, stored as rows of lines, in a whole job."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import ReadOptions
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
NOTE = (
    "Pt seen by Dr. Theodora Underwood on 03/04/2024 for chest pain. Call (802) 555-0143 with "
    "questions about the stress test. MRN 00402817. Follow-up in two weeks."
)


@pytest.mark.parametrize("width", [19, 33, 50])
@pytest.mark.parametrize("shuffled", [False, True])
def test_an_identifier_cut_by_a_line_break_is_found(
    tmp_path: Path, width: int, shuffled: bool
) -> None:
    pieces = [NOTE[at : at + width] for at in range(0, len(NOTE), width)]
    rows = [("7001", str(n), piece) for n, piece in enumerate(pieces, 1)]
    rows.append(("7002", "1", "No complaints today."))
    if shuffled:
        rows = rows[::-1]
    table = tmp_path / "notes.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([("NOTE_ID", "LINE", "NOTE_TEXT"), *rows])
    read = ReadOptions(group_by="NOTE_ID", order_by="LINE")
    job = Job((table,), tmp_path / "out", read_policy("safe_harbor"), DAY, read=read)
    release = run_job(job, Finder.load(reference_date=DAY))
    assert release.exit_code == 0
    with (tmp_path / "out" / "notes.csv").open(newline="") as file:
        out = list(csv.DictReader(file))
    assert len(out) == len(rows)
    note = [row for row in out if row["NOTE_ID"] == out[0]["NOTE_ID"]]
    note = note if len(note) > 1 else [row for row in out if row not in note]
    text = "".join(row["NOTE_TEXT"] for row in sorted(note, key=lambda row: int(row["LINE"])))
    assert text.startswith("Pt seen by Dr. [NAME] on 2024 for chest pain. Call ")
    for value in ("Underwood", "Theodora", "0143", "555", "402817", "03/"):
        assert value not in text
    assert text.endswith("Follow-up in two weeks.")


def test_a_group_that_no_table_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("NOTE_ID,LINE,NOTE_TEXT\n7001,1,No complaints.\n")
    read = ReadOptions(group_by="NOTEID")
    job = Job(
        (tmp_path / "notes.csv",), tmp_path / "out", read_policy("safe_harbor"), DAY, read=read
    )
    with pytest.raises(DeidError) as caught:
        run_job(job, Finder.load(reference_date=DAY))
    assert caught.value.code == "group-missing"
    assert not (tmp_path / "out").exists()
