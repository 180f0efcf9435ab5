"""Compare a release with its manifest: whether it is what the job wrote and may be shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from deid.errors import unreadable
from deid.release.manifest import FileAccount, released_sha256
from deid.release.recount import differing_counts
from deid.release.sealing import (
    EVIDENCE,
    MANIFEST,
    RELEASE_FOLDER,
    SEAL,
    WRITTEN_DOCUMENTS,
    files_of_release,
    read_manifest,
    seal_of,
    tree_sha256,
)
from deid.reports.evidence import evidence_page
from deid.reports.states import HELD_STATE, status

DOCUMENTS = frozenset({MANIFEST, EVIDENCE, *WRITTEN_DOCUMENTS})


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One difference from what the job wrote: a code, and a sentence without a value."""

    code: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.sentence} [{self.code}]"


@dataclass(frozen=True, slots=True)
class AccountComparison:
    """The differences between a release and its manifest.

    `altered` are ordinals of changed outputs; `unlisted` are unknown paths. `vouched` are the
    released files that match the hashes in an unedited manifest.
    """

    altered: tuple[int, ...] = ()
    unlisted: frozenset[Path] = frozenset()
    faults: tuple[Discrepancy, ...] = ()
    vouched: frozenset[Path] = field(default=frozenset(), repr=False)


def compare_account(root: Path) -> AccountComparison:
    """Compare the files under `root` with the manifest; without a manifest there are no
    differences.

    Raises:
        DeidError: `manifest-broken`.
    """
    folder = root / RELEASE_FOLDER
    if not folder.is_dir():
        return AccountComparison()
    if not (folder / MANIFEST).is_file():
        return AccountComparison(
            faults=(Discrepancy("manifest-missing", "the manifest is missing"),)
        )
    manifest = _sound_manifest(root)
    outputs = {int(n): str(output["sha256"]) for n, output in manifest["outputs"].items()}
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    released = files_of_release(root)
    hashes = {path: FileAccount.of(path, 0).sha256 for path in released}
    on_disk, listed = set(hashes.values()), set(outputs.values())
    own = {path for path in files if path.parent == folder and path.name in DOCUMENTS}
    unlisted = {path for path, sha256 in hashes.items() if sha256 not in listed}
    faults = tuple(_find_discrepancies(root, manifest, hashes))
    return AccountComparison(
        tuple(n for n, sha256 in outputs.items() if sha256 not in on_disk),
        frozenset(unlisted | (set(files) - set(released) - own)),
        faults,
        frozenset(() if faults else set(released) - unlisted),
    )


def _find_discrepancies(
    root: Path, manifest: Mapping[str, Any], hashes: Mapping[Path, str]
) -> Iterator[Discrepancy]:
    if manifest.get(SEAL) != seal_of(manifest):
        yield Discrepancy("manifest-altered", "the manifest was edited after it was written")
    outputs = manifest["outputs"].values()
    if manifest["released_sha256"] != released_sha256([o["sha256"] for o in outputs]):
        yield Discrepancy(
            "manifest-altered",
            "the manifest was changed: its outputs do not match its released_sha256",
        )
    yield from _check_documents(root / RELEASE_FOLDER, manifest)
    yield from _tree(root, manifest, hashes)
    try:
        counts = list(differing_counts(root, manifest))
        held = manifest["verdict"]["supported"] == "none" or status(manifest) == HELD_STATE
        agrees = manifest["verdict"]["status"] == status(manifest)
    except (KeyError, TypeError, AttributeError, ValueError):
        yield Discrepancy("manifest-altered", "the manifest lacks a required part")
        return
    for what in counts:
        yield Discrepancy("counts-altered", f"{what} does not match the release")
    if not agrees:
        yield Discrepancy("manifest-altered", "the manifest's status does not match its contents")
    if held:
        yield Discrepancy("on-hold", "the release is on hold and must not be shared")


def _check_documents(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Check each document against its hash. Rebuild the evidence page if this version made it."""
    files = manifest.get("release_files")
    accounts = files if isinstance(files, dict) else {}
    for name in (EVIDENCE, *WRITTEN_DOCUMENTS):
        path, code = folder / name, f"{name.partition('.')[0]}-altered"
        account = accounts.get(name)
        if not path.is_file():
            yield Discrepancy(code.replace("altered", "missing"), f"{name} is missing")
        elif (
            not isinstance(account, dict) or account.get("sha256") != FileAccount.of(path, 0).sha256
        ):
            yield Discrepancy(code, f"{name} differs from what the job wrote")
        elif name == EVIDENCE and not _matches_manifest(path, manifest):
            yield Discrepancy(code, f"{name} does not match the manifest")


def _matches_manifest(page: Path, manifest: Mapping[str, Any]) -> bool:
    if manifest.get("version") not in (None, version("safe-harbor-deid")):
        return True
    try:
        return evidence_page(manifest).encode() == page.read_bytes()
    except Exception:  # no page can be made from this manifest, so the page does not match it
        return False


def _tree(
    root: Path, manifest: Mapping[str, Any], hashes: Mapping[Path, str]
) -> Iterator[Discrepancy]:
    """Report moved, copied or removed files, and folders without a file."""
    on_disk = {path.relative_to(root).as_posix(): sha256 for path, sha256 in hashes.items()}
    listed = Counter(output["sha256"] for output in manifest["outputs"].values())
    if manifest.get("released_tree_sha256") != tree_sha256(on_disk) and set(listed) == set(
        hashes.values()
    ):
        yield Discrepancy("files-moved", "released files were renamed, moved, copied or removed")
    filled = {parent for path in root.rglob("*") if not path.is_dir() for parent in path.parents}
    if any(path.is_dir() and path not in filled for path in root.rglob("*")):
        yield Discrepancy("folders-added", "OUT has folders that hold no file of the job")


def _sound_manifest(root: Path) -> Mapping[str, Any]:
    """Read the manifest; refuse a file that is not a manifest."""
    try:
        manifest = read_manifest(root)
        if all(output["sha256"] and int(n) for n, output in manifest["outputs"].items()):
            _ = manifest["released_sha256"], manifest["verdict"]["supported"]
            return manifest
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        pass
    raise unreadable(
        "manifest-broken",
        "the manifest cannot be read",
        hint="restore it from a copy of the release",
    ) from None
