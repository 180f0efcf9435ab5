"""Where the endpoints are served, and to whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from deid.errors import DeidError
from deid.serving.host_names import LOOPBACK

ALL_INTERFACES = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where to listen, and under which names. Anything but loopback needs a token from every
    caller, TLS, and the names that callers use."""

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
                "notes would be taken from anybody on the network",
                hint="name a file with a token by --token-file",
            )
        if self.certificate is None or self.certificate_key is None:
            raise DeidError(
                "remote-needs-tls",
                "notes would cross the network in the clear",
                hint="name --certificate and --certificate-key",
            )
        if self.bind in ALL_INTERFACES and not self.names:
            raise DeidError(
                "remote-needs-name",
                "callers under a name that is not known are refused",
                hint="name by --host-name what callers write in the URL",
            )


def read_token(path: Path) -> str:
    """The first line of a file; 16 characters at least.

    Raises:
        DeidError: `token-unreadable`, `token-short`.
    """
    try:
        token = path.read_text("utf-8").splitlines()[0].strip()
    except (OSError, UnicodeDecodeError, IndexError):
        raise DeidError("token-unreadable", "the file of --token-file cannot be read") from None
    if len(token) < 16:
        raise DeidError("token-short", "a token has at least 16 characters")
    return token
