"""A finished release put into an object store: its manifest last.

A store moves no folder in one step. While a release is written, an object beside its prefix says
so; the prefix is a release once it has `_release/manifest.json`, which is written when every other
object is in place with its size.
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
    """Refuse a prefix that holds anything, but for what a killed job left there.

    Raises:
        DeidError: `out-exists`; what the store says.
    """
    if store.objects() and not (resume and (_unfinished(store) or is_published(store))):
        raise _out_exists()


def _out_exists() -> DeidError:
    return DeidError(
        "out-exists",
        "OUT exists and is not empty",
        hint="name a new prefix; --resume goes on where a job for this OUT was killed",
    )


def is_published(store: ObjectStore) -> bool:
    """Does the prefix hold a whole release?"""
    return bool(store.read(LAST))


def publish(tree: Path, store: ObjectStore, last: str = LAST) -> None:
    """Write the files of a folder below the prefix, `last` at the end; repeat it after a kill.

    Raises:
        DeidError: `out-exists`; `out-in-use`, if another job wrote there meanwhile;
            `store-not-written`, and what else the store says.
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
            "out-in-use", "another job wrote to this OUT", hint="delete what it holds; scrub again"
        )
    store.write(last, files[last])
    _forget(store)


def _marker(store: ObjectStore) -> tuple[ObjectStore, str]:
    """Where the object beside the prefix lies that says a release is being written."""
    above, _, name = store.address.prefix.rpartition("/")
    return replace(store, address=replace(store.address, prefix=above)), f".{name}.deid-unfinished"


def _unfinished(store: ObjectStore) -> bytes:
    beside, name = _marker(store)
    return beside.read(name)


def _forget(store: ObjectStore) -> None:
    beside, name = _marker(store)
    if beside.read(name):
        beside.delete(name)
