"""A whole scrub opens no socket and asks no name server."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from deid.cli import main


class Called(AssertionError):
    pass


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []

    def forbid(name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> None:
            calls.append(name)
            raise Called(name)

        return call

    for name in ("create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, forbid(name))
    # A socket may be made (a library looks whether IPv6 is there), but nothing may go through it.
    for name in ("connect", "connect_ex", "send", "sendall", "sendto", "recv"):
        monkeypatch.setattr(socket.socket, name, forbid(name), raising=False)
    return calls


def test_the_watch_can_see(no_network: list[str]) -> None:
    with pytest.raises(Called):
        socket.create_connection(("127.0.0.1", 9))
    with pytest.raises(Called):
        socket.socket().connect(("127.0.0.1", 9))
    assert no_network == ["create_connection", "connect"]


def test_a_scrub_calls_nobody(no_network: list[str], tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Ana Ruiz, ana.ruiz@clinic.example, https://clinic.example/p/7, 802-555-0100.")
    with pytest.raises(SystemExit) as end:
        main(["scrub", str(note), "-o", str(tmp_path / "out")])
    assert end.value.code == 0
    assert no_network == []
    assert "ana.ruiz" not in (tmp_path / "out" / "note.txt").read_text()
