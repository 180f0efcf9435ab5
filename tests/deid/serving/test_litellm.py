"""LiteLLM's Presidio guardrail: its requests are replayed, and the client itself runs where it is
installed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

from deid.cli.serve import ServeOptions  # noqa: E402
from deid.serving.bounds import RequestLimits  # noqa: E402
from deid.serving.endpoints import ServiceState, build_service  # noqa: E402
from deid.serving.loopback import listen  # noqa: E402
from deid.transforms.presidio_operators import PresidioAnonymizer  # noqa: E402
from recognizers import Finder  # noqa: E402

DAY = date(2026, 11, 21)
TEXT = (
    "Dr. Ana Ruiz, SSN 219-09-9999, card 4111 1111 1111 1111, born 03/14/1961, "
    "ana.ruiz@example.org, 802-555-0143, passport 912803456, driver license D1234567, "
    "account 12345678901, https://example.org/x, 10.1.2.3, NPI 1234567893"
)
VALUES = {
    "PERSON": "Ana Ruiz",
    "US_SSN": "219-09-9999",
    "CREDIT_CARD": "4111 1111 1111 1111",
    "DATE_TIME": "03/14/1961",
    "EMAIL_ADDRESS": "ana.ruiz@example.org",
    "PHONE_NUMBER": "802-555-0143",
    "US_PASSPORT": "912803456",
    "US_DRIVER_LICENSE": "D1234567",
    "US_BANK_NUMBER": "12345678901",
    "URL": "https://example.org/x",
    "IP_ADDRESS": "10.1.2.3",
    "US_NPI": "1234567893",
    "MEDICAL_LICENSE": "1234567893",
}
CHUNK = 500_000
"""The longest text in a request: LiteLLM 1.108.7, DEFAULT_PRESIDIO_ANALYZE_CHUNK_SIZE_BYTES."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    state = ServiceState(Finder.load(reference_date=DAY), PresidioAnonymizer(DAY), ("names",))
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(build_service(state), log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


def _post(address: str, path: str, body: Any) -> Any:
    """The body of an answer that the client accepts: status below 400, and JSON."""
    headers = {"Accept": "application/json"}
    answer = httpx.post(address + path, json=body, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    return answer.json()


def test_the_command_accepts_what_litellm_sends_in_one_request() -> None:
    assert ServeOptions().max_characters == RequestLimits().characters == CHUNK


@pytest.mark.parametrize("entity", VALUES)
def test_a_type_in_the_guardrail_is_found_by_that_name(address: str, entity: str) -> None:
    found = _post(address, "/analyze", {"text": TEXT, "language": "en", "entities": [entity]})
    assert {one["entity_type"] for one in found} == {entity}
    assert VALUES[entity] in {TEXT[one["start"] : one["end"]] for one in found}


def test_values_found_by_analyze_are_masked(address: str) -> None:
    body = {"text": TEXT, "language": "en", "entities": ["CREDIT_CARD", "PERSON", "US_SSN"]}
    found = _post(address, "/analyze", body)
    masked = _post(address, "/anonymize", {"text": TEXT, "analyzer_results": found})
    assert masked["text"].startswith("Dr. <PERSON>, SSN <US_SSN>, card <CREDIT_CARD>, born 03/14")
    assert {one["entity_type"] for one in masked["items"]} == set(body["entities"])


def test_a_guardrail_without_types_masks_every_value(address: str) -> None:
    found = _post(address, "/analyze", {"text": TEXT, "language": "en"})
    masked = _post(address, "/anonymize", {"text": TEXT, "analyzer_results": found})["text"]
    assert not [value for value in VALUES.values() if value in masked]


def test_the_longest_request_is_answered(address: str) -> None:
    """If its guardrail names no type, the client takes a refusal for an empty answer."""
    text = "1 " * ((CHUNK - len(TEXT)) // 2 + 1) + TEXT
    body = {"text": text[-CHUNK:], "language": "en", "entities": ["CREDIT_CARD"]}
    assert [one["entity_type"] for one in _post(address, "/analyze", body)] == ["CREDIT_CARD"]


# -- the client itself ---------------------------------------------------------------------------


def _guardrail(address: str, **options: Any) -> Any:
    presidio = pytest.importorskip(
        "litellm.proxy.guardrails.guardrail_hooks.presidio", reason="litellm is not installed"
    )
    return presidio._OPTIONAL_PresidioPIIMasking(
        presidio_analyzer_api_base=address,
        presidio_anonymizer_api_base=address,
        guardrail_name="health-records",
        event_hook="pre_call",
        default_on=True,
        **options,
    )


async def _sent(guardrail: Any, data: Any) -> str:
    """What the model is sent."""
    try:
        done = await guardrail.async_pre_call_hook(None, None, data, "completion")
    finally:
        await guardrail._close_http_session()
    return str(done["messages"][0]["content"])


def _message(text: str = TEXT) -> Any:
    return {"messages": [{"role": "user", "content": text}], "model": "m"}


def test_the_client_blocks(address: str) -> None:
    guardrail = _guardrail(address, pii_entities_config={"CREDIT_CARD": "BLOCK"})
    with pytest.raises(Exception, match="Blocked entity detected: CREDIT_CARD"):
        asyncio.run(_sent(guardrail, _message()))
    assert asyncio.run(_sent(guardrail, _message("Seen by Dr. Ames"))) == "Seen by Dr. Ames"


def test_the_client_masks(address: str) -> None:
    guardrail = _guardrail(address, pii_entities_config=dict.fromkeys(VALUES, "MASK"))
    sent = asyncio.run(_sent(guardrail, _message()))
    assert not [value for value in VALUES.values() if value in sent]


def test_the_client_puts_values_back_into_the_answer(address: str) -> None:
    guardrail = _guardrail(
        address, output_parse_pii=True, pii_entities_config={"PERSON": "MASK", "US_SSN": "MASK"}
    )
    data = _message()
    sent = asyncio.run(_sent(guardrail, data))
    assert "<PERSON_1>" in sent and "<US_SSN_2>" in sent and "Ana Ruiz" not in sent
    answer = pytest.importorskip("litellm").ModelResponse(
        choices=[{"message": {"role": "assistant", "content": "Ask <PERSON_1>, <US_SSN_2>."}}]
    )
    call = guardrail.async_post_call_success_hook
    back = asyncio.run(call(data=data, user_api_key_dict=None, response=answer))
    assert back.choices[0].message.content == "Ask Ana Ruiz, 219-09-9999."


def test_the_client_refuses_a_type_that_nothing_finds(address: str) -> None:
    guardrail = _guardrail(address, pii_entities_config={"NRP": "MASK"})
    with pytest.raises(Exception, match="entities-unknown"):
        asyncio.run(_sent(guardrail, _message()))
