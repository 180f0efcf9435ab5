"""The bill of materials matches the lock, and the container runs without root."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
IMAGE = os.environ.get("DEID_IMAGE", "")
"""An image in buildah's storage, built from this tree (container/README.md)."""
CONTAINERFILE = (ROOT / "container" / "Containerfile").read_text("utf-8")


@pytest.fixture(scope="module")
def bill() -> Any:
    runs = [
        subprocess.run(
            [sys.executable, "-S", "container/sbom.py"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    return json.loads(runs[0])


def test_the_bill_has_every_locked_package_and_hash(bill: Any) -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = re.findall(r"^([\w.-]+)(?:\[.*\])?==([^\s;]+)", lock, re.MULTILINE)
    parts = bill["components"]
    assert [(one["name"], one["version"]) for one in parts] == locked
    hashes = [h["content"] for one in parts for h in one["externalReferences"][0]["hashes"]]
    assert hashes == re.findall(r"sha256:([0-9a-f]{64})", lock)
    assert all(one["externalReferences"][0]["hashes"] for one in parts)
    assert len({one["bom-ref"] for one in parts}) == len(parts)


def test_the_bill_names_the_package(bill: Any) -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    named = bill["metadata"]["component"]
    assert version and (named["name"], named["version"]) == ("safe-harbor-deid", version[1])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")


def test_the_container_is_not_root_and_installs_by_hash() -> None:
    last = CONTAINERFILE.split("FROM")[-1]
    assert re.search(r"^USER (?!0|root)\d+:\d+$", last, re.MULTILINE)
    installs = [line for line in CONTAINERFILE.splitlines() if "pip install" in line]
    assert installs and all("--require-hashes" in i or "--no-index" in i for i in installs)
    assert not re.search(r"^(?:ADD|EXPOSE)\b", CONTAINERFILE, re.MULTILINE)


def test_the_container_copies_what_exists() -> None:
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINERFILE, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists(), name


@pytest.fixture(scope="module")
def box() -> Iterator[tuple[list[str], str]]:
    """The start of a command without a network, and the name of its container."""
    if not IMAGE or not shutil.which("buildah"):
        pytest.skip("DEID_IMAGE names no image of buildah")
    made = subprocess.run(["buildah", "from", IMAGE], check=True, capture_output=True, text=True)
    name = made.stdout.strip()
    yield ["unshare", "--net", "buildah", "run", "--isolation", "chroot"], name
    subprocess.run(["buildah", "rm", name], check=True, capture_output=True)


def test_the_container_scrubs_without_a_network(box: tuple[list[str], str], tmp_path: Path) -> None:
    run, name = box
    for folder in ("in", "out"):
        (tmp_path / folder).mkdir(mode=0o777)
    (tmp_path / "out").chmod(0o777)
    (tmp_path / "in" / "note.txt").write_text("Patient: Ada Stone, MRN 123456, has pain.\n")
    mounts = ["-v", f"{tmp_path}/in:/data/in:ro", "-v", f"{tmp_path}/out:/data/out:rw"]
    scrub = ["deid", "scrub", "in", "-o", "out/release", "--reference-date", "2026-11-21"]
    subprocess.run([*run, *mounts, name, "--", *scrub], check=True, capture_output=True)
    released = (tmp_path / "out" / "release" / "note.txt").read_text("utf-8")
    assert released == "Patient: [NAME], MRN [MRN], has pain.\n"


def test_the_container_has_one_place_to_write(box: tuple[list[str], str]) -> None:
    run, name = box
    search = "id -u; find / -xdev -type d -writable -not -path '/proc/*' -not -path '/dev*'"
    done = subprocess.run(
        [*run, name, "--", "sh", "-c", search], check=False, capture_output=True, text=True
    )
    user, *writable = done.stdout.split()
    assert user == "10001"
    assert {"/tmp"} <= set(writable) <= {"/tmp", "/var/tmp", "/run/lock"}
