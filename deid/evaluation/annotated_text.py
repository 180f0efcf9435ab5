"""Read and write the annotations of other tools: brat, i2b2 XML, Label Studio, doccano.

Offsets inside this engine are half-open and count code points. Label Studio counts as JavaScript
does (UTF-16), so its offsets are converted; if its spans hold copies of the annotated text, these
must match.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

AnnotatedSpan = tuple[int, int, str]
"""Start, end, label."""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """One text with its labeled spans. The `repr` shows no content."""

    text: str = field(repr=False)
    spans: tuple[AnnotatedSpan, ...]


# -- reading -------------------------------------------------------------------------------------


def read_brat(ann: Path) -> AnnotatedText:
    """Read text-bound annotations (`T1<tab>LABEL 0 5;8 9<tab>text`) and the `.txt` next to them.

    Raises `OSError`, `ValueError`, `IndexError`.
    """
    text = ann.with_suffix(".txt").read_bytes().decode("utf-8")
    spans: list[AnnotatedSpan] = []
    for line in ann.read_text("utf-8").splitlines():
        if line.startswith("T"):
            label, _, ranges = line.split("\t")[1].partition(" ")
            for stretch in ranges.split(";"):
                start, end = stretch.split()
                spans.append((int(start), int(end), label))
    return AnnotatedText(text, tuple(spans))


def read_i2b2(content: bytes) -> AnnotatedText:
    """Read the XML of the i2b2 and n2c2 tasks: `TEXT`, and in `TAGS` an element for each span.

    The label is the attribute `TYPE` or, without this attribute, the name of the element. A file
    with a DOCTYPE is refused. Raises `ValueError`, `KeyError`.
    """
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ValueError
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        raise ValueError from None
    text, tags = root.findtext("TEXT"), root.find("TAGS")
    if text is None or tags is None:
        raise ValueError
    spans = ((int(t.attrib["start"]), int(t.attrib["end"]), t.get("TYPE") or t.tag) for t in tags)
    return AnnotatedText(text, tuple(spans))


def read_doccano(row: Mapping[str, Any]) -> AnnotatedText:
    """Read a line of doccano: triples in `label` or `labels`, or objects in `entities`.

    Raises `ValueError`, `KeyError`, `TypeError`.
    """
    given = row[next((key for key in ("label", "labels", "entities") if key in row), "label")]
    spans = (
        (s["start_offset"], s["end_offset"], s["label"]) if isinstance(s, Mapping) else tuple(s)
        for s in given
    )
    return AnnotatedText(row["text"], tuple((int(a), int(b), str(label)) for a, b, label in spans))


def read_label_studio(task: Mapping[str, Any]) -> AnnotatedText:
    """Read a task of Label Studio's JSON, or a row of its JSON-MIN, without canceled annotations.

    Raises `ValueError`, `KeyError`, `TypeError`.
    """
    if "annotations" in task:
        text = _only_text(task["data"])
        done = [a for a in task["annotations"] if not a.get("was_cancelled")]
        values = [r["value"] for a in done[:1] for r in a["result"] if "labels" in r["value"]]
    else:
        text, values = _only_text(task), task.get("label", [])
    places = _code_points(text)
    spans = [(places[v["start"]], places[v["end"]], v["labels"][0], v.get("text")) for v in values]
    if any(said is not None and said != text[start:end] for start, end, _, said in spans):
        raise ValueError
    return AnnotatedText(text, tuple((start, end, label) for start, end, label, _ in spans))


def _only_text(data: Mapping[str, Any]) -> str:
    text = data.get("text")
    if not isinstance(text, str):
        raise ValueError
    return text


def _code_points(text: str) -> list[int]:
    """Return the code-point offset of each UTF-16 offset."""
    places: list[int] = []
    for place, letter in enumerate(text):
        places += [place] * (2 if ord(letter) > 0xFFFF else 1)
    return [*places, len(text)]


def _utf16_units(text: str) -> list[int]:
    """Return the UTF-16 offset of each code-point offset."""
    units = [0]
    for letter in text:
        units.append(units[-1] + (2 if ord(letter) > 0xFFFF else 1))
    return units


# -- writing -------------------------------------------------------------------------------------


def doccano_line(text: str, spans: Sequence[AnnotatedSpan]) -> str:
    """A line to import into doccano as sequence labeling."""
    return json.dumps({"text": text, "label": [list(span) for span in spans]}, ensure_ascii=False)


def label_studio_task(text: str, spans: Sequence[AnnotatedSpan]) -> dict[str, Any]:
    """A task with the spans as a prediction; the project's config names `label` and `text`."""
    units = _utf16_units(text)
    result = [
        {
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": units[start],
                "end": units[end],
                "text": text[start:end],
                "labels": [label],
            },
        }
        for start, end, label in spans
    ]
    return {"data": {"text": text}, "predictions": [{"model_version": "deid", "result": result}]}


def brat_annotations(text: str, spans: Sequence[AnnotatedSpan]) -> str:
    """The `.ann` of a text. A span over several lines is written as one range per line."""
    lines = []
    for number, (start, end, label) in enumerate(spans, 1):
        parts = list(_line_spans(text, start, end))
        ranges = ";".join(f"{a} {b}" for a, b in parts)
        said = " ".join(text[a:b] for a, b in parts)
        lines.append(f"T{number}\t{label} {ranges}\t{said}\n")
    return "".join(lines)


def _line_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for piece in text[start:end].splitlines(keepends=True):
        kept = len(piece.rstrip("\r\n"))
        if kept:
            yield at, at + kept
        at += len(piece)


def i2b2_document(text: str, spans: Sequence[AnnotatedSpan]) -> str:
    """The XML of one text. Characters that XML cannot hold become spaces, so offsets stay."""
    plain = "".join(c if c in "\t\n\r" or ord(c) >= 32 else " " for c in text)
    safe = escape(plain).replace("\r", "&#13;")
    tags = "".join(
        f"<{label} id={quoteattr(f'P{n}')} start={quoteattr(str(start))} end={quoteattr(str(end))}"
        f' text={quoteattr(plain[start:end])} TYPE={quoteattr(label)} comment="" />\n'
        for n, (start, end, label) in enumerate(spans)
    )
    head = '<?xml version="1.0" encoding="UTF-8" ?>\n'
    return f"{head}<deIdi2b2>\n<TEXT>{safe}</TEXT>\n<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n"
