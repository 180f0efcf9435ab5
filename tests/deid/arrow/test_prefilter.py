"""A whole column is searched for null and filler cells; each cell gets the same answer as when it
is checked alone.
"""

from __future__ import annotations

import pyarrow as pa
import pytest

from deid.arrow.prefilter import ColumnReading, null_cells, placeholder_cells
from recognizers import KnownValuePrefilter, is_filler_value, is_null, nothing_words
from safe_harbor import Identifier

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


VALUES = [
    None,
    "",
    "Quillfeather, Ann",
    "QUILLFEATHER",
    "Lund",
    "912-34-4471",
    "0040281739",
    "12",
    "A12-0040281739",
    "Ñandú",
    "Boston",
]


def test_a_column_that_is_read_once_serves_several_prefilters() -> None:
    """Each prefilter gets the candidates of its own cells, in any order, and misses no value."""
    one, other = KnownValuePrefilter(), KnownValuePrefilter()
    one.add(["quillfeather ward", "lung"])
    other.add(["4471", "40281739", "see a12-0"])
    reading = ColumnReading(pa.array(VALUES, pa.string()), Identifier.NAMES)
    for prefilter in (one, other, one):
        alone = ColumnReading(pa.array(VALUES, pa.string()), Identifier.NAMES)
        candidates = reading.candidates(prefilter).tolist()
        assert candidates == alone.candidates(prefilter).tolist()
        meets = [
            bool(value) and prefilter.meets(Identifier.NAMES, "", value or "") for value in VALUES
        ]
        assert all(kept >= met for kept, met in zip(candidates, meets, strict=True))
    assert not reading.candidates(one)[VALUES.index("0040281739")]
    assert not reading.candidates(other)[VALUES.index("Quillfeather, Ann")]


def test_the_repr_of_a_column_shows_no_cell() -> None:
    column = pa.array(["Quillfeather", None])
    assert repr(ColumnReading(column, Identifier.NAMES)) == "ColumnReading(2 rows)"
