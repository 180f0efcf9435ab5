"""The commands of docs/guides/determination.md, in order: they leave what the guide says."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from deid.cli import main

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from test_snippets import ROOT, blocks, commands, deid_words  # noqa: E402
from workplace import stage  # noqa: E402

GUIDE = ROOT / "docs" / "guides" / "determination.md"
QUASI = ("birth_date", "sex", "zip")


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0), *capsys.readouterr()


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_commands_of_the_determination_guide_give_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    shown = [line for block in blocks(GUIDE) for line in commands(block.text)]
    assert len(shown) == 12
    browser = any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    headlines = []
    for line in shown:
        if "--pdf" in line and not browser:
            continue
        words = deid_words(line)
        assert words is not None, line
        code, out, err = run(words, capsys)
        assert code == 0, f"{line}\n{err}"
        headlines += re.findall(r"^risk (HIGH|LOW)", out, re.M)
    assert headlines[0] == "HIGH" and set(headlines[1:]) == {"LOW"}
    for planned in ("june_planned/patients.csv", "july_planned/patients.csv"):
        rows = table(tmp_path / planned)
        assert min(Counter(tuple(row[c] for c in QUASI) for row in rows).values()) >= 5
    for month in ("june", "july"):
        _linked(tmp_path / f"{month}_planned")
    page = (tmp_path / "determination.html").read_text()
    assert "State University" in page and "Before and after" in page and "LOW: " in page
    assert not re.search(r"Qv\d+ent", page + (tmp_path / "june_plan.html").read_text())
    if browser:
        assert (tmp_path / "determination.pdf").read_bytes().startswith(b"%PDF")


def _linked(folder: Path) -> None:
    """Persons who were left out have no visit, and everyone else has both visits, linked by
    code.
    """
    people = {row["patient_id"] for row in table(folder / "patients.csv")}
    visits = Counter(row["patient_id"] for row in table(folder / "visits.csv"))
    assert 570 <= len(people) < 600 and visits == dict.fromkeys(people, 2)
    assert not {"0", "1", "599"} & people
    plan = json.loads((folder / "patients.plan.json").read_text())
    assert plan


def test_a_second_release_of_the_same_persons_is_put_on_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --other-persons, a monthly release that differs by three persons is put on hold, with
    the reason.
    """
    monkeypatch.chdir(tmp_path)
    rows = [f"{20 + n % 30},{'FM'[n % 2]}" for n in range(600)]
    for name, kept in (("june.csv", rows), ("july.csv", rows[3:])):
        Path(name).write_text("age,sex\n" + "\n".join(kept) + "\n")
    planned = ["plan", "june.csv", "--quasi", "age,sex", "--k", "5", "-o", "june_planned.csv"]
    assert run(planned, capsys)[0] == 0
    again = ["plan", "july.csv", "--apply", "june_planned.plan.json", "--k", "5"]
    again += ["--earlier", "june_planned.csv", "-o", "july_planned.csv"]
    code, _, err = run(again, capsys)
    assert code == 3 and "held" in err and not Path("july_planned.csv").exists()
    assert run([*again, "--other-persons"], capsys)[0] == 0
