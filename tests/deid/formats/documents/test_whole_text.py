"""A job goes over its documents several times: each is parsed once, as far as memory allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.formats.documents import whole_text
from deid.formats.documents.whole_text import ReadText, read_once


@pytest.mark.parametrize(("characters", "parsed"), [(1_000, 12), (50, 24), (0, 24)])
def test_documents_are_kept_while_their_texts_are_short(
    characters: int, parsed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_text, "_CHARACTERS_KEPT", characters)
    monkeypatch.setattr(whole_text, "_KEPT_DOCUMENTS", whole_text._KeptDocuments())
    paths = [tmp_path / f"{n}.txt" for n in range(12)]
    for path in paths:
        path.write_text("0123456789")
    read: list[bytes] = []

    def counted(data: bytes) -> ReadText:
        read.append(data)
        return ReadText(data.decode())

    for _ in range(2):
        for path in paths:
            # The latest is remembered in any case.
            assert read_once(path, counted) is read_once(path, counted)
    assert len(read) == parsed


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def read(data: bytes) -> ReadText:
        return ReadText(data.decode())

    for text in ("one", "three"):
        path.write_text(text)
        assert read_once(path, read).text == text
