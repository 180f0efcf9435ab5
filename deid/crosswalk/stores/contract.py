"""What a store keeps and what it must be able to do; SQLite and PostgreSQL both do."""

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
    """The one row that says how the book stands.

    `epoch` counts the rotations: a process that holds keys of another epoch reads them anew.
    `key_name` names the master key to bring, `public` checks the signature of the head.
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
    """One identifier and what stands for it.

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
    """Rows in, rows out; knows no key, no value and no code in the clear."""

    @property
    def where(self) -> str:
        """For messages: a path, or a URL without user and password."""
        ...

    @property
    def location(self) -> str:
        """What tells this place from every other one; without user and password."""
        ...

    def strangers(self) -> tuple[str, ...]:
        """What the database holds in or on the tables that this engine did not make, in words."""
        ...

    def is_damaged(self) -> bool:
        """Whether the store's own check of its pages and indexes fails."""
        ...

    def creating(self) -> AbstractContextManager[None]:
        """Empty tables, to be filled inside: all or nothing. Raises where there are any already."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """All reads inside see one state of the store."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """One writer at a time; all or nothing."""
        ...

    def state(self) -> BookState: ...
    def set_state(self, state: BookState) -> None: ...
    def wrapped_keys(self) -> list[WrappedKey]: ...
    def set_keys(self, keys: Sequence[WrappedKey]) -> None:
        """These and no others."""
        ...

    def tokens(self, places: Sequence[bytes]) -> dict[bytes, bytes]:
        """The token of each place that is taken."""
        ...

    def add(self, entries: Sequence[Entry]) -> None: ...
    def places(self) -> Iterator[tuple[bytes, bytes]]:
        """Place and token of every row."""
        ...

    def marked(self, mark: bytes) -> Entry | None:
        """The row of a code."""
        ...

    def marks(self, marks: Sequence[bytes]) -> set[bytes]:
        """Which of these are taken."""
        ...

    def entries(self) -> Iterator[Entry]: ...
    def rewrite(self, entries: Iterable[Entry]) -> None:
        """All rows by new ones, which may be made from `entries()` while they are read."""
        ...

    def counts(self) -> dict[str, int]:
        """Rows of each kind."""
        ...

    def links(self) -> Iterator[AuditLink]: ...
    def append(self, links: Sequence[AuditLink]) -> None: ...
    def link_hash(self, sequence: int) -> bytes | None: ...
    def settle(self) -> None:
        """Leave nothing of what was deleted in logs and free pages."""
        ...

    def close(self) -> None: ...
