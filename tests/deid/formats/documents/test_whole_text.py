"""A job reads its documents several times: each is parsed once, as far as memory allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.formats.documents import whole_text
from deid.formats.documents.whole_text import ReadText, read_once


@pytest.mark.parametrize(("characters", "parsed"), [(1_000, 12), (50, 24), (0, 24)])
def test_parsed_documents_are_cached_up_to_a_number_of_characters(
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
            # The most recent document is always cached.
            assert read_once(path, counted) is read_once(path, counted)
    assert len(read) == parsed


def test_a_changed_file_is_parsed_again(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def read(data: bytes) -> ReadText:
        return ReadText(data.decode())

    for text in ("one", "three"):
        path.write_text(text)
        assert read_once(path, read).text == text
