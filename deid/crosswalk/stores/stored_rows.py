"""What a store holds: the state of the book, its wrapped keys, its entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from deid.crosswalk.audit.chain import AuditHead

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

    `place` is the blind index of the value, and `mark` that of the code (empty for surrogates).
    `token` is the code masked with its pad (or the number of a data key and the surrogate sealed
    with that key), followed by a tag over `place` and these bytes. `sealed` is the value, sealed
    with the data key `number`.
    """

    place: bytes
    kind: str
    mark: bytes | None
    number: int
    token: bytes
    sealed: bytes
