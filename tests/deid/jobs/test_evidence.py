"""The evidence page for the privacy officer: it claims no more than was shown, is bound to the
released bytes, and is short.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from small_extract import KnownOnly, job

from deid.jobs import Job, run_job
from deid.release.run_record import WITHHELD_OPERATOR, begin_run
from deid.reports.evidence import NOTES_LISTED, evidence_page
from deid.reports.states import (
    HELD_STATE,
    NONE_KNOWN_LEFT,
    NOT_EVALUATED,
    SEARCHED,
    headline,
    status,
    worst,
)
from safe_harbor import Identifier

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def evidence(out: Path) -> str:
    return (out / "_release" / "evidence.html").read_text("utf-8")


def notes(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"note-{number:03}.txt").write_text("Seen for cough.\n", "utf-8")
    return folder


def bare(inputs: Path, out: Path) -> Job:
    """A job without known patients."""
    return replace(job(inputs, out), known=(), patient_key=None)


def test_a_photo_found_in_one_file_does_not_evaluate_photos_in_others(
    extract: Path, tmp_path: Path
) -> None:
    release = run_job(job(extract, tmp_path / "out"), KnownOnly())
    account = release.account
    first = next(iter(account.tables.values()))
    first.found[Identifier.PHOTOS] += 1
    account.tally.found[Identifier.PHOTOS] += 1
    assert account.of_table(next(iter(account.tables)))["state"]["photos"] == "SEARCHED"
    assert account.state(Identifier.PHOTOS) == "NOT_EVALUATED"


def test_the_signed_page_is_bound_to_the_released_bytes(extract: Path, tmp_path: Path) -> None:
    run_job(job(extract, tmp_path / "out"), KnownOnly())
    manifest = json.loads((tmp_path / "out" / "_release" / "manifest.json").read_text("utf-8"))
    lines = "".join(f"{output['sha256']}\n" for output in manifest["outputs"].values())
    bound = hashlib.sha256(lines.encode()).hexdigest()
    assert manifest["released_sha256"] == bound
    assert bound in evidence(tmp_path / "out")


def test_a_search_without_known_values_is_said_to_show_nothing(
    extract: Path, tmp_path: Path
) -> None:
    run_job(bare(notes(tmp_path / "notes", 1), tmp_path / "bare"), KnownOnly())
    assert "No known value was searched for" in evidence(tmp_path / "bare")
    run_job(job(extract, tmp_path / "out"), KnownOnly())
    assert "No known value was searched for" not in evidence(tmp_path / "out")


def test_many_notes_are_one_line(tmp_path: Path) -> None:
    few, many = NOTES_LISTED, NOTES_LISTED + 5
    run_job(bare(notes(tmp_path / "few", few), tmp_path / "out-few"), KnownOnly())
    assert evidence(tmp_path / "out-few").count("the text of the documents") == few
    run_job(bare(notes(tmp_path / "many", many), tmp_path / "out-many"), KnownOnly())
    page = evidence(tmp_path / "out-many")
    assert page.count("the text of the documents") == 1
    assert f"{many} notes, 1 to {many}" in page


def test_the_page_agrees_with_the_manifest_and_is_made_from_it(
    extract: Path, tmp_path: Path
) -> None:
    for name, made in (("known", job), ("bare", bare)):
        inputs = extract if name == "known" else notes(tmp_path / "notes", 2)
        run_job(made(inputs, tmp_path / name), KnownOnly())
        manifest = json.loads((tmp_path / name / "_release" / "manifest.json").read_text("utf-8"))
        page = evidence(tmp_path / name)
        assert page == evidence_page(manifest)
        assert headline(manifest) in page.splitlines()[0]
        assert f">{headline(manifest)}</h1>" in page
        wanted = NONE_KNOWN_LEFT if name == "known" else SEARCHED
        assert status(manifest) == manifest["verdict"]["status"] == wanted
        states = {row["state"] for row in manifest["identifiers"].values()}
        assert (NONE_KNOWN_LEFT in states) == (name == "known")
        assert "PASS" not in page


def test_a_hit_or_a_leak_always_puts_the_release_on_hold() -> None:
    known = {"known_values": 3, "hits": 0, "known_tables": 1, "patient_names_known": True}
    rows = {"names": {"state": NONE_KNOWN_LEFT}}
    well = {
        "verdict": {"held": False, "supported": "safe_harbor"},
        "residual": known,
        "identifiers": rows,
    }
    assert status(well) == NONE_KNOWN_LEFT
    assert status({**well, "residual": {**known, "hits": 1}}) == HELD_STATE
    assert status({**well, "review": {"state": "held"}}) == HELD_STATE
    assert status({**well, "verdict": {"held": True, "supported": "none"}}) == HELD_STATE
    untold = {**known, "known_tables": 0, "patient_names_known": False}
    assert status({**well, "residual": untold}) == SEARCHED
    assert worst([NONE_KNOWN_LEFT, SEARCHED]) == SEARCHED
    assert worst([NOT_EVALUATED, HELD_STATE, SEARCHED]) == HELD_STATE


def test_the_operator_is_in_page_and_manifest_and_a_known_value_in_neither(
    extract: Path, tmp_path: Path
) -> None:
    patients = (extract / "patients.csv").read_text("utf-8").splitlines()
    row = dict(zip(patients[0].split(","), patients[1].split(","), strict=False))
    known = f"{row['first_name']} {row['last_name']}"
    for operator, told in (("Privacy Office", "Privacy Office"), (known, WITHHELD_OPERATOR)):
        run = begin_run("deid scrub INPUT", operator, lambda: NOON)
        out = tmp_path / operator.replace(" ", "")
        run_job(job(extract, out), KnownOnly(), run=run)
        manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
        assert manifest["operator"] == told
        assert manifest["start"] == manifest["end"] == "2026-03-01T12:00:00+00:00"
        assert told in evidence(out) and "2026-03-01T12:00:00+00:00" in evidence(out)
