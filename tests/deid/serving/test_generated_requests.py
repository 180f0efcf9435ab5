"""Requests generated from the OpenAPI document, valid and invalid: no response is a 500."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from deid.serving.endpoints import ServiceState, build_service
from deid.text.engine import load_finder
from deid.transforms.presidio_operators import PresidioAnonymizer

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
DOCUMENT = Path(__file__).resolve().parents[3] / "deid" / "serving" / "openapi.json"
DAY = date(2026, 11, 21)
MODES = ("positive", "negative")


@pytest.fixture(scope="module")
def schema() -> Any:
    """The document, read from the service with the smaller model."""
    state = ServiceState(load_finder(DAY, fast=True), PresidioAnonymizer(DAY), ("names",))
    service = build_service(state)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            return await service(scope, receive, send)
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        return await send({"type": "lifespan.shutdown.complete"})

    made = schemathesis.openapi.from_dict(json.loads(DOCUMENT.read_text("utf-8")))
    made.app = app
    return made


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", ["/analyze", "/anonymize", "/deanonymize"])
def test_no_generated_request_breaks_the_service(schema: Any, path: str, mode: str) -> None:
    answered: Counter[int] = Counter()
    modes = schemathesis.GenerationMode
    strategy = schema[path]["POST"].as_strategy(generation_mode=modes(mode))

    @settings(
        max_examples=80,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def ask(case: Any) -> None:
        response = case.call(base_url="http://localhost")
        answered[response.status_code] += 1
        assert response.status_code < 500, case.body
        case.validate_response(
            response,
            checks=[
                schemathesis.checks.not_a_server_error,
                schemathesis.checks.response_schema_conformance,
                schemathesis.checks.status_code_conformance,
            ],
        )

    ask()
    assert sum(answered.values()) >= 50
    assert answered[200] > 0 or mode == "negative"


def test_every_address_without_a_body_answers(schema: Any) -> None:
    got = [one.ok() for one in schema.get_all_operations() if one.ok().method == "get"]
    assert len(got) > 5
    for operation in got:
        assert operation.Case().call(base_url="http://localhost").status_code == 200
