"""The terms of a job: its options and the hashes of its files.

A job is resumed only if its terms are unchanged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.jobs.folder import job_folder_path
from deid.jobs.input_listing import list_inputs
from deid.jobs.job import InputTable, Job
from deid.people.roles import known_tables, without_path
from deid.release.manifest import FileAccount
from deid.release.sealing import MANIFEST, RELEASE_FOLDER, read_manifest

_FORMAT = "3"
# The possible changes, in the order of the checks; only the first change is reported.
_CHANGED = (
    ("format", "resume-version-changed", "another version of the engine began the job"),
    ("policy", "resume-policy-changed", "the policy has changed since the job began"),
    (
        "engine",
        "resume-engine-changed",
        "the model, a list or a package has changed since the job began",
    ),
    ("known", "resume-known-changed", "a --known table has changed since the job began"),
    (
        "crosswalk",
        "resume-crosswalk-changed",
        "the crosswalk differs from that of the interrupted run",
    ),
    ("reference_date", "resume-date-changed", "the reference date has changed since the job began"),
    ("options", "resume-options-changed", "the options differ from those of the interrupted run"),
    ("names", "resume-inputs-changed", "inputs were added, renamed or removed since the job began"),
)


@dataclass(frozen=True, slots=True)
class HashedInput:
    """The hash, size and modification time of an input file when the job began."""

    account: FileAccount
    written: int

    @classmethod
    def of(cls, path: Path) -> HashedInput:
        """Hash a file; `written` is its modification time in nanoseconds."""
        written = path.stat().st_mtime_ns
        return cls(FileAccount.of(path, 0), written)


def hash_inputs(units: Sequence[InputTable]) -> dict[Path, HashedInput]:
    """The SHA-256, size and modification time of every file, each read once."""
    return {path: HashedInput.of(path) for path in dict.fromkeys(u.path for u in units)}


def terms_of(
    job: Job,
    units: Sequence[InputTable],
    hashes: Mapping[Path, HashedInput],
    engine: Mapping[str, Any],
    crosswalk: Mapping[str, Any] | None,
) -> dict[str, str]:
    """The terms as names and hashes, without values."""
    head = "" if crosswalk is None else str(crosswalk.get("audit_head", ""))
    read = job.read
    options = [
        *(read.delimiter, read.text_column, read.id_column, read.group_by, read.order_by),
        *(read.pdf, read.rtf),
        repr(None if read.layout is None else read.layout.places),
        *(job.strict_columns, job.strict, job.patient_key, job.diff is None),
        job.names_map is None,
        *([] if job.since is None else [_manifest_sha256(job.since)]),
        *(FileAccount.of(path, 0).sha256 for path in _learned_lists(job)),
    ]
    return {
        "format": _FORMAT,
        "policy": job.policy.sha256,
        "engine": _terms_digest(dict(engine)),
        "known": _terms_digest(_known_hashes(job)),
        "crosswalk": head.partition(".")[0],
        "reference_date": job.reference_date.isoformat(),
        "options": _terms_digest(options),
        "names": _terms_digest([unit.relative for unit in units]),
        "inputs": json.dumps([hashes[unit.path].account.sha256 for unit in units]),
    }


def _manifest_sha256(release: Path) -> str:
    path = release / RELEASE_FOLDER / MANIFEST
    return FileAccount.of(path, 0).sha256 if path.is_file() else ""


def _learned_lists(job: Job) -> list[Path]:
    return [] if job.learned is None else sorted(job.learned.glob("*.csv"))


def _known_hashes(job: Job) -> list[str]:
    """The hash of every file that defines the patients."""
    hashes = []
    for number, path in enumerate(job.known, 1):
        with without_path(number, path):
            tables = known_tables(path, job.patient_key)
            hashes += [FileAccount.of(p, 0).sha256 for p in (path, *(t.path for t in tables))]
    return hashes


def refuse_changes(began: Mapping[str, str], terms: Mapping[str, str]) -> None:
    """Refuse to resume a job if its terms have changed; report the first change.

    Raises:
        DeidError: `resume-...-changed`, `resume-input-changed`.
    """
    hint = "restore what the interrupted run used, or delete its folder next to OUT and start over"
    for what, code, message in _CHANGED:
        if began.get(what) != terms[what]:
            raise DeidError(code, message, hint=hint)
    before, now = json.loads(began["inputs"]), json.loads(terms["inputs"])
    for number, pair in enumerate(zip(before, now, strict=True), 1):
        if pair[0] != pair[1]:
            raise DeidError(
                "resume-input-changed",
                "an input has changed since the job began",
                place=f"file {number}",
                hint=hint,
            )


def done_already(job: Job) -> dict[str, Any] | None:
    """Return the manifest in OUT if OUT is the finished release of these inputs and this policy."""
    if job_folder_path(job.out).exists() or not (job.out / RELEASE_FOLDER / MANIFEST).is_file():
        return None
    units = list_inputs(job.inputs, job.read)
    hashes = hash_inputs(units)
    try:
        manifest = read_manifest(job.out)
        before = [manifest["inputs"][str(unit.ordinal)]["sha256"] for unit in units]
        same = before == [hashes[unit.path].account.sha256 for unit in units]
        same = same and len(manifest["inputs"]) == len(units)
        return manifest if same and manifest["policy_sha256"] == job.policy.sha256 else None
    except (ValueError, KeyError, TypeError):
        return None


def refuse_changed_while_read(
    hashes: Mapping[Path, HashedInput], units: Sequence[InputTable]
) -> None:
    """Refuse inputs that changed while they were read.

    Raises:
        DeidError: `input-changed`.
    """
    ordinals = {unit.path: unit.ordinal for unit in reversed(units)}
    for path, hashed in hashes.items():
        if not _is_same(path, hashed):
            raise DeidError(
                "input-changed",
                "an input changed while the job ran; nothing was released",
                place=f"file {ordinals[path]}",
                hint="run the job again when no program writes to its inputs",
            )


def _is_same(path: Path, hashed: HashedInput) -> bool:
    try:
        touched = path.stat().st_mtime_ns != hashed.written
        return not touched or FileAccount.of(path, 0) == hashed.account
    except OSError:
        return False


def _terms_digest(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
