"""The HTTP interface answers in Presidio's shapes, and tells nobody a word of the request."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")

from deid.errors import DeidError  # noqa: E402
from deid.listening import listen  # noqa: E402
from deid.presidio import Anonymizing  # noqa: E402
from deid.serving.api import House, build  # noqa: E402
from deid.serving.server import Address, read_token  # noqa: E402
from recognizers import Finder  # noqa: E402

DAY = date(2026, 11, 21)
TEXT = "Dr. Ana Ruiz called 802-555-0143 on 03/14/2023."
TOKEN = "canary-token-0123456789"


class _Caller:
    def __init__(self, origin: str) -> None:
        self.origin = origin

    def __call__(
        self, path: str, body: Any = None, token: str = TOKEN, raw: bytes | None = None
    ) -> tuple[int, Any]:
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data)
        request.add_header("Authorization", f"Bearer {token}")
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, _read(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, _read(error.read())


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode()


@pytest.fixture(scope="module")
def call() -> Iterator[_Caller]:
    house = House(Finder.load(model=False, reference_date=DAY), Anonymizing(DAY), ("names",), TOKEN)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(build(house), log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield _Caller(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server.should_exit = True
    thread.join(10)


def test_analyze_then_anonymize(call: _Caller) -> None:
    status, results = call("/analyze", {"text": TEXT, "language": "en"})
    assert status == 200
    assert {"PERSON", "PHONE_NUMBER", "DATE_TIME"} <= {r["entity_type"] for r in results}
    assert all({"start", "end", "score", "analysis_explanation"} <= r.keys() for r in results)
    chosen = {"DEFAULT": {"type": "replace", "new_value": "X"}, "DATE_TIME": {"type": "deid_year"}}
    status, done = call(
        "/anonymize", {"text": TEXT, "anonymizers": chosen, "analyzer_results": results}
    )
    assert status == 200
    assert done["text"] == "Dr. X called X on 2023."
    assert {item["operator"] for item in done["items"]} == {"replace", "deid_year"}


def test_a_list_of_texts_gives_a_list_of_results(call: _Caller) -> None:
    status, results = call("/analyze", {"text": [TEXT, "Nothing here."], "language": "en"})
    assert status == 200 and len(results) == 2 and results[0] and not results[1]


def test_entities_threshold_and_allow_list(call: _Caller) -> None:
    _, phones = call("/analyze", {"text": TEXT, "entities": ["PHONE_NUMBER"]})
    assert {r["entity_type"] for r in phones} == {"PHONE_NUMBER"}
    _, none = call("/analyze", {"text": TEXT, "score_threshold": 1.01})
    assert none == []
    _, rest = call("/analyze", {"text": TEXT, "allow_list": ["802-555-0143"]})
    assert "PHONE_NUMBER" not in {r["entity_type"] for r in rest}


def test_recognizers_that_come_with_the_request(call: _Caller) -> None:
    ticket = {
        "name": "desk",
        "supported_language": "en",
        "supported_entity": "TICKET",
        "patterns": [{"name": "number", "regex": "t-[0-9]{2}", "score": 0.8}],
        "deny_list": ["blue wing"],
    }
    text = "Ticket T-17, Blue Wing; bluewing stays."
    body = {"text": text, "entities": ["TICKET"], "ad_hoc_recognizers": [ticket]}
    status, found = call("/analyze", body)
    assert status == 200
    assert [(r["start"], r["end"], r["score"]) for r in found] == [(7, 11, 0.8), (13, 22, 1.0)]
    assert {r["recognition_metadata"]["recognizer_name"] for r in found} == {"desk"}


@pytest.mark.parametrize("regex", ["(canary", "(?=canary)", "(a)\\1"])
def test_a_pattern_that_linear_time_cannot_search_is_refused(call: _Caller, regex: str) -> None:
    pattern = {"name": "p", "regex": regex, "score": 0.5}
    one = {"name": "r", "supported_entity": "X", "patterns": [pattern]}
    status, told = call("/analyze", {"text": "x", "ad_hoc_recognizers": [one]})
    assert (status, told) == (400, {"error": "ad-hoc-recognizers-invalid"})


def test_an_allow_list_of_patterns_lets_whole_values_stand(call: _Caller) -> None:
    asked = {"text": TEXT, "allow_list": ["802-[0-9-]+", "Ana"], "allow_list_match": "regex"}
    _, rest = call("/analyze", asked)
    assert {r["entity_type"] for r in rest} == {"PERSON", "DATE_TIME"}


def test_the_decision_process_names_who_decided_and_no_word(call: _Caller) -> None:
    asked = {"text": TEXT, "entities": ["PHONE_NUMBER"], "return_decision_process": True}
    _, (found,) = call("/analyze", asked)
    told = found["analysis_explanation"]
    assert (told["recognizer"], told["score"]) == ("phones", found["score"])
    assert told["supportive_context_word"] == ""


def test_encrypt_and_back(call: _Caller) -> None:
    key = {"type": "encrypt", "key": "0123456789abcdef"}
    found = [{"start": 4, "end": 12, "entity_type": "PERSON", "score": 0.9}]
    _, sealed = call(
        "/anonymize", {"text": TEXT, "anonymizers": {"DEFAULT": key}, "analyzer_results": found}
    )
    assert "Ana Ruiz" not in sealed["text"]
    back = {"DEFAULT": {"type": "decrypt", "key": "0123456789abcdef"}}
    _, opened = call(
        "/deanonymize",
        {"text": sealed["text"], "deanonymizers": back, "anonymizer_results": sealed["items"]},
    )
    assert opened["text"] == TEXT


def test_what_there_is(call: _Caller) -> None:
    assert call("/health")[0] == 200
    assert "PERSON" in call("/supportedentities?language=en")[1]
    assert call("/recognizers?language=en")[1] == ["names"]
    operators = call("/anonymizers")[1]
    assert "deid_tag" in operators and "surrogate_ahds" not in operators
    assert "decrypt" in call("/deanonymizers")[1]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/analyze", {"text": ""}, "text-missing"),
        ("/analyze", {"text": "canary-7Q", "language": "canary-8Q"}, "language-unsupported"),
        ("/analyze", {"text": "canary-7Q", "entities": "canary-8Q"}, "entities-invalid"),
        ("/analyze", {"text": "x", "score_threshold": "canary"}, "score-threshold-invalid"),
        ("/analyze", {"text": "x", "score_threshold": float("nan")}, "score-threshold-invalid"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [{}]}, "ad-hoc-recognizers-invalid"),
        ("/analyze", ["canary-7Q"], "body-not-an-object"),
        ("/anonymize", {"text": "canary-7Q", "analyzer_results": [{}]}, "analyzer-results-invalid"),
        (
            "/anonymize",
            {"text": "x", "analyzer_results": [{"start": 0, "end": 9, "entity_type": "A"}]},
            "analyzer-results-invalid",
        ),
    ],
)
def test_faults_are_codes(call: _Caller, path: str, body: Any, code: str) -> None:
    assert call(path, body) == (400, {"error": code})


@pytest.mark.parametrize("name", ["surrogate_ahds", "custom", "canary-op", None])
def test_operators_that_leave_the_machine_are_refused(call: _Caller, name: str | None) -> None:
    found = [{"start": 0, "end": 3, "entity_type": "PERSON", "score": 1.0}]
    chosen = {"DEFAULT": {"type": name, "lambda": "canary"}}
    status, answer = call(
        "/anonymize", {"text": TEXT, "anonymizers": chosen, "analyzer_results": found}
    )
    assert status == 422 and "canary" not in json.dumps(answer)


def test_broken_json_unknown_paths_and_strangers(call: _Caller) -> None:
    assert call("/analyze", raw=b"{canary") == (400, {"error": "body-not-json"})
    assert call("/canary") == (404, {"error": "not-found"})
    assert call("/analyze", {"text": TEXT}, token="nobody") == (401, {"error": "unauthorized"})


def test_beyond_loopback_needs_a_token_and_tls(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as caught:
        Address(bind="0.0.0.0").check(None)
    assert caught.value.code == "remote-needs-token"
    with pytest.raises(DeidError) as caught:
        Address(bind="0.0.0.0").check(TOKEN)
    assert caught.value.code == "remote-needs-tls"
    (tmp_path / "token").write_text("short\n")
    with pytest.raises(DeidError) as caught:
        read_token(tmp_path / "token")
    assert caught.value.code == "token-short"


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(DeidError) as caught:
            listen("127.0.0.1", taken.getsockname()[1])
        assert caught.value.code == "port-taken"
