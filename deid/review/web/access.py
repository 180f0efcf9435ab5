"""Decides who may request what from the review page, by links, sessions, roles and proofs."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from deid.reports.pages import render_page
from deid.review.web.guard import is_proven, may_change
from deid.review.web.sessions import Role, Session, Sessions
from deid.serving.host_names import Origin

COOKIE = "deid-review"
Endpoint = Callable[[Request], Awaitable[Response]]
Handler = Callable[[Request, Session], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class ReviewAccess:
    """Opens sessions, and accepts only requests that belong to a session."""

    sessions: Sessions
    origin: Origin
    share: bool
    idle: float

    async def open(self, request: Request) -> Response:
        """Open a session with a one-time link; the link works only once.

        Requests that do not show the page (HEAD, prefetch, frame, image) do not use up the link.
        Only the response holds the session's proof, which the page stores for its origin.
        """
        if not _shows_page(request):
            return _locked(405 if request.method == "HEAD" else 403)
        secret = request.query_params.get("token", "")
        cookie = self.sessions.enter(secret, self.share)
        session = None if cookie is None else self.sessions.find(cookie)
        if cookie is None or session is None:
            return _locked(403)
        response = HTMLResponse(render_page("review/open.html", proof=session.proof))
        secure = self.origin.scheme == "https"
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=secure)
        return response

    def page(self, role: Role, template: str) -> Endpoint:
        """The page of a role. The adjudicator is redirected to their page; others are refused."""

        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return _locked(403)
            if session.role != role:
                adjudicates = session.role == "adjudicator"
                return RedirectResponse("/adjudicate", 303) if adjudicates else _locked(403)
            return HTMLResponse(
                render_page(
                    template,
                    reviewer=session.reviewer,
                    idle=int(self.idle),
                    title=f"Review by {session.reviewer}",
                )
            )

        return answer

    def reading(self, handler: Handler, role: Role | None = None) -> Endpoint:
        """The endpoint of a request for data; only for `role`, if it is given."""
        return self._proven(handler, is_proven, role)

    def writing(self, handler: Handler) -> Endpoint:
        """The endpoint of a request that changes something."""
        return self._proven(handler, may_change, None)

    def end(self, request: Request) -> None:
        """End the session of a request."""
        self.sessions.lock(request.cookies.get(COOKIE, ""))

    def _session(self, request: Request) -> Session | None:
        return self.sessions.find(request.cookies.get(COOKIE, ""))

    def _proven(
        self, handler: Handler, passes: Callable[[Request, str, Origin], bool], role: Role | None
    ) -> Endpoint:
        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return JSONResponse({"error": "locked"}, 401)
            if not passes(request, session.proof, self.origin) or role not in (None, session.role):
                return JSONResponse({"error": "refused"}, 403)
            return await handler(request, session)

        return answer


async def sent_json(request: Request) -> Any:
    """The JSON body of a request, or None."""
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        return None


def _shows_page(request: Request) -> bool:
    """Whether the request says that a browser navigates to a page."""
    early = ("sec-purpose", "purpose", "x-purpose", "x-moz")
    fetched_early = any("prefetch" in request.headers.get(name, "") for name in early)
    shown = request.headers.get("sec-fetch-dest", "document") == "document"
    return request.method == "GET" and shown and not fetched_early


def _locked(status: int) -> Response:
    return HTMLResponse(render_page("review/locked.html"), status)
