"""Reads annotated text: JSON lines with spans, and the exports of annotation tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deid.errors import DeidError, unreadable
from deid.evaluation.annotated_text import (
    AnnotatedText,
    read_brat,
    read_doccano,
    read_i2b2,
    read_label_studio,
)
from deid.evaluation.scoring import GoldDocument, GoldSpan
from deid.standard_streams import is_dash

# Classes of a label map that a policy may keep; findings there are not scored.
NEUTRAL_CLASSES = ("OUT_OF_SCOPE",)
NEUTRAL_ENDINGS = ("_NOT_PHI", "_POLICY")


class LabelMap:
    """Maps corpus labels to scoring classes; a label that is not mapped keeps its name."""

    def __init__(self, classes: Mapping[str, str | None] | None = None) -> None:
        self._classes = dict(classes or {})

    def __call__(self, label: str) -> str | None:
        """Return the class of a label; None if the label is not scored."""
        name = self._classes.get(label, label)
        if name is None or name in NEUTRAL_CLASSES or name.endswith(NEUTRAL_ENDINGS):
            return None
        return name

    @classmethod
    def read(cls, path: Path) -> LabelMap:
        """Read a map of the form `{class: [labels]}`, `{label: class}` or `{label: null}`.

        Raises:
            DeidError: `label-map-unreadable`.
        """
        classes: dict[str, str | None] = {}
        try:
            row = json.loads(path.read_text("utf-8"))
            for key, value in row.items():
                pairs = (
                    [(label, key) for label in value] if isinstance(value, list) else [(key, value)]
                )
                classes.update(pairs)
        except (OSError, ValueError, AttributeError):
            raise DeidError(
                "label-map-unreadable",
                "the label map is not a readable JSON object",
                hint='write {"CLASS": ["LABEL", ...]} or {"LABEL": "CLASS"}',
            ) from None
        return cls(classes)


def read_gold(path: Path, labels: LabelMap) -> list[GoldDocument]:
    """Read the documents of a JSONL file (with `spans` or of doccano; `-`: stdin), the JSON of
    Label Studio, a folder of brat or i2b2 files, or one such file.

    Raises:
        DeidError: `gold-missing`, `gold-empty`, `gold-unreadable` (with the ordinal of the
            document).
    """
    documents = _gold_documents(path, labels)
    if not documents:
        raise _gold_error("gold-empty", "no annotated document was found")
    return documents


def _gold_documents(path: Path, labels: LabelMap) -> list[GoldDocument]:
    if is_dash(path):
        return list(_jsonl(sys.stdin.buffer.read(), labels))
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if p.suffix in (".ann", ".xml"))
        return [_file_document(p, number, labels) for number, p in enumerate(found)]
    if not path.is_file():
        raise _gold_error("gold-missing", "the annotated file does not exist")
    if path.suffix in (".ann", ".xml"):
        return [_file_document(path, 0, labels)]
    try:
        content = path.read_bytes()
    except OSError:
        raise _gold_error("gold-unreadable", "the annotated file cannot be opened") from None
    if path.suffix == ".json":
        return list(_label_studio(content, labels))
    return list(_jsonl(content, labels))


def _jsonl(content: bytes, labels: LabelMap) -> Iterator[GoldDocument]:
    """The documents in JSON lines with `spans` or in lines of doccano."""
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise _gold_error("gold-unreadable", "the annotated file is not readable UTF-8") from None
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            if "spans" in row:
                own = tuple((s["start"], s["end"], s["label"]) for s in row["spans"])
                read = AnnotatedText(row["text"], own)
            else:
                read = read_doccano(row)
            document = _gold_document(number, read, labels)
        except (ValueError, KeyError, TypeError):
            raise _gold_error(
                "gold-unreadable", "a line is not an annotated document", f"line {number + 1}"
            ) from None
        yield document


def _label_studio(content: bytes, labels: LabelMap) -> Iterator[GoldDocument]:
    try:
        tasks = json.loads(content)
    except ValueError:
        raise _gold_error("gold-unreadable", "the annotated file is not readable JSON") from None
    for number, task in enumerate(tasks if isinstance(tasks, list) else [None]):
        try:
            document = _gold_document(number, read_label_studio(task), labels)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise _gold_error(
                "gold-unreadable", "a task is not an annotated text", f"task {number + 1}"
            ) from None
        yield document


def _file_document(path: Path, number: int, labels: LabelMap) -> GoldDocument:
    """The document in a file of brat or i2b2."""
    kind = "brat" if path.suffix == ".ann" else "i2b2"
    try:
        read = read_brat(path) if kind == "brat" else read_i2b2(path.read_bytes())
        return _gold_document(number, read, labels)
    except (OSError, ValueError, IndexError, KeyError):
        place = f"document {number + 1}"
        raise _gold_error(
            "gold-unreadable", f"a document of {kind} is not readable", place
        ) from None


def _gold_document(number: int, read: AnnotatedText, labels: LabelMap) -> GoldDocument:
    spans = tuple(GoldSpan(start, end, labels(label)) for start, end, label in read.spans)
    return GoldDocument(number, read.text, spans)


def _gold_error(code: str, message: str, place: str = "") -> DeidError:
    hint = (
        'give JSON lines of {"id", "text", "spans"} or of doccano, the JSON of Label Studio, or a '
        "folder of brat (.txt, .ann) or i2b2 (.xml)"
    )
    return unreadable(code, message, place=place, hint=hint)
