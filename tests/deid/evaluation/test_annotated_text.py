"""Annotations of other tools: spans are written and read back unchanged, including their
offsets.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deid.cli import main
from deid.errors import DeidError
from deid.evaluation.annotated_text import AnnotatedText, read_i2b2
from deid.evaluation.gold import LabelMap, read_gold
from deid.evaluation.preannotation import ANNOTATION_FORMATS, write_preannotations

# A letter outside the basic multilingual plane, a span over two lines, markup, a carriage return.
TEXT = "😀 Seen: Zoë <Quispe> & Ann\r\nReed on 03/14/2023.\n"
NAME = TEXT.index("Zoë"), TEXT.index("Zoë") + 3, "PERSON"
TWO_LINES = TEXT.index("Ann"), TEXT.index("Reed") + 4, "PERSON"
DAY = TEXT.index("03/14"), TEXT.index("2023") + 4, "DATE_TIME"


def spans_of(path: Path) -> list[list[tuple[str, str | None]]]:
    documents = read_gold(path, LabelMap())
    return [[(d.text[s.start : s.end], s.label) for s in d.spans] for d in documents]


@pytest.mark.parametrize("kind", ANNOTATION_FORMATS)
def test_written_annotations_are_read_back(kind: str, tmp_path: Path) -> None:
    suffix = {"label_studio": ".json", "doccano": ".jsonl"}.get(kind, "")
    out = tmp_path / f"out{suffix}"
    texts = [(TEXT, [NAME, DAY]), ("Nothing here.\n", [])]
    assert write_preannotations(kind, out, texts) == 2
    if kind == "label_studio":  # a person accepts the predictions
        tasks = json.loads(out.read_text("utf-8"))
        for task in tasks:
            task["annotations"] = [{"result": task.pop("predictions")[0]["result"]}]
        out.write_text(json.dumps(tasks))
    assert spans_of(out) == [[("Zoë", "PERSON"), ("03/14/2023", "DATE_TIME")], []]
    private = [out] if out.is_file() else list(out.iterdir())
    assert all(path.stat().st_mode & 0o077 == 0 for path in private)
    with pytest.raises(DeidError) as raised:
        write_preannotations(kind, out, texts)
    assert raised.value.code == "out-exists"


def test_a_span_over_two_lines_is_two_ranges_in_brat(tmp_path: Path) -> None:
    write_preannotations("brat", tmp_path / "out", [(TEXT, [TWO_LINES])])
    [line] = (tmp_path / "out" / "note-00001.ann").read_text("utf-8").splitlines()
    assert line.endswith("\tAnn Reed") and ";" in line
    assert [text for text, _ in spans_of(tmp_path / "out")[0]] == ["Ann", "Reed"]


def test_i2b2_files_follow_the_format_of_the_shared_tasks() -> None:
    content = (
        "<?xml version='1.0'?><deIdi2b2><TEXT><![CDATA[Seen by Okafor & co.]]></TEXT><TAGS>"
        '<NAME id="P0" start="8" end="14" text="Okafor" TYPE="DOCTOR" /></TAGS></deIdi2b2>'
    )
    read = read_i2b2(content.encode())
    assert read == AnnotatedText("Seen by Okafor & co.", ((8, 14, "DOCTOR"),))


@pytest.mark.parametrize(
    "row",
    [
        {"text": "Seen by Okafor.", "label": [[8, 14, "PERSON"]]},
        {"text": "Seen by Okafor.", "labels": [[8, 14, "PERSON"]]},
        {
            "text": "Seen by Okafor.",
            "entities": [{"start_offset": 8, "end_offset": 14, "label": "PERSON"}],
        },
    ],
)
def test_doccano_files_are_read_in_all_three_layouts(row: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(row) + "\n")
    assert spans_of(path) == [[("Okafor", "PERSON")]]


def task(start: int, end: int, said: str) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": said, "labels": ["PERSON"]}
    result = [{"type": "labels", "value": value}]
    return {"data": {"text": "Seen by Okafor."}, "annotations": [{"result": result}]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "{"),
        ("a.json", json.dumps([task(8, 14, "Zyxand")])),
        ("a.json", json.dumps([task(8, 99, "Okafor")])),
        ("a.jsonl", json.dumps({"text": "Zyxandra", "label": [[0]]})),
        ("a.xml", "<deIdi2b2><TEXT>Zyxandra</TEXT></deIdi2b2>"),
        (
            "a.xml",
            '<!DOCTYPE x [<!ENTITY a "Zyxandra">]><deIdi2b2><TEXT>&a;</TEXT><TAGS/></deIdi2b2>',
        ),
    ],
)
def test_unreadable_annotations_are_refused_without_showing_their_text(
    name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DeidError) as raised:
        read_gold(tmp_path / name, LabelMap())
    assert raised.value.code == "gold-unreadable"
    assert "Zyxand" not in str(raised.value) + raised.value.hint


def test_find_writes_annotations_and_prints_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text("Seen by Dr. Okafor on 03/14/2023.")
    with pytest.raises(SystemExit) as ended:
        main(["find", "note.txt", "--annotations", "doccano", "-o", "gold.jsonl"])
    assert ended.value.code in (0, None)
    told = capsys.readouterr()
    assert told.out == "" and "Okafor" not in told.err
    assert spans_of(Path("gold.jsonl")) == [[("Okafor", "PERSON"), ("03/14/2023", "DATE_TIME")]]
    with pytest.raises(SystemExit) as ended:
        main(["find", "note.txt", "--annotations", "doccano"])
    assert ended.value.code == 2
