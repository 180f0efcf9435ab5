"""Every evidence row is needed: `benchmarks/payers.csv` names a line or note that is found worse
without it.
"""

from __future__ import annotations

import csv
from functools import cache

import pytest

from benchmarks.ablations.texts import Line, lines
from benchmarks.floors import Golden
from benchmarks.payers import (
    EXAMPLE,
    GOLDEN,
    HEADER,
    NONE,
    NOTES,
    PAYERS,
    finder_of,
    is_right,
    is_worse,
)
from recognizers import Finder
from recognizers.evidence.matching import AGAINST
from recognizers.evidence.register import shipped, table_names


@cache
def listed() -> list[tuple[str, str, str, str]]:
    with PAYERS.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert tuple(head) == HEADER
    return [(row, network, payer, text) for row, network, payer, text in rows]


@cache
def finder(network: str) -> Finder:
    return finder_of(network)


def test_every_evidence_row_is_listed_with_its_justification() -> None:
    rows = sorted(row.id for name in table_names() for row in shipped(name))
    assert rows == [row for row, *_ in listed()]
    assert [row for row, _, payer, _ in listed() if payer == NONE] == []


@pytest.mark.parametrize(
    ("row", "network", "text"),
    [(r, n, text) for r, n, payer, text in listed() if payer in {EXAMPLE, GOLDEN}],
    ids=lambda told: str(told)[:40],
)
def test_the_listed_line_is_found_worse_without_its_row(row: str, network: str, text: str) -> None:
    (read,) = lines(finder(network), [Golden.of(EXAMPLE, text)])
    assert isinstance(read, Line) and is_worse(finder(network), read, row)


@pytest.mark.parametrize("row", [row for row, _, payer, _ in listed() if payer == NOTES])
def test_a_row_without_a_listed_line_was_mostly_right_in_the_notes(row: str) -> None:
    against = {r.id for name in table_names() for r in shipped(name) if r.strength == AGAINST}
    assert is_right(finder("default"), row, row in against)
