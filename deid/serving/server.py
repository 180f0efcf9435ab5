"""The address that the service listens on, and who may call it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from deid.errors import DeidError
from deid.serving.host_names import LOOPBACK

ALL_INTERFACES = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """The address to listen on and the accepted host names.

    Any address other than loopback needs a token, TLS and the host names that callers use.
    """

    bind: str = "127.0.0.1"
    port: int = 3000
    certificate: Path | None = field(default=None, repr=False)
    certificate_key: Path | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names that a `Host` header may hold."""
        return (*self.names, self.bind, *LOOPBACK)

    def check(self, token: str | None) -> None:
        """Raises `DeidError`: `remote-needs-token`, `remote-needs-tls`, `remote-needs-name`."""
        if self.bind in LOOPBACK:
            return
        if token is None:
            raise DeidError(
                "remote-needs-token",
                "no token is required, so anyone on the network could send notes",
                hint="give --token-file, a file whose first line is a token",
            )
        if self.certificate is None or self.certificate_key is None:
            raise DeidError(
                "remote-needs-tls",
                "no TLS certificate is given, so notes would cross the network unencrypted",
                hint="give --certificate and --certificate-key",
            )
        if self.bind in ALL_INTERFACES and not self.names:
            raise DeidError(
                "remote-needs-name",
                "no host name is given, so all remote callers would be refused",
                hint="give the host name in the callers' URL with --host-name",
            )


def read_token(path: Path) -> str:
    """Read the token, the first line of a file: at least 16 characters.

    Raises:
        DeidError: `token-unreadable`, `token-short`.
    """
    try:
        token = path.read_text("utf-8").splitlines()[0].strip()
    except (OSError, UnicodeDecodeError, IndexError):
        raise DeidError(
            "token-unreadable",
            "the file of --token-file cannot be read",
            hint="check the path and the permissions",
        ) from None
    if len(token) < 16:
        raise DeidError(
            "token-short",
            "the token in --token-file has fewer than 16 characters",
            hint="write a longer token in its first line",
        )
    return token
