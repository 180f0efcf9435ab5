"""Attacks on the pages and services that listen: who gets data from them, and how much work they
do.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from benchmarks.attacks.lab import Lab
from deid.serving.endpoints import ServiceState, build_service
from deid.transforms.presidio_operators import PresidioAnonymizer
from recognizers import Finder

ROOT = Path(__file__).resolve().parents[2]
NAME = "Quartermaine"
DAY = date(2026, 11, 23)
JSON = {"content-type": "application/json"}
SECONDS = 20.0
"""Most that a refused question may take, on a busy machine."""

# -- serve ---------------------------------------------------------------------------------------


@cache
def _service() -> Any:
    return build_service(
        ServiceState(
            Finder.load(model=False, reference_date=DAY), PresidioAnonymizer(DAY), ("names",)
        )
    )


def _asked(
    method: str, path: str, headers: Mapping[str, str], body: Any = None, host: str = "localhost"
) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(_service(), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            named = {**headers, "host": host}
            if isinstance(body, bytes):
                return await client.request(method, path, headers=named, content=body)
            return await client.request(method, path, headers=named, json=body)

    return asyncio.run(ask())


def attack_name_that_points_here(lab: Lab) -> bool:
    """Point a site's own name at this machine, so that its page can send requests (rebinding)."""
    hosts = (
        "evil.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.nip.example",
        "localhost@evil.example", "evil.example#localhost", "127.0.0.2", "0.0.0.0", "",
        "2130706433",
    )  # fmt: skip
    answers = [
        _asked(method, path, JSON, body, host)
        for host in hosts
        for method, path, body in (
            ("GET", "/supportedentities", None),
            ("POST", "/analyze", {"text": f"Ana {NAME} was seen."}),
        )
    ]
    return {one.status_code for one in answers} == {400}


def attack_form_of_another_site(lab: Lab) -> bool:
    """Send requests from another site as forms and plain text, which browsers do not block."""
    kinds = (
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
        "text/plain; application/json", "text/plain;charset=application/json",
    )  # fmt: skip
    body = b'{"text": "Ana Quartermaine was seen."}'
    answers = [
        _asked("POST", path, {"content-type": kind}, body)
        for kind in kinds
        for path in ("/analyze", "/anonymize", "/deanonymize")
    ]
    return {one.status_code for one in answers} == {415}


def attack_question_that_costs_much(lab: Lab) -> bool:
    """Ask in one small request for minutes of work, or for an answer of many megabytes."""

    def recognizer(*expressions: str) -> list[dict[str, Any]]:
        patterns = [{"name": "p", "regex": one, "score": 0.5} for one in expressions]
        return [{"name": "r", "supported_entity": "X", "patterns": patterns}]

    slow = "((a?){30}){30}b"
    span = {"start": 0, "end": 1, "entity_type": "X", "score": 1.0}
    spans = [{**span, "start": n, "end": n + 1} for n in range(0, 36_000, 4)]
    replaced = {"X": {"type": "replace", "new_value": "y" * 1_000_000}}
    longer = {"X": {"type": "replace", "new_value": "y" * 2_000}}
    long_name = [{**recognizer("a")[0], "name": "n" * 500_000}]
    questions = [
        ("/analyze", {"text": "a" * 1_000_000}),
        ("/analyze", {"text": ["a" * 1_000] * 1_000}),
        ("/analyze", {"text": ["a"] * 100_000}),
        ("/analyze", {"text": "a" * 200_000, "ad_hoc_recognizers": recognizer("a")}),
        ("/analyze", {"text": "a" * 200_000, "ad_hoc_recognizers": recognizer("b*", "c*")}),
        ("/analyze", {"text": "a" * 200_000, "ad_hoc_recognizers": recognizer(slow)}),
        ("/analyze", {"text": "a" * 9_000, "ad_hoc_recognizers": recognizer(*[slow] * 90)}),
        ("/analyze", {"text": "a", "ad_hoc_recognizers": recognizer(*["a"] * 1_000)}),
        ("/analyze", {"text": "a", "ad_hoc_recognizers": recognizer("(a|b|c)?" * 9_000)}),
        ("/analyze", {"text": "a", "allow_list": ["word"] * 100_000}),
        ("/analyze", {"text": "a " * 3_000, "ad_hoc_recognizers": long_name}),
        ("/anonymize", {"text": "a b " * 9_000, "analyzer_results": spans, "anonymizers": longer}),
        ("/anonymize", {"text": "ab" * 400_000}),
        ("/anonymize", {"text": "ab", "analyzer_results": [span] * 50_000}),
        ("/anonymize", {"text": "ab", "analyzer_results": [span], "anonymizers": replaced}),
    ]
    began = time.monotonic()
    answers = [_asked("POST", path, JSON, body) for path, body in questions]
    refused = all(one.status_code in (413, 200) and len(one.content) < 5 << 20 for one in answers)
    return refused and time.monotonic() - began < SECONDS * len(questions) / 4


def attack_fault_that_shows_the_request(lab: Lab) -> bool:
    """Cause a refusal or a fault of the engine, whose answer must not quote the request."""
    words = {"text": f"{NAME} " * 40_000, "language": "en", "entities": [NAME]}
    bodies: list[Any] = [
        words,
        {"text": NAME, "language": NAME},
        {"text": NAME, "ad_hoc_recognizers": [{"supported_entity": NAME, "patterns": NAME}]},
        {"text": NAME, "analyzer_results": [{"entity_type": NAME}]},
        {"text": NAME, "anonymizers": {NAME: {"type": NAME}}},
        f'{{"text": "{NAME}'.encode(),
        f'{{"text": "{NAME}\\ud800"}}'.encode(),
        f'["{NAME}", '.encode() + b"[" * 90_000,
    ]
    paths = ("/analyze", "/anonymize", f"/{NAME}")
    answers = [_asked("POST", path, JSON, body) for body in bodies for path in paths]
    refused = sum(400 <= one.status_code < 500 for one in answers)
    return refused > len(bodies) and all(
        one.status_code < 500 and (one.status_code == 200 or NAME not in one.text)
        for one in answers
    )


# -- review --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Served:
    process: subprocess.Popen[str]
    link: str

    @property
    def origin(self) -> str:
        return self.link.partition("/open")[0]


@contextmanager
def _review(lab: Lab, *options: str, **environ: str) -> Iterator[_Served]:
    """A served review of one note, with access to its original."""
    note = lab.write("notes/note.txt", f"Patient: Zebulon {NAME}, 802-555-0143. Feels well.")
    lab.scrub(note.parent)
    command = [sys.executable, "-m", "deid", "review", str(lab.here / "out")]
    more = ["--originals", str(note.parent), "--reviewer", "ann", *options]
    process = subprocess.Popen(
        [*command, *more],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        yield _Served(process, process.stderr.readline().rpartition(" ")[2].strip())
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def attack_cookie_of_another_port(lab: Lab) -> bool:
    """Ask for notes from another server of this machine, to which browsers send the cookie, too."""
    paths = ("/api/start", "/api/notes", "/api/notes?view=all", "/api/notes/0", "/api/team")
    with _review(lab, "--no-browser") as served, httpx.Client(base_url=served.origin) as client:
        proof = client.get(served.link).text.partition('data-proof="')[2].partition('"')[0]
        own = client.get("/api/notes/0", headers={"x-review-proof": proof})
        tries = (
            {},
            {"x-review-proof": ""},
            {"x-review-proof": "x" * 43},
            {"origin": served.origin},
        )
        stolen = [client.get(path, headers=sent) for path in paths for sent in tries]
        pages = [client.get(path) for path in ("/", "/adjudicate", "/open", "/static/page.mjs")]
        rebound = client.get(
            "/api/notes/0", headers={"x-review-proof": proof, "host": "evil.example"}
        )
        shown = [one for one in (*stolen, *pages, rebound) if NAME in one.text or proof in one.text]
    refused = all(one.status_code == 403 for one in stolen) and rebound.status_code == 400
    return len(proof) > 40 and NAME in own.text and refused and not shown


def attack_link_that_is_looked_at(lab: Lab) -> bool:
    """Open the one-time link by a preview, a prefetch or a scanner before its reviewer does."""
    with _review(lab, "--no-browser") as served, httpx.Client() as client:
        for method in ("HEAD", "OPTIONS", "POST", "PUT", "DELETE"):
            client.request(method, served.link)
        for name, value in (
            ("sec-purpose", "prefetch"), ("purpose", "prefetch"), ("x-moz", "prefetch"),
            ("sec-fetch-dest", "empty"), ("sec-fetch-dest", "image"), ("sec-fetch-dest", "iframe"),
        ):  # fmt: skip
            client.get(served.link, headers={name: value})
        client.get(served.link, headers={"host": "evil.example"})
        early = bool(client.cookies)
        opened = client.get(served.link).status_code == 200 and bool(client.cookies)
        again = client.get(served.link).status_code
    return not early and opened and again == 403


def attack_list_of_processes(lab: Lab) -> bool:
    """List the arguments of all processes and the temporary files as another user."""
    told = lab.here / "told"
    browser = lab.write("browser", f'#!/bin/sh\nps -eo args > {told}.part 2>/dev/null\n'
                        f'printf "%s\\n" "$@" >> {told}.part\nmv {told}.part {told}\n')  # fmt: skip
    browser.chmod(0o755)
    temporary = lab.here / "tmp"
    temporary.mkdir()
    with _review(lab, BROWSER=f"{browser} %s", TMPDIR=str(temporary)) as served:
        deadline = time.monotonic() + 30
        while not told.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        secret = served.link.partition("token=")[2]
        listed = told.read_text(errors="replace")
        readable = [path for path in temporary.rglob("*") if path.stat().st_mode & 0o077]
    return len(secret) > 40 and "file://" in listed and secret not in listed and not readable
