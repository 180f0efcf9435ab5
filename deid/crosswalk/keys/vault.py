"""Sealing, indexing and signing. The only module that imports `cryptography`.

A seal is AES-256-GCM bound to a context (NIST SP 800-38D), a blind index is keyed BLAKE2b (RFC
7693), Argon2id (RFC 9106) turns a passphrase into a key, and Ed25519 (RFC 8032) signs a head.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

KEY_BYTES = 32
INDEX_BYTES = 24
TAG_BYTES = 16
PADDED_TO = 96
_NONCE_BYTES = 12

RandomBytes = Callable[[int], bytes]
"""Takes a count and returns that many random bytes: `secrets.token_bytes` except in tests."""


class SealError(Exception):
    """The sealed bytes were not made by this key for this context, or were altered since."""


class Seal:
    """AES-256-GCM under one key. Each row is bound to its context, so rows cannot be swapped."""

    __slots__ = ("_cipher", "_nonce")

    def __init__(self, key: bytes, chance: RandomBytes = os.urandom) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes")
        self._cipher = AESGCM(key)
        self._nonce = chance

    def __repr__(self) -> str:
        return "Seal(...)"

    def close(self, value: bytes, context: bytes) -> bytes:
        """Seal a value, padded to hide its length; return nonce (12 bytes), ciphertext and tag."""
        nonce = self._nonce(_NONCE_BYTES)
        padded = value + b"\x80" + bytes(-(len(value) + 1) % PADDED_TO)
        return nonce + self._cipher.encrypt(nonce, padded, context)

    def open(self, box: bytes, context: bytes) -> bytes:
        """The sealed value. Raises `SealError` on a wrong key or context, or an altered byte."""
        try:
            padded = self._cipher.decrypt(box[:_NONCE_BYTES], box[_NONCE_BYTES:], context)
        except (InvalidTag, ValueError):
            raise SealError("not sealed by this key for this place") from None
        return padded.rstrip(b"\x00")[:-1]


class BlindIndex:
    """Keyed digests that locate values and codes and show whether a row was altered."""

    __slots__ = ("_codes", "_rows", "_subjects")

    def __init__(self, key: bytes) -> None:
        # Copying a keyed digest is a third faster than creating one.
        self._subjects = hashlib.blake2b(key=key, person=b"deid.subject")
        self._codes = hashlib.blake2b(key=key, person=b"deid.code", digest_size=INDEX_BYTES)
        self._rows = hashlib.blake2b(key=key, person=b"deid.row")

    def __repr__(self) -> str:
        return "BlindIndex(...)"

    def find(self, subject: bytes) -> tuple[bytes, bytes]:
        """A subject's index position (24 bytes) and the pad that hides its code (40 bytes)."""
        return self.find_all([subject])[subject]

    def find_all(self, subjects: Iterable[bytes]) -> dict[bytes, tuple[bytes, bytes]]:
        """Do the same as `find` for many subjects."""
        copy, found = self._subjects.copy, {}
        for subject in subjects:
            keyed = copy()
            keyed.update(subject)
            digest = keyed.digest()
            found[subject] = digest[:INDEX_BYTES], digest[INDEX_BYTES:]
        return found

    def mark(self, code: bytes) -> bytes:
        """The index position of a code (24 bytes)."""
        keyed = self._codes.copy()
        keyed.update(code)
        return keyed.digest()

    def tags(self, rows: Sequence[bytes]) -> list[bytes]:
        """Return the tag of each row: the first 16 bytes of the row's digest from `prove`."""
        copy, tags = self._rows.copy, []
        for row in rows:
            keyed = copy()
            keyed.update(row)
            tags.append(keyed.digest()[:TAG_BYTES])
        return tags

    def prove(self, row: bytes) -> bytes:
        """A row's digest (64 bytes): its tag, and the weight it adds to the sum over all rows."""
        keyed = self._rows.copy()
        keyed.update(row)
        return keyed.digest()


class Signer:
    """Signs the head of an audit. Anyone with `public` can check it without a secret."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return "Signer(...)"

    def sign(self, message: bytes) -> bytes:
        """The signature of the message: 64 bytes."""
        return self._key.sign(message)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` over `message` was made by the holder of `public`."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def mask_text(text: bytes, pad: bytes) -> bytes:
    """Mask `text` with a pad that is used once; the same call unmasks it."""
    size = len(text)
    return (int.from_bytes(text, "big") ^ int.from_bytes(pad[:size], "big")).to_bytes(size, "big")


def derive_key(key: bytes, use: str) -> bytes:
    """Derive a key of 32 bytes for one use; it does not reveal `key`."""
    return hashlib.blake2b(
        use.encode(), key=key, digest_size=KEY_BYTES, person=b"deid.use"
    ).digest()


def stretch_passphrase(
    passphrase: bytes, salt: bytes, memory_kib: int, passes: int, lanes: int
) -> bytes:
    """Derive a key of 32 bytes from a passphrase: Argon2id, RFC 9106 section 4."""
    return Argon2id(
        salt=salt, length=KEY_BYTES, iterations=passes, lanes=lanes, memory_cost=memory_kib
    ).derive(passphrase)
