"""An age in one table and the birth of its patient in another (164.514(b)(2)(i)(C))."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

from deid import scrub

BORN = {"Okafor": 1930, "Lindqvist": 1961, "Marchetti": 1978, "Haddad": 1955}
AGES = (80, 50, 34, 57)


def test_an_age_of_a_person_now_over_89_is_pooled(tmp_path: Path) -> None:
    """The table of visits has no date that would show, together with the age, the year of birth."""
    extract, out = tmp_path / "in", tmp_path / "out"
    extract.mkdir()
    people = [f"P{n},{name},{year}-05-0{n}" for n, (name, year) in enumerate(BORN.items(), 1)]
    visits = [f"P{n % 4 + 1},{n},{AGES[n % 4]}" for n in range(12)]
    for name, header, rows in (
        ("patients.csv", "patient_id,last_name,birth_date", people),
        ("visits.csv", "patient_id,visit_no,age", visits),
    ):
        (extract / name).write_text("\n".join([header, *rows, ""]))
    scrub(extract, out, reference_date=date(2026, 11, 21))
    with (out / "visits.csv").open() as file:
        ages = [row["age"] for row in csv.DictReader(file)]
    assert ages == ["90+", "50", "34", "57"] * 3
