"""Text files: every character is kept, and bytes that are not text are never released."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from deid.formats import Record, RecordFault, format_of, open_source


@pytest.mark.parametrize(
    "content",
    [
        b"one\r\ntwo\n",
        "Zoë\r".encode(),
        codecs.BOM_UTF8 + b"x",
        codecs.BOM_UTF16_BE + "Zoë\n".encode("utf-16-be"),
        "Peña\n".encode("cp1252"),
        b"",
    ],
)
def test_a_text_is_written_as_it_was_read(tmp_path: Path, content: bytes) -> None:
    path, target = tmp_path / "n.txt", tmp_path / "o.txt"
    path.write_bytes(content)
    source, found = open_source(path), format_of(path)
    assert found is not None
    (record,) = source.records()
    assert isinstance(record, Record)
    sink = found.create(target, source, {0: "text"})
    sink.write(record.cells)
    sink.close()
    assert target.read_bytes() == content


@pytest.mark.parametrize("content", ["Zoë".encode() + b"\xff\xfe\xfa", b"a\0b", b"\x81\x8d\0"])
def test_bytes_that_are_not_text_are_a_fault(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "n.txt"
    path.write_bytes(content)
    (record,) = open_source(path).records()
    assert isinstance(record, RecordFault)
