"""Long texts without line breaks, as an export or a printer may write them, are searched
completely.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from itertools import pairwise

import pytest

from recognizers import (
    Finder,
    KnownValuePrefilter,
    KnownValues,
    conforms,
    header_words,
    held_shape,
    holds_value,
    profile,
)
from recognizers.columns.cells.shapes import is_person, shape_of
from safe_harbor import Identifier as I

LONG = 40_000
SOON = 30  # CPU seconds; nonlinear code takes minutes
CpuLimit = Callable[[float], AbstractContextManager[None]]
# Each took minutes when a step looked at the whole text, or at all findings, for every hit.
PIECES = (
    "MRN|",
    "Init  Date  MRN  Age  ",
    "x4410 ",
    "PO Box 12 ",
    "Mercy Hospital ",
    "ST ",
    "DO ",
    "(J.T.) ",
    "Dr. De la ",
    "John Smith, ",
    "3/4,5/6,",
    "KD/rt ",
    "Father MI ",
)


@cache
def finder() -> Finder:
    return Finder.load(model=False)


@pytest.mark.parametrize("piece", PIECES)
def test_a_line_of_one_repeated_piece_is_searched_in_linear_time(
    piece: str, cpu_seconds_below: CpuLimit
) -> None:
    text = piece * (LONG // len(piece))
    finder().find(piece)
    with cpu_seconds_below(SOON):
        found = finder().find(text)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert not found or found[-1].end <= len(text)


@pytest.mark.parametrize("line", ["Account: A-{:07d}\n", "lives at 12 Wes{:04d} St, "])
def test_thousands_of_values_with_the_same_start_are_propagated_in_linear_time(
    line: str, cpu_seconds_below: CpuLimit
) -> None:
    with cpu_seconds_below(SOON):
        finder().find("".join(map(line.format, range(4000))))


def test_endless_letters_are_searched_for_known_names_in_linear_time(
    cpu_seconds_below: CpuLimit,
) -> None:
    known = KnownValues.of({"names": ["Orla Quist"]})
    with cpu_seconds_below(SOON):
        found = known.find("a " * (LONG // 2) + "Q u i s t")
    assert [(f.end - f.start) for f in found] == [len("Q u i s t")]


@pytest.mark.parametrize("piece", ["a", "aB", "quist", "1", "a1", "0", "0-", "a-"])
def test_an_endless_word_is_searched_for_known_values_in_linear_time(
    piece: str, cpu_seconds_below: CpuLimit
) -> None:
    known = KnownValues.of({"names": ["Orla Quist"], "mrns": ["00471193"]})
    text = piece * (LONG // len(piece))
    with cpu_seconds_below(20):
        found = known.find(f"{text}; Quist{text} {text}Orlaquist, she saw Quistt")
        prefilter = KnownValuePrefilter()
        prefilter.add([text])
        prefilter.meets(I.NAMES, "", text)
    assert found[-1].end - found[-1].start == len("Quistt")


def test_an_endless_known_name_is_learned_in_linear_time(cpu_seconds_below: CpuLimit) -> None:
    name = "quist" * (LONG // 5)
    with cpu_seconds_below(SOON):
        found = KnownValues.of({"names": [f"Orla {name}"]}).find(f"Seen: Orla; {name}.")
    assert [f.end - f.start for f in found] == [4, len(name)]


def test_a_prefilter_is_filled_cell_by_cell_in_linear_time(cpu_seconds_below: CpuLimit) -> None:
    with cpu_seconds_below(20):
        prefilter = KnownValuePrefilter()
        for number in range(LONG // 4):
            prefilter.add([f"Hb {number:08d}"])


def test_many_spelled_names_are_searched_for_in_linear_time(cpu_seconds_below: CpuLimit) -> None:
    words = [f"{a}{b}{c}{d}ir" for a in "bcdfg" for b in "aeiou" for c in "klmnprst" for d in "aeo"]
    lines = (f"{word} {' '.join(word[:5].upper())} x" for word in words * 4)
    with cpu_seconds_below(SOON):
        finder().find("\n".join(lines))


CELLS = (
    "9" * LONG + "x",
    "a" + " " * LONG + "b",
    "[" * LONG + "x",
    "a" * LONG,
    "a@" * LONG,
    "A" * LONG + ", MD",
)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: repr(cell[:2] + cell[-1:]))
def test_a_cell_of_any_length_is_checked_in_linear_time(
    cell: str, cpu_seconds_below: CpuLimit
) -> None:
    with cpu_seconds_below(SOON):
        for ask in (shape_of, is_person, held_shape, holds_value, header_words):
            ask(cell)
        conforms("term", cell)
        profile("notes", [cell, cell + "1"])
        profile(cell, ["1", "2"])


def test_numbers_with_thousands_separators_are_numbers() -> None:
    assert {shape_of(value) for value in ("1,234", "$12,345", "-1,234 %")} == {"number"}
    assert shape_of("1,234.5") == "decimal"
    assert shape_of("1,2345") != "number"
