"""Persons instead of rows: fixed columns, histories, and an attacker who knows some events."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.measures.assessment import RiskRequest, assess
from risk.tables.coding import encode
from risk.tables.longitudinal import HISTORY_COLUMN, group_by_person, matching_persons


def report(table: dict[str, list[object]], quasi: list[str], **options: object):
    return assess(table, quasi, RiskRequest(person="id", **options))  # type: ignore[arg-type]


def test_columns_that_never_vary_are_counted_once_per_person() -> None:
    table = {"id": [1, 1, 1, 2, 3], "sex": list("MMMMF")}
    found = report(table, ["sex"])
    assert (found.records, found.classes, found.uniques, found.unit) == (3, 2, 1, "person")


def test_a_history_identifies_where_rows_do_not() -> None:
    """Two persons share every row, but no two share a history."""
    table = {
        "id": [1, 1, 2, 2, 3, 3],
        "sex": list("MMMMMM"),
        "stay": [3, 5, 3, 9, 5, 9],
    }
    rows = assess(table, ["sex", "stay"])
    assert rows.uniques == 0
    found = report(table, ["sex", "stay"])
    assert found.uniques == 3
    assert any("history" in note for note in found.notes)
    known = report(table, ["sex", "stay"], known_events=1).scores["prosecutor"]
    assert known is not None and known.maximum == 0.5
    nothing = report(table, ["sex", "stay"], known_events=0).scores["prosecutor"]
    assert nothing is not None and nothing.maximum == pytest.approx(1 / 3)


def test_the_order_of_a_persons_rows_does_not_matter_but_repeats_do() -> None:
    table = encode({"stay": [3, 5, 5, 3, 5, 5, 3]})
    person = encode({"id": [1, 1, 2, 2, 3, 3, 3]}).column("id")
    history = group_by_person(table, person).column(HISTORY_COLUMN)
    assert history.codes[0] == history.codes[1] != history.codes[2]


events = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=30)


@given(events, st.integers(0, 3))
def test_the_risk_of_known_events_agrees_with_trying_every_subset(
    rows: list[tuple[int, int]], known: int
) -> None:
    table = encode({"code": [code for _, code in rows]})
    person = encode({"id": [who for who, _ in rows]}).column("id")
    found = matching_persons(table, person, known)
    held: dict[int, Counter[int]] = {}
    for who, code in rows:
        held.setdefault(who, Counter())[code] += 1
    order = [int(str(v)) for v in person.values]
    varies = any(len(codes) > 1 for codes in held.values())
    for who, size in zip(order, found, strict=True):
        own = held[who]
        if not varies:
            assert size == sum(set(codes) == set(own) for codes in held.values())
            continue
        fewest = min(
            sum(Counter(chosen) <= codes for codes in held.values())
            for chosen in combinations(sorted(own.elements()), min(known, own.total()))
        )
        assert size == fewest


@given(events)
def test_knowing_more_never_lowers_the_risk(rows: list[tuple[int, int]]) -> None:
    table = encode({"code": [code for _, code in rows]})
    person = encode({"id": [who for who, _ in rows]}).column("id")
    sizes = [matching_persons(table, person, known) for known in range(4)]
    for fewer, more in pairwise(sizes):
        assert np.all(more <= fewer)


def test_each_row_without_a_person_counts_as_a_separate_person() -> None:
    """Taken as one person, these rows would be one history, and the whole table one record."""
    table = {"id": [1, 1, None, None, None], "sex": list("MMFFF"), "stay": [1, 2, 7, 7, 9]}
    found = report(table, ["sex", "stay"])
    assert (found.records, found.classes, found.uniques) == (4, 3, 2)
    assert any("3 rows name no person" in note for note in found.notes)


def test_disclosure_counts_persons_and_not_their_rows() -> None:
    """One person with three diagnoses is not a class of three: an attacker who finds the person
    learns all of them.
    """
    table = {"id": [1, 1, 1, 2, 3], "sex": list("MMMFF"), "dx": list("abcab")}
    (found,) = report(table, ["sex"], sensitive=("dx",)).disclosure
    assert found.distinct_l == 1
    assert found.homogeneous_records == pytest.approx(1 / 3)
    plain = {"id": [1, 1, 2, 3], "sex": list("FFFM"), "age": [40, 40, 70, 70]}
    (found,) = report(plain, ["sex"], sensitive=("age",)).disclosure
    assert (found.distinct_l, found.t_ordered) == (1, pytest.approx(1 / 3))


def test_a_sensitive_column_that_varies_has_no_order() -> None:
    table = {"id": [1, 1, 2], "sex": list("FFF"), "age": [40, 50, 70]}
    (found,) = report(table, ["sex"], sensitive=("age",)).disclosure
    assert found.t_ordered is None
