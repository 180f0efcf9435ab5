"""Backups of a crosswalk: sealed like the crosswalk and written completely or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
from dataclasses import replace
from pathlib import Path

from deid.crosswalk.audit import anchor
from deid.crosswalk.audit.verification import NOTE, verify
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.keys.master_keys import MasterKey
from deid.crosswalk.store_address import store_at
from deid.crosswalk.stores.sql_store import ROWS_PER_STATEMENT, Store, chunks
from deid.crosswalk.stores.sqlite_store import Sqlite
from deid.crosswalk.trouble import crosswalk_error

_PARTIAL_SUFFIX = ".part"


def back_up(book: Crosswalk, target: Path) -> int:
    """Copy the book, from either kind of store, to one SQLite file; return its generation.

    The file gets its name only when it is complete and on disk.

    Raises:
        CrosswalkError: the file exists already or cannot be written.
    """
    if target.exists():
        raise crosswalk_error("crosswalk-exists", str(target))
    with book.writing() as batch:
        batch.record_event("export", change=False, form="backup")
    _remove_partial(target)
    part = target.with_name(f"{target.name}.{os.getpid()}{_PARTIAL_SUFFIX}")
    try:
        generation = _copy_store(book.store, Sqlite(part))
        _flush(part)
        os.link(part, target)
    except FileExistsError:
        raise crosswalk_error("crosswalk-exists", str(target)) from None
    except OSError:
        raise crosswalk_error("crosswalk-unreachable", str(target)) from None
    finally:
        _remove_partial(target)
    anchor.write(book.master, book.head(), str(target.resolve()))
    return generation


def restore_backup(
    backup: Path,
    place: str | Path,
    master: MasterKey,
    *,
    accept_older: bool = False,
    drill: bool = False,
) -> Crosswalk:
    """Create a crosswalk at `place` from an intact backup.

    The copy gets its own name, so the original stays in use; its audit names the original. A
    `drill` accepts an older backup, and its copy issues no new codes.

    Raises:
        CrosswalkError: `backup-damaged`; `crosswalk-rolled-back` if a later generation was seen
        with this key and neither `accept_older` nor `drill` is set: values coded since the backup
        would get different codes.
    """
    if not backup.exists():
        raise crosswalk_error("no-backup", str(backup))
    with Crosswalk.open(backup, master, inspect=True) as source:
        origin = source.head()
        _refuse_faults(source, older=accept_older or drill)
        _copy_store(source.store, store_at(place))
    book = Crosswalk.open(place, master, accept_older=True)
    with book.writing() as batch:
        kind = anchor.DRILL if drill else anchor.RESTORED
        name = f"{anchor.original_book(origin.book)}-{kind}{secrets.token_hex(8)}"
        batch.state = replace(batch.state, head=replace(batch.state.head, book=name))
        told = {"head": str(origin), "drill": drill, "accepted_older": accept_older}
        batch.record_event("restore", change=True, **told)
    if not drill:
        anchor.create_if_missing(master, name)
        book.note(afresh=accept_older)
    return book


def _refuse_faults(source: Crosswalk, *, older: bool) -> None:
    faults = verify(source)
    damages = [fault for fault in faults if fault.place != NOTE]
    if damages:
        raise crosswalk_error("backup-damaged", source.store.where, faults=len(damages))
    if not older:
        name = source.head().book
        with source.store.reading():
            anchor.read(source.master, name).check_head(source.store, source.head())


def _copy_store(source: Store, target: Store) -> int:
    try:
        with source.reading(), target.creating():
            state = source.state()
            target.set_state(state)
            target.set_keys(source.wrapped_keys())
            for links in chunks(source.links(), ROWS_PER_STATEMENT):
                target.append(links)
            for entries in chunks(source.entries(), ROWS_PER_STATEMENT):
                target.add(entries)
        target.settle()
        return state.head.generation
    finally:
        target.close()


def _remove_partial(target: Path) -> None:
    """Remove what an interrupted backup left."""
    for left in target.parent.glob(f"{glob.escape(target.name)}.*{_PARTIAL_SUFFIX}*"):
        with contextlib.suppress(OSError):
            left.unlink()


def _flush(path: Path) -> None:
    for name in (path, path.parent):
        handle = os.open(name, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
