"""Packed and batched structures give the same values as plain lists and dictionaries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.people.gathered_rows import GatheredRows
from deid.people.packed_features import PackedFeatures, PatientFeatures
from deid.spool import Spill
from deid.tables.cell_groups import FeatureSet
from recognizers import KnownValue, feature_hash
from safe_harbor import Identifier as I

CELLS = st.sampled_from([None, "", "a", "b", "A", "7304118", "é", "-"])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=40)
TOLD = st.builds(
    KnownValue,
    st.sampled_from([I.MRNS, I.DATES, I.NAMES, I.ACCOUNTS, I.SSNS]),
    st.sampled_from(["7304118", "2021-03-04", "Quenby Harrowgate", "AC-90021Q", "4471", "x", ""]),
)


def _gathered(rows: list[tuple[str | None, ...]], arrow: bool) -> GatheredRows:
    columns = [list(column) for column in zip(*rows, strict=True)]
    made = [pa.array(column, pa.string()) for column in columns] if arrow else columns
    return GatheredRows(made, len(rows))


@given(ROWS, st.booleans(), st.permutations([0, 1, 2]), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_distinct_rows_are_those_of_a_dictionary(
    rows: list[tuple[str | None, ...]], arrow: bool, order: list[int], many: int
) -> None:
    columns = order[:many]
    seen: dict[tuple[str | None, ...], int] = {}
    first = []
    for place, row in enumerate(rows):
        key = tuple(row[index] for index in columns)
        if key not in seen:
            seen[key] = len(seen)
            first.append(place)
    found, codes = _gathered(rows, arrow).distinct(columns)
    assert found == first
    assert codes.tolist() == [seen[tuple(row[index] for index in columns)] for row in rows]


@given(ROWS, st.booleans())
@settings(max_examples=100, deadline=None)
def test_each_distinct_cell_of_a_person_is_reported_once(
    rows: list[tuple[str | None, ...]], arrow: bool
) -> None:
    gathered = _gathered(rows, arrow)
    first, codes = gathered.distinct([0])
    people = [gathered.cell(0, row) for row in first]
    told = list(gathered.told_of(1, codes, people))
    wanted = [(row[1], row[0]) for row in rows if row[0] is not None and row[1] not in (None, "")]
    assert told == [pair for pair in dict.fromkeys(wanted) if pair[0] != "-"]


@given(st.lists(st.lists(TOLD, max_size=6), max_size=8), st.integers(0, 200))
@settings(max_examples=80, deadline=None)
def test_packed_features_equal_the_original_features(
    patients: list[list[KnownValue]], held: int
) -> None:
    packed = PackedFeatures()
    packed._store = Spill(held)
    features = [PatientFeatures.of(values) for values in patients]
    for number in reversed(range(len(patients))):
        packed.add(2 * number, features[number].packed())
    for number, one in enumerate(features):
        found = packed.of(2 * number)
        assert found is not None and packed.of(2 * number + 1) is None
        for name in ("hashes", "places", "asked", "asked_places"):
            assert getattr(found, name).tolist() == getattr(one, name).tolist()
        assert _asked_or_shown(one) == set(range(len(patients[number])))


def _asked_or_shown(features: PatientFeatures) -> set[int]:
    """The values that the search considers in any way; no value may be missing."""
    return {*features.places.tolist(), *features.asked_places.tolist()}


class _Shown:
    def __init__(self, features: list[str]) -> None:
        self._features = features

    def feature_hashes(self) -> Iterator[int]:
        return map(feature_hash, self._features)


WORDS = st.lists(st.sampled_from([f"r{n}" for n in range(60)]), max_size=30)


@given(WORDS, WORDS)
@settings(max_examples=100, deadline=None)
def test_features_are_found_as_in_a_set(shown: list[str], asked: list[str]) -> None:
    found = FeatureSet(_Shown(shown)).places(  # type: ignore[arg-type]
        np.array([feature_hash(one) for one in asked], np.uint32)
    )
    assert found.tolist() == [place for place, one in enumerate(asked) if one in set(shown)]


@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(0, 40), st.data())
@settings(max_examples=80, deadline=None)
def test_features_spilled_to_disk_are_read_back(
    parts: list[bytes], held: int, data: st.DataObject
) -> None:
    spill, whole = Spill(held), b""
    for part in parts:
        assert spill.append(part) == len(whole)
        whole += part
    start, size = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 80))
    assert len(spill) == len(whole) and spill.read(start, size) == whole[start : start + size]
