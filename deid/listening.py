"""Pages and interfaces are served here: on loopback first, nothing logged, until interrupted."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path
from typing import Any

import uvicorn

from deid.errors import DeidError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def listen(bind: str, port: int) -> socket.socket:
    """The socket, already listening: from now on a caller waits their turn.

    Raises:
        DeidError: `port-taken`.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bind, port))
        listening.listen(64)
    except OSError:
        listening.close()
        raise DeidError(
            "port-taken", "the port cannot be used", hint="name another with --port"
        ) from None
    return listening


def run(
    app: Any, listening: socket.socket, certificate: Path | None, certificate_key: Path | None
) -> None:
    """Serve an ASGI application until interrupted."""
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        ssl_certfile=certificate,
        ssl_keyfile=certificate_key,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
