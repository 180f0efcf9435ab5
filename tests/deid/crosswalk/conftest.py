"""A key, and a crosswalk in an empty place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deid.crosswalk import Crosswalk
from deid.crosswalk.keys.master_keys import SecretKey, create_key_file


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Audit heads of passphrases and keyrings are written here, not in the home folder of the
    person who runs the tests.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def key(tmp_path: Path) -> SecretKey:
    return create_key_file(tmp_path / "key")


@pytest.fixture
def book(tmp_path: Path, key: SecretKey) -> Iterator[Crosswalk]:
    with Crosswalk.create(tmp_path / "book.db", key) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty place for a crosswalk, once for each kind of store."""
    if request.param == "sqlite":
        return tmp_path / "book.db"
    url: str = request.getfixturevalue("database")
    return url
