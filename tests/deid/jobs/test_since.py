"""Monthly releases: files that an earlier release contains are read but not released again."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import deid
from deid.crosswalk import Crosswalk
from deid.crosswalk.keys.master_keys import create_key_file
from deid.errors import DeidError
from deid.jobs import job_folder_path

DAY = date(2026, 11, 21)
CODED = ("keys=as_transforms", "transforms.mrns=code", "transforms.others=code")
MONTHS = {
    "jan": [("40281", "Lowe", "Theodora"), ("40282", "Gagnon", "Ines")],
    "feb": [("40281", "Lowe", "Theodora"), ("40283", "Sokolov", "Dmitri")],
    "mar": [("40283", "Sokolov", "Dmitri"), ("40281", "Lowe", "Theodora")],
}


def _month(extract: Path, name: str) -> None:
    """A table with the visits of a month, and a note about its first patient."""
    folder = extract / name
    folder.mkdir(parents=True)
    rows = [f"{mrn},{last},{first},{n}.5" for n, (mrn, last, first) in enumerate(MONTHS[name])]
    lines = ["mrn,last_name,first_name,hemoglobin", *rows]
    (folder / "visits.csv").write_text("\n".join(lines) + "\n", "utf-8")
    mrn, last, first = MONTHS[name][0]
    (folder / f"{mrn}_{name}.txt").write_text(f"{first} {last} ({mrn}) is well.\n", "utf-8")


@pytest.fixture
def book(tmp_path: Path) -> dict[str, Any]:
    key = tmp_path / "key"
    create_key_file(key)
    place = tmp_path / "crosswalk.db"
    Crosswalk.create(place, key).close()
    return {"crosswalk": place, "key_file": key}


def _policy(tmp_path: Path) -> Path:
    from deid.policy.model import policy_text

    text = policy_text("safe_harbor").replace("keys: numbered", "keys: as_transforms")
    for word in ("mrns", "others"):
        text = text.replace(f"  {word}: tag", f"  {word}: code")
    path = tmp_path / "policy.yaml"
    path.write_text(text, "utf-8")
    return path


def _codes(out: Path) -> list[str]:
    [table] = out.rglob("visits.csv")
    with table.open(encoding="utf-8", newline="") as file:
        return [row["mrn"] for row in csv.DictReader(file)]


def _manifest(out: Path) -> Any:
    return json.loads((out / "_release" / "manifest.json").read_text("utf-8"))


def test_three_monthly_releases_contain_only_new_files_and_keep_codes(
    tmp_path: Path, book: dict[str, Any]
) -> None:
    extract, policy = tmp_path / "extract", _policy(tmp_path)
    codes: dict[str, list[str]] = {}
    before: Path | None = None
    for month in MONTHS:
        _month(extract, month)
        out = tmp_path / f"out_{month}"
        release = deid.scrub(extract, out, policy=policy, reference_date=DAY, since=before, **book)
        assert release.exit_code == 0
        manifest = _manifest(out)
        assert manifest["records_in"] == manifest["records_out"] == 3
        left = [path for path in out.rglob("*") if path.is_file() and "_release" not in path.parts]
        assert len(left) == 2
        assert deid.check(out).clean
        codes[month] = _codes(out)
        before = out
    jan, feb, mar = codes["jan"], codes["feb"], codes["mar"]
    assert jan[0] == feb[0] == mar[1] and feb[1] == mar[0]
    assert len({*jan, *feb, *mar}) == 3
    since = manifest["since"]
    assert since["manifest_sha256"] == _manifest(tmp_path / "out_feb")["manifest_sha256"]
    assert since["hits"] == {} and len(since["unchanged"]) == 4


def test_new_known_values_are_searched_for_in_the_earlier_release(
    tmp_path: Path, book: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    extract, policy = tmp_path / "extract", _policy(tmp_path)
    (extract / "a").mkdir(parents=True)
    (extract / "a" / "note.txt").write_text("Portal: zqx88-kestrel-41 was set up.\n", "utf-8")
    first = tmp_path / "first"
    deid.scrub(extract, first, policy=policy, reference_date=DAY, **book)
    if "kestrel" not in (first / "a" / "note.txt").read_text("utf-8"):
        (first / "a" / "note.txt").write_text("zqx88-kestrel-41\n", "utf-8")
    known = tmp_path / "known.csv"
    known.write_text("mrn,last_name,portal_user\n40281,Lowe,zqx88-kestrel-41\n", "utf-8")
    _month(extract, "jan")
    release = deid.scrub(
        extract, tmp_path / "next", policy=policy, reference_date=DAY, since=first,
        known=known, **book,
    )  # fmt: skip
    assert sum(release.manifest["since"]["hits"].values()) > 0


def test_an_unsuitable_earlier_release_is_refused(tmp_path: Path, book: dict[str, Any]) -> None:
    extract, policy = tmp_path / "extract", _policy(tmp_path)
    _month(extract, "jan")
    first = tmp_path / "first"
    deid.scrub(extract, first, policy=policy, reference_date=DAY, **book)

    def code(since: Path, **more: Any) -> str:
        with pytest.raises(DeidError) as told:
            deid.scrub(extract, tmp_path / "no", reference_date=DAY, since=since, **book | more)
        assert told.value.hint and not (tmp_path / "no").exists()
        return told.value.code

    assert code(first, policy=policy) == "nothing-new"
    _month(extract, "feb")
    assert code(tmp_path, policy=policy) == "since-not-a-release"
    assert code(first) == "since-policy-differs"
    numbered = tmp_path / "numbered"
    deid.scrub(extract / "jan", numbered, reference_date=DAY)
    assert code(numbered) == "since-needs-codes"
    page = first / "_release" / "manifest.json"
    page.write_text(page.read_text("utf-8").replace('"records_in": 3', '"records_in": 4'))
    assert code(first, policy=policy) == "since-altered"


def test_an_interrupted_job_is_resumed_with_the_new_files_only(
    tmp_path: Path, book: dict[str, Any]
) -> None:
    extract, policy = tmp_path / "extract", _policy(tmp_path)
    _month(extract, "jan")
    first, out = tmp_path / "first", tmp_path / "out"
    deid.scrub(extract, first, policy=policy, reference_date=DAY, **book)
    _month(extract, "feb")
    for n in range(30):
        (extract / "feb" / f"40283_{n}.txt").write_text(f"Dmitri Sokolov rang, {n} mg.\n")
    command = [sys.executable, "-m", "deid", "scrub", str(extract), "-o", str(out)]
    command += ["--policy", str(policy), "--reference-date", DAY.isoformat(), "-q"]
    command += ["--crosswalk", str(book["crosswalk"]), "--key-file", str(book["key_file"])]
    command += ["--since", str(first)]
    killed = subprocess.Popen(command)
    parts = job_folder_path(out) / "parts"
    while killed.poll() is None and not (parts.exists() and len([*parts.iterdir()]) > 3):
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    done = subprocess.run([*command, "--resume"], check=False)
    assert done.returncode == 0
    manifest = _manifest(out)
    assert manifest["records_out"] == 33 and len(manifest["since"]["unchanged"]) == 2
    assert len([*out.rglob("visits.csv")]) == 1


def _ask(url: str, script: str) -> list[Any]:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(script)  # type: ignore[call-overload]
        return cursor.fetchall() if cursor.description else []


def _grow(url: str, month: int) -> None:
    """A month of a ward: 1,500 visits by patients of whom one comes back each month."""
    first = 1500 * month
    _ask(
        url,
        "create table if not exists person (person_id int primary key, last_name text, zip text);"
        "create table if not exists visit (visit_id int primary key, person_id int, "
        "  hemoglobin numeric(4,1), note text);"
        f"insert into person select n, 'Olejniczak' || chr(97 + n % 26), '02139' "
        f"  from generate_series({8800000 + 40 * month}, {8800039 + 40 * month}) n;"
        f"insert into visit select n, case when n % 50 = 0 then 8800000 else "
        f"  {8800000 + 40 * month} + n % 40 end, 11.5, 'Seen, weight stable, ' || n % 90 || ' kg.'"
        f"  from generate_series({first + 1}, {first + 1500}) n;",
    )


def test_three_monthly_releases_of_a_database(
    own_database: str, tmp_path: Path, book: dict[str, Any]
) -> None:
    """Each row is released once, a patient keeps the code, and the three months together are the
    ward.
    """
    import duckdb

    before: Path | None = None
    union = duckdb.connect()
    for month in range(3):
        _grow(own_database, month)
        out = tmp_path / f"out{month}"
        release = deid.scrub(
            own_database, out, policy=_policy(tmp_path), since=before, fast=True,
            reference_date=DAY, **book,
        )  # fmt: skip
        assert release.exit_code == 0
        assert release.manifest["records_out"] == release.manifest["records_in"] == 1540
        assert sorted(p.name for p in out.glob("*.parquet")) == ["person.parquet", "visit.parquet"]
        deid.load(out, str(tmp_path / f"month{month}.duckdb"))
        union.execute(f"attach '{tmp_path / f'month{month}.duckdb'}' as month{month} (read_only)")
        before = out
    assert len(release.manifest["since"]["unchanged"]) == 4
    assert release.manifest["since"]["hits"] == {}
    months = [f"month{month}" for month in range(3)]
    people, visits = (
        " union all ".join(f"select * from {month}.{table}" for month in months)
        for table in ("person", "visit")
    )
    counted = f"select count(*), count(distinct person_id) from ({people})"
    assert union.execute(counted).fetchall() == [(120, 120)]
    joined = f"({visits}) join ({people}) using (person_id)"
    counted = f"select count(*), count(distinct person_id) from {joined}"
    assert union.execute(counted).fetchall() == [(4500, 120)]
    often = f"select person_id, count(*) from ({visits}) group by 1 order by 2 desc limit 1"
    [(code, times)] = union.execute(often).fetchall()
    first = {code for (code,) in union.execute("select person_id from month0.person").fetchall()}
    assert times > 90 and code in first


def test_old_rows_that_changed_are_released_again(
    own_database: str, tmp_path: Path, book: dict[str, Any]
) -> None:
    _grow(own_database, 0)
    first = tmp_path / "first"
    asked = {"policy": _policy(tmp_path), "fast": True, "reference_date": DAY, **book}
    deid.scrub(own_database, first, **asked)
    _ask(own_database, "update visit set hemoglobin = 9.9 where visit_id = 7")
    _grow(own_database, 1)
    again = deid.scrub(own_database, tmp_path / "next", since=first, **asked)
    assert again.manifest["records_out"] == 3000 + 40
