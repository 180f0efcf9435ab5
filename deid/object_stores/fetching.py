"""Copy objects to a private folder: a job reads its inputs several times, and objects may change.

The names of objects are untrusted. A name that points outside the folder, or that no file can have,
is replaced by a number.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from deid.errors import UNREADABLE, DeidError
from deid.object_stores.object_store import ObjectStore, StoredObject
from deid.object_stores.store_address import StoreAddress

OBJECTS_AT_ONCE = 8
_LONGEST_FILE_NAME = 200
_PLAIN_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,9}")
_NO_CONTENT = b"\0"


def fetch(address: StoreAddress, folder: Path, place: str) -> Path:
    """Copy the object, or all objects below the prefix, to files in the new `folder`.

    Hidden objects are left out, like hidden files. If the store lists an object that cannot be
    requested by name (`a//b`), the object becomes an unreadable file, so that the job counts it.

    Raises:
        DeidError: `store-unreachable`, `store-unreadable`; `input-missing`; `input-changed`, if an
            object was replaced while it was copied.
        OSError: the disk is full.
    """
    store = ObjectStore.at(address, place)
    folder.mkdir(mode=0o700)
    if store.is_object():
        target = folder / safe_path(address.name, 1, set())
        store.read_into("", target)
        return target
    found = [one for one in store.objects() if not _is_hidden(one.relative)]
    if not found:
        raise DeidError(
            "input-missing",
            "there is no object at this URL",
            place=place,
            hint="check the URL, and the right to list",
            exit_code=UNREADABLE,
        )
    taken: set[str] = set()
    targets = [folder / safe_path(one.relative, n, taken) for n, one in enumerate(found, 1)]
    for target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(OBJECTS_AT_ONCE) as pool:
        list(pool.map(lambda pair: _fetch_one(store, *pair), zip(found, targets, strict=True)))
    return folder


def _fetch_one(store: ObjectStore, one: StoredObject, target: Path) -> None:
    if not _can_be_asked_for(one.relative):
        target.write_bytes(_NO_CONTENT)
        return
    store.read_into(one.relative, target)
    if target.stat().st_size != one.size:
        raise DeidError(
            "input-changed",
            "an object changed while it was read",
            place=store.place,
            hint="run the job again when no program writes to its inputs",
        )


def _is_hidden(relative: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in relative.split("/"))


def _can_be_asked_for(relative: str) -> bool:
    """Whether Arrow can request this name: it refuses names with empty parts and resolves dots."""
    return not {"", ".", ".."} & set(relative.split("/"))


def safe_path(relative: str, number: int, taken: set[str]) -> str:
    """A path below the folder for an object; `taken` holds the paths of earlier objects.

    In a store, `a` and `a/b` can both be objects; on a disk, `a` is either a file or a folder.
    """
    parts = relative.split("/")
    above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
    fits = _can_be_asked_for(relative) and all(
        "\0" not in part and len(part.encode("utf-8", "surrogateescape")) <= _LONGEST_FILE_NAME
        for part in parts
    )
    if not fits or above & taken or relative in taken or f"{relative}/" in taken:
        suffix = PurePosixPath(parts[-1]).suffix
        name = f"object_{number}"
        while name in taken or f"{name}/" in taken:
            name += "_"
        relative = name + (suffix if _PLAIN_SUFFIX.fullmatch(suffix) else "")
        above = set()
    taken |= {relative, *(f"{folder}/" for folder in above)}
    return relative
