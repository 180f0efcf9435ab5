"""A hash-chained audit: every event is bound to all before it, and the head of the chain is signed.

Pure: the store keeps the links, `Crosswalk` holds the keys.
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
    """One sealed event: its place in the chain (from 1) and the hash of all up to it."""

    sequence: int
    sealed: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The end of a chain as signed: a manifest that holds it notices a tail cut off later.

    `generation` counts the changes of the code book, `weight` is the sum over its rows.
    """

    book: str
    generation: int
    sequence: int
    hash: bytes
    weight: bytes
    signature: bytes = b""

    def message(self) -> bytes:
        """What is signed."""
        parts = ("deid-crosswalk-head/1", self.book, str(self.generation), str(self.sequence))
        return "|".join(parts).encode() + b"|" + self.hash + self.weight

    def signed(self, signer: Signer) -> AuditHead:
        """The same head, signed."""
        signature = signer.sign(self.message())
        return AuditHead(
            self.book, self.generation, self.sequence, self.hash, self.weight, signature=signature
        )

    def holds(self, public: bytes) -> bool:
        """Whether the holder of `public` signed just this."""
        return is_signed(public, self.message(), self.signature)

    def __str__(self) -> str:
        """One line for a manifest: `BOOK.GENERATION.SEQUENCE.HASH.WEIGHT.SIGNATURE`."""
        texts = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in self._parts())
        return ".".join([self.book, str(self.generation), str(self.sequence), *texts])

    def _parts(self) -> tuple[bytes, bytes, bytes]:
        return self.hash, self.weight, self.signature

    @classmethod
    def parse(cls, text: str) -> AuditHead:
        """A head from its line. Raises `ValueError` on anything else."""
        try:
            book, generation, sequence, *parts = text.split(".")
            chain, weight, signature = (
                base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts
            )
            return cls(book, int(generation), int(sequence), chain, weight, signature)
        except (ValueError, binascii.Error):
            raise ValueError("not the head of an audit") from None


def extend(previous: bytes, sequence: int, sealed: bytes) -> AuditLink:
    """The next link after one whose hash is `previous`."""
    digest = hashlib.sha256(previous + sequence.to_bytes(8, "big") + sealed).digest()
    return AuditLink(sequence, sealed, digest)


def context(book: str, sequence: int, previous: bytes) -> bytes:
    """What an event is sealed to: its book, its place and all before it."""
    return f"audit|{book}|{sequence}|".encode() + previous
