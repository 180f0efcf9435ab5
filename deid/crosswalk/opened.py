"""An open code book: its keys, its one writer at a time, and the audit every write reaches."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deid.audit import GENESIS, Head, context, extend
from deid.crosswalk import anchor
from deid.crosswalk.ring import Ring, fresh, unwrap, wrap
from deid.crosswalk.sqlite import Sqlite
from deid.crosswalk.store import DESTROYED, OPEN, State, Store
from deid.crosswalk.trouble import CrosswalkError, destroyed, half_written, rolled_back
from deid.keys import MasterKey, read_key_file
from deid.vault import Chance

Clock = Callable[[], datetime]
WEIGHT_BYTES = 40
_FULL = 1 << (8 * WEIGHT_BYTES)


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


def store_at(place: str | Path) -> Store:
    """The store that a path, `sqlite:///PATH` or a `postgresql://` URL names, not yet opened."""
    scheme, apart, rest = str(place).partition("://") if isinstance(place, str) else ("", "", "")
    if scheme in ("postgresql", "postgres"):
        from deid.crosswalk.postgresql import Postgresql

        return Postgresql(str(place))
    if apart and scheme != "sqlite":
        raise CrosswalkError(
            "unknown-store",
            f"{scheme}://",
            "no store of this kind is known",
            "name a file, or a URL that begins with postgresql://",
        )
    return Sqlite(Path(rest.removeprefix("/") if apart else place))


class Page:
    """One write in the making: what is to be told to the audit, and what it does to the book."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.weight = int.from_bytes(state.head.weight, "big")
        self.changes = 0
        self.broken = False
        self._events: list[dict[str, Any]] = []
        self._given: Counter[str] = Counter()

    def tell(self, event: str, *, change: bool, **details: Any) -> None:
        """Note an event. `change` says that the book is another one after it."""
        self._events.append({"event": event, **details})
        self.changes += change

    def give(self, kind: str, count: int, weight: int) -> None:
        """Note new entries; all of one write are one batch."""
        self.changes += not self._given
        self._given[kind] += count
        self.weight += weight

    @property
    def events(self) -> list[dict[str, Any]]:
        """All that was noted."""
        batch = [{"event": "allocate", "entries": dict(self._given)}] if self._given else []
        return batch + self._events


class Opened:
    """A code book at a path or a URL, opened with its master key. A context manager.

    Many processes may hold one at the same time. After a fork it opens a connection of its own; it
    does not travel by pickle, because keys do not.
    """

    def __init__(self, store: Store, master: MasterKey, chance: Chance, clock: Clock) -> None:
        self.store, self.master = store, master
        self._chance, self._clock = chance, clock
        self._lock = threading.RLock()
        self._ring: Ring | None = None
        self._page: Page | None = None
        self._batch: ExitStack | None = None

    @classmethod
    def create(
        cls,
        place: str | Path,
        key: MasterKey | Path,
        *,
        chance: Chance = secrets.token_bytes,
        clock: Clock = now,
    ) -> Self:
        """A new crosswalk. Raises `CrosswalkError` where there is one already."""
        book = cls(store_at(place), _master(key), chance, clock)
        with book._lock, book.store.creating():
            book._begin()
        return book

    @classmethod
    def open(
        cls,
        place: str | Path,
        key: MasterKey | Path,
        *,
        chance: Chance = secrets.token_bytes,
        clock: Clock = now,
        accept_older: bool = False,
    ) -> Self:
        """An existing crosswalk.

        Raises:
            CrosswalkError: missing, locked, destroyed, or older than one seen before with this key.
            KeyTrouble: the key is unsafe or not the one that opens it.
        """
        book = cls(store_at(place), _master(key), chance, clock)
        noted = {} if accept_older else anchor.read(book.master)
        try:
            with book.store.reading():
                state = book.store.state()
                book._load(state)
                seen = noted.get(state.head.book)
                if seen is not None and not anchor.follows(book.store, state.head, seen):
                    raise rolled_back(book.store.where, seen.generation, state.head.generation)
        except BaseException:
            book.store.close()
            raise
        return book

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
            if self._ring is not None:
                anchor.write(self.master, self.head())
            self._ring = None
            self.store.close()

    @property
    def ring(self) -> Ring:
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

    def head(self) -> Head:
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
    def writing(self) -> Generator[Page]:
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
    def _write(self) -> Generator[Page]:
        with self.store.writing():
            state = self.store.state()
            self._load(state)
            self._page = Page(state)
            try:
                yield self._page
                if self._page.broken:
                    raise half_written(self.store.where)
                if self._page.events:
                    self._turn(self._page)
            finally:
                self._page = None

    def take_up(self, ring: Ring, master: MasterKey) -> None:
        """Go on with the keys of a rotation."""
        self._ring, self.master = ring, master

    def forget(self) -> None:
        """Let the keys go without a note of the head."""
        self._ring = None

    def _begin(self) -> None:
        name = self._chance(12).hex()
        keys = fresh(self._chance)
        self._ring = Ring(name, 1, keys)
        public = self._ring.signer.public
        head = Head(name, 0, 0, GENESIS, bytes(WEIGHT_BYTES))
        state = State(1, OPEN, self.master.name, public, head.signed(self._ring.signer))
        self.store.set_keys(wrap(name, keys, self.master))
        self.store.set_state(state)
        page = Page(state)
        page.tell("init", change=True)
        self._turn(page)

    def _load(self, state: State) -> None:
        """Keys of another epoch are read anew: a rotation elsewhere is noticed here."""
        if state.status == DESTROYED:
            raise destroyed(self.store.where)
        if self._ring is None or self._ring.epoch != state.epoch:
            keys = self.store.wrapped_keys()
            if not keys or state.key_name != self.master.name:
                raise _other_key(self.store.where, state.key_name, self.master.name)
            self._ring = unwrap(state.head.book, state.epoch, keys, self.master)

    def _turn(self, page: Page) -> None:
        head, links = page.state.head, []
        chain, sequence = head.hash, head.sequence
        stamp = self._clock().isoformat(timespec="milliseconds")
        assert self._ring is not None
        for event in page.events:
            sequence += 1
            told = json.dumps({"at": stamp, "process": os.getpid(), **event}).encode()
            sealed = self._ring.events.close(told, context(head.book, sequence, chain))
            link = extend(chain, sequence, sealed)
            links.append(link)
            chain = link.hash
        weight = (page.weight % _FULL).to_bytes(WEIGHT_BYTES, "big")
        turned = Head(head.book, head.generation + page.changes, sequence, chain, weight)
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
