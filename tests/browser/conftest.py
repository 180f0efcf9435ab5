"""A release made with a finder that has a few invented rules, a served review page, and a real
Chromium.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from deid.jobs import Job, run_job  # noqa: E402
from deid.policy.model import read_policy  # noqa: E402
from recognizers import Finding  # noqa: E402
from safe_harbor import Identifier  # noqa: E402

CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
QUIET = (
    "--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
RULES = (
    (re.compile(r"\b(?:Ada|Grace|Edsger) [A-Z][a-z]+"), Identifier.NAMES, "PERSON"),
    (re.compile(r"\b\d\d/\d\d/\d{4}"), Identifier.DATES, "DATE_TIME"),
    (re.compile(r"\b\d{3}-\d{4}\b"), Identifier.PHONES, "PHONE_NUMBER"),
    (re.compile(r"\bMRN \d{6}"), Identifier.MRNS, "MEDICAL_RECORD_NUMBER"),
)


class Rules:
    """A finder with a few rules, which misses every name that no rule covers."""

    def find_all(
        self, texts: Sequence[str], knowns: object = None, groups: object = None
    ) -> list[tuple[Finding, ...]]:
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> tuple[Finding, ...]:
        found = [
            Finding(hit.start(), hit.end(), word, entity, 0.9, "rule")
            for pattern, word, entity in RULES
            for hit in pattern.finditer(text)
        ]
        return tuple(sorted(found, key=lambda finding: finding.start))


def note(number: int) -> str:
    name = ("Ada", "Grace", "Edsger")[number % 3] + " " + ("Stone", "Field", "Marsh")[number % 2]
    return (
        f"DISCHARGE SUMMARY\n\nPatient: {name}, MRN {100000 + number}\n"
        f"Seen on 03/{1 + number % 27:02d}/2019 for chest pain.\n\n"
        "The pain began at rest and went away with nitroglycerin.\n"
        f"Call {200 + number % 700}-{1000 + number % 9000:04d} with any question.\n"
    )


HOSTILE = (
    "Patient: Ada Stone\n<script>window.attacked = 1</script>"
    '<img src=x onerror="window.attacked=1">\n'
    "Turned \u202eround\u202c and a hid\u200bden sign.\nNeighbour Zelda Quux came along.\n"
)


def release(folder: Path, texts: Sequence[str]) -> tuple[Path, Path]:
    """Write the notes as files and scrub them; returns (inputs, OUT)."""
    inputs, out = folder / "notes", folder / "out"
    inputs.mkdir(parents=True)
    for number, text in enumerate(texts, 1):
        (inputs / f"note-{number:04d}.txt").write_text(text, "utf-8")
    job = Job((inputs,), out, read_policy("safe_harbor"), date(2026, 1, 1))
    assert run_job(job, Rules()).out is not None
    return inputs, out


Make = Callable[[Sequence[str]], tuple[Path, Path]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A function that scrubs texts and returns (inputs, OUT)."""
    return lambda texts: release(tmp_path, texts)


@pytest.fixture
def make_lines(tmp_path: Path) -> Make:
    """A function that scrubs texts in one JSON lines file and returns its OUT."""

    def write(texts: Sequence[str]) -> tuple[Path, Path]:
        inputs, out = tmp_path / "notes.jsonl", tmp_path / "out"
        lines = [json.dumps({"text": text}) + "\n" for text in texts]
        inputs.write_text("".join(lines), "utf-8")
        assert run_job(
            Job((inputs,), out, read_policy("safe_harbor"), date(2026, 1, 1)), Rules()
        ).out
        return inputs, out

    return write


@pytest.fixture
def notes() -> list[str]:
    """Twelve notes. The sixth is hostile and contains a name that the rules do not know."""
    return [HOSTILE if number == 6 else note(number) for number in range(1, 13)]


@pytest.fixture
def rules() -> Rules:
    """The finder of the releases in these tests."""
    return Rules()


@dataclass
class Served:
    """A running `deid review`. `links` holds each reviewer's link by the reviewer's name."""

    process: subprocess.Popen[str]
    links: dict[str, str] = field(default_factory=dict)
    lines: queue.Queue[str] = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.put(line)

    @property
    def origin(self) -> str:
        return next(iter(self.links.values())).partition("/open")[0]

    def stop(self, how: int = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(15)

    def next_line(self, seconds: float = 20) -> str:
        """The next line that the server prints; links in that line are kept."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return ""
        if found := re.search(
            r"(\w+)(?: \(adjudicator\))? (?:opens this link:|continues with) (http\S+)", line
        ):
            self.links[found[1]] = found[2]
        return line


Serve = Callable[..., Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[Served] = []

    def start(out: Path, *options: str | Path) -> Served:
        command = [sys.executable, "-m", "deid", "review", out, "--no-browser", *options]
        process = subprocess.Popen(
            [str(part) for part in command],
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        served = Served(process)
        running.append(served)
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline and process.poll() is None:
            if "Ctrl-C" in (line := served.next_line(40)):
                return served
            assert "error" not in line, line
        raise AssertionError("the page was not served")

    yield start
    for served in running:
        if served.process.poll() is None:
            served.process.kill()
            served.process.wait(10)


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.Browser]:
    """A browser for the tests of one file. Its driver holds the event loop of this thread, so the
    browser must be closed before the tests of another file run in the same thread.
    """
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


Open = Callable[..., playwright.Page]


@pytest.fixture
def visit(chromium: playwright.Browser) -> Iterator[Open]:
    """A function that opens a link in its own browser context and fails on any request to another
    machine.
    """
    contexts: list[playwright.BrowserContext] = []
    strays: list[str] = []
    faults: list[str] = []

    def go(link: str, **options: object) -> playwright.Page:
        context = chromium.new_context(
            viewport={"width": 1360, "height": 860}, bypass_csp=False, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((link.partition("/open")[0], "data:"))
                else strays.append(request.url)
            ),
        )
        page.on("pageerror", lambda error: faults.append(type(error).__name__ + str(error)[:200]))
        page.goto(link)
        if "/open?" in link:
            page.wait_for_selector("html[data-ready]", timeout=10_000)
        return page

    yield go
    for context in contexts:
        context.close()
    assert strays == []
    assert faults == []
