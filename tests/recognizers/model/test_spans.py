"""From probabilities to findings: whole words, one label a run, edges without marks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from recognizers.model.encoding import Encoded
from recognizers.model.spans import findings_of

LABELS = ("NAME", "DATE", "MRN", "OTHERID", "COUNTY", "FACILITY")


def encoded(text: str, pieces: list[str]) -> Encoded:
    """Pieces as they stand in the text one after another; `+` begins one that continues a word."""
    at, word = 0, -1
    offsets, words = [], []
    for piece in pieces:
        bare = piece.removeprefix("+")
        at = text.index(bare, at)
        offsets.append((at, at + len(bare)))
        at += len(bare)
        word += not piece.startswith("+")
        words.append(word)
    count = len(pieces)
    ids = np.zeros(count, np.int32)
    return Encoded(ids, ids, np.array(offsets, np.int32), np.array(words, np.int32))


def find(
    text: str, marks: list[tuple[str, str | None, float]], thresholds: Mapping[str, float] = {}
) -> list[tuple[str, str, float]]:
    rows = np.zeros((len(marks), 1 + len(LABELS)), np.float32)
    for row, (_, label, score) in zip(rows, marks, strict=True):
        if label is not None:
            row[1 + LABELS.index(label)] = score
        row[0] = 1 - row.sum()
    found = findings_of(text, encoded(text, [m[0] for m in marks]), rows, LABELS, thresholds)
    return [(text[f.start : f.end], f.entity, f.score) for f in found]


def test_one_likely_piece_takes_its_whole_word() -> None:
    marks = [("Oko", "NAME", 0.9), ("+nkwo", None, 0.0), ("came", None, 0.0)]
    assert find("Okonkwo came", marks) == [("Okonkwo", "PERSON", 0.9)]


def test_neighbours_of_one_label_are_one_finding_with_the_higher_score() -> None:
    marks = [("Ann", "NAME", 0.8), ("Lee", "NAME", 0.9)]
    assert find("Ann Lee", marks) == [("Ann Lee", "PERSON", 0.9)]


def test_neighbours_of_two_labels_are_two_findings() -> None:
    marks = [("Ann", "NAME", 0.9), ("Monday", "DATE", 0.9)]
    assert [f[0] for f in find("Ann Monday", marks)] == ["Ann", "Monday"]


def test_what_a_day_follows_is_no_part_of_it() -> None:
    marks = [("before", "DATE", 0.9), ("Easter", "DATE", 0.9)]
    assert [f[0] for f in find("before Easter", marks)] == ["Easter"]
    marks = [("on", "DATE", 0.9), ("12", "DATE", 0.9)]
    assert [f[0] for f in find("on 12", marks)] == ["on 12"]


def test_columns_stay_apart() -> None:
    marks = [("Ann", "NAME", 0.9), ("Bob", "NAME", 0.9)]
    assert [f[0] for f in find("Ann      Bob", marks)] == ["Ann", "Bob"]


@pytest.mark.parametrize(("before", "count"), [("x " * 30, 1), ("x ", 2), ("x | " * 20, 2)])
def test_a_name_is_joined_over_the_break_of_a_wrapped_line_only(before: str, count: int) -> None:
    text = before + "Faisal\n  Rehman"
    marks = [("Faisal", "NAME", 0.9), ("Rehman", "NAME", 0.9)]
    assert len(find(text, marks)) == count


def test_a_record_number_ends_with_its_line() -> None:
    text = "x " * 30 + "4471\n8820"
    assert len(find(text, [("4471", "MRN", 0.9), ("8820", "MRN", 0.9)])) == 2


def test_an_unspaced_run_has_one_label_and_bridges_its_marks() -> None:
    marks = [("SF", "OTHERID", 0.6), ("-", None, 0.0), ("881205", "MRN", 0.9)]
    assert find("SF-881205", marks) == [("SF-881205", "MEDICAL_RECORD_NUMBER", 0.9)]


def test_marks_and_possessive_are_left_outside() -> None:
    marks = [("(", "NAME", 0.9), ("Lee", "NAME", 0.9), ("'", "NAME", 0.9), ("s", "NAME", 0.9),
             (",", "NAME", 0.9)]  # fmt: skip
    assert [f[0] for f in find("(Lee's, too", marks)] == ["Lee"]


def test_a_place_keeps_its_possessive() -> None:
    marks = [("Mary", "FACILITY", 0.9), ("'", "FACILITY", 0.9), ("s", "FACILITY", 0.9)]
    assert [f[0] for f in find("at Mary's.", marks)] == ["Mary's"]


def test_marks_alone_are_nothing() -> None:
    assert find("- -", [("-", "NAME", 0.9), ("-", "NAME", 0.9)]) == []


def test_a_county_takes_the_word_behind_it() -> None:
    assert [f[0] for f in find("in Dare County, NC", [("Dare", "COUNTY", 0.9)])] == ["Dare County"]


def test_thresholds_hold_for_their_label() -> None:
    marks = [("Ann", "NAME", 0.3), ("4471", "MRN", 0.3)]
    assert [f[0] for f in find("Ann 4471", marks, {"NAME": 0.2, "MRN": 0.5})] == ["Ann"]


def test_no_pieces_no_findings() -> None:
    assert find("   ", []) == []
