"""`deid find`: an unreadable file is reported and does not stop the search of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.cli import main

TEXT = "Seen by Dr. Ann Lee on 3/4/2024; call (419) 555-0133.\n"


def _find(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict], str]:
    with pytest.raises(SystemExit) as end:
        main(["find", str(path)])
    ran = capsys.readouterr()
    return int(end.value.code or 0), [json.loads(line) for line in ran.out.splitlines()], ran.err


def test_find_searches_the_other_files_after_an_unreadable_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "b.bin").write_bytes(b"\x00\x01\x02")
    (tmp_path / "c.csv").write_text("sex,age\nF,30\nM,40\n")
    (tmp_path / "d.txt").write_text(TEXT)
    code, lines, err = _find(tmp_path, capsys)
    faults = {line["id"]: line.get("fault") for line in lines}
    assert code == 6 and "[input-unreadable]" in err
    assert faults["b.bin"] == "unknown-format" and faults["c.csv"] == "no-text-column"
    assert faults["a.parquet"] and faults["d.txt"] is None
    assert {"PERSON", "DATE_TIME"} <= {f["entity"] for f in lines[-1]["findings"]}


def test_find_reports_why_a_single_file_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "b.bin"
    path.write_bytes(b"\x00\x01\x02")
    code, lines, err = _find(path, capsys)
    assert code == 6 and not lines and "[unknown-format]" in err
