"""Accuracy on notes with other spaces, line breaks, case, punctuation, typos and date orders.

    .venv/bin/python benchmarks/robustness.py

Writes `robustness.md`: recall and precision over the shipped corpora in every layout, compared with
the notes as written. A layout keeps every labeled span and its label.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.floors import REFERENCE, corpora  # noqa: E402
from deid.evaluation.scoring import GoldDocument, GoldSpan, evaluate_findings  # noqa: E402
from recognizers import Finder  # noqa: E402
from training.damage import (  # noqa: E402
    BLANK,
    GAP,
    changed,
    joined,
    lower,
    misspelled,
    scanned,
    spoken,
    unmarked,
    upper,
    wrapped,
)
from training.dates import refill_date  # noqa: E402
from training.notes import Note, Piece, cut  # noqa: E402

SEED = 41
Pieces = tuple[Piece, ...]
Layout = Callable[[Pieces, random.Random], Pieces]
HEAD = """# The same notes in other layouts

Made by `.venv/bin/python benchmarks/robustness.py`.

This page shows how the layout of a note affects what the engine finds. The notes are those of the
four annotated corpora in `corpora/` (clinic, everyday records, handwritten, whole documents). For
each row of a table, the layout of every note is changed as the first column says, and the engine
then searches the changed notes.

* *Recall* is the share of annotated spans that findings cover completely. WEEKDAY spans are not
  counted.
* *Change* is the recall minus the recall of the notes as written, in percentage points.
* *Precision* is the share of letters and digits in findings that belong to annotated spans.
* *Retention* is the share of the words outside all annotated spans that no finding touches.

Three layouts need an explanation:

* *British dates*: numeric dates are written with the day first.
* *ISO dates*: numeric dates are written with the year first.
* *Scanned*: some characters are replaced by others that look alike, as text recognition (OCR) does.

The table under `default` is for the default network. The table under `--fast` is for the small
network."""


def text_by_text(way: Callable[[str], str]) -> Layout:
    return lambda pieces, _: tuple(Piece(way(piece.text), piece.label) for piece in pieces)


def worn(way: Callable[[random.Random], Callable[[str, random.Random], str]]) -> Layout:
    return lambda pieces, chance: changed(pieces, way(chance), chance)


def dated(order: str) -> Layout:
    """A layout with numeric dates in another order."""
    return lambda pieces, chance: tuple(
        Piece(refill_date(p.text, chance, order), p.label)
        if p.label == "DATE" and re.fullmatch(r"\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?", p.text)
        else p
        for p in pieces
    )


LAYOUTS: dict[str, Layout] = {
    "as written": lambda pieces, _: pieces,
    "every space doubled": text_by_text(lambda text: BLANK.sub("  ", text)),
    "no-break spaces": text_by_text(lambda text: text.replace(" ", "\u00a0")),
    "columns with tabs": text_by_text(lambda text: GAP.sub("\t", text)),
    "wrapped at 40 characters": lambda pieces, _: wrapped(pieces, 40),
    "wrapped at 72 characters": lambda pieces, _: wrapped(pieces, 72),
    "joined to one line": worn(joined),
    "all in capitals": text_by_text(upper),
    "all in lower case": text_by_text(lower),
    "no punctuation": worn(unmarked),
    "as dictated (lower case, no punctuation, one line)": worn(spoken),
    "scanned (6 of 100 characters with a look-alike replaced by it)": worn(scanned),
    "1 of 100 letters wrong": worn(lambda _: misspelled(0.01)),
    "5 of 100 letters wrong": worn(lambda _: misspelled(0.05)),
    "10 of 100 letters wrong": worn(lambda _: misspelled(0.1)),
    "British dates": dated("british"),
    "ISO dates": dated("iso"),
}


def laid_out(document: GoldDocument, layout: Layout) -> GoldDocument:
    """The document in a layout, with its spans at their new offsets."""
    spans = [(s.start, s.end, s.label) for s in document.spans if s.label is not None]
    note = cut(str(document.ordinal), document.text, spans)
    chance = random.Random(f"{SEED} {document.ordinal}")
    changed_note = Note(note.id, layout(note.pieces, chance))
    return GoldDocument(
        document.ordinal,
        changed_note.text,
        tuple(GoldSpan(*span) for span in changed_note.spans()),
    )


def measured(finder: Finder, documents: Sequence[GoldDocument]) -> tuple[float, float, float]:
    """Recall, precision and retention."""
    found = finder.find_all([document.text for document in documents])
    report = evaluate_findings(documents, found, 0.0)
    return report.recall or 0.0, report.precision or 0.0, report.retention or 0.0


def table(finder: Finder, documents: Sequence[GoldDocument]) -> list[str]:
    lines = ["| layout | recall | change | precision | retention |", "|---|---:|---:|---:|---:|"]
    first = None
    for name, layout in LAYOUTS.items():
        recall, precision, retention = measured(finder, [laid_out(d, layout) for d in documents])
        first = recall if first is None else first
        moved = f"{100 * (recall - first):+.2f}"
        lines.append(f"| {name} | {recall:.4f} | {moved} | {precision:.4f} | {retention:.4f} |")
    return lines


def main() -> None:
    documents = [document for corpus in corpora() for document in corpus.documents]
    parts = [HEAD]
    for title, fast in (("default", False), ("`--fast`", True)):
        finder = Finder.load(reference_date=REFERENCE, fast=fast)
        parts += [f"\n## {title}\n", *table(finder, documents)]
    (HERE / "robustness.md").write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
