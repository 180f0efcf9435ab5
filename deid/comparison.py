"""A release against its own account: is it what the job wrote, and may it leave?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.errors import UNREADABLE, DeidError
from deid.manifest import released_sha256
from deid.sealing import FOLDER


@dataclass(frozen=True, slots=True)
class Compared:
    """What differs. `altered` are ordinals of the manifest, `unlisted` paths that it does not know;
    `faults` are sentences of the account itself."""

    altered: tuple[int, ...] = ()
    unlisted: frozenset[Path] = frozenset()
    faults: tuple[str, ...] = ()


def compare(root: Path) -> Compared:
    """A folder that is no release has no account, and nothing differs from it.

    Raises:
        DeidError: `manifest-broken`.
    """
    folder = root / FOLDER
    if not folder.is_dir():
        return Compared()
    if not (folder / "manifest.json").is_file():
        return Compared(faults=("the manifest is missing",))
    manifest = _read(folder / "manifest.json")
    outputs = {int(n): str(output["sha256"]) for n, output in manifest["outputs"].items()}
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    released = [path for path in files if path.relative_to(root).parts[0] != FOLDER]
    hashes = {path: _sha256(path) for path in released}
    there, told = set(hashes.values()), set(outputs.values())
    return Compared(
        tuple(n for n, sha256 in outputs.items() if sha256 not in there),
        frozenset(path for path, sha256 in hashes.items() if sha256 not in told),
        tuple(_faults(folder, manifest, list(outputs.values()))),
    )


def _faults(folder: Path, manifest: Mapping[str, Any], outputs: list[str]) -> list[str]:
    faults = []
    if manifest["released_sha256"] != released_sha256(outputs):
        faults.append("the manifest was changed: its outputs do not come to its released_sha256")
    evidence = folder / "evidence.html"
    page = evidence.read_text("utf-8", "replace") if evidence.is_file() else ""
    if str(manifest["released_sha256"]) not in page:
        faults.append("evidence.html is missing, or tells of another release")
    if manifest["supported"] == "none":
        faults.append("the release is on hold: its verdict is none")
    return faults


def _read(path: Path) -> Mapping[str, Any]:
    """The manifest, if it is one."""
    try:
        manifest = json.loads(path.read_text("utf-8"))
        if all(output["sha256"] and int(n) for n, output in manifest["outputs"].items()):
            told = {key: manifest[key] for key in ("outputs", "released_sha256")}
            return told | {"supported": manifest["verdict"]["supported"]}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        pass
    raise DeidError(
        "manifest-broken",
        "the manifest cannot be read as one",
        exit_code=UNREADABLE,
        hint="take it from the release as it was written",
    ) from None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
