"""`--export F`: writes the marks as JSON, CSV and brat to a new folder, without original text."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.review.marks import MISSED, ReviewMark
from deid.review.outcome import review_account
from deid.review.review_session import ReviewSession

MARK_FIELDS = (
    "file", "record", "column", "reviewer", "verdict", "word", "change",
    "out_start", "out_end", "start", "end", "ruling",
)  # fmt: skip


def new_folder(folder: Path, out: Path) -> None:
    """Create the folder with access for its owner only.

    Raises:
        DeidError: `export-exists`, `export-inside-out`.
    """
    if folder.resolve().is_relative_to(out.resolve()):
        raise DeidError(
            "export-inside-out",
            "the export folder must not be inside the release",
            hint="give the path of a new folder outside OUT",
        )
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise DeidError(
            "export-exists", "the folder exists already", hint="give the path of a new folder"
        ) from None


def write_export(review: ReviewSession, folder: Path, now: datetime) -> None:
    """Write `review.json`, `marks.csv`, and `brat/` with a `.txt` and an `.ann` for each cell read.

    brat offsets refer to the released text; brat notes (`#`) hold reviewer and verdict.
    """
    new_folder(folder, review.batch.out)
    marks = [mark for mark in review.marks.standing() if not mark.seeded]
    rows = [_export_row(review, mark) for mark in marks]
    body = {**review_account(review, now), "marks": rows, "comments": _comments(review)}
    (folder / "review.json").write_text(json.dumps(body, indent=2) + "\n", "utf-8")
    with (folder / "marks.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, MARK_FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "reviewer": _plain_cell(row["reviewer"])} for row in rows)
    _write_brat(review, folder / "brat", marks)


def _export_row(review: ReviewSession, mark: ReviewMark) -> dict[str, Any]:
    start, end = mark.original or (None, None)
    values = (
        *mark.place, mark.column, mark.reviewer, mark.verdict, mark.word, mark.change,
        *mark.out, start, end, review.marks.ruling(mark),
    )  # fmt: skip
    return dict(zip(MARK_FIELDS, values, strict=True))


def _plain_cell(text: str) -> str:
    """Prevent a spreadsheet from reading the cell as a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def _comments(review: ReviewSession) -> list[dict[str, Any]]:
    """Author, note and time of each comment; the text stays sealed."""
    return [
        {"file": e.place[0], "record": e.place[1], "reviewer": e.reviewer, "at": e.at}
        for e in review.marks.comments()
        if e.place is not None
    ]


def _write_brat(review: ReviewSession, folder: Path, marks: Sequence[ReviewMark]) -> None:
    folder.mkdir()
    for place in review.places:
        if not review.marks.readers(place):
            continue
        note = review.batch.notes[review.batch.number(place)]
        for cell in review.batch.cells(note):
            own = [m for m in marks if m.place == place and m.column == cell.column]
            stem = f"file-{note.file}-record-{note.record}-column-{cell.column}"
            with (folder / f"{stem}.txt").open("w", encoding="utf-8", newline="") as file:
                file.write(cell.after)
            (folder / f"{stem}.ann").write_text(_standoff(own, cell.after), "utf-8")


def _standoff(marks: Sequence[ReviewMark], text: str) -> str:
    lines = []
    for number, mark in enumerate(marks, 1):
        start, end = mark.out
        label = mark.word.upper() if mark.verdict == MISSED else f"{mark.verdict}-{mark.word}"
        shown = " ".join(text[start:end].split("\n"))
        lines += [
            f"T{number}\t{label} {start} {end}\t{shown}",
            f"#{number}\tAnnotatorNotes T{number}\t{mark.reviewer}: {mark.verdict}",
        ]
    return "".join(f"{line}\n" for line in lines)
