"""`--learn F`: writes the marks as lists and annotated notes for the next run.

The files hold values.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from deid.errors import DeidError
from deid.review.exports import new_folder
from deid.review.marks import EDGES, MISSED, ReviewMark
from deid.review.released_notes import ReviewedCell, ReviewedNote
from deid.review.review_session import ReviewSession

DENY, ALLOW = "deny.csv", "allow.csv"


def write_learned(review: ReviewSession, folder: Path) -> None:
    """Write `deny.csv`, `allow.csv` (category, value) and `notes.jsonl` with spans in the
    originals.

    Missed values go to the deny list; values that should have stayed go to the allow list. The
    notes are the text cells that were read, in the input format of `deid evaluate`. Labels are
    entity types, or for missed text the category in capitals.

    Raises:
        DeidError: `learn-needs-originals`, `export-exists`.
    """
    if not review.batch.has_originals:
        raise DeidError(
            "learn-needs-originals",
            "--learn needs the originals, because the release no longer holds the removed text",
            hint="give them with --originals",
        )
    new_folder(folder, review.batch.out)
    deny: dict[tuple[str, str], None] = {}
    allow: dict[tuple[str, str], None] = {}
    with _private(folder / "notes.jsonl") as file:
        for place in review.places:
            if not review.marks.readers(place):
                continue
            note = review.batch.notes[review.batch.number(place)]
            leaks = review.marks.leaks(place)
            judged = [m for m in review.marks.of_note(place) if m.verdict not in (MISSED, "right")]
            for cell in review.batch.cells(note):
                if cell.before is None:
                    continue
                missed = [m for m in leaks if m.column == cell.column]
                wrong = {m.change: m for m in judged if m.column == cell.column}
                deny |= dict.fromkeys(_marked_values(cell.before, missed))
                stayed = [m for m in wrong.values() if m.verdict == "stay"]
                allow |= dict.fromkeys(_marked_values(cell.before, stayed))
                file.write(json.dumps(_annotated(note, cell, missed, wrong)) + "\n")
    _write_list(folder / DENY, deny)
    _write_list(folder / ALLOW, allow)


def _marked_values(text: str, marks: Sequence[ReviewMark]) -> Iterable[tuple[str, str]]:
    for mark in marks:
        if mark.original is not None:
            yield mark.word, text[slice(*mark.original)]


def _annotated(
    note: ReviewedNote,
    cell: ReviewedCell,
    missed: Sequence[ReviewMark],
    wrong: dict[int, ReviewMark],
) -> dict[str, Any]:
    spans = []
    for number, change in enumerate(cell.changes):
        mark = wrong.get(number)
        if mark is not None and mark.verdict == "stay":
            continue
        label = mark.word.upper() if mark and mark.verdict == "wrong_word" else change.entity
        start, end = change.start, change.end
        if mark is not None and mark.verdict == EDGES and mark.original is not None:
            start, end = mark.original
        spans.append({"start": start, "end": end, "label": label})
    for mark in missed:
        if mark.original is not None and not _is_inside(mark.original, spans):
            start, end = mark.original
            spans.append({"start": start, "end": end, "label": mark.word.upper()})
    spans.sort(key=lambda span: int(span["start"]))  # type: ignore[call-overload]
    name = f"file-{note.file}-record-{note.record}-column-{cell.column}"
    return {"id": name, "text": cell.before, "spans": spans}


def _is_inside(span: tuple[int, int], spans: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the corrected edges of a change already include the missed text."""
    return any(one["start"] <= span[0] and span[1] <= one["end"] for one in spans)


def _write_list(path: Path, values: Iterable[tuple[str, str]]) -> None:
    with _private(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("word", "value"))
        writer.writerows(sorted(values))


def _private(path: Path) -> TextIO:
    path.touch(mode=0o600)
    return path.open("w", encoding="utf-8", newline="")
