"""The code book: gives out codes and surrogates, keeps the audit, reveals on the record."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from deid.audit import GENESIS, Head, context, extend
from deid.codes import draw, is_code
from deid.crosswalk import anchor
from deid.crosswalk.normalisation import normalise
from deid.crosswalk.ring import Ring, Written, fresh, message, unmask, unwrap, wrap
from deid.crosswalk.sqlite import Sqlite
from deid.crosswalk.store import DESTROYED, OPEN, Entry, State, Store
from deid.crosswalk.trouble import CrosswalkError, altered, destroyed, rolled_back
from deid.keys import MasterKey, read_key_file
from deid.vault import Chance, SealError
from safe_harbor import Identifier

Clock = Callable[[], datetime]
Draw = Callable[[int], str]
"""Takes the place of an item in the request, gives a surrogate for it, drawn at random."""
WEIGHT_BYTES = 40
_Spots = Mapping[bytes, tuple[bytes, bytes]]
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


@dataclass(frozen=True, slots=True, repr=False)
class Revealed:
    """Whose code it is. Shown to the one who asked; its `repr` shows the kind alone."""

    identifier: Identifier
    person: str | None
    value: str

    def __repr__(self) -> str:
        return f"Revealed({self.identifier.value!r})"


class Page:
    """One write in the making: what is to be told to the audit, and what it does to the book."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[dict[str, Any]] = []
        self.weight = int.from_bytes(state.head.weight, "big")
        self.changes = 0

    def tell(self, event: str, *, change: bool, **details: Any) -> None:
        """Note an event. `change` says that the book is another one after it."""
        self.events.append({"event": event, **details})
        self.changes += change


class Crosswalk:
    """A code book at a path or a URL, opened with its master key. A context manager.

    Many processes may hold one at the same time. After a fork it opens a connection of its own; it
    does not travel by pickle, because keys do not.
    """

    def __init__(self, store: Store, master: MasterKey, chance: Chance, clock: Clock) -> None:
        self.store, self.master = store, master
        self._chance, self._clock = chance, clock
        self._lock = threading.RLock()
        self._ring: Ring | None = None

    @classmethod
    def create(
        cls,
        place: str | Path,
        key: MasterKey | Path,
        *,
        chance: Chance = secrets.token_bytes,
        clock: Clock = now,
    ) -> Crosswalk:
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
    ) -> Crosswalk:
        """An existing crosswalk.

        Raises:
            CrosswalkError: missing, locked, destroyed, or older than one seen before with this key.
            KeyTrouble: the key is unsafe or not the one that opens it.
        """
        book = cls(store_at(place), _master(key), chance, clock)
        try:
            with book.store.reading():
                state = book.store.state()
                book._load(state)
                seen = None if accept_older else anchor.read(book.master, state.head.book)
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
        return f"Crosswalk({self.store.where!r})"

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

    def codes(self, identifier: Identifier, items: Sequence[tuple[str | None, str]]) -> list[str]:
        """The code of each (person, value), in order; those never seen are drawn now, at random.

        One identifier has one code, however it is written, in all tables, notes, runs and machines
        that share this crosswalk. `person` is the patient's key, or None if nobody knows.
        """
        forms = [normalise(identifier, person, value) for person, value in items]
        wanted = [message(identifier.value, owner, form) for owner, form in forms]
        with self._lock:
            with self.store.reading():
                self._load(self.store.state())
                spots = self._spots(dict.fromkeys(wanted))
                given = self._known_codes(spots)
            if len(given) < len(spots):
                first = dict(zip(reversed(wanted), reversed(range(len(wanted))), strict=True))
                missing = {
                    subject: Written(forms[at][0], forms[at][1], *items[at])
                    for subject, at in first.items()
                    if subject not in given
                }
                given.update(self._new_codes(identifier.value, missing, spots))
        return [given[subject] for subject in wanted]

    def keep(self, kind: str, items: Sequence[tuple[str | None, str]], draw_one: Draw) -> list[str]:
        """What stands for each (person, key) under `kind`; what is missing is drawn and kept.

        For surrogates and shifts: the first draw wins, whoever makes it. Keys are taken as given.
        """
        wanted = [message(kind, person, key) for person, key in items]
        with self._lock:
            with self.store.reading():
                self._load(self.store.state())
                given = self._known_texts(kind, list(dict.fromkeys(wanted)))
            first = dict(zip(reversed(wanted), reversed(range(len(wanted))), strict=True))
            missing = {subject: at for subject, at in first.items() if subject not in given}
            if missing:
                given.update(self._new_texts(kind, missing, items, draw_one))
        return [given[subject] for subject in wanted]

    def reveal(self, code: str, *, user: str, reason: str) -> Revealed:
        """Whose code this is. User and reason are on record before the value is read.

        Raises:
            CrosswalkError: no user, no reason, a mistyped code, or one that is not in the book.
        """
        if not user.strip() or not reason.strip():
            raise CrosswalkError(
                "no-reason", self.store.where, "a reveal needs a user and a reason", "give both"
            )
        asked = code.strip().upper()
        if not is_code(asked):
            raise CrosswalkError(
                "not-a-code",
                self.store.where,
                "the check character does not fit: this is no code, or a mistyped one",
                "read it again",
            )
        with self.writing() as page:
            page.tell("reveal", change=False, user=user, reason=reason, code=asked)
        with self._lock:
            entry = self.store.marked(self.ring.weigh_code(asked)[0])
        if entry is None:
            raise CrosswalkError(
                "unknown-code",
                self.store.where,
                "no such code in this crosswalk",
                "try another one",
            )
        written = self._open(entry)
        return Revealed(Identifier(entry.kind), written.person, written.value)

    def note_export(self, **details: Any) -> None:
        """Put on record that something made with this book left: counts and hashes, no values."""
        with self.writing() as page:
            page.tell("export", change=False, **details)

    @contextmanager
    def writing(self) -> Generator[Page]:
        """One write, alone among all processes; its events reach the audit or nothing happens."""
        with self._lock, self.store.writing():
            state = self.store.state()
            self._load(state)
            page = Page(state)
            yield page
            if page.events:
                self._turn(page)

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

    def _spots(self, wanted: Iterable[bytes]) -> _Spots:
        find = self.ring.index.find
        return {subject: find(subject) for subject in wanted}

    def _known_codes(self, spots: _Spots) -> dict[bytes, str]:
        tokens = self.store.tokens([place for place, _ in spots.values()])
        known = [
            (subject, tokens[place], pad)
            for subject, (place, pad) in spots.items()
            if place in tokens
        ]
        codes = unmask([token for _, token, _ in known], [pad for _, _, pad in known])
        return dict(zip((subject for subject, _, _ in known), codes, strict=True))

    def _new_codes(
        self, kind: str, missing: Mapping[bytes, Written], spots: _Spots
    ) -> dict[bytes, str]:
        epoch = self.ring.epoch
        with self.writing() as page:
            ring = self.ring
            spots = spots if ring.epoch == epoch else self._spots(missing)
            spots = {subject: spots[subject] for subject in missing}
            given = self._known_codes(spots)
            new = [subject for subject in missing if subject not in given]
            drawn = dict(zip(new, self._unused(len(new)), strict=True))
            rows = [
                (ring.seal_code(kind, spots[subject], mark, missing[subject], code), weight)
                for subject, (code, (mark, weight)) in drawn.items()
            ]
            self._add(page, kind, rows)
        return given | {subject: code for subject, (code, _) in drawn.items()}

    def _unused(self, count: int) -> list[tuple[str, tuple[bytes, int]]]:
        """Codes that no row has, with mark and weight; 80 bits make a second round a curiosity."""
        unused: dict[str, tuple[bytes, int]] = {}
        weigh = self.ring.weigh_code
        while len(unused) < count:
            fresh_ones = {code: weigh(code) for code in draw(count - len(unused), self._chance)}
            taken = self.store.marks([mark for mark, _ in fresh_ones.values()])
            unused |= {code: both for code, both in fresh_ones.items() if both[0] not in taken}
        return list(unused.items())

    def _known_texts(self, kind: str, wanted: Sequence[bytes]) -> dict[bytes, str]:
        ring = self.ring
        places = {subject: ring.index.find(subject)[0] for subject in wanted}
        tokens = self.store.tokens(list(places.values()))
        try:
            return {
                subject: ring.open_text(kind, place, tokens[place])
                for subject, place in places.items()
                if place in tokens
            }
        except (SealError, KeyError):
            raise altered(self.store.where) from None

    def _new_texts(
        self,
        kind: str,
        missing: Mapping[bytes, int],
        items: Sequence[tuple[str | None, str]],
        draw_one: Draw,
    ) -> dict[bytes, str]:
        with self.writing() as page:
            given = self._known_texts(kind, list(missing))
            rows = []
            for subject, at in missing.items():
                if subject not in given:
                    given[subject] = draw_one(at)
                    written = Written(*items[at], *items[at])
                    rows.append(self.ring.seal_text(kind, subject, written, given[subject]))
            self._add(page, kind, rows)
        return given

    def _add(self, page: Page, kind: str, rows: Sequence[tuple[Entry, int]]) -> None:
        if rows:
            # In the order of the index: faster, and the file does not tell who came first.
            self.store.add(sorted(entry for entry, _ in rows))
            page.weight += sum(weight for _, weight in rows)
            page.tell("allocate", change=True, kind=kind, count=len(rows))

    def _open(self, entry: Entry) -> Written:
        try:
            return self.ring.open_written(entry)
        except (SealError, KeyError):
            raise altered(self.store.where) from None


def _master(key: MasterKey | Path) -> MasterKey:
    return read_key_file(key) if isinstance(key, Path) else key


def _other_key(where: str, wanted: str, brought: str) -> CrosswalkError:
    return CrosswalkError(
        "wrong-key",
        where,
        f"the crosswalk is locked with key {wanted}, and this is key {brought}",
        "give --key-file the key it was made with, or was last changed to",
    )
