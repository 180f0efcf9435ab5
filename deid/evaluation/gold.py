"""Reads annotated text: JSON lines with spans, or brat standoff files beside text files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deid.errors import DeidError, unreadable
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
        """The class of a label, or None if it is not scored."""
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
    """Read the documents of a JSONL file (`-`: stdin), a brat folder or one `.ann` file.

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
        return [
            _brat(ann, number, labels) for number, ann in enumerate(sorted(path.rglob("*.ann")))
        ]
    if not path.is_file():
        raise _gold_error("gold-missing", "the annotated file does not exist")
    if path.suffix == ".ann":
        return [_brat(path, 0, labels)]
    try:
        return list(_jsonl(path.read_bytes(), labels))
    except OSError:
        raise _gold_error("gold-unreadable", "the annotated file cannot be opened") from None


def _jsonl(content: bytes, labels: LabelMap) -> Iterator[GoldDocument]:
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise _gold_error("gold-unreadable", "the annotated file is not readable UTF-8") from None
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            spans = tuple(GoldSpan(s["start"], s["end"], labels(s["label"])) for s in row["spans"])
            document = GoldDocument(number, row["text"], spans)
        except (ValueError, KeyError, TypeError):
            raise _gold_error(
                "gold-unreadable", "a line is not an annotated document", f"line {number + 1}"
            ) from None
        yield document


def _brat(ann: Path, number: int, labels: LabelMap) -> GoldDocument:
    """Text-bound annotations (`T1<tab>LABEL 0 5;8 9<tab>text`) over the `.txt` beside them."""
    place = f"document {number + 1}"
    try:
        text = ann.with_suffix(".txt").read_bytes().decode("utf-8")
        spans = []
        for line in ann.read_text("utf-8").splitlines():
            if line.startswith("T"):
                label, _, ranges = line.split("\t")[1].partition(" ")
                for stretch in ranges.split(";"):
                    start, end = stretch.split()
                    spans.append(GoldSpan(int(start), int(end), labels(label)))
        return GoldDocument(number, text, tuple(spans))
    except (OSError, ValueError, IndexError):
        raise _gold_error("gold-unreadable", "a brat document is not readable", place) from None


def _gold_error(code: str, message: str, place: str = "") -> DeidError:
    hint = 'give JSON lines of {"id", "text", "spans"} or a folder of .txt and .ann files'
    return unreadable(code, message, place=place, hint=hint)
