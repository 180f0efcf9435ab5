"""Rotates the keys of a crosswalk, or destroys them. Codes never change."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace

from deid.crosswalk.audit import anchor
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.keys.keyring import DATA, INDEX, Keyring, lookup_message, wrap_keys, wrapping
from deid.crosswalk.keys.master_keys import MasterKey
from deid.crosswalk.keys.vault import KEY_BYTES, SealError
from deid.crosswalk.stores.stored_rows import DESTROYED, Entry
from deid.crosswalk.trouble import crosswalk_error
from deid.crosswalk.write_batch import WriteBatch


def rotate(
    book: Crosswalk,
    *,
    data: bool = True,
    index: bool = True,
    master: MasterKey | None = None,
) -> None:
    """Draw new data and index keys; wrap all keys with a new master key if one is given.

    One transaction: if the process is killed, the old keys and rows remain. Rows are sealed and
    indexed again, so the old keys open nothing in the new store.
    """
    if master is not None:
        anchor.create_if_missing(master, book.head().book)
    book.prove_complete()
    with book.writing() as batch:
        old = book.keyring
        keys = _secrets(book)
        if data:
            keys = {key: value for key, value in keys.items() if key[0] != DATA}
            keys[DATA, old.number + 1] = secrets.token_bytes(KEY_BYTES)
        if index:
            last = max(number for purpose, number in keys if purpose == INDEX)
            del keys[INDEX, last]
            keys[INDEX, last + 1] = secrets.token_bytes(KEY_BYTES)
        new = Keyring(old.book, old.epoch + 1, keys)
        if data or index:
            _reseal(book, batch, old, new)
        holder = master or book.master
        book.store.set_keys(wrap_keys(old.book, keys, holder))
        batch.state = replace(batch.state, epoch=new.epoch, key_name=holder.name)
        batch.record_event("rotate", change=True, data=data, index=index, master=master is not None)
    book.adopt_keys(new, holder)
    book.store.settle()
    book.note()


def destroy(book: Crosswalk) -> None:
    """Destroy the keys. Nobody, including the owner, can read a value of this book again.

    Backups still open with the master key; destroy it too if backups must become unreadable.
    """
    with book.writing() as batch:
        blank = [key._replace(wrapped=bytes(len(key.wrapped))) for key in book.store.wrapped_keys()]
        book.store.set_keys(blank)
        book.store.set_keys([])
        batch.state = replace(batch.state, status=DESTROYED)
        batch.record_event("destroy", change=True)
    book.note()
    book.store.settle()
    book.forget()


def _secrets(book: Crosswalk) -> dict[tuple[str, int], bytes]:
    return {
        (key.purpose, key.number): book.master.unwrap(key.wrapped, wrapping(book.keyring.book, key))
        for key in book.store.wrapped_keys()
    }


def _reseal(book: Crosswalk, batch: WriteBatch, old: Keyring, new: Keyring) -> None:
    batch.weight = 0

    def renewed(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            row, weight = _renew(entry, old, new)
            batch.weight += weight
            yield row

    try:
        book.store.rewrite(renewed(book.store.entries()))
    except (SealError, KeyError):
        raise crosswalk_error("crosswalk-altered", book.store.where, what="a row") from None


def _renew(entry: Entry, old: Keyring, new: Keyring) -> tuple[Entry, int]:
    written = old.open_written(entry)
    subject = lookup_message(entry.kind, written.owner, written.form)
    if entry.mark is None:
        text = old.open_text(entry.kind, entry.place, entry.token)
        return new.seal_text(entry.kind, subject, written, text)
    code = old.open_codes([(entry.place, old.index.find(subject)[1], entry.token)])[0]
    return new.seal_code(entry.kind, new.index.find(subject), new.mark(code), written, code)
