"""Layers of a file: readable layers are text, and unreadable ones are reported as not searched."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.attacks.checking import SECRET, hidden
from deid.release import file_layers as opening
from deid.release.file_layers import layers_of, layers_of_file
from deid.release.release_check import check_release


def texts(data: bytes) -> str:
    return "\n".join(layer.text or "" for layer in layers_of(data))


def searched(data: bytes) -> bool:
    return all(layer.text is not None for layer in layers_of(data))


@pytest.mark.parametrize("name", hidden())
def test_every_wrapping_is_opened_or_reported_as_not_searched(name: str) -> None:
    data = hidden()[name]
    assert "Quartermaine" in texts(data) or not searched(data)


@pytest.mark.parametrize(
    "name",
    [n for n in hidden() if n.startswith(("bz2", "xz", "UTF-32", "tar", "zip of", "behind"))],
)
def test_wrappings_that_the_standard_library_undoes_are_read(name: str) -> None:
    assert "Quartermaine" in texts(hidden()[name])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Slept well.\n",
        "MSH|^~\\&|A|B\rPID|1||[MRN]\r",
        "\x0bMSH|^~\\&|A\x1c\r",
        "Zoë, 日本, 😀\n",
        "begin treatment 644 mg\n",
        "a\tb\fc\x1a",
    ],
)
def test_ordinary_text_is_plain(text: str) -> None:
    [layer] = layers_of(text.encode())
    assert (layer.text, layer.plain) == (text, True)


def test_windows_text_is_read() -> None:
    [layer] = layers_of("Café, 38 °C, naïve".encode("cp1252"))
    assert layer.text == "Café, 38 °C, naïve"
    assert not layer.plain


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read_in_layers(data: bytes) -> None:
    list(layers_of(data))


@given(st.binary(max_size=60), st.sampled_from([bz2.compress, lzma.compress, gzip.compress]))
def test_damaged_compressed_data_is_read_or_reported(noise: bytes, pack: object) -> None:
    packed = pack(SECRET)  # type: ignore[operator]
    for data in (packed[: len(noise)], packed + noise, noise + packed):
        assert "Quartermaine" in texts(data) or not searched(data) or data == packed[: len(noise)]


@pytest.mark.parametrize("mark", [b"\xfe\xff", b"\xff\xfe"])
@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, gzip.compress])
def test_compressed_data_after_a_utf_16_byte_order_mark_is_not_text(
    mark: bytes, pack: object
) -> None:
    packed = pack(SECRET)  # type: ignore[operator]
    for data in (mark + packed, mark + packed + b"\0"):
        assert not searched(data)
    assert searched(mark + "naïve 日本".encode("utf-16-be" if mark[0] == 0xFE else "utf-16-le"))


def test_a_chain_of_wrappings_that_is_too_deep_is_not_searched() -> None:
    data = SECRET
    for _ in range(opening.MAX_LAYER_DEPTH + 1):
        data = bz2.compress(data)
    assert not searched(data)


def test_a_decompression_bomb_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGEST_LAYER", 1 << 16)
    assert not searched(bz2.compress(bytes(1 << 20)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", " " * (1 << 20))
    assert not searched(packed.getvalue())


def test_a_file_too_large_for_memory_is_text_or_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LARGEST_LAYER", 1 << 17)
    text, random, packed = (tmp_path / name for name in ("a.txt", "b.bin", "c.bz2"))
    text.write_text("Slept well.\n" * (1 << 14))
    random.write_bytes(os.urandom(1 << 18))
    packed.write_bytes(bz2.compress(os.urandom(1 << 18)))
    assert all(layer.text is not None for layer in layers_of_file(text))
    assert any(layer.text is None for layer in layers_of_file(random))
    assert any(layer.text is None for layer in layers_of_file(packed))


def test_a_folder_with_an_unreadable_archive_is_not_clean(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Slept well.\n")
    assert check_release(tmp_path, (), None).clean
    (tmp_path / "scan.7z").write_bytes(hidden()["7z"])
    found = check_release(tmp_path, (), None)
    assert not found.clean
    assert found.as_json()["not_searched"] == [2]
