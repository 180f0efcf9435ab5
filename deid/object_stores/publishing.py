"""Write a finished release to an object store, its manifest last.

A store cannot move a folder in one step. While a release is written, a marker object lies beside
its prefix. The prefix is a release once it has `_release/manifest.json`, which is written after
every other object is in place with its expected size.
"""

from __future__ import annotations

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from deid.errors import DeidError
from deid.object_stores.fetching import OBJECTS_AT_ONCE
from deid.object_stores.object_store import ObjectStore

LAST = "_release/manifest.json"


def refuse_taken(store: ObjectStore, *, resume: bool) -> None:
    """Refuse a prefix that holds objects, except those of a killed job that is resumed.

    Raises:
        DeidError: `out-exists`, and errors of the store.
    """
    if store.objects() and not (resume and (_unfinished(store) or is_published(store))):
        raise _out_exists()


def _out_exists() -> DeidError:
    return DeidError(
        "out-exists",
        "OUT exists and is not empty",
        hint="name a new prefix; --resume continues a killed job for this OUT",
    )


def is_published(store: ObjectStore) -> bool:
    """Whether the prefix holds a complete release."""
    return bool(store.read(LAST))


def publish(tree: Path, store: ObjectStore, last: str = LAST) -> None:
    """Write the files of a folder below the prefix, `last` at the end.

    If the job was killed meanwhile, call it again.

    Raises:
        DeidError: `out-exists`; `out-in-use`, if another job wrote there meanwhile;
            `store-not-written`, and other errors of the store.
    """
    files = {p.relative_to(tree).as_posix(): p for p in sorted(tree.rglob("*")) if p.is_file()}
    if is_whole := store.read(last):
        if is_whole != files[last].read_bytes():
            raise _out_exists()
        _forget(store)
        return
    there = {one.relative for one in store.objects()}
    if there and not (_unfinished(store) and there <= set(files)):
        raise _out_exists()
    token = json.dumps({"unfinished": secrets.token_hex(16)}).encode()
    beside, marker = _marker(store)
    beside.write(marker, token)
    with ThreadPoolExecutor(OBJECTS_AT_ONCE) as pool:
        list(pool.map(lambda name: store.write(name, files[name]), set(files) - {last}))
    sizes = {name: path.stat().st_size for name, path in files.items() if name != last}
    if {one.relative: one.size for one in store.objects()} != sizes or _unfinished(store) != token:
        raise DeidError(
            "out-in-use",
            "another job wrote to this OUT",
            hint="delete the objects below OUT, then scrub again",
        )
    store.write(last, files[last])
    _forget(store)


def _marker(store: ObjectStore) -> tuple[ObjectStore, str]:
    """The place and name of the marker object, which says that a release is being written."""
    above, _, name = store.address.prefix.rpartition("/")
    return replace(store, address=replace(store.address, prefix=above)), f".{name}.deid-unfinished"


def _unfinished(store: ObjectStore) -> bytes:
    beside, name = _marker(store)
    return beside.read(name)


def _forget(store: ObjectStore) -> None:
    beside, name = _marker(store)
    if beside.read(name):
        beside.delete(name)
