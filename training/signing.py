"""The manifest of a folder of models, with the hash of each file that it signs.

    .venv/bin/python -m training.signing

Signs the table of constants of the shipped model again, after a change that is meant.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from recognizers.constants import CONSTANTS
from recognizers.model.network import MANIFEST, SHIPPED


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest, or {} if there is none yet."""
    path = folder / MANIFEST
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write_signed(folder: Path, manifest: dict[str, Any], names: Iterable[str]) -> None:
    """Write the manifest with the SHA-256 of these files, and keep the hashes it already has."""
    for name in names:
        manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    write_signed(SHIPPED, read_manifest(SHIPPED), [CONSTANTS.name])
