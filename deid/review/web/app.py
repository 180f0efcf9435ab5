"""The server of the review page: its routes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from deid.errors import DeidError
from deid.review.marking import undo
from deid.review.note_list import choices, list_notes, search
from deid.review.review_session import ReviewSession
from deid.review.signing import sign_review, signing_json
from deid.review.web.access import ReviewAccess, sent_json
from deid.review.web.guard import RequestGuard, json_body
from deid.review.web.note_acts import NOTE_ACTS
from deid.review.web.sessions import Session
from deid.review.web.shown_note import note_json
from deid.review.web.team import team_json

LIST_PAGE_ROWS = 200
LONGEST_SEARCH = 200
STATIC = {
    "review.css": "text/css",
    "review.mjs": "text/javascript",
    "findings.mjs": "text/javascript",
    "list.mjs": "text/javascript",
    "picking.mjs": "text/javascript",
    "edges.mjs": "text/javascript",
    "adjudicate.mjs": "text/javascript",
    "open.mjs": "text/javascript",
    "page.mjs": "text/javascript",
    "signing.mjs": "text/javascript",
    "icon.svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class ReviewApp:
    """The objects that the routes share."""

    review: ReviewSession
    access: ReviewAccess
    on_lock: Callable[[Session], None]
    on_sign: Callable[[], None]


def build_review_app(state: ReviewApp) -> RequestGuard:
    """Build the application with its request checks."""
    api, access = _Api(state), state.access
    reading, writing = access.reading, access.writing
    routes = [
        Route("/open", access.open),
        Route("/static/{name}", _static),
        Route("/favicon.ico", _icon),
        Route("/", access.page("reviewer", "review/page.html")),
        Route("/adjudicate", access.page("adjudicator", "review/adjudicate.html")),
        Route("/api/start", reading(api.start)),
        Route("/api/notes", reading(api.notes)),
        Route("/api/notes/{number:int}", reading(api.note)),
        Route("/api/team", reading(api.team, "adjudicator")),
        Route("/api/signing", reading(api.signing)),
        Route("/api/sign", writing(api.sign), methods=["POST"]),
        Route("/api/search", writing(api.search), methods=["POST"]),
        Route("/api/lock", writing(api.lock), methods=["POST"]),
        Route("/api/alive", writing(api.alive), methods=["POST"]),
        Route("/api/share", writing(api.share), methods=["POST"]),
        Route("/api/undo", writing(api.undo), methods=["POST"]),
        Route("/api/notes/{number:int}/{act}", writing(api.act), methods=["POST"]),
    ]
    return RequestGuard(
        Starlette(routes=routes, exception_handlers={DeidError: _respond_error}), access.origin
    )


class _Api:
    def __init__(self, state: ReviewApp) -> None:
        self.state, self.review = state, state.review

    # -- reading ----------------------------------------------------------------------

    async def start(self, request: Request, session: Session) -> Response:
        return JSONResponse(
            {
                **choices(self.review, session.reviewer),
                "share": session.share,
                "standing": self._standing(session),
                "next": self.review.next_unread(session.reviewer),
            }
        )

    async def notes(self, request: Request, session: Session) -> Response:
        try:
            rows = list_notes(self.review, request.query_params, session.reviewer, session.found)
            first = max(0, int(request.query_params.get("from", "0")))
        except ValueError:
            return _bad_request()
        return JSONResponse(
            {"total": len(rows), "from": first, "rows": rows[first : first + LIST_PAGE_ROWS]}
        )

    async def note(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        everybody = session.role == "adjudicator"
        return JSONResponse(
            note_json(self.review, number, session.reviewer, session.share, all_comments=everybody)
        )

    async def team(self, request: Request, session: Session) -> Response:
        return JSONResponse(team_json(self.review))

    def _standing(self, session: Session) -> dict[str, Any]:
        """The status of a reviewer's own results: reviewers stay blind to one another."""
        alone = None if session.role == "adjudicator" else session.reviewer
        return self.review.standing(alone).as_json()

    # -- writing ----------------------------------------------------------------------

    async def act(self, request: Request, session: Session) -> Response:
        act = NOTE_ACTS.get(request.path_params["act"])
        number, body = request.path_params["number"], await sent_json(request)
        said = None if act is None else act.do(self.review, number, session, body)
        if said is None:
            return _bad_request()
        if session.role == "adjudicator":
            return JSONResponse(team_json(self.review))
        return self._after(number, session, said)

    async def undo(self, request: Request, session: Session) -> Response:
        number = None if session.share else undo(self.review, session.reviewer)
        if number is None:
            return JSONResponse({"error": "nothing-to-undo"}, 409)
        return self._after(number, session, "")

    def _after(self, number: int, session: Session, said: str) -> Response:
        note = note_json(self.review, number, session.reviewer, session.share)
        return JSONResponse(
            {
                "number": number,
                "marks": note["marks"],
                "comments": note["comments"],
                "read": note["read"],
                "said": said,
                "standing": self._standing(session),
                "next": self.review.next_unread(session.reviewer),
            }
        )

    async def signing(self, request: Request, session: Session) -> Response:
        return JSONResponse(signing_json(self.review))

    async def sign(self, request: Request, session: Session) -> Response:
        asked = json_body(await sent_json(request), name=str, title=str, agreed=bool)
        if asked is None or not asked["agreed"] or session.share:
            return _bad_request()
        sign_review(self.review, session.reviewer, asked["name"], asked["title"])
        self.state.on_sign()
        return JSONResponse(signing_json(self.review))

    async def search(self, request: Request, session: Session) -> Response:
        """Search the notes; the text is in the body and not in the URL, as it may be a value."""
        asked = json_body(await sent_json(request), text=str)
        if asked is None or len(asked["text"]) > LONGEST_SEARCH:
            return _bad_request()
        text = asked["text"]
        session.found = search(self.review, text, session.share) if text else None
        return JSONResponse({"notes": None if session.found is None else len(session.found)})

    async def share(self, request: Request, session: Session) -> Response:
        asked = json_body(await sent_json(request), on=bool)
        if asked is None or (self.state.access.share and not asked["on"]):
            return _bad_request()
        session.share, session.found = asked["on"], None
        return JSONResponse({"share": session.share})

    async def alive(self, request: Request, session: Session) -> Response:
        return JSONResponse({})

    async def lock(self, request: Request, session: Session) -> Response:
        self.state.access.end(request)
        self.state.on_lock(session)
        return JSONResponse({})


def _bad_request() -> Response:
    return JSONResponse({"error": "bad-request"}, 400)


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
