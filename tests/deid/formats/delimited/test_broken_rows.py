"""After a row with broken quotes, only the lines that are rows of the table are read again."""

from __future__ import annotations

import pytest

from deid.formats.delimited.broken_rows import MOST_BROKEN, RowLines

ROW = "2,x,y\n"


def _given_back(rest: list[str], width: int, before: int = 0) -> list[str]:
    lines = RowLines(iter(['1,"a,b\n', *rest]))
    for _ in range(before):
        lines.lose_first_line(width, ",")
    for _ in range(1 + len(rest)):
        next(lines)
    lines.lose_first_line(width, ",")
    return list(lines)


@pytest.mark.parametrize(
    ("rest", "width", "back"),
    [
        ([ROW, ROW], 3, True),
        (["x,y\n", "x,y\n"], 2, False),
        (["a word\n", "more\n"], 3, False),
        ([ROW] * 9 + ["a word\n"], 3, True),
        ([ROW] * 8 + ["a word\n"] * 2, 3, False),
        (['2,"x,y\n'], 3, False),
        ([], 3, False),
    ],
)
def test_after_a_broken_row_only_rows_of_the_table_are_read_again(
    rest: list[str], width: int, back: bool
) -> None:
    assert _given_back(rest, width) == (rest if back else [])


def test_after_the_maximum_of_broken_rows_no_line_is_read_again() -> None:
    assert _given_back([ROW], 3, MOST_BROKEN - 1) == [ROW]
    assert _given_back([ROW], 3, MOST_BROKEN) == []
