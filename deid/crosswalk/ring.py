"""The keys of a crosswalk, unwrapped and in use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deid.crosswalk.store import Entry, WrappedKey
from deid.keys import MasterKey
from deid.vault import KEY_BYTES, BlindIndex, Chance, Seal, Signer, mask

DATA, INDEX, AUDIT = "data", "index", "audit"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked up: the kind of entry, whose it is, and the normal form of the value."""

    kind: str
    owner: str | None
    form: str

    def message(self) -> bytes:
        owner = "-" if self.owner is None else f"{len(self.owner)}:{self.owner}"
        return f"{self.kind}\x00{owner}\x00{self.form}".encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True, repr=False)
class Written:
    """What is sealed in a row: enough to index it anew, and to tell who it was."""

    owner: str | None
    form: str
    person: str | None
    value: str

    def pack(self) -> bytes:
        return json.dumps([self.owner, self.form, self.person, self.value]).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> Written:
        return cls(*json.loads(packed))

    def __repr__(self) -> str:
        return "Written(...)"


class Ring:
    """Every key of one epoch. `number` is that of the data key now in use."""

    def __init__(self, book: str, epoch: int, secrets: Mapping[tuple[str, int], bytes]) -> None:
        self.book, self.epoch = book, epoch
        self.seals = {number: Seal(key) for (use, number), key in secrets.items() if use == DATA}
        self.number = max(self.seals)
        self.index = BlindIndex(_last(secrets, INDEX))
        seed = _last(secrets, AUDIT)
        self.signer, self.events = Signer(seed), Seal(_events_key(seed))

    def __repr__(self) -> str:
        return f"Ring(epoch={self.epoch}, data_keys={len(self.seals)})"

    def find(self, subject: Subject) -> tuple[bytes, bytes]:
        """The place of a subject, and the pad over its code there."""
        return self.index.find(subject.message())

    def seal_code(self, subject: Subject, written: Written, code: str) -> tuple[Entry, int]:
        """The row of a code, and its weight in the sum over all rows."""
        place, pad = self.find(subject)
        mark, weight = self.index.weigh(code_row(code))
        sealed = self._close(written.pack(), place, subject.kind, code)
        token = mask(code.encode(), pad)
        return Entry(place, subject.kind, mark, self.number, token, sealed), weight

    def seal_text(self, subject: Subject, written: Written, text: str) -> tuple[Entry, int]:
        """The row of a surrogate or a shift, and its weight in the sum over all rows."""
        place, _ = self.find(subject)
        _, weight = self.index.weigh(b"text\x00" + place + text.encode())
        sealed = self._close(written.pack(), place, subject.kind, text)
        token = self._close(text.encode(), place, subject.kind, "token")
        return Entry(place, subject.kind, None, self.number, token, sealed), weight

    def open_text(self, place: bytes, kind: str, number: int, token: bytes) -> str:
        """The surrogate of a row. Raises `SealError` or `KeyError` where it is not this book's."""
        return self.seals[number].open(token, self._context(place, kind, "token")).decode()

    def open_written(self, entry: Entry, stands: str) -> Written:
        """The value of a row, given what stands for it."""
        context = self._context(entry.place, entry.kind, stands)
        return Written.unpack(self.seals[entry.number].open(entry.sealed, context))

    def _close(self, packed: bytes, place: bytes, kind: str, stands: str) -> bytes:
        return self.seals[self.number].close(packed, self._context(place, kind, stands))

    def _context(self, place: bytes, kind: str, stands: str) -> bytes:
        return f"entry|{self.book}|{kind}|{stands}|".encode() + place


def code_row(code: str) -> bytes:
    """What the index weighs of a code."""
    return b"code\x00" + code.encode()


def unwrap(book: str, epoch: int, keys: list[WrappedKey], master: MasterKey) -> Ring:
    """All keys of a store. Raises `KeyTrouble` where `master` is not the one that wrapped them."""
    secrets = {
        (key.purpose, key.number): master.unwrap(key.wrapped, wrapping(book, key)) for key in keys
    }
    return Ring(book, epoch, secrets)


def wrap(book: str, secrets: Mapping[tuple[str, int], bytes], master: MasterKey) -> list[WrappedKey]:
    """The same keys under a master key."""
    bare = [WrappedKey(purpose, number, b"") for purpose, number in secrets]
    return [
        key._replace(wrapped=master.wrap(secrets[key[:2]], wrapping(book, key))) for key in bare
    ]


def fresh(chance: Chance) -> dict[tuple[str, int], bytes]:
    """New keys for a new crosswalk."""
    return {(purpose, 1): chance(KEY_BYTES) for purpose in (DATA, INDEX, AUDIT)}


def wrapping(book: str, key: WrappedKey) -> bytes:
    """What a key is wrapped to: its book, its use and its number."""
    return f"key|{book}|{key.purpose}|{key.number}".encode()


def _last(secrets: Mapping[tuple[str, int], bytes], purpose: str) -> bytes:
    return secrets[max(key for key in secrets if key[0] == purpose)]


def _events_key(seed: bytes) -> bytes:
    import hashlib

    return hashlib.blake2b(b"events", key=seed, digest_size=KEY_BYTES, person=b"deid.audit").digest()


_UNUSED: Any = None
