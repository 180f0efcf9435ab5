"""Notes stored as rows of lines: joined, split again, and never released in part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.errors import DeidError
from deid.formats import ReadOptions, Record, RecordFault
from deid.text.change import Change
from deid.text.note_lines import (
    are_cut_lines,
    as_line_source,
    group_by_note,
    join_lines,
    split_lines,
    unwrapped_source,
)
from safe_harbor import Identifier, Residue


@dataclass(frozen=True)
class _Rows:
    rows: Sequence[tuple[str | None, ...] | str]
    columns: tuple[str, ...] = ("NOTE_ID", "LINE", "NOTE_TEXT")

    def records(self) -> Iterator[Record | RecordFault]:
        for n, row in enumerate(self.rows, 1):
            yield RecordFault(n, row) if isinstance(row, str) else Record(n, row)


OPTIONS = ReadOptions(group_by="NOTE_ID", order_by="LINE")


def _change(start: int, end: int, out_start: int, out: str) -> Change:
    return Change(
        start, end, out_start, out_start + len(out), Identifier.NAMES, "PERSON", "tag",
        Residue.TAG, "model", 1.0,
    )  # fmt: skip


def test_lines_are_joined_by_one_line_break_or_by_the_given_separator() -> None:
    assert join_lines(["Seen by", "Dr. Ruiz today"]).text == "Seen by\nDr. Ruiz today"
    assert join_lines(["Seen by\n", "Dr. Ruiz"]).text == "Seen by\nDr. Ruiz"
    assert join_lines(["Seen by Dr. Ru", "iz today"], "").text == "Seen by Dr. Ruiz today"


PROSE = (
    "Pt seen by Dr. Theodora Underwood on 3/4/2024 for chest pain. Call (802) 555-0143 with "
    "questions about the stress test. Husband Harlan drives. Follow-up in two weeks at the clinic."
)


@pytest.mark.parametrize("width", [17, 23, 40, 61])
def test_texts_cut_at_a_width_are_recognized(width: int) -> None:
    pieces = [PROSE[at : at + width] for at in range(0, len(PROSE), width)]
    assert are_cut_lines(pairwise(pieces), width)
    ragged = [PROSE[a:b] for a, b in pairwise([0, 23, 51, 70, 101, 133, len(PROSE)])]
    assert are_cut_lines(pairwise(ragged), max(map(len, ragged)) + 1)


def test_ordinary_lines_are_not_taken_for_cut_texts() -> None:
    lines = ["CC: chest pain", "HPI: 60 y/o with pain on", "exertion, relieved by rest.",
             "Meds: aspirin 81", "- lisinopril 10", "Plan: stress test"]  # fmt: skip
    assert not are_cut_lines(pairwise(lines), 80)


def test_a_replacement_over_a_line_break_is_in_the_line_where_it_starts() -> None:
    joined = join_lines(["pt Ana", "Ruiz", "is well"])
    assert joined.text == "pt Ana\nRuiz\nis well"
    first, second, third = split_lines(joined, "pt [NAME]\nis well", [_change(3, 11, 3, "[NAME]")])
    assert [first[0], second[0], third[0]] == ["pt [NAME]", "", "is well"]
    (change,) = first[1]
    assert (change.start, change.end, change.out_start, change.out_end) == (3, 6, 3, 9)
    assert not second[1] and not third[1]


@given(
    st.lists(st.text("ab\n", max_size=12), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=5),
)
def test_splitting_loses_and_duplicates_no_text(
    lines: list[str], spans: list[tuple[int, int]]
) -> None:
    joined = join_lines(lines)
    text, changes, place, out = joined.text, [], 0, ""
    for start, length in sorted(spans):
        end = start + length
        if start < place or end > len(text):
            continue
        out += text[place:start]
        changes.append(_change(start, end, len(out), "[NAME]"))
        out += "[NAME]"
        place = end
    out += text[place:]
    pieces = split_lines(joined, out, changes)
    assert len(pieces) == len(lines)
    inside = [c for c in changes if any(s <= c.start < e for s, e in joined.bounds)]
    assert sum(len(own) for _, own in pieces) == len(inside)
    for (piece, own), (start, end) in zip(pieces, joined.bounds, strict=True):
        for change in own:
            assert piece[change.out_start : change.out_end] == "[NAME]"
        untouched = not any(c.start < end and c.end > start for c in changes)
        assert not untouched or piece == text[start:end]


def test_scattered_lines_are_put_in_order() -> None:
    rows = [("1", "2", "b"), ("2", "1", "c"), ("1", "10", "d"), ("1", "1", "a"), (None, "1", "e")]
    source = as_line_source(_Rows(rows), OPTIONS)
    found = [(r.note and r.note.key, r.cells[2]) for r in source.records() if isinstance(r, Record)]
    assert found == [("1", "a"), ("1", "b"), ("1", "d"), ("2", "c"), (None, "e")]
    assert unwrapped_source(source) != source


@pytest.mark.parametrize("between", [[], [(None, "1", "x")], [("", "1", "x")]])
def test_a_key_padded_with_blanks_or_interrupted_by_a_row_without_key_is_one_note(
    between: list[tuple[str | None, ...]],
) -> None:
    rows = [("A1 ", "1", "Quill"), *between, (" A1", "2", "feather")]
    found = as_line_source(_Rows(rows), OPTIONS).records()
    assert max(len(note) for note in group_by_note(found)) == 2


def test_ordered_lines_keep_their_order() -> None:
    rows = [("1", "1", "a"), ("1", "2", "b"), ("2", "1", "c")]
    source = as_line_source(_Rows(rows), OPTIONS)
    assert [r.ordinal for r in source.records()] == [1, 2, 3]
    assert [len(note) for note in group_by_note(source.records())] == [2, 1]


def test_an_unreadable_line_also_withholds_the_adjacent_notes() -> None:
    rows = [("1", "1", "a"), ("2", "1", "b"), "ragged-row", ("3", "1", "c"), ("4", "1", "d")]
    found = [
        r.code if isinstance(r, RecordFault) else r.cells[2]
        for r in as_line_source(_Rows(rows), OPTIONS).records()
    ]
    assert found == ["a", "line-missing", "ragged-row", "line-missing", "d"]


def test_a_table_without_the_key_column_is_not_a_table_of_lines() -> None:
    source = _Rows([], ("A", "B"))
    assert as_line_source(source, OPTIONS) is source
    with pytest.raises(DeidError) as caught:
        as_line_source(_Rows([], ("NOTE_ID", "B")), OPTIONS)
    assert caught.value.code == "order-missing"
