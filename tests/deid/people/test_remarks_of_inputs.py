"""Remarks in an input are texts to search; remarks in a known table are known values."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import deid

ROWS = """patient_id,last_name,comment
1,Smith,Feels well today. Chest Pain resolved
2,Jones,Saw Dr. Brown in Wound Care
3,Garcia,Lives with Maude Trelawney
"""


def _scrub(tmp_path: Path, **more: object) -> str:
    place = tmp_path / "visits.csv"
    place.write_text(ROWS, "utf-8")
    out = tmp_path / "out"
    deid.scrub(place, out, reference_date=date(2026, 1, 1), **more)
    return (out / "visits.csv").read_text("utf-8")


def test_capitalized_words_in_a_remark_of_an_input_are_not_known_values(tmp_path: Path) -> None:
    released = _scrub(tmp_path)
    assert "Chest Pain resolved" in released and "Saw Dr. [NAME]" in released
    assert "Trelawney" not in released and "Brown" not in released


def test_names_in_the_remarks_of_a_known_table_are_known_values(tmp_path: Path) -> None:
    known = tmp_path / "patients.csv"
    known.write_text("patient_id,last_name,remark\n3,Garcia,caregiver is Wren Hollow\n", "utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "3_1.txt").write_text("wren hollow was asked\n", "utf-8")
    out = tmp_path / "out"
    deid.scrub(tmp_path / "notes", out, known=[known], reference_date=date(2026, 1, 1))
    [note] = list(out.rglob("*.txt"))
    assert "hollow" not in note.read_text("utf-8").casefold()
