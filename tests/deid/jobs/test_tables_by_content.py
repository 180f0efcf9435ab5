"""Tables whose file name does not show it are recognized by their content and released as CSV."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.text.engine import load_finder

REFERENCE = date(2026, 11, 21)


@pytest.mark.parametrize("name", ["status.rpt", "status.extract"])
def test_a_table_with_an_odd_name_is_not_quarantined(tmp_path: Path, name: str) -> None:
    rows = [f"{'MF'[i % 2]},{10_437 + 613 * i},{88_120 + 571 * i},{i}" for i in range(30)]
    (tmp_path / name).write_text("\n".join(["sex,patient_code,status,age", *rows]) + "\n")
    job = Job(
        inputs=(tmp_path / name,),
        out=tmp_path / "out",
        policy=read_policy("safe_harbor"),
        reference_date=REFERENCE,
    )
    release = run_job(job, load_finder(REFERENCE))
    assert release.out is not None
    (path,) = (p for p in release.out.iterdir() if p.is_file())
    assert path.suffix == ".csv"
    head, *cells = path.read_text().splitlines()
    assert head == "sex,patient_code,age" and len(cells) == len(rows)
    assert cells[0].startswith("M,[ID")


def test_a_table_released_with_two_columns_reads_back(tmp_path: Path) -> None:
    rows = [f"{'MF'[i % 2]},{10_437 + 613 * i},{88_120 + 571 * i}" for i in range(30)]
    (tmp_path / "status.txt").write_text("\n".join(["sex,patient_code,zzqx", *rows]) + "\n")
    job = Job(
        inputs=(tmp_path / "status.txt",),
        out=tmp_path / "out",
        policy=read_policy("safe_harbor"),
        reference_date=REFERENCE,
    )
    release = run_job(job, load_finder(REFERENCE))
    assert release.out is not None
    assert (release.out / "status.txt.csv").read_text().startswith("sex,patient_code\nM,[ID")
