"""Keys in pages give the numbers that a dictionary gives, however they were added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid import spool
from deid.jobs.spark.encrypted_messages import pack_message, unpack_message
from deid.people import sorted_pages
from deid.people.packed_keys import PagedKeys
from deid.people.sorted_pages import MISSING, PageLevels, SortedPages

# Two entries of a key of eight bytes and a number of four bytes fit in a page.
SMALL_PAGE = 24
PORTIONS = st.lists(st.dictionaries(st.integers(0, 30), st.integers(-2, 9), max_size=9), max_size=9)


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_pages, "PAGE_BYTES", SMALL_PAGE)
    monkeypatch.setattr(sorted_pages, "PAGES_AT_ONCE", 2)


def add(levels: PageLevels, portion: dict[int, int]) -> None:
    levels.add(np.array(list(portion), np.uint64), np.array(list(portion.values()), np.int32))


@settings(deadline=None)
@given(PORTIONS)
def test_the_number_that_was_added_last_counts(portions: list[dict[int, int]]) -> None:
    levels, plain = PageLevels(np.int32), dict[int, int]()
    for portion in portions:
        add(levels, portion)
        plain |= portion
    asked = np.arange(30, -1, -1, dtype=np.uint64)
    wanted = [plain.get(key, MISSING) for key in range(30, -1, -1)]
    assert levels.find(asked).tolist() == wanted
    keys = np.concatenate([np.zeros(0, np.uint64), *(k for k, _ in levels.as_one().chunks())])
    assert keys.tolist() == sorted(plain)
    assert levels.find(asked).tolist() == wanted


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=9), max_size=9))
def test_a_key_may_have_several_numbers(portions: list[list[tuple[int, int]]]) -> None:
    levels = PageLevels(np.int32, several=True)
    for portion in portions:
        levels.add(*(np.array([pair[n] for pair in portion], np.uint64) for n in (0, 1)))
    whole = levels.as_one()
    entries = {pair for portion in portions for pair in portion}
    assert len(whole) == len(entries)
    for keys in ([0], [1, 3], [0, 1, 2, 3, 4]):
        places, numbers = whole.find(np.array(keys, np.uint64))
        found = [(keys[place], n) for place, n in zip(places, numbers.tolist(), strict=True)]
        assert found == sorted(pair for pair in entries if pair[0] in keys)


def test_a_level_is_at_most_half_as_long_as_the_one_before_it() -> None:
    levels = PageLevels(np.int32)
    for n in range(100):
        add(levels, {n: n})
    assert len(levels) == 100 and len(levels._levels) < 8


def test_keys_of_digits_are_not_mistaken_for_other_keys_with_these_bits() -> None:
    keys = PagedKeys(held=2)
    keys.put_all({17: 1, "a-17": 2, 18: 3})
    keys.put_all({17: 4})
    assert keys.find_all([17, "a-17", "17", None, 18, 19]) == [4, 2, None, None, 3, None]


def test_an_executor_reads_the_pages_from_the_encrypted_copy(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sorted_pages, "PAGE_BYTES", 1 << 13)
    monkeypatch.setattr(spool, "HELD_BYTES", 1 << 13)
    numbers = np.arange(5000, dtype=np.uint64) * np.uint64(977)
    pages = SortedPages(np.dtype(np.int32), [(numbers, np.arange(5000))])
    packed = pack_message(pages, spills=tmp_path)
    assert len(packed) < 20_000
    (copy,) = tmp_path.iterdir()
    assert numbers[:4].tobytes() not in copy.read_bytes()
    there = unpack_message(packed)
    assert there.find(numbers[4990:4992])[1].tolist() == [4990, 4991]
