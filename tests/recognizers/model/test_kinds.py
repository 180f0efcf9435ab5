"""Which word lists the model knows for a word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recognizers.model.encoding import KIND_COUNT, kind


@settings(deadline=None)  # the first call loads the lists
@given(st.text(max_size=12))
def test_every_word_has_a_kind(word: str) -> None:
    assert 0 <= kind(word) < KIND_COUNT


@pytest.mark.parametrize("word", ["", "a", "7", "x9", "12/3", "qzxwv"])
def test_a_word_on_no_list_has_no_kind(word: str) -> None:
    assert kind(word) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nguyen", "Ignacio"),
        ("Nguyen", "the"),
        ("zoster", "the"),
        ("Peoria", "the"),
        ("will", "Ignacio"),
    ],
)
def test_the_lists_distinguish_these_words(one: str, other: str) -> None:
    assert kind(one) != kind(other)


def test_the_kind_of_a_word_does_not_depend_on_its_case() -> None:
    assert kind("NGUYEN") == kind("nguyen") == kind("Nguyen")
