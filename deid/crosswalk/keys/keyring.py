"""The keys of a crosswalk, unwrapped and in use."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deid.crosswalk.code_drawing import LENGTH
from deid.crosswalk.keys.master_keys import MasterKey, Passphrase
from deid.crosswalk.keys.vault import (
    INDEX_BYTES,
    KEY_BYTES,
    TAG_BYTES,
    BlindIndex,
    RandomBytes,
    Seal,
    SealError,
    Signer,
    derive_key,
    mask_text,
)
from deid.crosswalk.stores.stored_rows import Entry, WrappedKey

DATA, INDEX, AUDIT = "data", "index", "audit"
_VALUE, _TOKEN = b"value", b"token"
_NUMBER_BYTES = 4
_LENGTHS = struct.Struct("<4i")
# Lone surrogates (Unicode) represent undecodable bytes and are kept unchanged.
_ENCODING = ("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True, repr=False)
class SealedEntry:
    """The sealed content of a row: enough to index the row again and to reveal the person."""

    owner: str | None
    form: str
    person: str | None
    value: str

    def pack(self) -> bytes:
        value = self.value.encode(*_ENCODING)
        form = b"" if self.form == self.value else self.form.encode(*_ENCODING)
        person = b"" if self.person is None else self.person.encode(*_ENCODING)
        owner = b"" if self.owner is None else self.owner.encode(*_ENCODING)
        lengths = _LENGTHS.pack(
            len(value),
            -1 if self.form == self.value else len(form),
            -1 if self.person is None else len(person),
            -1 if self.owner is None else len(owner),
        )
        return lengths + value + form + person + owner

    @classmethod
    def unpack(cls, packed: bytes) -> SealedEntry:
        parts: list[str | None] = []
        at = _LENGTHS.size
        for length in _LENGTHS.unpack_from(packed):
            text = None if length < 0 else packed[at : at + length].decode(*_ENCODING)
            parts.append(text)
            at += max(length, 0)
        value, form, person, owner = parts
        assert value is not None
        return cls(owner, value if form is None else form, person, value)

    def __repr__(self) -> str:
        return "SealedEntry(...)"


class Keyring:
    """All keys of one epoch, the time between two key rotations.

    `number` is the number of the current data key.
    """

    def __init__(self, book: str, epoch: int, secrets: Mapping[tuple[str, int], bytes]) -> None:
        self.book, self.epoch = book, epoch
        self.seals = {number: Seal(key) for (use, number), key in secrets.items() if use == DATA}
        self.number = max(self.seals)
        self.index = BlindIndex(_last(secrets, INDEX))
        seed = _last(secrets, AUDIT)
        self._prefixes: dict[str, bytes] = {}
        self.signer, self.events = Signer(seed), Seal(derive_key(seed, "events"))

    def __repr__(self) -> str:
        return f"Keyring(epoch={self.epoch}, data_keys={len(self.seals)})"

    def seal_code(
        self, kind: str, spot: tuple[bytes, bytes], mark: bytes, written: SealedEntry, code: str
    ) -> tuple[Entry, int]:
        """The row of a code, and its weight in the sum over all rows.

        `spot` and `mark` are the index positions of the value and of the code.
        """
        place, pad = spot
        sealed = self._close(written.pack(), kind, place, mark)
        return self._row(place, kind, mark, mask_text(code.encode(), pad), sealed)

    def seal_text(
        self, kind: str, subject: bytes, written: SealedEntry, text: str
    ) -> tuple[Entry, int]:
        """The row of a surrogate or a shift, and its weight."""
        place, _ = self.index.find(subject)
        sealed = self._close(written.pack(), kind, place, _VALUE)
        token = self._close(text.encode(), kind, place, _TOKEN)
        numbered = self.number.to_bytes(_NUMBER_BYTES, "big") + token
        return self._row(place, kind, None, numbered, sealed)

    def _row(
        self, place: bytes, kind: str, mark: bytes | None, body: bytes, sealed: bytes
    ) -> tuple[Entry, int]:
        proof = self.index.prove(place + body)
        entry = Entry(place, kind, mark, self.number, body + proof[:TAG_BYTES], sealed)
        return entry, int.from_bytes(proof[INDEX_BYTES:], "big")

    def mark(self, code: str) -> bytes:
        """The mark that the index stores for a code."""
        return self.index.mark(code.encode())

    def open_codes(self, rows: Sequence[tuple[bytes, bytes, bytes]]) -> list[str]:
        """Return the codes of rows (place, pad, token).

        Raises `SealError` for an altered or moved row.

        All tags are compared at once, and all pads are removed at once.
        """
        bodies = [token[:LENGTH] for _, _, token in rows]
        tags = self.index.tags([row[0] + body for row, body in zip(rows, bodies, strict=True)])
        if tags != [token[LENGTH:] for _, _, token in rows]:
            raise SealError("not written by this key for this place")
        pads = b"".join([pad[:LENGTH] for _, pad, _ in rows])
        bare = mask_text(b"".join(bodies), pads).decode("latin-1")
        return [bare[start : start + LENGTH] for start in range(0, len(bare), LENGTH)]

    def row_weight(self, place: bytes, token: bytes) -> int:
        """Return the weight of a row. Raises `SealError` if the row was altered or moved."""
        proof = self.index.prove(place + token[:-TAG_BYTES])
        if proof[:TAG_BYTES] != token[-TAG_BYTES:]:
            raise SealError("not written by this key for this place")
        return int.from_bytes(proof[INDEX_BYTES:], "big")

    def open_text(self, kind: str, place: bytes, token: bytes) -> str:
        """Return a row's surrogate.

        Raises `SealError` or `KeyError` if the row is not of this book.
        """
        seal = self.seals[int.from_bytes(token[:_NUMBER_BYTES], "big")]
        sealed = token[_NUMBER_BYTES:-TAG_BYTES]
        return seal.open(sealed, self._context(kind, place, _TOKEN)).decode()

    def open_written(self, entry: Entry) -> SealedEntry:
        """Return a row's value. Raises `SealError` or `KeyError` if the row is not of this book."""
        context = self._context(entry.kind, entry.place, entry.mark or _VALUE)
        return SealedEntry.unpack(self.seals[entry.number].open(entry.sealed, context))

    def _close(self, packed: bytes, kind: str, place: bytes, stands: bytes) -> bytes:
        return self.seals[self.number].close(packed, self._context(kind, place, stands))

    def _context(self, kind: str, place: bytes, stands: bytes) -> bytes:
        if kind not in self._prefixes:
            self._prefixes[kind] = f"entry|{self.book}|{kind}|".encode()
        return self._prefixes[kind] + stands + place


def lookup_message(kind: str, owner: str | None, form: str) -> bytes:
    """The bytes to look up: the kind of entry, its owner, and the normal form of the value."""
    whose = "-" if owner is None else f"{len(owner)}:{owner}"
    return f"{kind}\x00{whose}\x00{form}".encode(*_ENCODING)


def unwrap_keys(book: str, epoch: int, keys: list[WrappedKey], master: MasterKey) -> Keyring:
    """All keys of a store. Raises `KeyTrouble` if `master` did not wrap them."""
    secrets = {
        (key.purpose, key.number): master.unwrap(key.wrapped, wrapping(book, key)) for key in keys
    }
    return Keyring(book, epoch, secrets)


def wrap_keys(
    book: str, secrets: Mapping[tuple[str, int], bytes], master: MasterKey
) -> list[WrappedKey]:
    """The keys, wrapped with a master key.

    Raises:
        KeyTrouble: `weak-passphrase`.
    """
    if isinstance(master, Passphrase):
        master.check_strength()
    bare = [WrappedKey(purpose, number, b"") for purpose, number in secrets]
    return [
        key._replace(wrapped=master.wrap(secrets[key[:2]], wrapping(book, key))) for key in bare
    ]


def new_keyring(chance: RandomBytes) -> dict[tuple[str, int], bytes]:
    """New keys for a new crosswalk."""
    return {(purpose, 1): chance(KEY_BYTES) for purpose in (DATA, INDEX, AUDIT)}


def wrapping(book: str, key: WrappedKey) -> bytes:
    """The context in which a key is wrapped: its book, its use and its number."""
    return f"key|{book}|{key.purpose}|{key.number}".encode()


def _last(secrets: Mapping[tuple[str, int], bytes], purpose: str) -> bytes:
    return secrets[max(key for key in secrets if key[0] == purpose)]
