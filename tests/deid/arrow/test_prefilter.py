"""A whole column is searched for null and filler cells; each cell gets the same answer as when it
is checked alone.
"""

from __future__ import annotations

import pyarrow as pa
import pytest

from deid.arrow.prefilter import null_cells, placeholder_cells
from recognizers import is_filler_value, is_null, nothing_words

WORDS = sorted(nothing_words("placeholder"))
ORDINARY = [
    "",
    " ",
    "\t",
    "0",
    "n",
    "nobody",
    "North, Ann",
    "une",
    "2301",
    "-1",
    ".5",
    "Ñ",
    ",",
    "; x",
]


def _variants(word: str) -> list[str]:
    return [
        word,
        word.upper(),
        f" \u00a0{word}\t",
        word.replace(" ", "  "),
        f"{word},{word}",
        f"{word} ; n/a",
        f"{word}|x",
        f",{word}",
        f"{word}x",
    ]


@pytest.mark.parametrize(
    ("whole", "alone"), [(null_cells, is_null), (placeholder_cells, is_filler_value)]
)
def test_a_whole_column_gets_the_same_answers_as_its_single_cells(whole, alone) -> None:
    cells = [None, *ORDINARY, *(v for word in WORDS for v in _variants(word))]
    answers = [bool(alone(cell)) for cell in cells]
    assert whole(pa.array(cells, pa.string())).tolist() == answers
    assert len(WORDS) < sum(answers) < len(cells)


def test_a_column_without_rows_has_no_null_cell() -> None:
    assert null_cells(pa.array([], pa.string())).tolist() == []
