"""One job over a collection of broken files, and the codes reported for each.

Every file contains the canary in its broken part.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
CANARY = "Quillonby"
C = CANARY.encode()


@dataclass(frozen=True)
class Outcome:
    """OUT, and `place:code` of everything withheld from each file."""

    out: Path
    codes: Mapping[str, set[str]]


def scrub_files(folder: Path, files: Mapping[str, bytes]) -> Outcome:
    """Scrub the files; the number of records read equals the number released plus the number
    withheld.
    """
    (folder / "in").mkdir()
    for name, data in files.items():
        (folder / "in" / name).write_bytes(data)
    finder = Finder.load(model=False, reference_date=DAY)
    release = run_job(
        Job((folder / "in",), folder / "out", read_policy("safe_harbor"), DAY), finder
    )
    assert release.exit_code == 4
    manifest = release.manifest
    assert manifest["records_in"] == manifest["records_out"] + manifest["quarantined"]
    return Outcome(folder / "out", _codes(folder / "out", sorted(files)))


def _codes(out: Path, names: list[str]) -> dict[str, set[str]]:
    codes: dict[str, set[str]] = defaultdict(set)
    for line in (out / "_release" / "quarantine.jsonl").read_text().splitlines():
        entry = json.loads(line)
        codes[names[entry["file"] - 1]].add(f"{entry['place']}:{entry['code']}")
    return codes


def holds_canary(out: Path) -> bool:
    """Does a file of OUT contain the canary in its name or content, in upper or lower case?"""
    return any(
        C.lower() in path.name.lower().encode()
        or (path.is_file() and C.lower() in path.read_bytes().lower())
        for path in out.rglob("*")
    )
