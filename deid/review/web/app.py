"""The server of the review page: all routes and their access checks."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from deid.errors import DeidError
from deid.reports.pages import render_page
from deid.review.review_session import ReviewSession
from deid.review.signing import sign_review, signing_json
from deid.review.web.guard import RequestGuard, is_proven, json_body, may_change
from deid.review.web.sessions import Session, Sessions
from deid.serving.host_names import Origin

COOKIE = "deid-review"
LIST_PAGE_ROWS = 200
LONGEST_SEARCH = 200
STATIC = {
    "review.css": "text/css",
    "review.mjs": "text/javascript",
    "adjudicate.mjs": "text/javascript",
    "open.mjs": "text/javascript",
    "page.mjs": "text/javascript",
    "signing.mjs": "text/javascript",
    "icon.svg": "image/svg+xml",
}
Handler = Callable[[Request, Session], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class ReviewApp:
    """The objects that the routes share."""

    review: ReviewSession
    sessions: Sessions
    origin: Origin
    share: bool
    idle: float
    on_lock: Callable[[Session], None]
    on_sign: Callable[[], None]


def build_review_app(state: ReviewApp) -> RequestGuard:
    """Build the application with its request checks."""
    api = _Api(state)
    routes = [
        Route("/open", api.open),
        Route("/static/{name}", _static),
        Route("/favicon.ico", _icon),
        Route("/", api.page(None)),
        Route("/adjudicate", api.page("adjudicator")),
        Route("/api/start", api.reading(api.start)),
        Route("/api/notes", api.reading(api.notes)),
        Route("/api/notes/{number:int}", api.reading(api.note)),
        Route("/api/differences", api.reading(api.differences)),
        Route("/api/signing", api.reading(api.signing)),
        Route("/api/sign", api.writing(api.sign), methods=["POST"]),
        Route("/api/search", api.writing(api.search), methods=["POST"]),
        Route("/api/lock", api.writing(api.lock), methods=["POST"]),
        Route("/api/alive", api.writing(api.alive), methods=["POST"]),
        Route("/api/share", api.writing(api.share), methods=["POST"]),
        Route("/api/undo", api.writing(api.undo), methods=["POST"]),
        Route("/api/notes/{number:int}/{act}", api.writing(api.act), methods=["POST"]),
    ]
    return RequestGuard(
        Starlette(routes=routes, exception_handlers={DeidError: _respond_error}), state.origin
    )


class _Api:
    def __init__(self, state: ReviewApp) -> None:
        self.state, self.review = state, state.review

    # -- access ---------------------------------------------------------------------------

    async def open(self, request: Request) -> Response:
        """Open a session with a one-time link; the link works only once.

        Requests that do not show the page (HEAD, prefetch, frame, image) do not use up the link.
        Only the response holds the session's proof, which the page stores for its origin.
        """
        if not _shows_page(request):
            return _locked(405 if request.method == "HEAD" else 403)
        secret = request.query_params.get("token", "")
        cookie = self.state.sessions.enter(secret, self.state.share)
        session = None if cookie is None else self.state.sessions.find(cookie)
        if cookie is None or session is None:
            return _locked(403)
        response = HTMLResponse(render_page("review/open.html", proof=session.proof))
        secure = self.state.origin.scheme == "https"
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=secure)
        return response

    def _session(self, request: Request) -> Session | None:
        return self.state.sessions.find(request.cookies.get(COOKIE, ""))

    def page(self, role: str | None) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return _locked(403)
            if role is None and session.role == "adjudicator":
                return RedirectResponse("/adjudicate", 303)
            if role is not None and session.role != role:
                return _locked(403)
            template = "review/adjudicate.html" if role else "review/page.html"
            return HTMLResponse(
                render_page(
                    template,
                    reviewer=session.reviewer,
                    idle=int(self.state.idle),
                    title=f"Review by {session.reviewer}",
                )
            )

        return answer

    def reading(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return JSONResponse({"error": "locked"}, 401)
            if not is_proven(request, session.proof, self.state.origin):
                return JSONResponse({"error": "refused"}, 403)
            return await handler(request, session)

        return answer

    def writing(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return JSONResponse({"error": "locked"}, 401)
            if not may_change(request, session.proof, self.state.origin):
                return JSONResponse({"error": "refused"}, 403)
            return await handler(request, session)

        return answer

    # -- reading ----------------------------------------------------------------------

    async def start(self, request: Request, session: Session) -> Response:
        return JSONResponse(
            {
                **self.review.choices(),
                "share": session.share,
                "standing": self._standing(session),
                "next": self.review.next_unread(session.reviewer),
            }
        )

    async def notes(self, request: Request, session: Session) -> Response:
        try:
            rows = self.review.list_notes(request.query_params, session.reviewer, session.found)
            first = max(0, int(request.query_params.get("from", "0")))
        except ValueError:
            return JSONResponse({"error": "bad-request"}, 400)
        return JSONResponse(
            {"total": len(rows), "from": first, "rows": rows[first : first + LIST_PAGE_ROWS]}
        )

    async def note(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        return JSONResponse(self.review.note(number, session.reviewer, session.share))

    async def differences(self, request: Request, session: Session) -> Response:
        if session.role != "adjudicator":
            return JSONResponse({"error": "refused"}, 403)
        found = [
            {
                "number": self.review.batch.number(d.place),
                "name": self.review.batch.notes[self.review.batch.number(d.place)].name,
                "column": d.column,
                "change": d.spot if isinstance(d.spot, int) else -1,
                "out": list(d.out),
                "said": [list(said) for said in d.said],
                "options": _options([said[1] for said in d.said], isinstance(d.spot, int)),
                "ruling": d.ruling,
            }
            for d in self.review.differences()
        ]
        return JSONResponse({"differences": found, "agreement": self.review.agreement()})

    def _standing(self, session: Session) -> dict[str, Any]:
        """Reviewers see only their own results, so that they stay blind to each other's marks."""
        alone = None if session.role == "adjudicator" else session.reviewer
        return self.review.standing(alone).as_json()

    # -- writing ----------------------------------------------------------------------

    async def act(self, request: Request, session: Session) -> Response:
        body = _parse_body(await request.body())
        acts: Mapping[str, Callable[[int, Session, Any], bool]] = {
            "judge": self._judge,
            "miss": self._miss,
            "read": self._read,
            "comment": self._comment,
            "rule": self._rule,
        }
        act = acts.get(request.path_params["act"])
        number = request.path_params["number"]
        if act is None or session.share or not act(number, session, body):
            return JSONResponse({"error": "bad-request"}, 400)
        if session.role == "adjudicator":
            return await self.differences(request, session)
        return self._after(number, session)

    def _judge(self, number: int, session: Session, body: Any) -> bool:
        asked = json_body(body, column=int, change=int, verdict=str, word=str)
        if asked is None or session.role != "reviewer":
            return False
        self.review.judge(number, session.reviewer, **asked)
        return True

    def _miss(self, number: int, session: Session, body: Any) -> bool:
        asked = json_body(body, column=int, side=str, start=int, end=int, word=str)
        if asked is None or session.role != "reviewer":
            return False
        self.review.miss(number, session.reviewer, **asked)
        return True

    def _read(self, number: int, session: Session, body: Any) -> bool:
        asked = json_body(body, seconds=float)
        if asked is None or session.role != "reviewer":
            return False
        self.review.finish(number, session.reviewer, float(asked["seconds"]))
        return True

    def _comment(self, number: int, session: Session, body: Any) -> bool:
        asked = json_body(body, text=str)
        if asked is None:
            return False
        self.review.comment(number, session.reviewer, asked["text"])
        return True

    def _rule(self, number: int, session: Session, body: Any) -> bool:
        asked = json_body(body, index=int, verdict=str)
        if asked is None or session.role != "adjudicator":
            return False
        self.review.rule(number, session.reviewer, **asked)
        return True

    async def undo(self, request: Request, session: Session) -> Response:
        number = None if session.share else self.review.undo(session.reviewer)
        if number is None:
            return JSONResponse({"error": "nothing-to-undo"}, 409)
        return self._after(number, session)

    def _after(self, number: int, session: Session) -> Response:
        note = self.review.note(number, session.reviewer, session.share)
        return JSONResponse(
            {
                "number": number,
                "marks": note["marks"],
                "read": note["read"],
                "standing": self._standing(session),
                "next": self.review.next_unread(session.reviewer),
            }
        )

    async def signing(self, request: Request, session: Session) -> Response:
        return JSONResponse(signing_json(self.review))

    async def sign(self, request: Request, session: Session) -> Response:
        asked = json_body(_parse_body(await request.body()), name=str, title=str, agreed=bool)
        if asked is None or not asked["agreed"] or session.share:
            return JSONResponse({"error": "bad-request"}, 400)
        sign_review(self.review, session.reviewer, asked["name"], asked["title"])
        self.state.on_sign()
        return JSONResponse(signing_json(self.review))

    async def search(self, request: Request, session: Session) -> Response:
        """Keep what is searched for out of addresses: it may be a value."""
        asked = json_body(_parse_body(await request.body()), text=str)
        if asked is None or len(asked["text"]) > LONGEST_SEARCH:
            return JSONResponse({"error": "bad-request"}, 400)
        text = asked["text"]
        session.found = self.review.search(text, session.share) if text else None
        return JSONResponse({"notes": None if session.found is None else len(session.found)})

    async def share(self, request: Request, session: Session) -> Response:
        asked = json_body(_parse_body(await request.body()), on=bool)
        if asked is None or (self.state.share and not asked["on"]):
            return JSONResponse({"error": "bad-request"}, 400)
        session.share, session.found = asked["on"], None
        return JSONResponse({"share": session.share})

    async def alive(self, request: Request, session: Session) -> Response:
        return JSONResponse({})

    async def lock(self, request: Request, session: Session) -> Response:
        self.state.sessions.lock(request.cookies.get(COOKIE, ""))
        self.state.on_lock(session)
        return JSONResponse({})


def _shows_page(request: Request) -> bool:
    """Whether the request says that a browser navigates to a page."""
    early = ("sec-purpose", "purpose", "x-purpose", "x-moz")
    fetched_early = any("prefetch" in request.headers.get(name, "") for name in early)
    shown = request.headers.get("sec-fetch-dest", "document") == "document"
    return request.method == "GET" and shown and not fetched_early


def _options(verdicts: list[str], of_change: bool) -> list[str]:
    return list(dict.fromkeys(verdicts)) if of_change else ["leak", "no_leak"]


def _parse_body(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _locked(status: int) -> Response:
    return HTMLResponse(render_page("review/locked.html"), status)


@cache
def _asset(name: str) -> bytes:
    return (files("deid.review.web") / "static" / name).read_bytes()


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        return PlainTextResponse("not found", 404)
    return Response(_asset(name), media_type=STATIC[name])


async def _icon(request: Request) -> Response:
    return Response(_asset("icon.svg"), media_type=STATIC["icon.svg"])


async def _respond_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DeidError)
    return JSONResponse({"error": error.code, "hint": error.hint}, 400)
