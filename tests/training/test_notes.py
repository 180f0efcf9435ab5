"""The marked notes are read as written: every mark is closed, every label is known, no title is in
a span.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recognizers.finding import LABELS
from training.notes import read_marked, read_notes

FOLDER = Path(__file__).parents[2] / "training" / "notes"
FILES = sorted(p for p in FOLDER.glob("*.txt") if p.read_text("utf-8").startswith("=== "))


def test_marked_notes_are_cut_at_their_heads_and_marks(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(
        "=== h1-1 | letter\nDear [NAME|Bo],\nsee [x] box\n=== h1-2 | log\nnone\n", "utf-8"
    )
    first, second = read_notes(file)
    assert (first.id, first.text) == ("h1-1", "Dear Bo,\nsee [x] box")
    assert first.spans() == [(5, 7, "NAME")]
    assert (second.id, second.text, second.spans()) == ("h1-2", "none", [])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_mark_is_closed_and_every_label_known(file: Path) -> None:
    notes = read_marked(file)
    assert len({note.id for note in notes}) == len(notes) >= 25
    for note in notes:
        for piece in note.pieces:
            assert piece.label is None or piece.label in LABELS
            assert piece.label is None or piece.text == piece.text.strip() != ""
            assert piece.label or not re.search(r"\[[A-Z0-9]+\||\|[^\n\[\]|]*\]", piece.text)
            assert piece.label != "NAME" or not re.match(r"(?:Dr|Mr|Ms|Mrs)\b", piece.text)
