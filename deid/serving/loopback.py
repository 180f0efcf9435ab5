"""Serves pages and APIs, by default on loopback, without logs, until interrupted."""

from __future__ import annotations

import contextlib
import socket
import ssl
from pathlib import Path
from typing import Any

import uvicorn

from deid.errors import DeidError


def listen(bind: str, port: int) -> socket.socket:
    """Open a listening socket; from now on connections queue.

    Raises:
        DeidError: `port-taken`.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bind, port))
        listening.listen(64)
    except (OSError, OverflowError):
        listening.close()
        raise DeidError(
            "port-taken", "the port cannot be used", hint="give another one with --port"
        ) from None
    return listening


def refuse_certificate(certificate: Path | None, certificate_key: Path | None) -> None:
    """Raises `DeidError` (`certificate-unreadable`) before the server reports that it is ready."""
    if certificate is None and certificate_key is None:
        return
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate or "", certificate_key)
    except (OSError, ValueError):
        raise DeidError(
            "certificate-unreadable",
            "the certificate or its key cannot be read, or they do not belong together",
            hint="give PEM files with --certificate and --certificate-key",
        ) from None


def serve_application(
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
