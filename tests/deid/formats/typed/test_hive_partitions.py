"""Hive folders: their values are treated as cells, and no released folder is named after one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deid.cli import main
from deid.formats import open_source
from deid.formats.typed.hive_partitions import partitions_above
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text, read_policy
from deid.release.loading import load_release, target_of
from deid.text.engine import load_finder

DAY = date(2026, 11, 22)
PARTS = {
    "admit_date=2021-03-04/mrn=00441037": 2,
    "admit_date=2021-05-06/mrn=00441037": 1,
    "admit_date=__HIVE_DEFAULT_PARTITION__/mrn=00441999": 3,
}


@pytest.fixture
def labs(tmp_path: Path) -> Path:
    for number, (part, rows) in enumerate(PARTS.items()):
        folder = tmp_path / "in" / "labs" / part
        folder.mkdir(parents=True)
        values = [float(number) + n for n in range(rows)]
        pq.write_table(pa.table({"potassium": values}), folder / "part-0.parquet")
    return tmp_path / "in"


def test_folders_are_columns_of_text(labs: Path) -> None:
    path = labs / "labs" / "admit_date=2021-03-04" / "mrn=00441037" / "part-0.parquet"
    source = open_source(path)
    assert source.columns == ("potassium", "admit_date", "mrn")
    assert [r.cells for r in source.records()] == [  # type: ignore[union-attr]
        ("0", "2021-03-04", "00441037"), ("1", "2021-03-04", "00441037")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("folder", "values"),
    [
        ("a=1/b=x%2Fy", {"a": "1", "b": "x/y"}),
        ("a=1/plain", {}),
        ("plain/a=", {"a": None}),
        ("own=7", {}),
        ("a=1/a=2", {"a": "2"}),
    ],
)
def test_folders_named_key_equals_value_are_partitions(
    tmp_path: Path, folder: str, values: dict[str, str]
) -> None:
    assert partitions_above(tmp_path / "top" / folder / "f.parquet", ["own"]) == values


def test_cells_are_decided_by_their_rules_and_folders_are_numbered(
    labs: Path, tmp_path: Path
) -> None:
    job = Job((labs,), tmp_path / "out", read_policy("safe_harbor"), DAY)
    release = run_job(job, load_finder(DAY))
    assert release.out is not None and not release.manifest["residual"]["hits"]
    files = sorted(release.out.rglob("*.parquet"))
    shown = " ".join(p.relative_to(tmp_path).as_posix() for p in files)
    assert "=" not in shown and "0044" not in shown and "2021" not in shown
    with duckdb.connect() as made:
        query = f"from read_parquet('{release.out}/**/*.parquet', union_by_name=true)"
        rows = made.execute(
            f"select admit_date::int, mrn, count(*) {query} group by all"
        ).fetchall()
    keys = {mrn for _, mrn, _ in rows}
    assert {(year, count) for year, _, count in rows} == {(2021, 3), (None, 3)} and len(keys) == 2
    assert not any("0044" in str(key) for key in keys)
    data = b"".join(p.read_bytes() for p in release.out.rglob("*") if p.is_file())
    assert b"00441037" not in data and b"2021-03" not in data


def test_a_dropped_column_removes_the_values_of_its_folders(labs: Path, tmp_path: Path) -> None:
    text = policy_text("safe_harbor").replace(
        "columns: []", "columns:\n- {name: admit_date, action: drop}\n- {name: mrn, action: drop}"
    )
    release = run_job(Job((labs,), tmp_path / "out", parse_policy(text), DAY), load_finder(DAY))
    assert release.out is not None
    for path in release.out.rglob("*.parquet"):
        assert open_source(path).columns == ("potassium",)


def test_the_check_reads_the_released_partitions(
    labs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.csv"
    known.write_text("mrn,last_name\n00441037,Okaforvale\n")
    rest = ["--known", str(known), "--patient-key", "mrn"]
    for command in (
        ["scrub", str(labs), "-o", str(tmp_path / "out")],
        ["check", str(tmp_path / "out")],
    ):
        with pytest.raises(SystemExit) as ended:
            main([*command, *rest])
        assert not ended.value.code, capfd.readouterr().err


def test_a_release_is_partitioned_by_the_released_values(labs: Path, tmp_path: Path) -> None:
    run_job(Job((labs,), tmp_path / "out", read_policy("safe_harbor"), DAY), load_finder(DAY))
    loaded = load_release(tmp_path / "out", target_of(str(tmp_path / "by"), ["admit_date"]))
    assert (loaded.tables, loaded.rows) == (1, 6)
    folders = {p.parent.relative_to(tmp_path / "by").as_posix()
               for p in (tmp_path / "by").rglob("*.parquet")}  # fmt: skip
    assert folders == {
        "labs/admit_date=2021", "labs/admit_date=__HIVE_DEFAULT_PARTITION__"
    }  # fmt: skip
