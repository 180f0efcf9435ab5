"""An open crosswalk: it holds the keys, allows one writer at a time, and audits every write."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from deid.crosswalk.audit import anchor
from deid.crosswalk.audit.chain import GENESIS, AuditHead, context, extend
from deid.crosswalk.audit.proofs import (
    WEIGHT_BYTES,
    check_head,
    check_rows,
    check_schema,
    packed_weight,
    unpacked_weight,
)
from deid.crosswalk.keys.keyring import Keyring, new_keyring, unwrap_keys, wrap_keys
from deid.crosswalk.keys.master_keys import MasterKey, read_key_file
from deid.crosswalk.keys.vault import RandomBytes
from deid.crosswalk.store_address import store_at
from deid.crosswalk.stores.sql_store import Store
from deid.crosswalk.stores.stored_rows import DESTROYED, OPEN, BookState
from deid.crosswalk.trouble import CrosswalkError, crosswalk_error
from deid.crosswalk.write_batch import WriteBatch

UtcClock = Callable[[], datetime]


def crosswalk_clock() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


class OpenBook:
    """A crosswalk at a path or a URL, opened with its master key. A context manager.

    Several processes may open the same crosswalk. After a fork, the child opens its own
    connection. The object cannot be pickled because it holds keys.
    """

    def __init__(
        self, store: Store, master: MasterKey, chance: RandomBytes, clock: UtcClock
    ) -> None:
        self.store, self.master = store, master
        self._chance, self._clock = chance, clock
        self._lock = threading.RLock()
        self._ring: Keyring | None = None
        self._page: WriteBatch | None = None
        self._batch: ExitStack | None = None
        self._inspected = self._proved = False

    @classmethod
    def create(
        cls,
        place: str | Path,
        key: MasterKey | Path,
        *,
        chance: RandomBytes = secrets.token_bytes,
        clock: UtcClock = crosswalk_clock,
    ) -> Self:
        """Create a crosswalk. Raises `CrosswalkError` if one exists already."""
        book = cls(store_at(place), _master(key), chance, clock)
        with book._lock:
            with book.store.creating():
                book._begin()
            anchor.create_if_missing(book.master, book.head().book)
            book.note()
        return book

    @classmethod
    def open(
        cls,
        place: str | Path,
        key: MasterKey | Path,
        *,
        chance: RandomBytes = secrets.token_bytes,
        clock: UtcClock = crosswalk_clock,
        accept_older: bool = False,
        inspect: bool = False,
    ) -> Self:
        """Open an existing crosswalk.

        `accept_older` ignores the record beside the key. `inspect` opens a possibly damaged
        crosswalk for `verify`: nothing is checked, and no head is recorded at the end.

        Raises:
            CrosswalkError: missing, locked, destroyed, altered, or older than one seen before with
                this key.
            KeyTrouble: the key is unsafe or wrong.
        """
        book = cls(store_at(place), _master(key), chance, clock)
        book._inspected = inspect
        try:
            name = book._enter(None)
            if not (accept_older or inspect):
                book._enter(anchor.read(book.master, name))
        except BaseException:
            book.store.close()
            raise
        return book

    def _enter(self, note: anchor.SeenHeads | None) -> str:
        """Unwrap the keys, check the store and the recorded heads; return the book's name.

        The record of the last heads is read only after the key has been verified.
        """
        with self.store.reading():
            if not self._inspected:
                check_schema(self.store)
            state = self.store.state()
            self._load(state)
            if not self._inspected:
                check_head(self.store, state, self.keyring)
            if note is not None:
                note.check(self.store, state.head)
            return state.head.book

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.store.where!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a crosswalk holds keys and cannot be pickled: open one in each process")

    def close(self) -> None:
        """Record the head beside the key and close the store."""
        with self._lock:
            if self._ring is not None and not self._inspected:
                # If the record was lost meanwhile, the next opening reports it.
                with suppress(CrosswalkError):
                    self.note()
            self._ring = None
            self.store.close()

    def note(self, *, afresh: bool = False) -> None:
        """Record the head beside the key; with `afresh`, replace any record there."""
        anchor.write(self.master, self.head(), self.store.location, afresh=afresh)

    def accept(self) -> None:
        """Accept the current state of the book as the new reference, with an audit event."""
        with self.writing() as batch:
            batch.record_event("accept", change=False)
        self.note(afresh=True)

    def prove_complete(self) -> None:
        """Check once, before the first draw or new key, that no row was removed or added.

        If a row was removed, its value would get a different code, and new keys would hide the
        loss. The place and the token of every row are read.

        Raises:
            CrosswalkError: `crosswalk-altered`.
        """
        if self._proved:
            return
        with self.reading():
            batch = self._page
            weight = batch.weight if batch else unpacked_weight(self.store.state().head.weight)
            check_rows(self.store, weight, self.keyring)
        self._proved = True

    @property
    def keyring(self) -> Keyring:
        """The current keys, for the modules of this folder."""
        if self._ring is None:
            with self._lock, self.store.reading():
                self._load(self.store.state())
        assert self._ring is not None
        return self._ring

    @property
    def generation(self) -> int:
        """The number of changes to the book. Manifests hold it."""
        return self.head().generation

    def head(self) -> AuditHead:
        """The current signed audit head. Manifests hold it as one line."""
        with self._lock:
            return self.store.state().head

    def counts(self) -> dict[str, int]:
        """The number of entries of each kind."""
        with self._lock, self.store.reading():
            return self.store.counts()

    @contextmanager
    def reading(self) -> Generator[None]:
        """Yield a consistent state of the book with its keys; in a write, that of the write."""
        with self._lock:
            if self._page is not None:
                yield
                return
            with self.store.reading():
                self._load(self.store.state())
                yield

    @contextmanager
    def single_write(self) -> Generator[None]:
        """Yield a context in which all draws are one write, one audit event and one disk flush.

        The book is locked from the first draw, so do little else in the context. After an
        exception, nothing is kept.
        """
        with self._lock:
            if self._batch is not None:
                yield
                return
            try:
                with ExitStack() as self._batch:
                    yield
            finally:
                self._batch = None

    @contextmanager
    def writing(self) -> Generator[WriteBatch]:
        """Yield a write that excludes other processes and is kept completely or not at all."""
        with self._lock:
            if self._page is None and self._batch is not None:
                self._batch.enter_context(self._write())
            if self._page is None:
                with self._write() as batch:
                    yield batch
                return
            batch = self._page
            try:
                yield batch
            except BaseException:
                batch.broken = True
                raise

    @contextmanager
    def _write(self) -> Generator[WriteBatch]:
        with self.store.writing():
            check_schema(self.store)
            state = self.store.state()
            self._load(state)
            check_head(self.store, state, self.keyring)
            self._page = WriteBatch(state)
            try:
                yield self._page
                if self._page.broken:
                    raise crosswalk_error("half-written", self.store.where)
                if self._page.events:
                    self._turn(self._page)
            finally:
                self._page = None

    def adopt_keys(self, keyring: Keyring, master: MasterKey) -> None:
        """Continue with the keys that a rotation made."""
        self._ring, self.master = keyring, master

    def forget(self) -> None:
        """Discard the keys without recording the head."""
        self._ring = None

    def _begin(self) -> None:
        name = self._chance(12).hex()
        keys = new_keyring(self._chance)
        self._ring = Keyring(name, 1, keys)
        public = self._ring.signer.public
        head = AuditHead(name, 0, 0, GENESIS, bytes(WEIGHT_BYTES))
        state = BookState(1, OPEN, self.master.name, public, head.signed(self._ring.signer))
        self.store.set_keys(wrap_keys(name, keys, self.master))
        self.store.set_state(state)
        batch = WriteBatch(state)
        batch.record_event("init", change=True)
        self._turn(batch)

    def _load(self, state: BookState) -> None:
        """Reload the keys if another process rotated them."""
        if state.status == DESTROYED:
            raise crosswalk_error("crosswalk-destroyed", self.store.where)
        if self._ring is None or self._ring.epoch != state.epoch:
            keys = self.store.wrapped_keys()
            if not keys or state.key_name != self.master.name:
                raise _other_key(self.store.where, state.key_name, self.master.name)
            name = anchor.original_book(state.head.book)
            self._ring = unwrap_keys(name, state.epoch, keys, self.master)

    def _turn(self, batch: WriteBatch) -> None:
        head, links = batch.state.head, []
        chain, sequence = head.hash, head.sequence
        stamp = self._clock().isoformat(timespec="milliseconds")
        assert self._ring is not None
        for event in batch.events:
            sequence += 1
            told = json.dumps({"at": stamp, "process": os.getpid(), **event}).encode()
            sealed = self._ring.events.close(told, context(self._ring.book, sequence, chain))
            link = extend(chain, sequence, sealed)
            links.append(link)
            chain = link.hash
        weight = packed_weight(batch.weight)
        turned = AuditHead(head.book, head.generation + batch.changes, sequence, chain, weight)
        self.store.append(links)
        self.store.set_state(replace(batch.state, head=turned.signed(self._ring.signer)))


def _master(key: MasterKey | Path) -> MasterKey:
    return read_key_file(key) if isinstance(key, Path) else key


def _other_key(where: str, wanted: str, brought: str) -> CrosswalkError:
    return CrosswalkError(
        "wrong-key",
        where,
        f"the crosswalk is locked with key {wanted}, and this is key {brought}",
        "with --key-file, give the key that made the crosswalk, or the last key that `rekey` made",
    )
