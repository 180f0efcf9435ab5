"""The last head seen with a key, kept beside the key and apart from the store.

A store rolled back to an older copy of itself is whole in every row; only something that is not in
it can tell.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from deid.audit import Head
from deid.crosswalk.store import Store
from deid.keys import MasterKey


def read(master: MasterKey) -> dict[str, Head]:
    """The heads noted, by book. Read them before the store: a note is made after a write is done,
    so that a store read later holds all that was noted.
    """
    found = {}
    for book, line in _lines(master.anchor).items():
        with contextlib.suppress(ValueError):
            found[book] = Head.parse(line)
    return found


def write(master: MasterKey, head: Head, *, older: bool = False) -> None:
    """Note a head, unless a later one is noted; `older` says that an older one was accepted.

    A folder that cannot be written keeps no note: the manifests of releases still carry heads.
    """
    path = master.anchor
    seen = read(master).get(head.book)
    if path is None or (seen is not None and not older and seen.sequence >= head.sequence):
        return
    lines = _lines(path) | {head.book: str(head)}
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with contextlib.suppress(OSError):
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(json.dumps(lines, indent=1) + "\n")
        part.replace(path)


def follows(store: Store, head: Head, seen: Head) -> bool:
    """Whether a book's history still holds the head seen before."""
    if seen.book != head.book:
        return False
    if seen.sequence > head.sequence or seen.generation > head.generation:
        return False
    return seen.sequence == 0 or store.link_hash(seen.sequence) == seen.hash


def _lines(path: Path | None) -> dict[str, str]:
    try:
        lines = json.loads(path.read_text("ascii")) if path else {}
    except (OSError, ValueError):
        return {}
    return lines if isinstance(lines, dict) else {}
