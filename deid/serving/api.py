"""The endpoints, in the shapes of Presidio's own: /analyze, /anonymize and what goes with them.

Differences, on purpose: faults are fixed codes without a word of the request; operators that call
the network or run code from the request are refused; patterns from the request are RE2's; nothing
is logged.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from deid.presidio import Anonymizing, Refused
from deid.scrubbing import Finds
from deid.serving.asked import Asked, BadRequest
from recognizers import ENTITIES

LARGEST_BODY = 64 << 20


@dataclass(frozen=True, slots=True)
class House:
    """What the endpoints work with. Without `token` nobody is asked for one."""

    finder: Finds
    anonymizing: Anonymizing
    recognizers: tuple[str, ...]
    token: str | None = field(default=None, repr=False)


def build(house: House) -> Starlette:
    """The application."""
    gets: dict[str, Callable[[], Any]] = {
        "/recognizers": lambda: list(house.recognizers),
        "/supportedentities": lambda: sorted(ENTITIES),
        "/anonymizers": house.anonymizing.anonymizers,
        "/deanonymizers": house.anonymizing.deanonymizers,
    }
    posts: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "/analyze": lambda body: analyze(house.finder, body),
        "/anonymize": lambda body: house.anonymizing.anonymize(*_marked(body, "analyzer_results")),
        "/deanonymize": lambda body: house.anonymizing.deanonymize(
            *_marked(body, "anonymizer_results", "deanonymizers")
        ),
    }
    return Starlette(
        routes=[
            Route("/health", _health),
            *(Route(path, _got(house, call)) for path, call in gets.items()),
            *(Route(path, _posted(house, call), methods=["POST"]) for path, call in posts.items()),
        ],
        exception_handlers={Exception: _broken, 404: _unknown, 405: _unknown},
    )


async def _health(request: Request) -> Response:
    return PlainTextResponse("safe-harbor-deid is up")


def _got(house: House, call: Callable[[], Any]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        return JSONResponse(call()) if _may(house, request) else _fault("unauthorized", 401)

    return endpoint


def _posted(house: House, call: Callable[[Mapping[str, Any]], Any]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if not _may(house, request):
            return _fault("unauthorized", 401)
        try:
            body = await _body(request)
            return JSONResponse(await run_in_threadpool(call, body))
        except (BadRequest, Refused) as error:
            return _fault(error.code, 422 if isinstance(error, Refused) else 400)

    return endpoint


def _may(house: House, request: Request) -> bool:
    if house.token is None:
        return True
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return hmac.compare_digest(given.encode(), house.token.encode())


async def _body(request: Request) -> Mapping[str, Any]:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_BODY:
            raise BadRequest("body-too-large")
    try:
        body = json.loads(bytes(data))
    except ValueError:
        raise BadRequest("body-not-json") from None
    if not isinstance(body, dict):
        raise BadRequest("body-not-an-object")
    return body


async def _broken(request: Request, error: Exception) -> Response:
    return _fault("engine-error", 500)


async def _unknown(request: Request, error: Exception) -> Response:
    return _fault("not-found", 404)


def _fault(code: str, status: int) -> Response:
    return JSONResponse({"error": code}, status)


# -- analyze -------------------------------------------------------------------------------------


def analyze(finder: Finds, body: Mapping[str, Any]) -> list[Any]:
    """The results of one text, or a list of them for a list of texts."""
    text = body.get("text")
    if body.get("language", "en") != "en":
        raise BadRequest("language-unsupported")
    given: list[Any] = text if isinstance(text, list) else [text]
    texts = [one for one in given if isinstance(one, str) and one]
    if not texts or len(texts) < len(given):
        raise BadRequest("text-missing")
    asked = Asked.of(body)
    found = finder.find_all(texts)
    results = [asked.results(one, findings) for one, findings in zip(texts, found, strict=True)]
    return results if isinstance(text, list) else results[0]


# -- anonymize -----------------------------------------------------------------------------------


def _marked(
    body: Mapping[str, Any], results: str, operators: str = "anonymizers"
) -> tuple[str, list[Mapping[str, Any]], Mapping[str, Any]]:
    text, found, chosen = body.get("text"), body.get(results) or [], body.get(operators) or {}
    if not isinstance(text, str) or not text:
        raise BadRequest("text-missing")
    if not isinstance(found, list) or not all(_is_span(one, len(text)) for one in found):
        raise BadRequest(f"{results.replace('_', '-')}-invalid")
    if not isinstance(chosen, dict) or not all(isinstance(one, dict) for one in chosen.values()):
        raise BadRequest(f"{operators}-invalid")
    return text, found, chosen


def _is_span(one: Any, length: int) -> bool:
    if not isinstance(one, dict) or not isinstance(one.get("entity_type"), str):
        return False
    start, end = one.get("start"), one.get("end")
    if type(start) is not int or type(end) is not int:
        return False
    return 0 <= start < end <= length and isinstance(one.get("score", 1.0), int | float)
