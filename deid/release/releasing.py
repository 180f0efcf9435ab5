"""The last step of a job: hold the whole release, or move the whole release to OUT."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import HELD, QUARANTINED, unreadable
from deid.release.manifest import Account
from deid.release.sealing import RELEASE_FOLDER, manifest_bytes, sealed_with_evidence


@dataclass(frozen=True, slots=True)
class Release:
    """The result of a job. If the release was held, `out` is None and OUT was not written."""

    account: Account = field(repr=False)
    out: Path | None = field(repr=False)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The content of `manifest.json`."""
        return sealed_with_evidence(self.account.as_json())[0]

    @property
    def exit_code(self) -> int:
        """0 done, 3 held, 4 done with records quarantined."""
        if self.out is None:
            return HELD
        return QUARANTINED if self.account.tally.quarantined else 0


def hold_or_write(
    account: Account, staging: Path, out: Path, note: Callable[[str], None]
) -> Release:
    """Move the staging folder to OUT; if the release is held, leave the folder to be deleted.

    `note` is called with the hash of the manifest before the move.
    """
    if account.held:
        return Release(account, None)
    folder = staging / RELEASE_FOLDER
    sealed, page = sealed_with_evidence(account.as_json())
    manifest = manifest_bytes(sealed)
    _write_synced(folder / "manifest.json", manifest)
    _write_synced(folder / "evidence.html", page)
    note(hashlib.sha256(manifest).hexdigest())
    try:
        if out.exists():
            out.rmdir()
        staging.rename(out)
        out.chmod(0o755)
    except OSError:
        raise unreadable(
            "out-not-written",
            "the finished release could not be moved to OUT",
            hint="check whether a program has OUT open, or OUT lies on another file system",
        ) from None
    return Release(account, out)


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
