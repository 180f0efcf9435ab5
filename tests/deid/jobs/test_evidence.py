"""The page a privacy officer signs: nothing over-claimed, bound to its bytes, short enough."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from small_extract import KnownOnly, job

from deid.jobs import Job, scrub
from deid.reports.evidence import NOTES_LISTED
from safe_harbor import Identifier


def evidence(out: Path) -> str:
    return (out / "_release" / "evidence.html").read_text("utf-8")


def notes(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"note-{number:03}.txt").write_text("Seen for cough.\n", "utf-8")
    return folder


def bare(inputs: Path, out: Path) -> Job:
    """A job that is told of no patient."""
    return replace(job(inputs, out), known=(), patient_key=None)


def test_a_picture_named_in_one_file_proves_nothing_of_the_others(
    extract: Path, tmp_path: Path
) -> None:
    release = scrub(job(extract, tmp_path / "out"), KnownOnly())
    account = release.account
    first = next(iter(account.tables.values()))
    first.found[Identifier.PHOTOS] += 1
    account.tally.found[Identifier.PHOTOS] += 1
    assert account.of_table(next(iter(account.tables)))["state"]["photos"] == "SEARCHED"
    assert account.state(Identifier.PHOTOS) == "NOT_EVALUATED"


def test_what_is_signed_is_bound_to_the_released_bytes(extract: Path, tmp_path: Path) -> None:
    scrub(job(extract, tmp_path / "out"), KnownOnly())
    manifest = json.loads((tmp_path / "out" / "_release" / "manifest.json").read_text("utf-8"))
    lines = "".join(f"{output['sha256']}\n" for output in manifest["outputs"].values())
    bound = hashlib.sha256(lines.encode()).hexdigest()
    assert manifest["released_sha256"] == bound
    assert bound in evidence(tmp_path / "out")


def test_a_search_for_nothing_is_said_to_prove_nothing(extract: Path, tmp_path: Path) -> None:
    scrub(bare(notes(tmp_path / "notes", 1), tmp_path / "bare"), KnownOnly())
    assert "No known value was searched for" in evidence(tmp_path / "bare")
    scrub(job(extract, tmp_path / "out"), KnownOnly())
    assert "No known value was searched for" not in evidence(tmp_path / "out")


def test_many_notes_are_one_line(tmp_path: Path) -> None:
    few, many = NOTES_LISTED, NOTES_LISTED + 5
    scrub(bare(notes(tmp_path / "few", few), tmp_path / "out-few"), KnownOnly())
    assert evidence(tmp_path / "out-few").count("the text of the documents") == few
    scrub(bare(notes(tmp_path / "many", many), tmp_path / "out-many"), KnownOnly())
    page = evidence(tmp_path / "out-many")
    assert page.count("the text of the documents") == 1
    assert f"{many} notes, 1 to {many}" in page
