"""The OpenAPI document describes the service correctly, and /metrics contains no value."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from deid.serving.bounds import RequestLimits
from deid.serving.endpoints import ServiceState, build_service
from deid.transforms.presidio_operators import PresidioAnonymizer
from recognizers import Finder

ROOT = Path(__file__).resolve().parents[3]
DAY = date(2026, 11, 21)
TOKEN = "canary-token-0123456789"


class Service:
    """The application, called without a socket."""

    def __init__(self) -> None:
        ticks = count()
        state = ServiceState(
            Finder.load(model=False, reference_date=DAY),
            PresidioAnonymizer(DAY),
            ("names",),
            TOKEN,
            clock=lambda: float(next(ticks)),
        )
        self.app = build_service(state)

    def __call__(self, method: str, path: str, body: Any = None, token: str = TOKEN) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        headers = {"host": "127.0.0.1", "authorization": f"Bearer {token}"}
        headers |= {"content-type": "application/json"}
        scope = {"type": "http", "method": method, "path": path, "query_string": b""}
        scope["headers"] = [(key.encode(), value.encode()) for key, value in headers.items()]
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.app(scope, receive, send))  # type: ignore[arg-type]
        answer = b"".join(message.get("body", b"") for message in sent[1:]).decode()
        return sent[0]["status"], answer


@pytest.fixture(scope="module")
def service() -> Service:
    return Service()


@pytest.fixture(scope="module")
def document(service: Service) -> Any:
    status, answer = service("GET", "/openapi.json")
    assert status == 200
    return json.loads(answer)


def test_the_document_has_the_endpoints_and_the_version(service: Service, document: Any) -> None:
    source = (ROOT / "deid/serving/endpoints.py").read_text("utf-8")
    assert set(document["paths"]) == set(re.findall(r'"(/[a-z.]+)"[:,]', source))
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version and document["info"]["version"] == version[1]
    for path, methods in document["paths"].items():
        for method in methods:
            wrong = "GET" if method == "post" else "POST"
            assert service(wrong, path)[0] in (404, 405)
            if path not in ("/health",):
                assert service(method.upper(), path, {}, token="wrong-token-0123456")[0] == 401


def test_the_documented_request_keys_are_those_that_are_read(document: Any) -> None:
    read = {
        key
        for name in ("endpoints.py", "analyze_request.py")
        for key in re.findall(
            r'\bbody(?:\.get\(|, )"(\w+)"', (ROOT / "deid/serving" / name).read_text("utf-8")
        )
    }
    schemas = document["components"]["schemas"]
    assert read >= {"text", "entities", "allow_list", "ad_hoc_recognizers"}
    assert set(schemas["AnalyzeRequest"]["properties"]) == read


def test_the_documented_limits_are_those_of_the_service(document: Any) -> None:
    limits, schemas = RequestLimits(), document["components"]["schemas"]
    one, many = schemas["AnalyzeRequest"]["properties"]["text"]["oneOf"]
    recognizer = schemas["AdHocRecognizer"]["properties"]
    assert (one["maxLength"], many["maxItems"]) == (limits.characters, limits.texts)
    assert recognizer["patterns"]["maxItems"] == limits.patterns
    expression = recognizer["patterns"]["items"]["properties"]["regex"]
    assert expression["maxLength"] == limits.expression
    assert recognizer["name"]["maxLength"] == limits.name
    spans = schemas["AnonymizeRequest"]["properties"]["analyzer_results"]
    assert spans["maxItems"] == limits.results


@pytest.mark.parametrize("path", ["/analyze", "/anonymize", "/deanonymize"])
def test_the_examples_are_answered_as_described(service: Service, document: Any, path: str) -> None:
    described = document["paths"][path]["post"]
    example = described["requestBody"]["content"]["application/json"]["example"]
    status, answer = service("POST", path, example)
    assert status == 200, answer
    read = json.loads(answer)
    name = "Result" if path == "/analyze" else "Anonymized"
    schema = document["components"]["schemas"][name]
    for one in read if path == "/analyze" else [read]:
        assert set(one) == set(schema["properties"]) == set(schema["required"])


def test_metrics_count_requests_and_contain_no_value() -> None:
    service = Service()
    text = "Seen by Dr. Okafor on 03/14/2023."
    assert service("POST", "/analyze", {"text": text})[0] == 200
    assert service("POST", "/analyze", {"text": ""})[0] == 400
    assert service("GET", "/Okafor")[0] == service("GET", "/analyze/?name=Okafor")[0] == 404
    status, metrics = service("GET", "/metrics")
    assert status == 200
    assert 'deid_requests_total{path="/analyze",status="200"} 1\n' in metrics
    assert 'deid_requests_total{path="/analyze",status="400"} 1\n' in metrics
    assert 'deid_requests_total{path="other",status="404"} 2\n' in metrics
    assert 'deid_request_seconds_bucket{path="/analyze",le="0.5"} 0\n' in metrics
    assert 'deid_request_seconds_bucket{path="/analyze",le="1.0"} 2\n' in metrics
    assert 'deid_request_seconds_sum{path="/analyze"} 2.000000\n' in metrics
    assert "Okafor" not in metrics and TOKEN not in metrics


def test_metrics_need_the_token(service: Service) -> None:
    assert service("GET", "/metrics", token="wrong-token-0123456")[0] == 401
