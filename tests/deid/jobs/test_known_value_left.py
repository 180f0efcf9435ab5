"""A file whose output still contains a known value is withheld; the other files are released."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from small_extract import KnownOnly, digest, job, write_extract

import deid
from deid.jobs import orchestration as conducting
from deid.jobs import run_job
from deid.jobs.resume_terms import refuse_changed_while_read

MARK = "well child check"


class MissesMarkedTexts(KnownOnly):
    """A finder that finds nothing in texts that contain the mark."""

    def find_all(self, texts: Sequence[str], knowns: Any = None, groups: Any = None) -> Any:
        found = super().find_all(texts, knowns, groups)
        return [() if MARK in text else one for text, one in zip(texts, found, strict=True)]


def _letter(extract: Path, name: str) -> None:
    (extract / "letters" / name).write_text(f"Lowe came for a {MARK}, MRN 00402800.\n", "utf-8")


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    made = write_extract(tmp_path / "extract", patients=8, notes=4)
    _letter(made, "00402800_900.txt")
    return made


@pytest.mark.parametrize("workers", [0, 2])
def test_the_other_files_are_released(extract: Path, tmp_path: Path, workers: int) -> None:
    out = tmp_path / "out"
    diff = tmp_path / "diff.html"
    release = run_job(job(extract, out, workers=workers, diff=diff), MissesMarkedTexts())
    assert release.exit_code == 4
    manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
    assert manifest["residual"]["hits"] == 0 and not manifest["verdict"]["held"]
    assert manifest["records_in"] == manifest["records_out"] + 1
    [line] = map(json.loads, (out / "_release" / "quarantine.jsonl").read_text().splitlines())
    assert (line["code"], line["records"]) == ("known-value-left", 1)
    assert {hit["identifier"] for hit in line["hits"]} >= {"names"}
    assert len([*out.rglob("*.txt")]) == 4
    whole = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert MARK.encode() not in whole and b"Lowe" not in whole
    assert MARK not in diff.read_text("utf-8")
    assert deid.check(out).clean


def test_the_release_equals_one_of_the_other_files(extract: Path, tmp_path: Path) -> None:
    run_job(job(extract, tmp_path / "with"), MissesMarkedTexts())
    (extract / "letters" / "00402800_900.txt").write_text("well\n", "utf-8")
    run_job(job(extract, tmp_path / "without"), MissesMarkedTexts())
    for path in (tmp_path / "with").rglob("*"):
        if path.is_file() and "_release" not in path.parts:
            twin = tmp_path / "without" / path.relative_to(tmp_path / "with")
            assert path.read_bytes() == twin.read_bytes()


def test_a_job_without_any_releasable_file_is_on_hold(tmp_path: Path) -> None:
    extract = tmp_path / "extract"
    (extract / "letters").mkdir(parents=True)
    known = extract.parent / "patients.csv"
    known.write_text("patient_id,last_name,mrn\n1,Lowe,00402800\n", "utf-8")
    for name in ("00402800_1.txt", "00402800_2.txt"):
        _letter(extract, name)
    out = tmp_path / "out"
    release = run_job(job(extract, out, known=(known,)), MissesMarkedTexts())
    assert release.exit_code == 3 and not out.exists()
    assert sum(release.account.hits.values()) > 0


def test_an_interrupted_job_withholds_the_same_file_when_resumed(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, twin = tmp_path / "out", tmp_path / "twin"
    run_job(job(extract, twin), MissesMarkedTexts())
    calls = []

    def stop(*told: Any) -> None:
        calls.append(told)
        if len(calls) == 1:
            raise KeyboardInterrupt
        refuse_changed_while_read(*told)

    monkeypatch.setattr(conducting, "refuse_changed_while_read", stop)
    with pytest.raises(KeyboardInterrupt):
        run_job(job(extract, out), MissesMarkedTexts())
    run_job(job(extract, out, resume=True), MissesMarkedTexts())
    assert digest(out) == digest(twin)
