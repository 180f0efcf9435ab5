"""Plain numbers under a header of times show no age, unless the column contains years."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import deid


def released(folder: Path, header: str, values: list[str]) -> list[dict[str, str]]:
    place = folder / "t.csv"
    rows = [f"F,{20 + n % 30},{values[n % len(values)]}" for n in range(60)]
    place.write_text(f"sex,age,{header}\n" + "\n".join(rows) + "\n")
    release = deid.scrub(place, folder / "out", reference_date=date(2026, 11, 21))
    assert release.out is not None
    with (release.out / "t.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_minutes_are_not_read_as_ages(tmp_path: Path) -> None:
    rows = released(tmp_path, "op_time", ["120", "95", "240", "1905", "1936", "1960"])
    assert [row["op_time"] for row in rows[:4]] == ["120", "95", "240", "1905"]
    assert all(row["age"].isdigit() for row in rows)


def test_times_of_day_are_withheld_and_not_read_as_ages(tmp_path: Path) -> None:
    rows = released(tmp_path, "COLLTM", ["1856", "0830", "1930", "1245"])
    assert "COLLTM" not in rows[0] and all(row["age"].isdigit() for row in rows)


def test_a_time_among_dates_is_not_read_as_a_year(tmp_path: Path) -> None:
    days = [f"2020-03-{day:02} 08:30" for day in range(1, 20)]
    rows = released(tmp_path, "arrival_time", [*days, "1905"])
    assert [row["arrival_time"] for row in rows[18:20]] == ["2020", ""]
    assert all(row["age"].isdigit() for row in rows)


def test_years_under_any_header_show_ages(tmp_path: Path) -> None:
    rows = released(tmp_path, "visit_time", ["1950", "1951", "1952"])
    assert {row["age"] for row in rows} == {"90+"}
