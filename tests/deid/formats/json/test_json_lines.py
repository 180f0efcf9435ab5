"""JSON lines: keys are columns, faults are reported by line, numbers are written as numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import Record, RecordFault, format_of, open_source


def _path(folder: Path, *lines: str) -> Path:
    path = folder / "d.jsonl"
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return path


def test_documents_are_read_with_their_known_values(tmp_path: Path) -> None:
    line = {"id": "n1", "text": "t", "patient": "p", "known": {"names": ["Ruth"]}}
    source = open_source(_path(tmp_path, json.dumps(line)))
    (record,) = source.records()
    assert isinstance(record, Record)
    assert source.columns == ("id", "text", "patient")
    assert record.patient == "p" and record.known == {"names": ["Ruth"]}
    assert "Ruth" not in repr(record)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "broken-json"),
        ("[1]", "not-an-object"),
        ('{"text": "a", "text": "b"}', "broken-json"),
        ('{"text": "half \\ud800 a character"}', "lone-surrogate"),
        ('{"text": "a", "k\\ud800": 1}', "lone-surrogate"),
        ('{"text": "a", "known": ["x"]}', "broken-known-values"),
        ('{"text": "a", "known": {"names": [1]}}', "broken-known-values"),
    ],
)
def test_a_broken_line_is_a_fault(tmp_path: Path, line: str, code: str) -> None:
    source = open_source(_path(tmp_path, '{"text": "fine"}', line, '{"text": "too"}'))
    records = list(source.records())
    assert [r.code for r in records if isinstance(r, RecordFault)] == [code]
    assert len(records) == 3


def test_numbers_stay_numbers_and_nulls_are_not_written(tmp_path: Path) -> None:
    path = _path(tmp_path, '{"id": "1", "n": 3.5, "b": true}', '{"id": "2"}')
    source, found = open_source(path), format_of(path)
    assert found is not None
    sink = found.create(tmp_path / "o.jsonl", source, dict(enumerate(source.columns)))
    for record in source.records():
        assert isinstance(record, Record)
        sink.write(record.cells)
    sink.close()
    lines = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert lines == [{"id": "1", "n": 3.5, "b": True}, {"id": "2"}]


def test_a_file_without_one_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as raised:
        open_source(_path(tmp_path, "hello"))
    assert raised.value.code == "no-json"
