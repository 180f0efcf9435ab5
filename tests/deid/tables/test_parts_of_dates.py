"""A part of a date is reduced to its year, or to nothing if it has none."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

import deid


@pytest.mark.parametrize(
    ("header", "cells", "left"),
    [
        ("week", ["2024-W50", "2023W07", "2024-W01"], ["2024", "2023", "2024"]),
        ("quarter", ["2024Q4", "Q1 2023", "2022-Q2"], ["2024", "2023", "2022"]),
        ("month", ["12", "3", "7"], ["", "", ""]),
        ("month_of_birth", ["12", "3", "7"], ["", "", ""]),
        ("day_of_birth", ["31", "28", "5"], ["", "", ""]),
    ],
)
def test_a_part_of_a_date_leaves_its_year_or_nothing(
    tmp_path: Path, header: str, cells: list[str], left: list[str]
) -> None:
    place = tmp_path / "t.csv"
    rows = [f"P{n},{cells[n % 3]},{3 + n / 10}" for n in range(30)]
    place.write_text(f"person_id,{header},potassium\n" + "\n".join(rows) + "\n")
    release = deid.scrub(place, tmp_path / "out", reference_date=date(2026, 1, 1))
    assert release.out is not None
    with (release.out / "t.csv").open(newline="") as file:
        found = [row[header] for row in csv.DictReader(file)]
    assert found[:3] == left
