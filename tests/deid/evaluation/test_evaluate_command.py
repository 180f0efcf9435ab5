"""`deid evaluate`: the report has the keys of the contract, comes from the real engine and shows no
text.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.cli import main

TEXT = "Seen by Dr. Ann Lee on 3/4/2024 for Hodgkin lymphoma; call (419) 555-0133."
KEYS = {
    "documents", "characters", "by_label", "recall", "precision", "clean_documents", "retention",
    "seconds", "characters_per_second",
}  # fmt: skip


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    spans = [
        {"start": TEXT.index(value), "end": TEXT.index(value) + len(value), "label": label}
        for value, label in [("Ann Lee", "NAME"), ("3/4/2024", "DATE"), ("lymphoma", "CITY")]
    ]
    path.write_text(json.dumps({"id": "a", "text": TEXT, "spans": spans}) + "\n")
    return path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["evaluate", *argv])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


def test_the_json_report(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, str(gold), "--json")
    report = json.loads(out)
    assert code == 0
    assert set(report) >= KEYS
    assert report["documents"] == 1
    assert report["by_label"]["NAME"]["recall"] == 1.0
    assert report["by_label"]["CITY"]["leaked_spans"] == 1
    assert report["clean_documents"] == 0
    assert "Lee" not in out


def test_the_table(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, str(gold))
    assert code == 0
    assert "NAME" in out and "retention" in out
    assert "Lee" not in out and "555" not in out


def test_the_command_prints_a_row_for_each_note_on_request(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = json.loads(run(capsys, str(gold), "--json", "--by-note")[1])
    assert [row["leaked_spans"] for row in report["by_note"]] == [1]
    assert "note     0     1 of 3" in run(capsys, str(gold), "--by-note")[1]


def test_false_findings_are_shown_on_request_only(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "555-0133" in run(capsys, str(gold), "--over-redactions", "5")[1]
    out, err = run(capsys, str(gold), "--over-redactions", "5", "--json")[1:]
    assert "555-0133" in err and "555-0133" not in out


def test_a_label_map_and_labels_not_required(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    classes = tmp_path / "map.json"
    classes.write_text(json.dumps({"PERSON": ["NAME"], "OUT_OF_SCOPE": ["CITY"]}))
    report = json.loads(
        run(capsys, str(gold), "--json", "--label-map", str(classes), "--not-required", "DATE")[1]
    )
    assert set(report["by_label"]) == {"PERSON", "DATE"}
    assert report["not_required"] == ["DATE"]


def test_a_missing_gold_file_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, str(tmp_path / "absent.jsonl"))
    assert (code, out) == (6, "")
    assert "gold-missing" in err
