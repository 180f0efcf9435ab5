"""Equivalence classes: columns are taken by position, a missing value is a value, and counts are
duplicates.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.errors import RiskError
from risk.tables.classes import Classes
from risk.tables.coding import encode

cells = st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["x", "y"]))
tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=30)
)


def frame(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    names = [f"c{i}" for i in range(len(rows[0]))]
    return pd.DataFrame(rows, columns=names, dtype=object)


def naive(rows: list[tuple[object, ...]]) -> list[int]:
    """Class sizes by a dictionary, which is the definition itself."""
    counted: dict[tuple[object, ...], int] = {}
    for row in rows:
        counted[row] = counted.get(row, 0) + 1
    return sorted(counted.values())


@given(tables)
def test_sizes_are_those_of_the_definition(rows: list[tuple[object, ...]]) -> None:
    assert sorted(Classes.of(frame(rows)).sizes) == naive(rows)


@given(tables, st.randoms(use_true_random=False))
def test_row_order_column_order_and_index_change_nothing(rows, random) -> None:
    table = frame(rows)
    moved = table.sample(frac=1, random_state=random.randrange(2**31))
    moved = moved[random.sample(list(moved.columns), len(moved.columns))]
    moved.index = pd.Index([0] * len(moved))
    for one, other in zip(Classes.of(table).histogram, Classes.of(moved).histogram, strict=True):
        assert one.tolist() == other.tolist()


@given(tables, st.data())
def test_a_row_with_a_count_equals_that_many_rows(rows, data) -> None:
    counts = data.draw(
        st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)), label="counts"
    )
    repeated = [row for row, count in zip(rows, counts, strict=True) for _ in range(count)]
    counted = Classes.of(frame(rows), counts=np.array(counts))
    assert sorted(counted.sizes) == (naive(repeated) if repeated else [])


@given(tables)
def test_class_ids_distinct_rows_and_removal_agree(rows: list[tuple[object, ...]]) -> None:
    table = frame(rows)
    classes = Classes.of(table)
    assert np.bincount(classes.ids, minlength=len(classes)).tolist() == classes.sizes.tolist()
    again = Classes.of(classes.distinct, counts=classes.sizes)
    assert again.sizes.tolist() == classes.sizes.tolist()
    for column in classes.distinct.columns:
        shown = column.values[column.codes][classes.ids]
        assert shown.tolist() == [None if pd.isna(v) else v for v in table[column.name]]
    fewer = classes.without("c0")
    assert sorted(fewer.sizes) == naive([row[1:] for row in rows])


def test_every_kind_of_missing_is_one_value() -> None:
    table = {"a": [1, None, float("nan"), "", pd.NA, pd.NaT]}
    assert sorted(Classes.of(table).sizes) == [1, 5]


def test_keys_beyond_64_bits_are_still_exact() -> None:
    generator = np.random.default_rng(1)
    table = {f"c{i}": generator.permutation(5000) for i in range(12)}
    table = {name: np.concatenate([column, column[:7]]) for name, column in table.items()}
    classes = Classes.of(table)
    assert len(classes) == 5000
    assert np.count_nonzero(classes.sizes == 2) == 7
    column = classes.distinct.column("c3")
    assert column.values[column.codes][classes.ids].tolist() == table["c3"].tolist()


def test_without_columns_there_is_one_class_and_without_rows_none() -> None:
    assert Classes.of({"a": [1, 2]}, []).sizes.tolist() == [2]
    empty = Classes.of({"a": []})
    assert (len(empty), empty.records) == (0, 0)
    assert [len(part) for part in empty.histogram] == [0, 0]


def test_an_unknown_column_is_named_and_similar_ones_are_given_by_position() -> None:
    with pytest.raises(RiskError) as caught:
        Classes.of({"agee": [1], "Jane Roe": [2]}, ["age"])
    assert caught.value.code == "unknown-column"
    assert caught.value.hint == "columns with a similar name: 1"
    assert "Jane" not in str(caught.value) + caught.value.hint


@pytest.mark.parametrize("counts", [[-1, 1], [0.5, 1], [float("nan"), 1]])
def test_invalid_counts_are_refused(counts: list[float]) -> None:
    with pytest.raises(RiskError):
        Classes.of({"a": [1, 2]}, counts=np.array(counts))


def test_the_repr_of_a_table_shows_its_shape_only() -> None:
    classes = Classes.of({"name": ["Jane Roe"]})
    assert "Jane" not in repr(classes) + repr(classes.table) + repr(classes.table.columns[0])


def test_a_column_has_only_values_that_occur_in_a_row() -> None:
    for values in (["x", "y"], [1, 2], np.array([1, 2]), pd.Series(["x", "y"]), [None, "x"]):
        column = encode({"a": values}).column("a")
        assert column.cardinality == 2
