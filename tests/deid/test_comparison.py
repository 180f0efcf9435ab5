"""A release that somebody touched after it was written does not pass `deid check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.checking import Checked, check_release
from deid.errors import DeidError
from deid.jobs import Job, scrub
from deid.policy import read_policy

BARE = '{"outputs": {}, "released_sha256": "", "verdict": []}'


class Nothing:
    """A finder to whom every text is clean."""

    def find_all(self, texts: list[str], *_: object) -> list[tuple[Any, ...]]:
        return [() for _ in texts]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("one", "two"):
        (notes / f"{name}.txt").write_text(f"{name} slept well\n")
    job = Job((notes,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 1, 1))
    assert scrub(job, Nothing()).out is not None  # type: ignore[arg-type]
    return tmp_path / "out"


def checked(out: Path) -> Checked:
    return check_release(out, (), None)


def edited(out: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    path = out / "_release" / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    return out


def test_a_release_as_it_was_written_is_clean(out: Path) -> None:
    assert checked(out).clean


def test_a_file_that_no_job_wrote_is_told_by_its_number(out: Path) -> None:
    (out / "aa.txt").write_text("Harlan Lowe\n")
    found = checked(out)
    assert not found.clean
    assert found.unlisted == (5,)  # behind the four of its own
    assert "Harlan" not in json.dumps(found.as_json())


def test_a_file_that_was_changed_is_told_twice(out: Path) -> None:
    (out / "one.txt").write_text("Harlan Lowe slept well\n")
    found = checked(out)
    assert (found.altered, len(found.unlisted)) == ((1,), 1)


def test_a_release_without_its_manifest_is_not_clean(out: Path) -> None:
    (out / "_release" / "manifest.json").unlink()
    assert checked(out).faults == ("the manifest is missing",)


def test_a_manifest_that_follows_a_changed_file_no_longer_adds_up(out: Path) -> None:
    edited(out, lambda manifest: manifest["outputs"].pop("2"))
    assert "its outputs do not come to" in checked(out).faults[0]


def test_evidence_of_another_release_is_told(out: Path) -> None:
    (out / "_release" / "evidence.html").write_text("<p>All is well.</p>")
    assert checked(out).faults == ("evidence.html is missing, or tells of another release",)


def test_a_release_on_hold_is_not_clean(out: Path) -> None:
    edited(out, lambda manifest: manifest["verdict"].update(supported="none"))
    assert checked(out).faults == ("the release is on hold: its verdict is none",)


@pytest.mark.parametrize("text", ["[]", "3", '{"outputs": {"x": 3}}', '{"outputs": []}', "{", BARE])
def test_a_manifest_that_is_none_is_refused(out: Path, text: str) -> None:
    (out / "_release" / "manifest.json").write_text(text)
    with pytest.raises(DeidError) as refused:
        checked(out)
    assert refused.value.code == "manifest-broken"


def test_what_nobody_can_look_into_is_not_clean(out: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (out / "linked").symlink_to(tmp_path / "elsewhere")
    (out / "lost").symlink_to(tmp_path / "nowhere")
    faults = checked(out).faults
    assert faults == ("links, devices and closed folders in OUT were not searched: 2",)


def test_a_folder_that_is_no_release_has_no_account(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("slept well\n")
    assert checked(tmp_path).clean
