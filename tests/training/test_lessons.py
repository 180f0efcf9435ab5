"""The training data of the decision: notes and their pieces, and word counts that exclude a note's
own fold.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from training.evidence import (
    DRAWN,
    FOLDS,
    NONE,
    PIECE,
    PIECE_WEIGHT,
    UNSEEN,
    UNSEEN_WEIGHT,
    Lesson,
    collections,
    group_of,
    pieces,
)
from training.notes import cut
from training.word_counts import word_odds

TEXT = (
    "Visit\nSeen by Dr. Okafor at noon.\n"
    + "He walked far and slept well today. " * 5
    + "Told Reyes."
)


def note_of(text: str, *names: str) -> Lesson:
    """A lesson in which these words are the identifiers."""
    spans = [(text.index(name), text.index(name) + len(name), "NAME") for name in names]
    return Lesson(text, text, spans, (), NONE.reshape(0, 2), NONE, None, text)


def lesson_of(key: str) -> Lesson:
    """An empty lesson."""
    return Lesson(key, "", (), (), NONE.reshape(0, 2), NONE, None, key)


def test_a_note_is_repeated_in_lines_and_sentences() -> None:
    start, last = TEXT.index("Okafor"), TEXT.index("Reyes")
    note = cut("a-1", TEXT, [(start, start + 6, "NAME"), (last, last + 5, "NAME")])
    found = list(pieces(note))
    assert found[0].text == "Seen by Dr. Okafor at noon." and found[-1].text.endswith("Told Reyes.")
    assert all(one.text in TEXT for one in found) and "Visit" not in [one.text for one in found]
    marked = [one.text[a:b] for one in found for a, b, _ in one.spans()]
    assert marked == ["Okafor", "Reyes"]
    assert {group_of("notes", one.id, found) for one in found} == {"notes/a-1"}


def test_a_repeated_line_is_in_the_group_of_its_note() -> None:
    again = [cut(f"together-{n}", "a\nb", []) for n in range(3)]
    assert group_of("short_lines", "frame-7", again) == group_of("short_lines", "together-1", again)


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_drawn_lines_teach_the_decision_but_are_in_no_count(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.txt"
    file.write_text("Seen by [NAME|May].\nMay walk.\n", "utf-8")
    ((found, notes, taught),) = collections([file])
    assert (found, len(notes), len(taught)) == (name, 3, 3)
    own = [lesson_of(f"{name}/{note.id}") for note in notes]
    assert not any(one.counts for one in own)
    assert {one.weight for one in own} == {DRAWN[name]}


@pytest.mark.parametrize("name", [*sorted(UNSEEN), "clinics"])
def test_every_document_that_no_network_saw_is_used_for_the_decision(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / f"{name}.txt"
    heads = [f"=== a1-{number:03} | visit\nSeen by Dr. [NAME|Okafor]." for number in range(20)]
    file.write_text("\n".join(heads), "utf-8")
    ((found, notes, taught),) = collections([file])
    whole = {note.id for note in notes if PIECE not in note.id}
    assert (found, len(whole)) == (name, 20)
    assert len(taught & whole) == (20 if name in UNSEEN else 2)
    assert taught - whole == {f"{note}{PIECE}0" for note in taught & whole}


def test_a_document_counts_once_and_its_pieces_half() -> None:
    for name in UNSEEN:
        key = f"{name}/a1-001"
        whole, piece = lesson_of(key), lesson_of(f"{key}{PIECE}0")
        assert (whole.weight, whole.counts) == (UNSEEN_WEIGHT, True)
        assert (piece.weight, piece.counts) == (UNSEEN_WEIGHT * PIECE_WEIGHT, False)


def test_the_word_counts_of_a_fold_exclude_its_own_notes() -> None:
    taught = [note_of(f"seen by Name{letter}", f"Name{letter}") for letter in "abcdefghij"]
    whole, without = word_odds(taught)
    word, behind = whole.counts["word"], whole.counts["behind"]
    assert behind.right.max() == len(taught) and len(without) == FOLDS
    for fold, others in enumerate(without):
        own = sum(lesson.fold == fold for lesson in taught)
        assert others.counts["behind"].right.max() == len(taught) - own
        assert others.counts["word"].right.sum() == word.right.sum() - own
    assert np.array_equal(word.keys, without[0].counts["word"].keys)
