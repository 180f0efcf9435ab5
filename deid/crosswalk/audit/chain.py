"""A hash-chained audit: each event's hash covers all earlier events, and the head is signed.

This module reads and writes nothing: the store keeps the links, and `Crosswalk` holds the keys.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

from deid.crosswalk.keys.vault import Signer, is_signed

GENESIS = bytes(32)


@dataclass(frozen=True, slots=True)
class AuditLink:
    """One sealed event: its place in the chain (from 1), and the hash of all events so far."""

    sequence: int
    sealed: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The signed end of a chain.

    A head in a manifest shows later whether events up to that head were cut off.

    `generation` counts the changes to the book; `weight` is the sum of the weights of its rows.
    """

    book: str
    generation: int
    sequence: int
    hash: bytes
    weight: bytes
    signature: bytes = b""

    def message(self) -> bytes:
        """The bytes of the head that are signed."""
        parts = ("deid-crosswalk-head/1", self.book, str(self.generation), str(self.sequence))
        return "|".join(parts).encode() + b"|" + self.hash + self.weight

    def signed(self, signer: Signer) -> AuditHead:
        """Return the same head with the signature of `signer`."""
        signature = signer.sign(self.message())
        return AuditHead(
            self.book, self.generation, self.sequence, self.hash, self.weight, signature=signature
        )

    def holds(self, public: bytes) -> bool:
        """Whether the holder of the key pair of `public` signed this head."""
        return is_signed(public, self.message(), self.signature)

    def __str__(self) -> str:
        """One line for a manifest: `BOOK.GENERATION.SEQUENCE.HASH.WEIGHT.SIGNATURE`."""
        texts = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in self._parts())
        return ".".join([self.book, str(self.generation), str(self.sequence), *texts])

    def _parts(self) -> tuple[bytes, bytes, bytes]:
        return self.hash, self.weight, self.signature

    @classmethod
    def parse(cls, text: str) -> AuditHead:
        """Read a head from its line. Raises `ValueError` for any other text."""
        try:
            book, generation, sequence, *parts = text.split(".")
            chain, weight, signature = (
                base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts
            )
            return cls(book, int(generation), int(sequence), chain, weight, signature)
        except (ValueError, binascii.Error):
            raise ValueError("not the head of an audit") from None


def extend(previous: bytes, sequence: int, sealed: bytes) -> AuditLink:
    """The link that follows the link with the hash `previous`."""
    digest = hashlib.sha256(previous + sequence.to_bytes(8, "big") + sealed).digest()
    return AuditLink(sequence, sealed, digest)


def context(book: str, sequence: int, previous: bytes) -> bytes:
    """Return the context in which an event is sealed: book, sequence number, all earlier events."""
    return f"audit|{book}|{sequence}|".encode() + previous
