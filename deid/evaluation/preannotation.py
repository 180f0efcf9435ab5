"""Write findings for an annotation tool, where people correct them, with the original texts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from deid.errors import DeidError
from deid.evaluation.annotated_text import (
    AnnotatedSpan,
    brat_annotations,
    doccano_line,
    i2b2_document,
    label_studio_task,
)

ANNOTATION_FORMATS = ("brat", "doccano", "i2b2", "label_studio")
Texts = Iterable[tuple[str, Sequence[AnnotatedSpan]]]


def write_preannotations(kind: str, out: Path, texts: Texts) -> int:
    """Write texts with their spans for an annotation tool, readable by the owner only.

    The output is a new file (doccano, Label Studio) or a new folder (brat, i2b2), in which files
    are numbered, because names may identify.

    Raises:
        DeidError: `format-unknown`, `out-exists`.
    """
    if kind not in ANNOTATION_FORMATS:
        raise DeidError(
            "format-unknown",
            "--annotations names an unknown format",
            hint="use one of " + ", ".join(ANNOTATION_FORMATS),
        )
    if out.exists():
        raise DeidError("out-exists", "the output already exists", hint="name a new file or folder")
    written = 0
    if kind in ("brat", "i2b2"):
        out.mkdir(mode=0o700)
    tasks = []
    for written, (text, spans) in enumerate(texts, 1):
        if kind == "brat":
            _write_private(out / f"note-{written:05}.txt", text)
            _write_private(out / f"note-{written:05}.ann", brat_annotations(text, spans))
        elif kind == "i2b2":
            _write_private(out / f"note-{written:05}.xml", i2b2_document(text, spans))
        elif kind == "doccano":
            tasks.append(doccano_line(text, spans))
        else:
            tasks.append(json.dumps(label_studio_task(text, spans), ensure_ascii=False))
    if kind == "doccano":
        _write_private(out, "".join(f"{line}\n" for line in tasks))
    elif kind == "label_studio":
        _write_private(out, "[" + ",\n".join(tasks) + "]\n")
    return written


def _write_private(path: Path, content: str) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(content)
