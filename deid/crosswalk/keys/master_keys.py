"""Master keys wrap the keys of a crosswalk and are never stored in it.

A master key comes from a key file of mode 0600, the system keyring, a passphrase, or a key service
in the entry point group `deid.key_services`. It never comes from an environment variable.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib
import json
import os
import secrets
import stat
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from deid.crosswalk.keys.passphrases import WEAKEST, counted_characters
from deid.crosswalk.keys.vault import KEY_BYTES, RandomBytes, Seal, SealError, stretch_passphrase
from deid.crosswalk.trouble import KeyTrouble, key_trouble

KEY_FILE_FORMAT = "deid-key/1"
KEY_SERVICES = "deid.key_services"
# RFC 9106 section 4, second recommended option: 64 MiB, three passes, four lanes.
_MEMORY_KIB, _PASSES, _LANES = 64 * 1024, 3, 4
_SALT_BYTES = 16
_UNSAFE_KEYRINGS = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


class MasterKey(Protocol):
    """Wraps the keys of a crosswalk. `name` identifies the key and holds no secret."""

    @property
    def name(self) -> str: ...
    @property
    def anchor(self) -> Path | None:
        """The file that records the last heads seen with this key, or a folder with one file per
        book.

        If None, no head is recorded, and an older copy of the crosswalk is not detected.
        """
        ...

    def wrap(self, key: bytes, context: bytes) -> bytes: ...
    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        """The key that `wrap` wrapped. Raises `KeyTrouble` if another key or context wrapped it."""
        ...


class SecretKey:
    """A master key of 32 bytes held in this process."""

    def __init__(self, name: str, secret: bytes, anchor: Path | None = None) -> None:
        self.name, self.anchor = name, anchor
        self._seal = Seal(secret)

    def __repr__(self) -> str:
        return f"SecretKey({self.name!r})"

    def wrap(self, key: bytes, context: bytes) -> bytes:
        return self._seal.close(key, context)

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        try:
            return self._seal.open(wrapped, context)
        except SealError:
            raise key_trouble("wrong-key", self.name) from None


class Passphrase:
    """A master key derived from a passphrase by Argon2id; wrapped keys carry the salt."""

    name = "passphrase"

    def __init__(
        self, passphrase: str, chance: RandomBytes = secrets.token_bytes, anchor: Path | None = None
    ) -> None:
        if not passphrase:
            raise key_trouble("empty-passphrase", "passphrase")
        self.anchor = anchor or heads_folder()
        self._strength = counted_characters(passphrase)
        self._passphrase = passphrase.encode()
        self._salt = chance(_SALT_BYTES)
        self._seals: dict[bytes, Seal] = {}

    def __repr__(self) -> str:
        return "Passphrase(...)"

    def wrap(self, key: bytes, context: bytes) -> bytes:
        return self._salt + self._stretched(self._salt).close(key, context)

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        salt, box = wrapped[:_SALT_BYTES], wrapped[_SALT_BYTES:]
        try:
            opened = self._stretched(salt).open(box, context)
        except SealError:
            raise key_trouble("wrong-key", self.name) from None
        # Each book has one salt, also used to seal its heads, so the key is derived once.
        self._salt = salt
        return opened

    def check_strength(self) -> None:
        """Refuse a passphrase that someone who steals the crosswalk could soon guess.

        Raises:
            KeyTrouble: `weak-passphrase`.
        """
        if self._strength < WEAKEST:
            raise key_trouble(
                "weak-passphrase", "passphrase", strength=self._strength, needed=WEAKEST
            )

    def _stretched(self, salt: bytes) -> Seal:
        if salt not in self._seals:
            key = stretch_passphrase(self._passphrase, salt, _MEMORY_KIB, _PASSES, _LANES)
            self._seals[salt] = Seal(key)
        return self._seals[salt]


def create_key_file(path: Path) -> SecretKey:
    """Create a key in a new file of mode 0600; an existing file is never overwritten."""
    key, name = secrets.token_bytes(KEY_BYTES), secrets.token_hex(8)
    body = {
        "format": KEY_FILE_FORMAT,
        "name": name,
        "key": _key_text(key),
        "checksum": _checksum(name, key),
    }
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise key_trouble("key-file-exists", str(path)) from None
    except OSError:
        raise key_trouble("key-file-unwritable", str(path)) from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(json.dumps(body, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return SecretKey(name, key, anchor_of(path))


def read_key_file(path: Path) -> SecretKey:
    """The key in a key file. Refuses a file that others may read or that is damaged."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            body = file.read(4096)
    except OSError:
        raise key_trouble("key-file-unreadable", str(path)) from None
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise key_trouble("key-file-open-to-others", str(path))
    name, key = _parse_key_file(path, body)
    return SecretKey(name, key, anchor_of(path))


def anchor_of(key_file: Path) -> Path:
    """The file for the last head seen, so that a rollback is noticed. It is beside the key."""
    return key_file.with_name(key_file.name + ".heads")


def heads_folder() -> Path | None:
    """The folder of recorded heads for keys that are not in a file: `$XDG_STATE_HOME/deid/heads`.

    The result is None if it cannot be created.
    """
    state = os.environ.get("XDG_STATE_HOME", "")
    try:
        folder = (Path(state) if state else Path.home() / ".local" / "state") / "deid" / "heads"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder


def keyring_key(name: str, create: bool = False) -> SecretKey:
    """The key kept under `name` in the system keyring; it is created if `create` is set."""
    keyring = _keyring(name)
    text = keyring.get_password("deid", name)
    if text is None and create:
        text = _key_text(secrets.token_bytes(KEY_BYTES))
        keyring.set_password("deid", name, text)
    if text is None:
        raise key_trouble("no-such-key", f"keyring:{name}")
    return SecretKey(f"keyring:{name}", base64.b64decode(text), heads_folder())


def service_key(service: str, name: str) -> MasterKey:
    """The key `name` of a key service that another installed package provides.

    The entry point in the group `deid.key_services` gets the name of the key and returns a
    `MasterKey`.
    """
    for point in entry_points(group=KEY_SERVICES, name=service):
        plug: Callable[[str], MasterKey] = point.load()
        return plug(name)
    known = sorted({point.name for point in entry_points(group=KEY_SERVICES)})
    raise key_trouble("no-such-key-service", f"service:{service}", known=", ".join(known) or "none")


def _keyring(name: str) -> Any:
    place = f"keyring:{name}"
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise KeyTrouble(
            "no-keyring", place, "the keyring package is missing", "install deid's `keyring` extra"
        ) from None
    module = type(keyring.get_keyring()).__module__
    if module.startswith(_UNSAFE_KEYRINGS):
        raise KeyTrouble(
            "no-keyring", place, "this system has no safe keyring", "use a key file of mode 0600"
        )
    return keyring


def _parse_key_file(path: Path, body: bytes) -> tuple[str, bytes]:
    try:
        read = json.loads(body)
        name, key = read["name"], base64.b64decode(read["key"], validate=True)
        sound = read["format"] == KEY_FILE_FORMAT and read["checksum"] == _checksum(name, key)
    except (ValueError, KeyError, TypeError, binascii.Error):
        sound = False
    if not sound or len(key) != KEY_BYTES:
        raise key_trouble("key-file-damaged", str(path))
    return name, key


def _checksum(name: str, key: bytes) -> str:
    return hashlib.sha256(b"deid-key|" + name.encode() + b"|" + key).hexdigest()[:8]


def _key_text(key: bytes) -> str:
    return base64.b64encode(key).decode("ascii")
