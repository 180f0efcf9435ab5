"""Checks on every request and headers on every response of the review page."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deid.serving.host_names import Origin

LARGEST_BODY = 64 * 1024
RESPONSE_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
    "x-dns-prefetch-control": "off",
}


class RequestGuard:
    """Host allow-list against DNS rebinding, a size limit, and response headers."""

    def __init__(self, app: ASGIApp, origin: Origin) -> None:
        self.app, self.origin = app, origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # There are no web sockets and no startup or shutdown work.
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        answer = self._refuse(Request(scope))
        sending = _Sending(send)
        try:
            await (answer or self.app)(scope, receive, sending)
        except Exception:
            # Errors are neither shown nor logged: message and frames may hold patient data.
            if not sending.started:
                await PlainTextResponse("internal fault", 500)(scope, receive, sending)

    def _refuse(self, request: Request) -> Response | None:
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self.origin.hosts:
            return PlainTextResponse("wrong host", 400)
        length = request.headers.get("content-length", "0")
        chunked = "transfer-encoding" in request.headers
        if chunked or not length.isdigit() or int(length) > LARGEST_BODY:
            return PlainTextResponse("too large", 413)
        return None


class _Sending:
    """Adds our headers to a response, and records that the response began."""

    def __init__(self, send: Send) -> None:
        self._send, self.started = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            ours = [(name.encode(), value.encode()) for name, value in RESPONSE_HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *ours]}
        await self._send(message)


def is_proven(request: Request, proof: str, origin: Origin) -> bool:
    """Whether a request may read notes.

    Our page sends the session's proof, because browsers send a cookie to every port of this
    machine. Requests from another origin are refused.
    """
    sent = request.headers.get("x-review-proof", "")
    claimed = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    own = (claimed is None or origin.allows(claimed)) and site in ("same-origin", "none")
    return own and secrets.compare_digest(sent.encode(), proof.encode())


def may_change(request: Request, proof: str, origin: Origin) -> bool:
    """Whether a request may change something: it must also name our origin and send JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0]
    named = origin.allows(request.headers.get("origin", ""))
    return named and kind == "application/json" and is_proven(request, proof, origin)


def json_body(body: Any, **kinds: type) -> dict[str, Any] | None:
    """A JSON body with exactly these keys and types, or None."""
    if not isinstance(body, dict) or body.keys() != kinds.keys():
        return None
    for name, kind in kinds.items():
        value = body[name]
        if isinstance(value, bool) is not (kind is bool):
            return None
        if not isinstance(value, (int, float) if kind is float else kind):
            return None
    return body
