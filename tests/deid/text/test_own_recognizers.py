"""The guide on recognizers for local identifiers works as written."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

import deid
from deid.errors import DeidError
from deid.text.engine import hash_of_recognizers, load_finder
from recognizers import Finder, RowError

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "identifiers.md"
NOTE = "Enrolled today. Protocol no: ST-7788-AB signed; subject 417-9911 is well."
REGISTRY = """
supported_languages: [en]
recognizers:
- name: studies
  type: custom
  supported_entity: STUDY
  supported_language: en
  patterns:
  - {name: study, regex: 'ST-[0-9]{4}-[A-Z]{2}', score: 0.9}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (told,) = re.findall(r"```yaml[^\n]*\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    path = tmp_path / "own.yaml"
    path.write_text(told, "utf-8")
    return path


def taken(finder: Finder, text: str) -> list[str]:
    return [text[f.start : f.end] for f in finder.find(text)]


def test_the_rows_of_the_guide_find_a_study_number(own: Path) -> None:
    finder = Finder.load(rows=own, model=False)  # types of the model have priority over the rows
    assert taken(finder, NOTE) == ["ST-7788-AB", "417-9911"]
    assert taken(finder, "Subj ID  Arm\n417-0032  B\n417-0045  A") == ["417-0032", "417-0045"]
    assert "own" in finder.sources


def test_the_guide_names_every_key_of_a_row() -> None:
    from dataclasses import fields

    from recognizers.evidence.rows import Row

    guide = GUIDE.read_text("utf-8")
    assert [
        one.name for one in fields(Row) if one.name != "note" and f"`{one.name}`" not in guide
    ] == []


@pytest.mark.parametrize("workers", [0, 2])
def test_a_release_replaces_what_the_rows_find(own: Path, tmp_path: Path, workers: int) -> None:
    (tmp_path / "note.txt").write_text(NOTE, "utf-8")
    out = tmp_path / "out"
    release = deid.scrub(tmp_path / "note.txt", out, recognizers=own, workers=workers)
    assert release.out is not None
    assert "7788" not in (out / "note.txt").read_text("utf-8")
    assert release.manifest["engine"]["recognizers"] == hash_of_recognizers(own)["recognizers"]


def test_the_command_finds_values_that_only_the_rows_cover(own: Path, tmp_path: Path) -> None:
    text = "sent home with aspirin daily"
    own.write_text(
        own.read_text("utf-8")
        .replace(r"ST-\d{4}-[A-Z]{2}", r"ST-\d{4}-[A-Z]{2}|aspirin [a-z]+")
        .replace(
            r"left: '(?i)\b(?:study|protocol) (?:number|no|id)[ :#]{1,3}'",
            r"left: '\b(?:Study number: |with )'",
        ),
        "utf-8",
    )
    (tmp_path / "note.txt").write_text(text, "utf-8")
    (line,) = deid.find(tmp_path / "note.txt", recognizers=own)
    assert [(f["start"], f["end"], f["source"]) for f in line["findings"]] == [(15, 28, "own")]
    (line,) = deid.find(tmp_path / "note.txt")
    assert line["findings"] == []


def test_a_presidio_registry_is_accepted_in_the_same_option(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    path.write_text(REGISTRY, "utf-8")
    finder = load_finder(date(2026, 11, 21), recognizers=path)
    assert "studies" in finder.sources


def test_a_faulty_file_ends_the_command_without_its_text(tmp_path: Path, own: Path) -> None:
    own.write_text(own.read_text("utf-8").replace("strength: 0.95", "strength: Okafor"), "utf-8")
    with pytest.raises(RowError) as caught:
        load_finder(date(2026, 11, 21), recognizers=own)
    assert caught.value.exit_code == 2 and "Okafor" not in f"{caught.value}{caught.value.hint}"
    neither = tmp_path / "neither.yaml"
    neither.write_text("patients: [Okafor]", "utf-8")
    with pytest.raises(DeidError) as refused:
        load_finder(date(2026, 11, 21), recognizers=neither)
    assert refused.value.code == "registry-unreadable" and "Okafor" not in str(refused.value)
