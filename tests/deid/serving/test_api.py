"""The HTTP interface answers in Presidio's formats and never repeats a word of the request."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")

from deid.errors import DeidError  # noqa: E402
from deid.serving import endpoints  # noqa: E402
from deid.serving.batched_finder import MOST_TEXTS  # noqa: E402
from deid.serving.bounds import BadRequest, RequestQueue  # noqa: E402
from deid.serving.endpoints import ServiceState, build_service  # noqa: E402
from deid.serving.loopback import listen  # noqa: E402
from deid.serving.server import ListenAddress, read_token  # noqa: E402
from deid.transforms.presidio_operators import PresidioAnonymizer  # noqa: E402
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
    finder = Finder.load(reference_date=DAY)
    with _served(ServiceState(finder, PresidioAnonymizer(DAY), ("names",), TOKEN)) as caller:
        yield caller


@contextmanager
def _served(house: ServiceState) -> Iterator[_Caller]:
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(build_service(house), log_level="critical", lifespan="off", ws="none")
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


CARD = "Card 4095-2609-9393-4932, IBAN IL150120690000003111111, lives in Maine."


def test_values_get_the_entity_types_of_presidio(call: _Caller) -> None:
    _, found = call("/analyze", {"text": CARD})
    assert {"CREDIT_CARD", "IBAN_CODE", "LOCATION"} <= {r["entity_type"] for r in found}
    card, iban = "4095-2609-9393-4932", "IL150120690000003111111"
    for asked, value in (("CREDIT_CARD", card), ("US_BANK_NUMBER", card), ("IBAN_CODE", iban)):
        _, only = call("/analyze", {"text": CARD, "entities": [asked]})
        assert value in {CARD[r["start"] : r["end"]] for r in only}
        assert {r["entity_type"] for r in only} == {asked}
    _, states = call("/analyze", {"text": CARD, "entities": ["LOCATION"]})
    assert [CARD[r["start"] : r["end"]] for r in states] == ["Maine"]


def test_the_type_of_a_number_depends_on_its_value_not_its_label(call: _Caller) -> None:
    text = "MRN: 123-45-6789"
    for asked in ([], ["US_SSN"], ["MEDICAL_RECORD_NUMBER"]):
        _, found = call("/analyze", {"text": text, "entities": asked})
        assert [r["entity_type"] for r in found] == (asked or ["US_SSN"])


def test_a_type_that_nothing_finds_is_refused(call: _Caller) -> None:
    asked = {"text": CARD, "entities": ["CREDIT_CARD", "NRP"]}
    assert call("/analyze", asked) == (400, {"error": "entities-unknown"})
    own = {"supported_entity": "NRP", "deny_list": ["Card"]}
    status, found = call("/analyze", asked | {"ad_hoc_recognizers": [own]})
    assert status == 200 and {r["entity_type"] for r in found} == {"CREDIT_CARD", "NRP"}


def test_entities_threshold_and_allow_list(call: _Caller) -> None:
    _, phones = call("/analyze", {"text": TEXT, "entities": ["PHONE_NUMBER"]})
    assert {r["entity_type"] for r in phones} == {"PHONE_NUMBER"}
    _, none = call("/analyze", {"text": TEXT, "score_threshold": 1.01})
    assert none == []
    _, rest = call("/analyze", {"text": TEXT, "allow_list": ["802-555-0143"]})
    assert "PHONE_NUMBER" not in {r["entity_type"] for r in rest}


def test_recognizers_in_the_request_are_used(call: _Caller) -> None:
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


def test_an_allow_list_of_patterns_keeps_whole_values(call: _Caller) -> None:
    asked = {"text": TEXT, "allow_list": ["802-[0-9-]+", "Ana"], "allow_list_match": "regex"}
    _, rest = call("/analyze", asked)
    assert {r["entity_type"] for r in rest} == {"PERSON", "DATE_TIME"}


def test_the_decision_process_names_the_recognizer_and_no_word(call: _Caller) -> None:
    asked = {"text": TEXT, "entities": ["PHONE_NUMBER"], "return_decision_process": True}
    _, (found,) = call("/analyze", asked)
    told = found["analysis_explanation"]
    assert (told["recognizer"], told["score"]) == ("phones", found["score"])
    assert told["supportive_context_word"] == ""


def test_encrypted_values_can_be_decrypted(call: _Caller) -> None:
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


def test_health_entities_and_recognizers_are_listed(call: _Caller) -> None:
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
def test_faults_have_status_codes(call: _Caller, path: str, body: Any, code: str) -> None:
    assert call(path, body) == (400, {"error": code})


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/analyze", {}, ("No text provided", 500)),
        ("/analyze", {"text": "canary-7Q"}, ("No language provided", 500)),
        ("/anonymize", {}, ("Invalid request json", 400)),
        (
            "/anonymize",
            {"text": "x", "anonymizers": {"DEFAULT": {"type": "custom"}}},
            ("Custom type anonymizer is not supported", 400),
        ),
        (
            "/anonymize",
            {"text": "x", "anonymizers": {"DEFAULT": {"type": "encrypt", "key": "canary-7Q"}}},
            ("Invalid input, key must be of length 128, 192 or 256 bits", 422),
        ),
        (
            "/analyze",
            {"text": "x", "language": "en", "entities": "canary"},
            ("entities-invalid", 400),
        ),
    ],
)
def test_errors_have_the_messages_of_presidio(path: str, body: Any, error: tuple[str, int]) -> None:
    from starlette.testclient import TestClient

    finder = Finder.load(model=False, reference_date=DAY)
    state = ServiceState(finder, PresidioAnonymizer(DAY), (), presidio_errors=True)
    client = TestClient(build_service(state), base_url="http://localhost")
    answer = client.post(path, json=body)
    assert (answer.json(), answer.status_code) == ({"error": error[0]}, error[1])
    assert client.get("/supportedentities?language=he").status_code == 500


def test_an_empty_text_stays_empty(call: _Caller) -> None:
    assert call("/anonymize", {"text": "", "analyzer_results": []}) == (
        200,
        {"text": "", "items": []},
    )
    assert call("/deanonymize", {"key": "canary"}) == (200, {"text": "", "items": []})


@pytest.mark.parametrize("name", ["surrogate_ahds", "custom", "canary-op", None])
def test_operators_that_contact_another_machine_are_refused(
    call: _Caller, name: str | None
) -> None:
    found = [{"start": 0, "end": 3, "entity_type": "PERSON", "score": 1.0}]
    chosen = {"DEFAULT": {"type": name, "lambda": "canary"}}
    status, answer = call(
        "/anonymize", {"text": TEXT, "anonymizers": chosen, "analyzer_results": found}
    )
    assert status == 422 and "canary" not in json.dumps(answer)


def test_broken_json_unknown_paths_and_missing_tokens_are_refused(call: _Caller) -> None:
    assert call("/analyze", raw=b"{canary") == (400, {"error": "body-not-json"})
    assert call("/canary") == (404, {"error": "not-found"})
    assert call("/analyze", {"text": TEXT}, token="nobody") == (401, {"error": "unauthorized"})


def test_beyond_loopback_needs_a_token_and_tls(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as caught:
        ListenAddress(bind="0.0.0.0").check(None)
    assert caught.value.code == "remote-needs-token"
    with pytest.raises(DeidError) as caught:
        ListenAddress(bind="0.0.0.0").check(TOKEN)
    assert caught.value.code == "remote-needs-tls"
    (tmp_path / "token").write_text("short\n")
    with pytest.raises(DeidError) as caught:
        read_token(tmp_path / "token")
    assert caught.value.code == "token-short"


def test_a_port_in_use_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(DeidError) as caught:
            listen("127.0.0.1", taken.getsockname()[1])
        assert caught.value.code == "port-taken"


# -- who is answered, and size limits ------------------------------------------------------------


def _raw(origin: str, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send a request exactly as written here; returns the status and the whole answer."""
    host, _, port = origin.partition("//")[2].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        answer = b""
        while block := line.recv(65536):
            answer += block
    return int(answer.split()[1]), answer.decode()


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.evil.example",
        "evil.example@localhost", "localhost@evil.example", "evil#localhost", "127.0.0.2",
        "0.0.0.0", "[::2]:3000", "", "localhost:x", "localhost localhost", "2130706433", "::1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/health", "/supportedentities", "/nowhere"])
def test_an_unknown_host_name_is_refused(call: _Caller, host: str, path: str) -> None:
    head = f"GET {path} HTTP/1.1\nHost: {host}\nAuthorization: Bearer {TOKEN}\nConnection: close"
    status, answer = _raw(call.origin, head)
    assert status == 400 and "PERSON" not in answer


def test_the_host_names_of_this_machine_are_answered(call: _Caller) -> None:
    for host in ("localhost", "LOCALHOST:8080", "127.0.0.1:3000", "[::1]", "[::1]:3000"):
        head = f"GET /health HTTP/1.1\nHost: {host}\nConnection: close"
        assert _raw(call.origin, head)[0] == 200, host
    for head in (
        "GET /health HTTP/1.0",
        "GET /health HTTP/1.1\nHost: localhost\nHost: evil.example\nConnection: close",
    ):
        assert _raw(call.origin, head)[0] == 400


@pytest.mark.parametrize(
    "kind",
    [
        None, "text/plain", "text/plain; application/json", "application/x-www-form-urlencoded",
        "multipart/form-data", "application/jsonp", "application/json-seq", "json", "*/*", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/analyze", "/anonymize", "/deanonymize"])
def test_a_body_that_a_page_of_another_site_can_send_is_refused(
    call: _Caller, kind: str | None, path: str
) -> None:
    body = json.dumps({"text": "canary-7Q"}).encode()
    named = "" if kind is None else f"Content-Type: {kind}\n"
    head = (
        f"POST {path} HTTP/1.1\nHost: localhost\nAuthorization: Bearer {TOKEN}\n{named}"
        f"Content-Length: {len(body)}\nConnection: close"
    )
    status, answer = _raw(call.origin, head, body)
    assert status == 415
    assert "content-type-not-json" in answer and "canary" not in answer


def test_a_content_type_with_a_character_set_is_taken(call: _Caller) -> None:
    body = b'{"text": "x"}'
    head = (
        f"POST /analyze HTTP/1.1\nHost: localhost\nAuthorization: Bearer {TOKEN}\n"
        "Content-Type: Application/JSON ; charset=UTF-8\nContent-Length: 13\nConnection: close"
    )
    assert _raw(call.origin, head, body)[0] == 200


def _recognizer(*expressions: str, words: tuple[str, ...] = ()) -> dict[str, Any]:
    patterns = [{"name": "p", "regex": one, "score": 0.5} for one in expressions]
    return {"name": "r", "supported_entity": "X", "patterns": patterns, "deny_list": list(words)}


SPAN = {"start": 0, "end": 1, "entity_type": "X", "score": 1.0}
LONG = 500_001


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/analyze", {"text": "a" * LONG}, "text-too-long"),
        ("/analyze", {"text": ["a" * 1000] * 501}, "text-too-long"),
        ("/analyze", {"text": ["a"] * 1001}, "texts-too-many"),
        ("/analyze", {"text": "a" * 20_000, "ad_hoc_recognizers": [_recognizer("a")]},
         "results-too-many"),
        ("/analyze", {"text": "ab" * 9_000, "ad_hoc_recognizers": [_recognizer("a", "b")]},
         "results-too-many"),
        ("/analyze", {"text": ["a" * 999] * 20, "ad_hoc_recognizers": [_recognizer("a")]},
         "results-too-many"),
        ("/analyze", {"text": "a" * 200_000, "ad_hoc_recognizers": [_recognizer(*["b*"] * 9)]},
         "patterns-too-costly"),
        ("/analyze", {"text": "a" * 99_000, "ad_hoc_recognizers": [_recognizer("((a?){30}){30}b")]},
         "patterns-too-costly"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [_recognizer(*["x"] * 100)]},
         "patterns-too-many"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [_recognizer("x")] * 51},
         "patterns-too-many"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [_recognizer("x" * 2001)]},
         "expression-too-long"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [_recognizer(words=("w",) * 5001)]},
         "words-too-many"),
        ("/analyze", {"text": "x", "ad_hoc_recognizers": [_recognizer(words=("w" * 100_001,))]},
         "words-too-many"),
        ("/analyze", {"text": "x", "allow_list": ["w"] * 5001}, "words-too-many"),
        ("/analyze", {"text": "x", "allow_list": ["w"] * 101, "allow_list_match": "regex"},
         "patterns-too-many"),
        ("/anonymize", {"text": "a" * LONG}, "text-too-long"),
        ("/anonymize", {"text": "aa", "analyzer_results": [SPAN] * 10_001}, "results-too-many"),
        ("/anonymize", {"text": "aa", "analyzer_results": [SPAN],
                        "anonymizers": {"X": {"type": "replace", "new_value": "c" * 2001}}},
         "parameter-too-long"),
        ("/anonymize", {"text": "a" * 9_000, "analyzer_results": [SPAN] * 9_000,
                        "anonymizers": {"DEFAULT": {"type": "replace", "new_value": "y" * 2_000}}},
         "answer-too-long"),
        ("/anonymize", {"text": "aa", "analyzer_results": [SPAN | {"entity_type": "X" * 101}]},
         "name-too-long"),
        ("/analyze", {"text": "a", "ad_hoc_recognizers": [_recognizer("a") | {"name": "X" * 101}]},
         "name-too-long"),
        ("/analyze", {"text": "a", "ad_hoc_recognizers": [
            _recognizer("a") | {"supported_entity": "X" * 101}]}, "name-too-long"),
        ("/analyze", {"text": "a", "ad_hoc_recognizers": [
            {"supported_entity": "X", "patterns": [
                {"name": "X" * 101, "regex": "a", "score": 1}]}]}, "name-too-long"),
        ("/deanonymize", {"text": "a" * LONG}, "text-too-long"),
        ("/deanonymize", {"text": "aa", "anonymizer_results": [SPAN] * 10_001}, "results-too-many"),
    ],
)  # fmt: skip
def test_requests_beyond_the_limits_are_refused(
    call: _Caller, path: str, body: Any, code: str
) -> None:
    assert call(path, body) == (413, {"error": code})


def test_an_allow_list_cannot_multiply_the_work(call: _Caller) -> None:
    allowed = [f"(b?){{500}}c{n}" for n in range(40)]
    asked = {"text": "a " * 4_000, "ad_hoc_recognizers": [_recognizer("a")]}
    body = {**asked, "allow_list": allowed, "allow_list_match": "regex"}
    assert call("/analyze", body) == (413, {"error": "patterns-too-costly"})


def test_a_body_beyond_the_limits_is_not_read(call: _Caller) -> None:
    raw = b'{"text": "' + b"a" * (16 << 20) + b'"}'
    assert call("/analyze", raw=raw) == (413, {"error": "body-too-large"})


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 100_000, b'{"text": "\\ud800"}', b'{"text": "\xed\xa0\x80"}', b'{"text": "\xff"}',
        '{"text": "x"}'.encode("utf-16"), b'{"text": "x", "score_threshold": ' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_an_unreadable_body_is_not_reported_as_an_engine_fault(call: _Caller, raw: bytes) -> None:
    assert call("/analyze", raw=raw) == (400, {"error": "body-not-json"})


@pytest.mark.parametrize("score", [10**400, float("inf"), float("nan"), -(10**12)])
def test_invalid_scores_are_refused(call: _Caller, score: float) -> None:
    status, _ = call("/analyze", {"text": "x", "score_threshold": score})
    assert status == 400
    body = {"text": "aa", "analyzer_results": [{**SPAN, "score": score}]}
    assert call("/anonymize", body) == (400, {"error": "analyzer-results-invalid"})


def test_the_largest_permitted_answer_is_complete(call: _Caller) -> None:
    body = {"text": "a" * 10_000, "entities": ["X"], "ad_hoc_recognizers": [_recognizer("a")]}
    status, found = call("/analyze", body)
    assert status == 200 and len(found) == 10_000


def test_a_request_that_would_wait_too_long_is_refused() -> None:
    turns = RequestQueue(2, 100, 1)
    with turns.admit(), turns.admit():
        with pytest.raises(BadRequest) as caught, turns.admit():
            pass
        assert (caught.value.code, caught.value.status) == ("busy", 503)
    with turns.admit():
        pass


def test_the_total_size_of_accepted_bodies_is_limited() -> None:
    turns = RequestQueue(9, 100, 1)
    with turns.admit() as hold:
        hold(60)
        with pytest.raises(BadRequest) as caught, turns.admit() as other:
            other(30)
            other(30)
        assert (caught.value.code, caught.value.status) == ("busy", 503)
        with turns.admit() as other:  # the space of the refused request is free again
            other(40)
    with turns.admit() as hold:
        hold(100)


def test_a_whole_batch_waits_while_every_processor_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endpoints, "search_count", lambda: 2)
    together = threading.Barrier(3 * MOST_TEXTS)

    def meet(*_: object, **__: object) -> list[Any]:
        together.wait(20)
        return []

    monkeypatch.setattr(endpoints, "analyze", meet)
    state = ServiceState(Finder.load(model=False), PresidioAnonymizer(DAY), ())
    with _served(state) as call, ThreadPoolExecutor(together.parties) as pool:
        answers = pool.map(call, together.parties * ["/analyze"], together.parties * [{}])
        assert [status for status, _ in answers] == together.parties * [200]


def test_listening_on_any_address_requires_a_host_name() -> None:
    pem = Path("x.pem")
    with pytest.raises(DeidError) as caught:
        ListenAddress(bind="0.0.0.0", certificate=pem, certificate_key=pem).check(TOKEN)
    assert caught.value.code == "remote-needs-name"
    named = ListenAddress("0.0.0.0", 3000, pem, pem, ("deid.hospital.example",))
    named.check(TOKEN)
    assert "deid.hospital.example" in named.hosts
