"""The contract of a store, implemented by SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from deid.crosswalk.audit.chain import AuditHead, AuditLink

STORE_FORMAT = 2
OPEN, DESTROYED = "open", "destroyed"


@dataclass(frozen=True, slots=True)
class BookState:
    """The single row with the state of the book.

    `epoch` counts rotations: a process with keys of another epoch reloads them. `key_name` names
    the master key that opens the book; `public` verifies the signature of the head.
    """

    epoch: int
    status: str
    key_name: str
    public: bytes
    head: AuditHead


class WrappedKey(NamedTuple):
    """A key of the crosswalk (`data`, `index` or `audit`), wrapped by the master key."""

    purpose: str
    number: int
    wrapped: bytes


class Entry(NamedTuple):
    """One identifier and its replacement.

    `place` is the blind index of the value, `mark` the one of the code (empty for surrogates),
    `token` the code under its pad, or the number of a data key and the surrogate sealed with it,
    and a tag over both and `place`; `sealed` the value under the data key `number`.
    """

    place: bytes
    kind: str
    mark: bytes | None
    number: int
    token: bytes
    sealed: bytes


class Store(Protocol):
    """Reads and writes rows. It holds no key, value or code in plain text."""

    @property
    def where(self) -> str:
        """The location for messages: a path, or a URL without user and password."""
        ...

    @property
    def location(self) -> str:
        """A unique name of the location, without user and password."""
        ...

    def strangers(self) -> tuple[str, ...]:
        """Describes objects in or on the tables that the engine did not create."""
        ...

    def is_damaged(self) -> bool:
        """Whether the database's own integrity check fails."""
        ...

    def creating(self) -> AbstractContextManager[None]:
        """Create empty tables to be filled inside, all or nothing. Raises if tables exist."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """All reads inside see one state of the store."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """One writer at a time, all or nothing."""
        ...

    def state(self) -> BookState: ...
    def set_state(self, state: BookState) -> None: ...
    def wrapped_keys(self) -> list[WrappedKey]: ...
    def set_keys(self, keys: Sequence[WrappedKey]) -> None:
        """Replace all keys with these."""
        ...

    def tokens(self, places: Sequence[bytes]) -> dict[bytes, bytes]:
        """The token of each place that is in use."""
        ...

    def add(self, entries: Sequence[Entry]) -> None: ...
    def places(self) -> Iterator[tuple[bytes, bytes]]:
        """Place and token of every row."""
        ...

    def marked(self, mark: bytes) -> Entry | None:
        """The row of a code."""
        ...

    def marks(self, marks: Sequence[bytes]) -> set[bytes]:
        """The marks that are in use."""
        ...

    def entries(self) -> Iterator[Entry]: ...
    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Replace all rows. The new ones may be derived from `entries()` while they are read."""
        ...

    def counts(self) -> dict[str, int]:
        """Rows of each kind."""
        ...

    def links(self) -> Iterator[AuditLink]: ...
    def append(self, links: Sequence[AuditLink]) -> None: ...
    def link_hash(self, sequence: int) -> bytes | None: ...
    def settle(self) -> None:
        """Remove deleted data from logs and free pages."""
        ...

    def close(self) -> None: ...
