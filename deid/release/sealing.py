"""Tie the documents of a release to each other and to its files, so that an edit is noticed.

The manifest holds the hash of every other document, of every released file with its path, and of
itself. Hashes are not a signature: they do not reveal a person who rewrites all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deid.release.manifest import FileAccount
from deid.reports.evidence import evidence_page

RELEASE_FOLDER = "_release"
MANIFEST, EVIDENCE = "manifest.json", "evidence.html"
WRITTEN_DOCUMENTS = ("changes.jsonl", "quarantine.jsonl")
"""The documents that are written before the manifest."""
SEAL = "manifest_sha256"


def sealed_with_evidence(manifest_content: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The manifest with its hashes, and the bytes of `evidence.html`, made from the manifest."""
    page = evidence_page(manifest_content).encode()
    account = FileAccount(hashlib.sha256(page).hexdigest(), len(page), 0)
    files = {**manifest_content["release_files"], EVIDENCE: account.as_json()}
    whole = {k: v for k, v in manifest_content.items() if k != SEAL} | {"release_files": files}
    return whole | {SEAL: seal_of(whole)}, page


def seal_of(manifest: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of a manifest without its seal."""
    manifest_content = {key: value for key, value in manifest.items() if key != SEAL}
    text = json.dumps(manifest_content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The manifest as it is written to disk."""
    return (json.dumps(manifest, indent=2) + "\n").encode()


def read_manifest(out: Path) -> dict[str, Any]:
    """The manifest of the release in OUT.

    Raises:
        OSError, ValueError: there is no manifest, or it cannot be read.
    """
    content: dict[str, Any] = json.loads((out / RELEASE_FOLDER / MANIFEST).read_text("utf-8"))
    return content


def files_of_release(out: Path) -> list[Path]:
    """The released files in order, without the documents of the release."""
    files = (path for path in out.rglob("*") if path.is_file())
    return sorted(path for path in files if path.relative_to(out).parts[0] != RELEASE_FOLDER)


def written_documents(out: Path) -> dict[str, FileAccount]:
    """The documents written before the manifest, with their line counts."""
    accounts = {}
    for name in WRITTEN_DOCUMENTS:
        path = out / RELEASE_FOLDER / name
        with path.open("rb") as file:
            lines = sum(1 for _ in file)
        accounts[name] = FileAccount.of(path, lines)
    return accounts


def tree_sha256(files: Mapping[str, str]) -> str:
    """Return the SHA-256 of a list with a line (hash and path) for each released file, by path."""
    lines = (f"{sha256}  {path}\n" for path, sha256 in sorted(files.items()))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
