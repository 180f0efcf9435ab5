"""Serves the endpoints, on loopback unless told otherwise, until it is stopped."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from deid.errors import DeidError
from deid.serving.api import House, build

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. Anything but loopback needs a token from every caller, and TLS."""

    bind: str = "127.0.0.1"
    port: int = 3000
    certificate: Path | None = field(default=None, repr=False)
    certificate_key: Path | None = field(default=None, repr=False)

    def check(self, token: str | None) -> None:
        """Raises `DeidError` (`remote-needs-token`, `remote-needs-tls`) where that is missing."""
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


def listen(address: Address) -> socket.socket:
    """The socket, already listening.

    Raises:
        DeidError: `port-taken`.
    """
    family = socket.AF_INET6 if ":" in address.bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address.bind, address.port))
        listening.listen(64)
    except OSError:
        listening.close()
        raise DeidError(
            "port-taken", "the port cannot be used", hint="name another with --port"
        ) from None
    return listening


def serve(house: House, address: Address, listening: socket.socket) -> None:
    """Until interrupted."""
    config = uvicorn.Config(
        build(house),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        ssl_certfile=address.certificate,
        ssl_keyfile=address.certificate_key,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
