from __future__ import annotations

import json
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from deid.crosswalk import Crosswalk, rotate
from deid.crosswalk.keys.master_keys import (
    SecretKey,
    create_key_file,
    keyring_key,
    read_key_file,
    service_key,
)
from deid.crosswalk.trouble import KeyTrouble
from safe_harbor import Identifier as I


def _code(refused: pytest.ExceptionInfo[KeyTrouble]) -> str:
    return refused.value.code


def test_a_key_file_is_read_back_and_its_key_is_not_shown(tmp_path: Path) -> None:
    made = create_key_file(tmp_path / "key")
    assert read_key_file(tmp_path / "key").unwrap(made.wrap(b"k", b"c"), b"c") == b"k"
    secret = json.loads((tmp_path / "key").read_text())["key"]
    assert secret not in repr(made) and secret not in str(vars(made))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    create_key_file(tmp_path / "key")
    (tmp_path / "key").chmod(mode)
    with pytest.raises(KeyTrouble) as refused:
        read_key_file(tmp_path / "key")
    assert _code(refused) == "key-file-open-to-others"


@pytest.mark.parametrize("damage", ["", "{}", "not json", '{"format": "deid-key/1", "key": 3}'])
def test_a_damaged_key_file_is_refused(tmp_path: Path, damage: str) -> None:
    create_key_file(tmp_path / "key")
    (tmp_path / "key").write_text(damage)
    with pytest.raises(KeyTrouble) as refused:
        read_key_file(tmp_path / "key")
    assert _code(refused) == "key-file-damaged"


def test_one_altered_letter_is_detected(tmp_path: Path) -> None:
    create_key_file(tmp_path / "key")
    body = json.loads((tmp_path / "key").read_text())
    body["key"] = ("B" if body["key"][0] == "A" else "A") + body["key"][1:]
    (tmp_path / "key").write_text(json.dumps(body))
    with pytest.raises(KeyTrouble) as refused:
        read_key_file(tmp_path / "key")
    assert _code(refused) == "key-file-damaged"


def test_a_key_wrapped_for_one_place_does_not_unwrap_for_another() -> None:
    key = SecretKey("k", bytes(32))
    with pytest.raises(KeyTrouble):
        key.unwrap(key.wrap(b"data key", b"key|book|data|1"), b"key|book|index|1")


def _keyring(module: str, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """A keyring package whose backend is defined in `module`."""
    held: dict[tuple[str, str], str] = {}
    backend = type("Backend", (), {"__module__": module})()
    fake = ModuleType("keyring")
    vars(fake).update(
        get_keyring=lambda: backend,
        get_password=lambda service, name: held.get((service, name)),
        set_password=lambda service, name, text: held.update({(service, name): text}),
    )
    monkeypatch.setitem(__import__("sys").modules, "keyring", fake)
    return held


def test_a_key_can_be_kept_in_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = _keyring("keyring.backends.SecretService", monkeypatch)
    with Crosswalk.create(tmp_path / "book.db", keyring_key("clinic", create=True)) as book:
        code = book.codes(I.MRNS, [("p", "1")])
    assert list(held) == [("deid", "clinic")]
    with Crosswalk.open(tmp_path / "book.db", keyring_key("clinic")) as book:
        assert book.codes(I.MRNS, [("p", "1")]) == code
    with pytest.raises(KeyTrouble) as refused:
        keyring_key("another")
    assert _code(refused) == "no-such-key"


@pytest.mark.parametrize("module", ["keyring.backends.fail", "keyrings.alt.file"])
def test_a_keyring_that_keeps_keys_in_the_clear_is_refused(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _keyring(module, monkeypatch)
    with pytest.raises(KeyTrouble) as refused:
        keyring_key("clinic", create=True)
    assert _code(refused) == "no-keyring"


class Service:
    """A key service that another package could register as a plug-in."""

    def __init__(self, name: str) -> None:
        self.name, self.anchor = f"service:{name}", None
        self._key = SecretKey(self.name, bytes(range(32)))

    def wrap(self, key: bytes, context: bytes) -> bytes:
        return b"remote" + self._key.wrap(key, context)

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        return self._key.unwrap(wrapped.removeprefix(b"remote"), context)


def test_a_key_service_can_be_a_plug_in(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("vault", "service:Service", "deid.key_services")
    loaded = SimpleNamespace(name=point.name, load=lambda: Service)
    monkeypatch.setattr(
        "deid.crosswalk.keys.master_keys.entry_points",
        lambda group, name=None: [loaded] if name in (None, "vault") else EntryPoints(()),
    )
    with Crosswalk.create(tmp_path / "book.db", key) as book:
        code = book.codes(I.MRNS, [("p", "1")])
        rotate(book, master=service_key("vault", "clinic"))
    with Crosswalk.open(tmp_path / "book.db", service_key("vault", "clinic")) as book:
        assert book.codes(I.MRNS, [("p", "1")]) == code
    with pytest.raises(KeyTrouble, match="no key service") as refused:
        service_key("other", "clinic")
    assert "vault" in refused.value.hint


def test_no_key_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_key_file(tmp_path / "key")
    for name in ("DEID_KEY", "DEID_KEY_FILE", "CROSSWALK_KEY"):
        monkeypatch.setenv(name, str(tmp_path / "key"))
    from deid.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["crosswalk", "init", str(tmp_path / "book.db")])
    assert ended.value.code == 2
