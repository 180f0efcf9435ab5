"""Attacks on the review page, tried with raw requests and in a browser. Each is refused."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

httpx = pytest.importorskip("httpx")


@pytest.fixture
def served(make: Any, notes: list[str], serve: Any) -> Any:
    inputs, out = make(notes)
    running = serve(out, "--originals", inputs, "--reviewer", "ann", "--reviewer", "ben")
    running.out = out
    return running


def entered(served: Any, who: str = "ann") -> tuple[Any, dict[str, str]]:
    """A client with a session, and the headers that the review page itself sends."""
    client = httpx.Client(base_url=served.origin, follow_redirects=True)
    page = client.get(served.links[who])
    assert page.status_code == 200
    proof = page.text.partition('data-proof="')[2].partition('"')[0]
    return client, {"origin": served.origin, "x-review-proof": proof}


def asked(served: Any, line: str, *headers: str) -> bytes:
    """One request, sent exactly as written here."""
    host = f"Host: {urlsplit(served.origin).netloc}"
    whole = "\r\n".join([f"{line} HTTP/1.1", host, *headers, "Connection: close", "", ""])
    return raw(served, whole.encode())


def raw(served: Any, request: bytes) -> bytes:
    parts = urlsplit(served.origin)
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as line:
        line.sendall(request)
        answer = b""
        while block := line.recv(65536):
            answer += block
        return answer


BODY = {"column": 1, "change": 0, "verdict": "right", "word": ""}


def test_everything_hostile_is_refused(served: Any) -> None:
    no_session(served)
    replayed_token(served)
    wrong_host(served)
    cross_site(served)
    cookie_alone(served)
    traversal(served)
    injected_headers(served)
    nonsense(served)


def no_session(served: Any) -> None:
    with httpx.Client(base_url=served.origin) as client:
        for path in ("/api/start", "/api/notes", "/api/notes/0", "/api/team"):
            answer = client.get(path)
            assert answer.status_code == 401, path
            assert "note-0" not in answer.text
        for path in ("/", "/adjudicate", "/open", "/open?token=guessed"):
            answer = client.get(path)
            assert answer.status_code == 403, path
            assert "note-0" not in answer.text
        client.cookies.set("deid-review", "forged")
        assert client.get("/api/notes/0").status_code == 401
        assert client.post("/api/undo", json={}).status_code == 401


def replayed_token(served: Any) -> None:
    entered(served, "ann")
    with httpx.Client() as client:
        assert client.get(served.links["ann"]).status_code == 403
        assert not client.cookies


def wrong_host(served: Any) -> None:
    client, headers = entered(served, "ben")
    port = urlsplit(served.origin).port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil:{port}", ""):
        for path in ("/", "/api/notes/0", "/static/review.css", "/open?token=x"):
            answer = client.get(path, headers={"host": host})
            assert answer.status_code == 400, (host, path)
            assert "note-0" not in answer.text
    assert asked(served, "GET /", "Host: evil.example").startswith(b"HTTP/1.1 400")
    served.ben = client, headers


def cross_site(served: Any) -> None:
    client, headers = served.ben
    path = "/api/notes/1/judge"
    tries = [
        {},
        {"origin": served.origin},
        {"x-review-proof": headers["x-review-proof"]},
        {**headers, "origin": "https://evil.example"},
        {**headers, "origin": "null"},
        {**headers, "x-review-proof": "guess"},
        {**headers, "sec-fetch-site": "cross-site"},
        {**headers, "sec-fetch-site": "same-site"},
    ]
    for tried in tries:
        assert client.post(path, json=BODY, headers=tried).status_code == 403, tried
    form = {**headers, "content-type": "text/plain"}
    assert client.post(path, content=json.dumps(BODY), headers=form).status_code == 403
    proof = {"x-review-proof": headers["x-review-proof"]}
    stolen = client.get("/api/notes/1", headers={**proof, "sec-fetch-site": "cross-site"})
    assert stolen.status_code == 403
    assert client.get("/api/undo", headers=headers).status_code == 405
    assert client.post(path, json=BODY, headers=headers).status_code == 200


def cookie_alone(served: Any) -> None:
    """A browser sends a cookie to every port of the machine, so another local server may receive
    it.
    """
    client, headers = served.ben
    assert headers["x-review-proof"]
    for path in ("/api/start", "/api/notes", "/api/notes/0", "/api/team"):
        for sent in ({}, {"x-review-proof": ""}, {"x-review-proof": "guessed"}):
            answer = client.get(path, headers={**sent, "origin": served.origin})
            assert answer.status_code == 403, path
            assert "note-0" not in answer.text
            assert client.head(path, headers=sent).status_code == 403
    for path in ("/", "/adjudicate", "/open", "/static/page.mjs", "/api/start"):
        assert headers["x-review-proof"] not in client.get(path).text, path
    mine = {"x-review-proof": headers["x-review-proof"]}
    assert client.get("/api/start", headers=mine).status_code == 200
    stolen = {"x-review-proof": headers["x-review-proof"], "origin": "http://evil.example"}
    assert client.get("/api/start", headers=stolen).status_code == 403
    with httpx.Client(base_url=served.origin) as stranger:
        assert stranger.get("/api/start", headers=mine).status_code == 401


def traversal(served: Any) -> None:
    client, _ = served.ben
    for path in (
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/",
        "/static/..%5capp.py", "/static/%2fetc%2fpasswd", "/static/page.html", "//etc/passwd",
        "/_release/manifest.json", "/api/notes/../../etc/passwd", "/api/notes/-1",
    ):  # fmt: skip
        assert client.get(path).status_code in (400, 404), path
        assert asked(served, f"GET {path}").split()[1] in (b"400", b"404"), path
    assert client.get("/api/notes/999999", headers=served.ben[1]).status_code == 400


def injected_headers(served: Any) -> None:
    netloc = urlsplit(served.origin).netloc
    for path in (
        "/open?token=x%0d%0aSet-Cookie:%20a=b",
        "/static/x%0d%0aX-Evil:%201",
        "/%0d%0aX-Evil:1",
    ):
        head = asked(served, f"GET {path}").partition(b"\r\n\r\n")[0].lower()
        assert b"x-evil" not in head
        assert b"set-cookie" not in head
    smuggled = (
        f"POST /api/undo HTTP/1.1\r\nHost: {netloc}\r\nContent-Length: 0\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n"
    )
    assert raw(served, smuggled.encode()).split()[1] in (b"400", b"413")
    large = asked(served, "POST /api/undo", "Content-Length: 99999999")
    assert large.split()[1] == b"413"


def nonsense(served: Any) -> None:
    client, headers = served.ben
    for body in (
        {}, [], "x", {**BODY, "change": 99}, {**BODY, "change": True},
        {**BODY, "verdict": "missed"}, {**BODY, "column": 9}, {**BODY, "more": 1},
        {**BODY, "verdict": "wrong_word", "word": "<b>"},
    ):  # fmt: skip
        answer = client.post("/api/notes/1/judge", json=body, headers=headers)
        assert answer.status_code == 400, body
    miss = {"column": 1, "side": "after", "start": 0, "end": 10**9, "word": "names"}
    assert client.post("/api/notes/1/miss", json=miss, headers=headers).status_code == 400
    ruling = {"index": 0, "verdict": "no_leak"}
    assert client.post("/api/notes/1/rule", json=ruling, headers=headers).status_code == 400
    assert client.get("/api/team", headers=headers).status_code == 403
    deep = "[" * 60_000
    head = {**headers, "content-type": "application/json"}
    assert client.post("/api/share", content=deep, headers=head).status_code == 400
    assert client.get("/api/notes?below=x", headers=headers).status_code == 400


def test_requests_that_show_no_page_do_not_use_up_the_link(served: Any) -> None:
    link = served.links["ann"]
    with httpx.Client() as looking:
        assert looking.head(link).status_code == 405
        for method in ("OPTIONS", "POST", "PUT", "TRACE"):
            assert looking.request(method, link).status_code >= 400
        for name, value in (
            ("sec-purpose", "prefetch;prerender"), ("purpose", "prefetch"), ("x-moz", "prefetch"),
            ("sec-fetch-dest", "image"), ("sec-fetch-dest", "iframe"), ("sec-fetch-dest", "empty"),
        ):  # fmt: skip
            assert looking.get(link, headers={name: value}).status_code == 403
        assert looking.get(link, headers={"host": "evil.example"}).status_code == 400
        assert not looking.cookies
    client, headers = entered(served)
    assert client.get("/api/notes/0", headers=headers).status_code == 200


def test_the_token_is_not_in_the_arguments_of_the_browser(
    make: Any, notes: list[str], chromium: Any, tmp_path: Path
) -> None:
    """Every user of the machine can list the arguments that a browser was started with."""
    _, out = make(notes[:2])
    told = tmp_path / "arguments"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}.part\nmv {told}.part {told}\n')
    browser.chmod(0o755)
    environ = {**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "deid", "review", str(out), "--reviewer", "ann"]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        link = process.stderr.readline().rpartition(" ")[2].strip()
        deadline = time.monotonic() + 60
        while not told.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        arguments = Path(f"/proc/{process.pid}/cmdline").read_text() + told.read_text()
        page = Path(urlsplit(told.read_text().strip()).path)
        secret = link.partition("token=")[2]
        assert len(secret) > 40 and secret not in arguments
        assert (page.stat().st_mode & 0o777, page.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        shown = chromium.new_context().new_page()
        shown.goto(page.as_uri())
        shown.wait_for_selector("html[data-ready]", timeout=20_000)
        assert secret not in shown.url
        assert "DISCHARGE" in shown.text_content("#text")
        shown.reload()
        shown.wait_for_function("() => document.querySelector('#text').textContent.length > 100")
        process.send_signal(signal.SIGINT)
        process.wait(20)
    assert not page.exists()


def test_every_response_has_strict_security_headers(served: Any) -> None:
    client, _ = entered(served)
    for path in ("/", "/api/start", "/static/review.mjs", "/nowhere", "/favicon.ico"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    with httpx.Client() as fresh:
        cookie = fresh.get(served.links["ben"]).headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page = client.get("/").text
    assert "<script>" not in page
    assert "style=" not in page
    assert "onclick" not in page


def test_a_lock_ends_the_session_and_gives_a_new_link(served: Any) -> None:
    client, headers = entered(served)
    assert client.post("/api/lock", json={}, headers=headers).status_code == 200
    assert client.get("/api/notes/0").status_code == 401
    assert "locked; ann continues with" in served.next_line(5)
    client, headers = entered(served)
    assert client.get("/api/notes/0", headers=headers).status_code == 200


def test_idle_sessions_lock(make: Any, notes: list[str], serve: Any) -> None:
    _, out = make(notes[:2])
    running = serve(out, "--reviewer", "ann", "--idle-minutes", "0.01")
    client, headers = entered(running)
    time.sleep(1.2)
    assert client.get("/api/notes/0", headers=headers).status_code == 401


def test_hostile_notes_are_shown_as_plain_text_and_run_nothing(served: Any, visit: Any) -> None:
    page = visit(served.links["ann"])
    number = page.evaluate("() => fetch('/api/notes?view=all').then(r => r.json()).then(t => 5)")
    page.click("select[name=view]")
    page.select_option("select[name=view]", "all")
    page.click(f'#list button[data-number="{number}"]')
    page.wait_for_function("() => document.querySelector('#title').textContent.includes('0006')")
    shown = page.text_content("#text")
    assert "<script>window.attacked = 1</script>" in shown
    assert page.evaluate("() => window.attacked") is None
    assert page.locator("#text script, #text img").count() == 0
    assert "\u202e" not in shown
    assert "Turned ◆round◆ and a hid◆den sign." in shown
    assert "3 hidden or direction-changing characters" in page.text_content("#warning")


@pytest.mark.parametrize(
    "options",
    [
        ("--bind", "0.0.0.0"),
        ("--bind", "0.0.0.0", "--remote"),
        ("--reviewer", "a\r\nSet-Cookie: x"),
        ("--reviewer", "ann", "--reviewer", "ann"),
    ],
)
def test_unsafe_ways_to_serve_are_refused(make: Any, notes: list[str], options: Any) -> None:
    _, out = make(notes[:1])
    command = [sys.executable, "-m", "deid", "review", str(out), "--no-browser", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert "remote-needs-tls" in done.stderr or "reviewer-" in done.stderr
