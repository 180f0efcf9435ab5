"""Fixed-width lines are the same whether they are read and written by column or line by line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.formats.contract import ReadOptions, Record
from deid.formats.fixed_width.fitting import fitted_cell
from deid.formats.fixed_width.fixed_width_file import (
    FixedWidth,
    FixedWidthSink,
    FixedWidthSource,
)
from deid.formats.fixed_width.layout import Layout, LayoutPlace
from deid.formats.fixed_width.lines import line_lengths

CELLS = ["", "a", "ID-7", "#3", "#0", "ID-0", "#007", "[ID-5]", "[ID-999]", "x y", "#300", '"q"']
RELEASED = ["[NAME]", "[ID-12]", "text of several words that goes on", "", "1943", None]


@st.composite
def files(draw: st.DrawFn) -> tuple[Layout, bytes, int, list[list[str | None]]]:
    """A layout, a file, the number of keys, and the released value of each cell."""
    places, begin = [], 0
    for number in range(draw(st.integers(1, 4))):
        begin += draw(st.integers(0, 2))
        places.append(LayoutPlace(f"c{number}", begin, draw(st.integers(1, 14))))
        begin = places[-1].end
    sides = [draw(st.booleans()) for _ in places]
    rows = draw(st.lists(st.tuples(*[st.sampled_from(CELLS)] * len(places)), min_size=1))
    lines = []
    for row in rows:
        line = [" "] * (begin + 2)
        for place, right, cell in zip(places, sides, row, strict=True):
            cut = cell[: place.width]
            put = cut.rjust(place.width) if right else cut.ljust(place.width)
            line[place.start : place.end] = put
        lines.append("".join(line))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join(lines) + (end if draw(st.booleans()) else "")
    cell = st.sampled_from(RELEASED)
    released = [[draw(cell) for _ in places] for _ in rows]
    shuffled = tuple(draw(st.permutations(places)))
    return Layout(shuffled), text.encode(), draw(st.sampled_from([0, 5, 200])), released


def _written(
    source: FixedWidthSource, path: Path, rows: Sequence[Sequence[str | None]], by_column: bool
) -> bytes:
    sink = FixedWidthSink(path, source, dict(enumerate(source.columns)))
    if by_column:
        sink.write_columns([pa.array(c, pa.string()) for c in zip(*rows, strict=True)])
    else:
        for row, record in zip(rows, source.records(), strict=True):
            assert isinstance(record, Record)
            sink.write(row, record.skeleton)
    sink.close()
    return path.read_bytes()


@given(files())
@settings(max_examples=120, deadline=None)
def test_by_column_and_by_line_are_the_same(
    found: tuple[Layout, bytes, int, list[list[str | None]]],
) -> None:
    layout, data, keys, released = found
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.dat"
        path.write_bytes(data)
        source = FixedWidth(layout).open(path, ReadOptions(keys=keys))
        assert isinstance(source, FixedWidthSource)
        if not source.is_regular():
            return
        slow = [list(record.cells) for record in source.records() if isinstance(record, Record)]
        fast = [list(row.values()) for batch in source.batches() for row in batch.to_pylist()]
        assert fast == slow
        kept = [
            [new if cell else cell for new, cell in zip(news, cells, strict=True)]
            for news, cells in zip(released, slow, strict=True)
        ]
        one, two = Path(folder) / "b", Path(folder) / "c"
        assert _written(source, one, kept, True) == _written(source, two, kept, False)


@pytest.mark.parametrize(
    ("cell", "width", "put"),
    [
        ("no text in a short place", 11, ""),
        ("a text ends with a mark", 12, "a text..."),
        ("seen by [NAME OF SOMEBODY] today", 20, "seen by..."),
        ("19430501", 6, ""),
        ("1943-05-01T10:00:00", 14, ""),
        ("[HEALTH PLAN-7]", 5, "#7"),
        ("[NAME]", 4, "NAME"),
        ("[NAME]", 3, ""),
    ],
)
def test_values_that_do_not_fit_are_visibly_cut_or_left_out(
    cell: str, width: int, put: str
) -> None:
    assert fitted_cell(cell, width) == put


@pytest.mark.parametrize(("longer", "exact"), [(0, True), (10, True), (11, False), (60, False)])
def test_at_least_nine_of_ten_lines_must_have_the_same_length(
    tmp_path: Path, longer: int, exact: bool
) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(b"abcdefgh\n" * (100 - longer) + b"abcdefghij\n" * longer)
    found = line_lengths(path, Layout((LayoutPlace("a", 0, 8),)), 0)[""]
    assert found.exact is exact and found.most == (8 if exact else 10)
