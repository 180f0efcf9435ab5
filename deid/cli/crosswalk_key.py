"""The key that opens a crosswalk, from one of four sources."""

from __future__ import annotations

import getpass
import sys
from dataclasses import dataclass
from pathlib import Path

from deid.cli import say
from deid.crosswalk.audit.anchor import is_kept
from deid.crosswalk.keys.master_keys import (
    MasterKey,
    Passphrase,
    keyring_key,
    read_key_file,
    service_key,
)
from deid.errors import KEY, DeidError


@dataclass(frozen=True, kw_only=True)
class KeyOptions:
    """The source of the master key. Exactly one of these must be given."""

    key_file: Path | None = None
    keyring: str | None = None
    key_service: str | None = None
    passphrase: bool = False

    def check(self) -> None:
        """Check that exactly one source is given.

        Raises:
            DeidError: `no-key`, `many-keys`.
        """
        named = (self.key_file, self.keyring, self.key_service)
        given = sum(source is not None for source in named) + self.passphrase
        if given != 1:
            raise DeidError(
                "no-key" if given == 0 else "many-keys",
                "no key is given for the crosswalk"
                if given == 0
                else "several keys are given for the crosswalk",
                hint="give one of --key-file F, --keyring, --key-service and --passphrase",
            )

    def master(self, *, new: bool = False) -> MasterKey:
        """The master key; if `new`, create it in the keyring, or ask for the passphrase twice.

        Raises:
            DeidError: no source or several were given, or the source has no key.
        """
        self.check()
        master = self._source(new)
        if not is_kept(master):
            say(
                "hint: the note of heads (the record of the last generation seen) cannot be "
                "stored, so an older copy of the crosswalk would not be detected; keep the key in "
                "a folder to which you can write, or set XDG_STATE_HOME to such a folder"
            )
        return master

    def _source(self, new: bool) -> MasterKey:
        if self.key_file is not None:
            return read_key_file(self.key_file)
        if self.keyring is not None:
            return keyring_key(self.keyring, create=new)
        if self.key_service is not None:
            name, _, key = self.key_service.partition(":")
            return service_key(name, key)
        return Passphrase(_ask_passphrase(new))


def _ask_passphrase(new: bool) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("Passphrase: ")
    if new and getpass.getpass("Again: ") != first:
        raise DeidError(
            "passphrases-differ",
            "the two passphrases differ",
            exit_code=KEY,
            hint="type the same passphrase twice",
        )
    return first
