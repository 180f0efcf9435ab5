"""A withheld table of a container does not withhold the other tables, and its records are
counted.
"""

from __future__ import annotations

import json
import sqlite3
import zipfile
from datetime import date
from pathlib import Path

import pytest

import deid

DAY = date(2026, 1, 1)
ROWS = 24


def sqlite_file(folder: Path) -> Path:
    place = folder / "extract.sqlite"
    with sqlite3.connect(place) as db:
        db.execute("create table person(person_id, gender_concept_id, year_of_birth)")
        db.execute("create table x(column0, column1)")
        for n in range(ROWS):
            db.execute("insert into person values(?, 8507, ?)", (n + 1, 1950 + n))
            db.execute("insert into x values(?, 'Ewa Zubrowka')", (f"r{n}",))
    return place


def zip_file(folder: Path) -> Path:
    place = folder / "extract.zip"
    with zipfile.ZipFile(place, "w") as archive:
        people = "".join(f"{n + 1},8507,{1950 + n}\n" for n in range(ROWS))
        archive.writestr("person.csv", f"person_id,gender_concept_id,year_of_birth\n{people}")
        odd = "".join(f"r{n},Ewa Zubrowka\n" for n in range(ROWS))
        archive.writestr("x.csv", f"column0,column1\n{odd}")
    return place


@pytest.mark.parametrize("make", [sqlite_file, zip_file])
def test_the_other_tables_of_a_container_are_released(tmp_path: Path, make: object) -> None:
    place = make(tmp_path)  # type: ignore[operator]
    release = deid.scrub(place, tmp_path / "out", reference_date=DAY)
    assert release.out is not None
    counts = release.manifest
    assert (counts["records_in"], counts["records_out"]) == (2 * ROWS, ROWS)
    assert counts["quarantined"] == ROWS
    lines = (release.out / "_release" / "quarantine.jsonl").read_text().splitlines()
    [withheld] = map(json.loads, lines)
    assert (withheld["code"], withheld["records"]) == ("no-column-left", ROWS)
    released = [path for path in release.out.rglob("*") if path.suffix == place.suffix]
    assert len(released) == 1
    assert b"Zubrowka" not in released[0].read_bytes()
    assert deid.check(release.out).clean


def test_a_container_without_any_table_left_is_withheld(tmp_path: Path) -> None:
    place = tmp_path / "extract.sqlite"
    with sqlite3.connect(place) as db:
        for name in ("x", "y"):
            db.execute(f"create table {name}(column0, column1)")
            db.executemany(
                f"insert into {name} values(?, 'Ewa Zubrowka')", [(f"r{n}",) for n in range(9)]
            )
    release = deid.scrub(place, tmp_path / "out", reference_date=DAY)
    assert release.manifest["records_out"] == 0
    assert release.manifest["records_in"] == release.manifest["quarantined"]
