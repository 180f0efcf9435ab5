"""The hashes of the model and the word lists that a search uses, for the release evidence."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_MADE = (".py", ".pyc")


@cache
def provenance() -> dict[str, str]:
    """SHA-256 of the model's manifest and of each word list's folder, by name."""
    found = {}
    manifest = _HERE / "models" / "manifest.json"
    found["model"] = _sha256([manifest]) if manifest.exists() else "absent"
    for folder in sorted(path for path in (_HERE / "words").iterdir() if path.is_dir()):
        files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in _MADE)
        if files:
            found[f"words/{folder.name}"] = _sha256(files)
    return found


def _sha256(files: list[Path]) -> str:
    """The SHA-256 of the files' names and contents, in the order given."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
