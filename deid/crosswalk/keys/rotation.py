"""New keys for an old book, and the end of one. Codes never change."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace

from deid.crosswalk.audit import anchor
from deid.crosswalk.book import Crosswalk
from deid.crosswalk.keys.keyring import DATA, INDEX, Keyring, lookup_message, wrap_keys, wrapping
from deid.crosswalk.keys.master_keys import MasterKey
from deid.crosswalk.keys.vault import KEY_BYTES, RandomBytes, SealError
from deid.crosswalk.stores.contract import DESTROYED, Entry
from deid.crosswalk.trouble import altered
from deid.crosswalk.write_batch import WriteBatch


def rotate(
    book: Crosswalk,
    *,
    data: bool = True,
    index: bool = True,
    master: MasterKey | None = None,
    chance: RandomBytes = secrets.token_bytes,
) -> None:
    """Draw new data and index keys, and lock all keys with a new master key if one is given.

    One transaction: a process killed in it leaves the old keys and every row as they were. Rows are
    sealed and indexed anew, so a copy of the old keys opens nothing of the new store.
    """
    if master is not None:
        anchor.create_if_missing(master, book.head().book)
    book.prove_complete()
    with book.writing() as page:
        old = book.ring
        keys = _secrets(book)
        if data:
            keys = {key: value for key, value in keys.items() if key[0] != DATA}
            keys[DATA, old.number + 1] = chance(KEY_BYTES)
        if index:
            last = max(number for purpose, number in keys if purpose == INDEX)
            del keys[INDEX, last]
            keys[INDEX, last + 1] = chance(KEY_BYTES)
        new = Keyring(old.book, old.epoch + 1, keys)
        if data or index:
            _reseal(book, page, old, new)
        holder = master or book.master
        book.store.set_keys(wrap_keys(old.book, keys, holder))
        page.state = replace(page.state, epoch=new.epoch, key_name=holder.name)
        page.tell("rotate", change=True, data=data, index=index, master=master is not None)
    book.take_up(new, holder)
    book.store.settle()
    book.note()


def destroy(book: Crosswalk) -> None:
    """Shred the keys: no value of this book can be read again, by anyone, the owner included.

    Backups still open with the master key: destroy that too where they are to be lost.
    """
    with book.writing() as page:
        blank = [key._replace(wrapped=bytes(len(key.wrapped))) for key in book.store.wrapped_keys()]
        book.store.set_keys(blank)
        book.store.set_keys([])
        page.state = replace(page.state, status=DESTROYED)
        page.tell("destroy", change=True)
    book.note()
    book.store.settle()
    book.forget()


def _secrets(book: Crosswalk) -> dict[tuple[str, int], bytes]:
    return {
        (key.purpose, key.number): book.master.unwrap(key.wrapped, wrapping(book.ring.book, key))
        for key in book.store.wrapped_keys()
    }


def _reseal(book: Crosswalk, page: WriteBatch, old: Keyring, new: Keyring) -> None:
    page.weight = 0

    def renewed(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            row, weight = _renew(entry, old, new)
            page.weight += weight
            yield row

    try:
        book.store.rewrite(renewed(book.store.entries()))
    except (SealError, KeyError):
        raise altered(book.store.where) from None


def _renew(entry: Entry, old: Keyring, new: Keyring) -> tuple[Entry, int]:
    written = old.open_written(entry)
    subject = lookup_message(entry.kind, written.owner, written.form)
    if entry.mark is None:
        text = old.open_text(entry.kind, entry.place, entry.token)
        return new.seal_text(entry.kind, subject, written, text)
    code = old.open_codes([(entry.place, old.index.find(subject)[1], entry.token)])[0]
    return new.seal_code(entry.kind, new.index.find(subject), new.mark(code), written, code)
