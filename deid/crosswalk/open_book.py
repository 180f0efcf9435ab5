"""An open code book: its keys, its one writer at a time, and the audit every write reaches."""

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
from types import TracebackType
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
from deid.crosswalk.stores.contract import DESTROYED, OPEN, BookState, Store
from deid.crosswalk.trouble import CrosswalkError, destroyed, half_written
from deid.crosswalk.write_batch import WriteBatch

UtcClock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


class OpenBook:
    """A code book at a path or a URL, opened with its master key. A context manager.

    Many processes may hold one at the same time. After a fork it opens a connection of its own; it
    does not travel by pickle, because keys do not.
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
        clock: UtcClock = utc_now,
    ) -> Self:
        """A new crosswalk. Raises `CrosswalkError` where there is one already."""
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
        clock: UtcClock = utc_now,
        accept_older: bool = False,
        inspect: bool = False,
    ) -> Self:
        """An existing crosswalk.

        `accept_older` takes it whatever was noted beside the key. `inspect` opens one that may be
        damaged, for `verify`: nothing is checked, and nothing is noted at the end.

        Raises:
            CrosswalkError: missing, locked, destroyed, altered, or older than one seen before with
                this key.
            KeyTrouble: the key is unsafe or not the one that opens it.
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
        """Take the keys up, check the store against itself and the note; gives the book's name.

        The note is read only after the key has proved to be the right one.
        """
        with self.store.reading():
            if not self._inspected:
                check_schema(self.store)
            state = self.store.state()
            self._load(state)
            if not self._inspected:
                check_head(self.store, state, self.ring)
            if note is not None:
                note.check(self.store, state.head)
            return state.head.book

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.store.where!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a crosswalk holds keys and is not pickled: open one in each process")

    def close(self) -> None:
        """Note the head beside the key, and let the store go."""
        with self._lock:
            if self._ring is not None and not self._inspected:
                # A note that was lost meanwhile is told by the next one who opens the book.
                with suppress(CrosswalkError):
                    self.note()
            self._ring = None
            self.store.close()

    def note(self, *, afresh: bool = False) -> None:
        """Note the head beside the key; `afresh` in place of whatever stands there."""
        anchor.write(self.master, self.head(), self.store.location, afresh=afresh)

    def accept(self) -> None:
        """Take the book as it stands for the one to compare with from now on, on record."""
        with self.writing() as page:
            page.tell("accept", change=False)
        self.note(afresh=True)

    def prove_complete(self) -> None:
        """Check that no row was taken out or put in, once, before the first draw or new key.

        What is missing would be drawn anew, and new keys would forget that it was there. Reads
        place and token of every row.

        Raises:
            CrosswalkError: `crosswalk-altered`.
        """
        if self._proved:
            return
        with self.reading():
            page = self._page
            weight = page.weight if page else unpacked_weight(self.store.state().head.weight)
            check_rows(self.store, weight, self.ring)
        self._proved = True

    @property
    def ring(self) -> Keyring:
        """The keys in use, for the rooms of this folder."""
        if self._ring is None:
            with self._lock, self.store.reading():
                self._load(self.store.state())
        assert self._ring is not None
        return self._ring

    @property
    def generation(self) -> int:
        """How often the book was changed. A manifest carries it."""
        return self.head().generation

    @property
    def audit_head(self) -> str:
        """The signed head of the audit as it now stands, in one line. A manifest carries it."""
        return str(self.head())

    def head(self) -> AuditHead:
        """The same as an object."""
        with self._lock:
            return self.store.state().head

    def counts(self) -> dict[str, int]:
        """How many entries of each kind the book has."""
        with self._lock, self.store.reading():
            return self.store.counts()

    @contextmanager
    def reading(self) -> Generator[None]:
        """One state of the book, with the keys of that state; inside a write, that of the write."""
        with self._lock:
            if self._page is not None:
                yield
                return
            with self.store.reading():
                self._load(self.store.state())
                yield

    @contextmanager
    def together(self) -> Generator[None]:
        """Whatever is drawn inside is one write, one event and one wait for the disk.

        The book is held from the first draw on, so ask for little else inside. Nothing of it is
        kept if an exception leaves it.
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
        """One write, alone among all processes; its events reach the audit or nothing happens."""
        with self._lock:
            if self._page is None and self._batch is not None:
                self._batch.enter_context(self._write())
            if self._page is None:
                with self._write() as page:
                    yield page
                return
            page = self._page
            try:
                yield page
            except BaseException:
                page.broken = True
                raise

    @contextmanager
    def _write(self) -> Generator[WriteBatch]:
        with self.store.writing():
            check_schema(self.store)
            state = self.store.state()
            self._load(state)
            check_head(self.store, state, self.ring)
            self._page = WriteBatch(state)
            try:
                yield self._page
                if self._page.broken:
                    raise half_written(self.store.where)
                if self._page.events:
                    self._turn(self._page)
            finally:
                self._page = None

    def take_up(self, ring: Keyring, master: MasterKey) -> None:
        """Go on with the keys of a rotation."""
        self._ring, self.master = ring, master

    def forget(self) -> None:
        """Let the keys go without a note of the head."""
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
        page = WriteBatch(state)
        page.tell("init", change=True)
        self._turn(page)

    def _load(self, state: BookState) -> None:
        """Keys of another epoch are read anew: a rotation elsewhere is noticed here."""
        if state.status == DESTROYED:
            raise destroyed(self.store.where)
        if self._ring is None or self._ring.epoch != state.epoch:
            keys = self.store.wrapped_keys()
            if not keys or state.key_name != self.master.name:
                raise _other_key(self.store.where, state.key_name, self.master.name)
            name = anchor.original_book(state.head.book)
            self._ring = unwrap_keys(name, state.epoch, keys, self.master)

    def _turn(self, page: WriteBatch) -> None:
        head, links = page.state.head, []
        chain, sequence = head.hash, head.sequence
        stamp = self._clock().isoformat(timespec="milliseconds")
        assert self._ring is not None
        for event in page.events:
            sequence += 1
            told = json.dumps({"at": stamp, "process": os.getpid(), **event}).encode()
            sealed = self._ring.events.close(told, context(self._ring.book, sequence, chain))
            link = extend(chain, sequence, sealed)
            links.append(link)
            chain = link.hash
        weight = packed_weight(page.weight)
        turned = AuditHead(head.book, head.generation + page.changes, sequence, chain, weight)
        self.store.append(links)
        self.store.set_state(replace(page.state, head=turned.signed(self._ring.signer)))


def _master(key: MasterKey | Path) -> MasterKey:
    return read_key_file(key) if isinstance(key, Path) else key


def _other_key(where: str, wanted: str, brought: str) -> CrosswalkError:
    return CrosswalkError(
        "wrong-key",
        where,
        f"the crosswalk is locked with key {wanted}, and this is key {brought}",
        "give --key-file the key it was made with, or was last changed to",
    )
