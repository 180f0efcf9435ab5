"""A PostgreSQL server that runs as long as the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_SERVER_USER = "postgres"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a fresh PostgreSQL server, started and stopped by the tests."""
    pytest.importorskip("psycopg")
    binaries = _binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL binaries on this machine")
    if os.getuid() == 0 and not (shutil.which("runuser") and _has_user()):
        pytest.skip("PostgreSQL does not run as root, and there is no user to run it as")
    home = Path(tempfile.mkdtemp(prefix="deid-pg-"))
    try:
        if os.getuid() == 0:
            shutil.chown(home, _SERVER_USER)
        data = home / "data"
        _run(binaries / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8")
        port = _started(binaries, home, data)
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            _run(binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _started(binaries: Path, home: Path, data: Path) -> int:
    """The port that the server listens on; if another test process took the port first, another one
    is tried.
    """
    for last in (False, False, True):
        port = _free_port()
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home}"
        settings += " -c fsync=off -c max_connections=50"
        try:
            _run(binaries / "pg_ctl", "-D", data, "-o", settings, "-l", home / "log", "-w", "start")
        except subprocess.CalledProcessError:
            if last:
                raise
        else:
            return port
    raise AssertionError("not reached")


@pytest.fixture
def database(server: str) -> str:
    """The URL of an empty schema on that server."""
    name = f"book_{os.urandom(6).hex()}"
    _ask(server, f"CREATE SCHEMA {name}")
    return f"{server}?options=-csearch_path%3D{name}"


@pytest.fixture
def own_database(server: str) -> str:
    """The URL of an empty database on that server."""
    name = f"book_{os.urandom(6).hex()}"
    _ask(server, f"CREATE DATABASE {name} STRATEGY file_copy")
    return server.rsplit("/", 1)[0] + f"/{name}"


def _ask(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(statement)  # type: ignore[arg-type]


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    if found:
        return found[0].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def _has_user() -> bool:
    return subprocess.run(["id", _SERVER_USER], capture_output=True).returncode == 0


def _run(*command: str | Path) -> None:
    words = [str(word) for word in command]
    if os.getuid() == 0:
        words = ["runuser", "-u", _SERVER_USER, "--", *words]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
