"""The endpoints, in Presidio's formats: /analyze, /anonymize and related ones.

These differences from Presidio are intended:

- Errors are fixed codes that quote nothing from the request.
- Operators that call the network or run code from the request are refused.
- Patterns use RE2.
- A body is `application/json` in UTF-8 with a size limit.
- Requests for an unknown host name are refused.
- Nothing is logged.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from deid.serving.analyze_request import AnalyzeRequest
from deid.serving.batched_finder import BatchedFinder, requests_at_work
from deid.serving.bounds import BadRequest, PatternBudget, RequestLimits, RequestQueue
from deid.serving.host_names import LOOPBACK, has_known_host
from deid.serving.metrics import MeasuredApp, RequestMetrics
from deid.serving.presidio_entities import supported_entities
from deid.serving.presidio_errors import presidio_error
from deid.serving.search_processes import search_count
from deid.text.scrubber import TextFinder
from deid.transforms.presidio_operators import OperatorRefused, PresidioAnonymizer


@dataclass(frozen=True, slots=True)
class ServiceState:
    """What the endpoints use. Without `token` no token is required.

    With `presidio_errors`, errors have the messages and status codes of Presidio's own services,
    and a request to /analyze must state its language.
    """

    finder: TextFinder
    anonymizing: PresidioAnonymizer
    recognizers: tuple[str, ...]
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = LOOPBACK
    presidio_errors: bool = False
    bounds: RequestLimits = field(default_factory=RequestLimits)
    clock: Callable[[], float] = time.monotonic


class HostCheck:
    """Refuses requests for an unknown host name (against DNS rebinding)."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = scope["type"] == "http" and has_known_host(Request(scope), self.hosts)
        await (self.app if known else _error_response("host-unknown", 400))(scope, receive, send)


def build_service(state: ServiceState) -> ASGIApp:
    """Build the ASGI application."""
    searches = search_count()
    turns = RequestQueue(state.bounds.waiting, state.bounds.held, requests_at_work(searches))
    finder = BatchedFinder(state.finder, searches)
    gets: dict[str, Callable[[], Any]] = {
        "/openapi.json": _openapi,
        "/recognizers": lambda: list(state.recognizers),
        "/supportedentities": supported_entities,
        "/anonymizers": state.anonymizing.anonymizers,
        "/deanonymizers": state.anonymizing.deanonymizers,
    }
    posts: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "/analyze": lambda body: analyze(
            finder, body, state.bounds, language_required=state.presidio_errors
        ),
        "/anonymize": lambda body: state.anonymizing.anonymize(
            *_anonymize_parts(body, state.bounds, "analyzer_results")
        ),
        "/deanonymize": lambda body: state.anonymizing.deanonymize(
            *_anonymize_parts(body, state.bounds, "anonymizer_results", "deanonymizers")
        ),
    }
    metrics = RequestMetrics(frozenset({"/health", "/metrics", *gets, *posts}))
    app = Starlette(
        routes=[
            Route("/health", _health),
            Route("/metrics", _metrics_endpoint(state, metrics)),
            *(Route(path, _got(state, call)) for path, call in gets.items()),
            *(
                Route(path, _posted(state, call, turns), methods=["POST"])
                for path, call in posts.items()
            ),
        ],
        exception_handlers={Exception: _respond_broken, 404: _unknown, 405: _unknown},
    )
    app.router.redirect_slashes = False  # a redirect quotes the query of the request
    return HostCheck(MeasuredApp(app, metrics, state.clock), state.hosts)


async def _health(request: Request) -> Response:
    return PlainTextResponse("safe-harbor-deid is up")


def _metrics_endpoint(state: ServiceState, metrics: RequestMetrics) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if not _may(state, request):
            return _error_response("unauthorized", 401)
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    return endpoint


def _openapi() -> Any:
    """The description of these endpoints, OpenAPI 3.1."""
    return json.loads((files("deid.serving") / "openapi.json").read_text("utf-8"))


def _got(state: ServiceState, call: Callable[[], Any]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if not _may(state, request):
            return _error_response("unauthorized", 401)
        if request.query_params.get("language", "en") != "en":
            return _presidio_error(state, request, "language-unsupported", 400)
        return JSONResponse(call())

    return endpoint


def _presidio_error(
    state: ServiceState, request: Request, code: str, status: int, key: str = ""
) -> Response:
    """The error, with the message of Presidio if the service was started with that option."""
    if state.presidio_errors:
        code, status = presidio_error(request.url.path, code, status, key)
    return _error_response(code, status)


def _posted(
    state: ServiceState, call: Callable[[Mapping[str, Any]], Any], turns: RequestQueue
) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if not _may(state, request):
            return _error_response("unauthorized", 401)
        try:
            with turns.admit() as hold:
                body = await _body(request, state.bounds.body, hold)
                return await turns.work(lambda: JSONResponse(call(body)))
        except BadRequest as error:
            return _presidio_error(state, request, error.code, error.status, error.key)
        except OperatorRefused as error:
            return _presidio_error(state, request, error.code, 422)

    return endpoint


def _may(state: ServiceState, request: Request) -> bool:
    if state.token is None:
        return True
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return hmac.compare_digest(given.encode(), state.token.encode())


async def _body(request: Request, largest: int, hold: Callable[[int], None]) -> Mapping[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind.strip().casefold() != "application/json":
        raise BadRequest("content-type-not-json", 415)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > largest:
            raise BadRequest("body-too-large", 413)
        hold(len(chunk))
    return _parsed_body(bytes(data))


def _parsed_body(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data.decode("utf-8"))
        if b"\\u" in data:  # an escape may be a lone surrogate, which cannot be encoded
            json.dumps(body, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise BadRequest("body-not-json") from None
    if not isinstance(body, dict):
        raise BadRequest("body-not-an-object")
    return body


async def _respond_broken(request: Request, error: Exception) -> Response:
    return _error_response("engine-error", 500)


async def _unknown(request: Request, error: Exception) -> Response:
    return _error_response("not-found", 404)


def _error_response(code: str, status: int) -> Response:
    return JSONResponse({"error": code}, status)


# -- analyze -------------------------------------------------------------------------------------


def analyze(
    finder: TextFinder | BatchedFinder,
    body: Mapping[str, Any],
    bounds: RequestLimits,
    *,
    language_required: bool = False,
) -> list[Any]:
    """The results of one text, or a list of them for a list of texts."""
    text = body.get("text")
    given: list[Any] = text if isinstance(text, list) else [text]
    texts = [one for one in given if isinstance(one, str) and one]
    if not texts or len(texts) < len(given):
        raise BadRequest("text-missing")
    if language_required and not body.get("language"):
        raise BadRequest("language-missing")
    if body.get("language", "en") != "en":
        raise BadRequest("language-unsupported")
    bounds.check(len(texts), bounds.texts, "texts")
    bounds.check(sum(map(len, texts)), bounds.characters, "text")
    asked, budget = AnalyzeRequest.of(body, bounds), PatternBudget(bounds.steps)
    own = [asked.matches(one, budget) for one in texts]
    bounds.check(sum(map(len, own)), bounds.results, "results")
    answers = zip(texts, finder.find_all(texts), own, strict=True)
    results = [asked.results(*answer, budget) for answer in answers]
    bounds.check(sum(map(len, results)), bounds.results, "results")
    return results if isinstance(text, list) else results[0]


# -- anonymize -----------------------------------------------------------------------------------


def _anonymize_parts(
    body: Mapping[str, Any], bounds: RequestLimits, results: str, operators: str = "anonymizers"
) -> tuple[str, list[Mapping[str, Any]], Mapping[str, Any]]:
    if not body:
        raise BadRequest("body-empty")
    text, found, chosen = body.get("text", ""), body.get(results) or [], body.get(operators) or {}
    if not isinstance(text, str):
        raise BadRequest("text-missing")
    bounds.check(len(text), bounds.characters, "text")
    count = len(found) if isinstance(found, list) else 0
    bounds.check(count, bounds.results, "results")
    if not isinstance(found, list) or not all(_is_span(one, len(text)) for one in found):
        raise BadRequest(f"{results.replace('_', '-')}-invalid")
    if not isinstance(chosen, dict) or not all(isinstance(one, dict) for one in chosen.values()):
        raise BadRequest(f"{operators}-invalid")
    given = [value for one in chosen.values() for value in one.values() if isinstance(value, str)]
    longest = max(map(len, given), default=0)
    bounds.check(longest, bounds.expression, "parameter")
    bounds.check(len(found) * longest, bounds.replaced, "answer")
    bounds.check(max((len(one["entity_type"]) for one in found), default=0), bounds.name, "name")
    return text, found, chosen


def _is_span(one: Any, length: int) -> bool:
    if not isinstance(one, dict):
        return False
    entity = one.get("entity_type")
    if not isinstance(entity, str) or not entity:
        return False
    start, end = one.get("start"), one.get("end")
    if type(start) is not int or type(end) is not int:
        return False
    score = one.get("score", 1.0)
    return 0 <= start < end <= length and isinstance(score, int | float) and abs(score) < 1e9
