"""Which answers about cells are cached, and which are not."""

from __future__ import annotations

import tracemalloc

import pytest

from recognizers import conforms, header_words, held_shape, is_filler_value, is_null
from recognizers.columns.cells.organizations import is_organization
from recognizers.columns.cells.pieces import is_in_pieces
from recognizers.columns.cells.shapes import (
    is_last_first,
    is_listed,
    is_lone_name,
    is_person,
    is_town,
    names_somebody,
    shape_of,
)
from recognizers.columns.headers import rule_of

ASKED = {
    "null": is_null,
    "placeholder": is_filler_value,
    "shape": shape_of,
    "listed": lambda cell: is_listed("null", cell),
    "person": is_person,
    "lone": is_lone_name,
    "last_first": is_last_first,
    "somebody": names_somebody,
    "town": is_town,
    "organization": is_organization,
    "pieces": is_in_pieces,
    "held": held_shape,
    "fits": lambda cell: conforms("term", cell),
    "words": header_words,
    "rule": rule_of,
}


def kept_in_memory(name: str, length: int) -> int:
    """Bytes in memory after the question was answered for ten different cells."""
    ask = ASKED[name]
    ask(f"{name} seen by Ana Ruiz")
    tracemalloc.start()
    for number in range(10):
        ask(f"{name} {number} seen by Ana Ruiz; ".ljust(length, "x"))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept


@pytest.mark.parametrize("name", ASKED)
def test_long_cells_are_not_kept_in_memory(name: str) -> None:
    assert kept_in_memory(name, 5000) < 10 * 5000 / 4


def test_short_cells_are_answered_from_memory() -> None:
    assert kept_in_memory("held", 100) > 10 * 100
