"""A release that was changed after it was written does not pass `deid check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.errors import DeidError
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.release_check import Checked, check_release
from deid.release.sealing import manifest_bytes, sealed_with_evidence
from recognizers import Finding
from safe_harbor import Identifier

BARE = '{"outputs": {}, "released_sha256": "", "verdict": []}'


class FindsNothing:
    """A finder that finds nothing in any text."""

    def find_all(self, texts: list[str], *_: object) -> list[tuple[Any, ...]]:
        return [() for _ in texts]


class FindsOneName:
    """A finder that finds one name."""

    def find_all(self, texts: list[str], *_: object) -> list[tuple[Any, ...]]:
        names = Identifier.NAMES, "PERSON", 0.9, "rule"
        return [
            (Finding(at, at + 3, *names),) if (at := text.find("Ada")) >= 0 else ()
            for text in texts
        ]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("one", "two"):
        (notes / f"{name}.txt").write_text(f"{name} slept well, said Ada\n")
    job = Job((notes,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 1, 1))
    assert run_job(job, FindsOneName()).out is not None  # type: ignore[arg-type]
    return tmp_path / "out"


def checked(out: Path) -> Checked:
    return check_release(out, (), None)


def codes(out: Path) -> set[str]:
    return {fault.code for fault in checked(out).faults}


def edited(out: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    path = out / "_release" / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    return out


def test_an_unchanged_release_is_clean(out: Path) -> None:
    assert checked(out).clean


def test_a_file_that_no_job_wrote_is_reported_by_its_number(out: Path) -> None:
    (out / "aa.txt").write_text("Harlan Lowe\n")
    found = checked(out)
    assert not found.clean
    assert found.unlisted == (5,)  # after the four files of the release
    assert "Harlan" not in json.dumps(found.as_json())


def test_a_changed_file_is_reported_as_altered_and_unlisted(out: Path) -> None:
    (out / "one.txt").write_text("Harlan Lowe slept well\n")
    found = checked(out)
    assert (found.altered, len(found.unlisted)) == ((1,), 1)


def test_a_release_without_its_manifest_is_not_clean(out: Path) -> None:
    (out / "_release" / "manifest.json").unlink()
    assert codes(out) == {"manifest-missing"}


def test_a_manifest_edited_by_hand_is_reported_as_altered(out: Path) -> None:
    edited(out, lambda manifest: manifest["outputs"].pop("2"))
    assert "manifest-altered" in codes(out)


def test_evidence_of_another_release_is_reported(out: Path) -> None:
    (out / "_release" / "evidence.html").write_text("<p>All is well.</p>")
    assert codes(out) == {"evidence-altered"}


def test_a_release_on_hold_is_not_clean(out: Path) -> None:
    edited(out, lambda manifest: manifest["verdict"].update(supported="none"))
    assert "on-hold" in codes(out)


@pytest.mark.parametrize("text", ["[]", "3", '{"outputs": {"x": 3}}', '{"outputs": []}', "{", BARE])
def test_an_invalid_manifest_is_refused(out: Path, text: str) -> None:
    (out / "_release" / "manifest.json").write_text(text)
    with pytest.raises(DeidError) as refused:
        checked(out)
    assert refused.value.code == "manifest-broken"


def test_a_release_with_links_that_cannot_be_searched_is_not_clean(
    out: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (out / "linked").symlink_to(tmp_path / "elsewhere")
    (out / "lost").symlink_to(tmp_path / "nowhere")
    assert "not-searched" in codes(out)
    assert "links, devices and unreadable folders in OUT were not searched: 2" in str(
        checked(out).faults[-1]
    )


def test_a_folder_that_is_not_a_release_has_no_account_to_check(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("slept well\n")
    assert checked(tmp_path).clean


def resealed(out: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """What a person does who knows how the manifest is sealed, but not everything that it is
    checked against.
    """
    manifest = json.loads((out / "_release" / "manifest.json").read_text())
    change(manifest)
    sealed, page = sealed_with_evidence(manifest)
    (out / "_release" / "manifest.json").write_bytes(manifest_bytes(sealed))
    (out / "_release" / "evidence.html").write_bytes(page)


def _rewrite(name: str, old: str, new: str) -> Callable[[Path], object]:
    def tamper(out: Path) -> None:
        path = out / "_release" / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    return tamper


def _manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    return lambda out: edited(out, change)


def _resealed(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    return lambda out: resealed(out, change)


def _hold_lifted(out: Path) -> None:
    """A person removes a hold by hand, in the manifest only."""
    resealed(out, lambda m: m["verdict"].update(supported="none", held=True))
    edited(out, lambda m: m["verdict"].update(supported="safe_harbor", held=False))


TAMPERINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "evidence without its warning": (
        _rewrite("evidence.html", "nothing was proved", "all was proved"),
        "evidence-altered",
    ),
    "another headline": (
        _rewrite("evidence.html", "Searched, not proved", "Known values proved absent"),
        "evidence-altered",
    ),
    "another operator on the page": (
        _rewrite("evidence.html", "safe_harbor", "expert_determination"),
        "evidence-altered",
    ),
    "a blank at the end of the page": (
        lambda out: (out / "_release/evidence.html").open("a").write(" "),
        "evidence-altered",
    ),
    "no evidence": (lambda out: (out / "_release/evidence.html").unlink(), "evidence-missing"),
    "no changes": (lambda out: (out / "_release/changes.jsonl").unlink(), "changes-missing"),
    "no quarantine": (
        lambda out: (out / "_release/quarantine.jsonl").unlink(),
        "quarantine-missing",
    ),
    "changes emptied": (
        lambda out: (out / "_release/changes.jsonl").write_bytes(b""),
        "changes-altered",
    ),
    "a change of one character": (
        _rewrite("changes.jsonl", '"residue":"tag"', '"residue":"tab"'),
        "changes-altered",
    ),
    "a quarantined record more": (
        lambda out: (out / "_release/quarantine.jsonl").write_text('{"file": 1}\n'),
        "quarantine-altered",
    ),
    "found": (_manifest(lambda m: m["identifiers"]["names"].update(found=0)), "manifest-altered"),
    "records in": (_manifest(lambda m: m.update(records_in=9)), "manifest-altered"),
    "known values": (
        _manifest(lambda m: m["residual"].update(known_values=999)),
        "manifest-altered",
    ),
    "state": (
        _manifest(lambda m: m["identifiers"]["ssns"].update(state="NONE_KNOWN_LEFT")),
        "manifest-altered",
    ),
    "operator": (_manifest(lambda m: m.update(operator="Somebody Else")), "manifest-altered"),
    "model": (_manifest(lambda m: m["engine"].update(model="0")), "manifest-altered"),
    "a hold lifted": (_hold_lifted, "manifest-altered"),
    "no seal": (_manifest(lambda m: m.pop("manifest_sha256")), "manifest-altered"),
    "an empty manifest with outputs": (
        _manifest(lambda m: [m.pop(k) for k in list(m) if k not in KEPT]),
        "manifest-altered",
    ),
    "found, resealed": (
        _resealed(lambda m: m["identifiers"]["names"].update(found=0)),
        "counts-altered",
    ),
    "found in a file, resealed": (
        _resealed(lambda m: m["tables"]["1"].update(found={"names": 4})),
        "counts-altered",
    ),
    "quarantined, resealed": (_resealed(lambda m: m.update(quarantined=1)), "counts-altered"),
    "records of a file, resealed": (
        _resealed(lambda m: m["outputs"]["1"].update(records=7)),
        "counts-altered",
    ),
    "status, resealed": (
        _resealed(lambda m: m["verdict"].update(status="NONE_KNOWN_LEFT")),
        "manifest-altered",
    ),
    "a file renamed": (lambda out: (out / "one.txt").rename(out / "uno.txt"), "files-moved"),
    "a file copied": (
        lambda out: (out / "copy.txt").write_bytes((out / "one.txt").read_bytes()),
        "files-moved",
    ),
    "two files swapped": (
        lambda out: (
            (out / "one.txt").rename(out / "x"),
            (out / "two.txt").rename(out / "one.txt"),
            (out / "x").rename(out / "two.txt"),
        ),
        "files-moved",
    ),
    "a file in a folder": (
        lambda out: ((out / "sub").mkdir(), (out / "one.txt").rename(out / "sub" / "one.txt")),
        "files-moved",
    ),
    "an empty folder": (lambda out: (out / "Harlan Lowe").mkdir(), "folders-added"),
}
KEPT = ("outputs", "released_sha256", "verdict")


@pytest.mark.parametrize("name", TAMPERINGS)
def test_each_tampering_is_reported_by_its_code(out: Path, name: str) -> None:
    tamper, code = TAMPERINGS[name]
    tamper(out)
    found = checked(out)
    assert not found.clean
    assert code in {fault.code for fault in found.faults}


def test_a_file_among_the_documents_is_unlisted(out: Path) -> None:
    (out / "_release" / "notes.txt").write_text("Harlan Lowe\n")
    assert checked(out).unlisted


def test_a_removed_duplicate_of_a_file_is_missed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("one", "two"):
        (notes / f"{name}.txt").write_text("slept well\n")
    job = Job((notes,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 1, 1))
    run_job(job, FindsNothing())  # type: ignore[arg-type]
    (tmp_path / "out" / "two.txt").unlink()
    assert codes(tmp_path / "out") == {"files-moved"}
