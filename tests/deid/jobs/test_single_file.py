"""A job of one file: workers share its batches, and a patient's only text is searched once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_extract import FIRST, LAST, KnownOnly, digest, job

from deid.jobs import orchestration, run_job
from deid.jobs.local.file_survey import PatientsWithTexts, patients_with_several_texts
from deid.people import patients
from deid.tables import table_batch
from recognizers import Finder


@pytest.fixture
def comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of texts in several batches; every third patient has several texts."""
    monkeypatch.setattr(table_batch, "ROWS_WITH_TEXTS", 20)
    rows = [
        f"{4_028_000 + (n % 7 if n % 3 == 0 else 100 + n)},{LAST[n % 8]},{FIRST[n % 7]},"
        f'"{FIRST[n % 7]} {LAST[n % 8]} was seen by Dr. {LAST[(n + 3) % 8]}, visit {n}"'
        for n in range(90)
    ]
    path = tmp_path / "comments.csv"
    lines = ["patient_id,last_name,first_name,comment", *rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _of_table(path: Path, out: Path, workers: int = 0) -> Any:
    made = job(path.parent, out, workers=workers)
    return replace(made, inputs=(path,), known=(), patient_key=None)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_that_share_a_file_write_what_one_worker_writes(
    comments: Path, tmp_path: Path, workers: int
) -> None:
    finder = Finder.load(model=False)
    run_job(_of_table(comments, tmp_path / "one"), finder)
    run_job(_of_table(comments, tmp_path / "many", workers), finder)
    assert digest(tmp_path / "many") == digest(tmp_path / "one")


def test_a_patient_with_one_text_is_searched_once_with_the_same_result(
    comments: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = Finder.load(model=False)
    run_job(_of_table(comments, tmp_path / "counted"), finder)
    monkeypatch.setattr(orchestration, "patients_with_several_texts", lambda *_: None)
    run_job(_of_table(comments, tmp_path / "all"), finder)
    assert digest(tmp_path / "counted") == digest(tmp_path / "all")


def test_the_survey_leaves_out_patients_with_one_text(
    comments: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[PatientsWithTexts | None] = []

    def counted(*arguments: Any) -> PatientsWithTexts | None:
        seen.append(patients_with_several_texts(*arguments))
        return seen[-1]

    monkeypatch.setattr(orchestration, "patients_with_several_texts", counted)
    run_job(_of_table(comments, tmp_path / "out"), KnownOnly())
    (several,) = seen
    assert several is not None and len(several) == 7
    assert {person for person in several.persons if person in several} == {
        str(4_028_000 + n) for n in range(7)
    }
    assert "another" not in several and "4028" not in repr(several)


def test_only_a_few_patients_are_kept_compiled(
    comments: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_job(_of_table(comments, tmp_path / "many"), KnownOnly())
    monkeypatch.setattr(patients, "MOST_COMPILED", 2)
    run_job(_of_table(comments, tmp_path / "few"), KnownOnly())
    assert digest(tmp_path / "few") == digest(tmp_path / "many")


def test_a_suffix_that_may_be_a_name_is_not_released(tmp_path: Path) -> None:
    path = tmp_path / "pat.okafor"
    path.write_text('{"resourceType":"Patient","id":"p1","birthDate":"1950-01-01"}', "utf-8")
    run_job(_of_table(path, tmp_path / "out"), Finder.load(model=False))
    assert [file.name for file in (tmp_path / "out").iterdir() if file.is_file()] == ["file_1"]
