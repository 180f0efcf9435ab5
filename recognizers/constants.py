"""The numbers that decide, from `models/constants.csv`, and the hashes of all that decides.

Code that decides holds no strength, weight or threshold of its own. The manifest of the model has
the hash of the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

CONSTANTS = WORDS.parent / "models" / "constants.csv"


@cache
def constant_group(group: str) -> Mapping[str, float]:
    """The numbers of a group by their names; raises KeyError if there is no such group."""
    rows = [row for row in csv_rows(CONSTANTS) if row["group"] == group]
    if not rows:
        raise KeyError(group)
    return MappingProxyType({row["name"]: float(row["value"]) for row in rows})


def constant(group: str, name: str) -> float:
    """One number; raises KeyError if the group has no such number."""
    return constant_group(group)[name]


@cache
def provenance() -> dict[str, str]:
    """SHA-256 of the model's manifest and of each folder of word lists, for the evidence."""
    found = {}
    manifest = CONSTANTS.with_name("manifest.json")
    found["model"] = _sha256([manifest]) if manifest.exists() else "absent"
    for folder in sorted(path for path in WORDS.iterdir() if path.is_dir()):
        files = sorted(
            p for p in folder.rglob("*") if p.is_file() and p.suffix not in {".py", ".pyc"}
        )
        if files:
            found[f"words/{folder.name}"] = _sha256(files)
    return found


def _sha256(files: list[Path]) -> str:
    """The SHA-256 of the files' names and contents, in the order given."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
