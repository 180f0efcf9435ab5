"""Shared test data for the risk tests: figures, the Census Bureau's file layouts, and a local
server for them.
"""

from __future__ import annotations

import http.server
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture(scope="session")
def adult() -> Path:
    path = SHARED / "data" / "risk" / "adult.csv"
    if not path.is_file():
        pytest.skip("the shared Adult table is absent")
    return path


@pytest.fixture(scope="session")
def figures() -> dict[str, Any]:
    path = SHARED / "data" / "risk" / "figures.json"
    if not path.is_file():
        pytest.skip("the shared figures are absent")
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def populations() -> Path:
    path = SHARED / "data" / "population"
    if not path.is_dir():
        pytest.skip("the shared population tables are absent")
    return path


@pytest.fixture(scope="session")
def write_summary_file() -> Callable[..., None]:
    """Write Summary File 1 of a state: `people[county, sex, age, race]`, with 103 ages and seven
    races.
    """

    def write(folder: Path, postal: str, fips: str, people: np.ndarray, year: int = 2000) -> None:
        low = postal.lower()
        folder.mkdir(parents=True, exist_ok=True)
        whole = people.sum(axis=0, keepdims=True)
        rows = np.concatenate((whole, people, people))
        geography = []
        for i in range(len(rows)):
            # a state, its counties, and each county again as a geographic component that must be
            # skipped
            is_county = i > 0
            component = "00" if i <= len(people) else "43"
            county = f"{2 * ((i - 1) % len(people)) + 1:03d}" if is_county else "   "
            level = "050" if is_county else "040"
            census_state = "51" if year == 2000 else ""
            fixed = (
                f"uSF1  {postal}{level}{component}00000{i + 1:07d}35{census_state}{fips}{county}"
            )
            geography.append(fixed.ljust(400 if year == 2000 else 500))
        _zip(folder / f"{low}geo_uf1.zip", f"{low}geo.uf1", geography)
        for race in range(7):
            lines = []
            for i, row in enumerate(rows):
                men, women = row[0, :, race], row[1, :, race]
                counts = [men.sum() + women.sum(), men.sum(), *men, women.sum(), *women]
                told = ",".join(str(int(count)) for count in counts)
                lines.append(f"uSF1,{postal},000,{16 + race:02d},{i + 1:07d},{told}")
            _zip(folder / f"{low}{16 + race:05d}_uf1.zip", f"{low}{16 + race:05d}.uf1", lines)

    return write


def _zip(path: Path, inner: str, lines: list[str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(inner, "\r\n".join(lines) + "\r\n")


class Bureau:
    """A local server for files with byte ranges, and for any answers that a test provides."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: list[tuple[str, str | None]] = []
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.cut_at: int | None = None
        handler = type("Handler", (_Handler,), {"bureau": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    bureau: Bureau

    def do_GET(self) -> None:
        bureau = self.bureau
        asked = self.headers.get("Range")
        bureau.asked.append((self.path, asked))
        for part, (status, body) in bureau.answers.items():
            if part in self.path:
                self._send(status, body)
                return
        path = bureau.root / self.path.lstrip("/")
        if not path.is_file():
            self._send(404, b"")
            return
        body = path.read_bytes()
        if asked:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(body):
                self._send(416, b"")
            else:
                self._send(206, body[start:])
        elif bureau.cut_at is not None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: bureau.cut_at])
            self.close_connection = True
        else:
            self._send(200, body)

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def bureau(tmp_path: Path) -> Iterator[Bureau]:
    root = tmp_path / "server"
    root.mkdir()
    running = Bureau(root)
    thread = threading.Thread(target=running.server.serve_forever, daemon=True)
    thread.start()
    yield running
    running.server.shutdown()
    running.server.server_close()
    thread.join()
