"""The end of a job: judged, and either held back whole or moved to OUT whole."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import HELD, QUARANTINED, UNREADABLE, DeidError
from deid.release.manifest import Account
from deid.release.sealing import FOLDER, manifest_bytes, sealed_with_evidence


@dataclass(frozen=True, slots=True)
class Release:
    """What became of a job. `out` is None if it was held; nothing is on disk then."""

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
    """Move the staging folder to OUT if nothing holds it; otherwise leave it to be deleted.

    `note` is told the hash of the manifest before the move.
    """
    if account.held:
        return Release(account, None)
    folder = staging / FOLDER
    sealed, page = sealed_with_evidence(account.as_json())
    manifest = manifest_bytes(sealed)
    _write(folder / "manifest.json", manifest)
    _write(folder / "evidence.html", page)
    note(hashlib.sha256(manifest).hexdigest())
    try:
        if out.exists():
            out.rmdir()
        staging.rename(out)
        out.chmod(0o755)
    except OSError:
        raise DeidError(
            "out-not-written",
            "OUT could not be put in place",
            hint="is it open, or on another file system?",
            exit_code=UNREADABLE,
        ) from None
    return Release(account, out)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
