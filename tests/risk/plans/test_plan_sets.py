"""k^m: any m codes that an attacker may know belong to at least k persons; verified by brute
force.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.cli import main
from risk import (
    CodedColumn,
    CodeSets,
    Hierarchy,
    RiskError,
    cluster_codes,
    encode,
    protect_sets,
    rare_sets,
)

CODES = ["a1", "a2", "b1", "b2", "c1", "c2"]
TREE = Hierarchy.of_rows("codes", [[c, c[0], "*"] for c in CODES])
persons = st.lists(st.frozensets(st.sampled_from(CODES), max_size=4), min_size=1, max_size=25)


def held_by(sets: list[frozenset[str]]) -> CodeSets:
    known = sorted({code for s in sets for code in s})
    place = {code: i for i, code in enumerate(known)}
    return CodeSets(tuple(known), tuple(frozenset(place[c] for c in s) for s in sets))


def rare_by_hand(sets: list[frozenset[str]], k: int, m: int) -> set[frozenset[str]]:
    counts: Counter[frozenset[str]] = Counter()
    for s in sets:
        for size in range(1, m + 1):
            counts.update(map(frozenset, combinations(sorted(s), size)))
    return {c for c, n in counts.items() if n < k}


@settings(max_examples=150, deadline=None)
@given(persons, st.integers(1, 5), st.integers(1, 3))
def test_no_rare_set_of_codes_remains(sets, k: int, m: int) -> None:
    held = held_by(sets)
    try:
        made = protect_sets(held, TREE, k, m)
    except RiskError as error:
        assert error.code == "no-transformation"
        return
    told = dict(zip(held.codes, made.labels, strict=True))
    after = [frozenset(t for c in s if (t := told[c]) is not None) for s in sets]
    assert not rare_by_hand(after, k, m)
    for code, label in told.items():
        assert label in (code, code[0], None)
    by_label = {}
    for code, label in told.items():
        if label == code[0]:
            by_label.setdefault(label, set()).add(code)
    for label in by_label:
        assert all(told[c] in (label, None) for c in told if c[0] == label)
    assert 0 <= made.loss <= 1
    assert (made.loss == 0) == all(told[c] == c for c in told)


@settings(max_examples=100, deadline=None)
@given(persons, st.integers(1, 5), st.integers(1, 3))
def test_only_minimal_rare_sets_are_reported(sets, k: int, m: int) -> None:
    held = held_by(sets)
    found = {frozenset(held.codes[i] for i in r) for r in rare_sets(held.sets, k, m)}
    every = rare_by_hand(sets, k, m)
    least = {r for r in every if not any(other < r for other in every)}
    assert found == least


def test_a_code_that_is_rare_alone_is_suppressed_without_others() -> None:
    sets = [frozenset({"a1"})] * 9 + [frozenset({"b1", "a1"})]
    made = protect_sets(held_by(sets), TREE, 5, 2)
    assert made.labels == ("a1", None)


def test_clusters_combine_codes_that_persons_have_together() -> None:
    sets = [frozenset({"a1", "b2"})] * 5 + [frozenset({"c1", "c2"})] * 5
    hierarchy = cluster_codes(held_by(sets), size=2)
    rows = {row[0]: row for row in hierarchy.rows()}
    assert rows["a1"][1] == rows["b2"][1] != rows["c1"][1] == rows["c2"][1]


@pytest.mark.parametrize("by_row", [False, True])
def test_the_command_writes_the_sets_that_it_counts(
    by_row: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = [["E11.9", "I10"], ["E11.65", "I10"], ["I10", "B20"], ["E11.9"], ["J45.909", "I10"]]
    people = [cells[i % 5] for i in range(40)] + [["C50.911", "I10"], []]
    table = tmp_path / "t.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(["who", "dx"])
        for i, codes in enumerate(people):
            out.writerows([[i, c] for c in codes] if by_row else [[i, "|".join(codes)]])
    written = tmp_path / "out.csv"
    options = ["--person-column", "who", "--keep", "who"] if by_row else []
    with pytest.raises(SystemExit) as caught:
        main(
            [
                *("plan", str(table), "--set-column", "dx", "--k", "4", "--known-events", "2"),
                *("--hierarchy", "dx=icd10cm", "-o", str(written), "--json", *options),
            ]
        )
    shown = capsys.readouterr()
    assert not caught.value.code, shown.err
    told = json.loads(shown.out)
    with written.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if by_row:
        gathered: dict[str, set[str]] = {}
        for row in rows:
            gathered.setdefault(row["who"], set()).update({row["dx"]} - {""})
        after = [frozenset(s) for s in gathered.values()]
    else:
        after = [frozenset(row["dx"].split("|")) - {""} for row in rows]
    assert not rare_by_hand(after, 4, 2)
    assert told["rare_sets"]["before"] > 0
    assert told["rare_sets"]["after"] == 0
    assert "C50" not in written.read_text("utf-8") + shown.out + shown.err


def test_codes_with_one_label_count_as_one_code_of_the_person() -> None:
    """Rows of `E11.9` and `E11.8` that both become `E11` contain the same label twice."""
    person = encode({"id": ["p", "p", "q"]}).columns[0]
    told = CodedColumn("dx", np.array([0, 1, 0], np.uint8), np.array(["E11", "E11"], object))
    held = CodeSets.of_rows(told, person)
    assert held.codes == ("E11",) and held.sets == (frozenset({0}), frozenset({0}))


def test_rows_without_a_person_are_not_the_set_of_one_person() -> None:
    table = encode({"id": ["p", None, None], "dx": ["A", "A", "B"]})
    held = CodeSets.of_rows(table.column("dx"), table.column("id"))
    assert sorted(map(len, held.sets)) == [1, 1, 1]
