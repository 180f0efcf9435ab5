"""Columns as in de-identified tables: `90+` among years, ranges, unknown words, outliers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from risk import ClassSize, PlanRequest, build_hierarchy, encode, guess_hierarchy, plan
from risk.hierarchies.bands import quantile_bands, round_bands, usual_range
from risk.hierarchies.rules import AgeRule, YearRule


def column(values: list[object], name: str = "x"):
    return encode({name: values}).column(name)


def test_years_of_birth_with_90_plus_have_bands() -> None:
    """`scrub` writes 90+ for the oldest people. Such a column used to get a flat hierarchy, so
    plans lost more.
    """
    years = [str(1940 + i % 60) for i in range(300)] + ["90+"] * 6
    assert guess_hierarchy(column(years, "birth_year")) == "year"
    found = plan({"birth_year": years}, {}, PlanRequest((ClassSize(6),)))
    assert found.levels == {"birth_year": 1} and found.loss < 0.1
    assert YearRule().labels_of("90+") == ("90+", "90+", "90+", "*")


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("39", ("39", "35-39", "30-39", "20-39", "*")),
        ("80-84", ("80-84", "80-84", "80-89", "80+", "*")),
        ("85+", ("85+", "85+", "85+", "80+", "*")),
        ("90 or older", ("90+", "90+", "90+", "80+", "*")),
        ("100+", ("90+", "90+", "90+", "80+", "*")),
        ("38-41", ("38-41", "38-41", "38-41", "38-41", "*")),
        ("18 months", ("1", "0-4", "0-9", "0-19", "*")),
        ("under 5", ("0-4", "0-4", "0-9", "0-19", "*")),
    ],
)
def test_ages_written_as_ranges_and_words_have_labels(value: str, labels: tuple[str, ...]) -> None:
    assert AgeRule().labels_of(value) == labels


def test_an_unknown_word_does_not_flatten_a_hierarchy() -> None:
    ages = [str(age) for age in range(20, 80)] + ["Unknown"]
    assert guess_hierarchy(column(ages, "age")) == "age"
    numbers = [f"{n / 10}" for n in range(100)] + ["nan", "inf"]
    assert guess_hierarchy(column(numbers)) == "number"
    hierarchy, _ = build_hierarchy("number", column(numbers))
    assert hierarchy.height > 1
    assert guess_hierarchy(column(["low", "high", "3"])) == "flat"


UNKNOWN_WORDS = ["nan", "Unknown", "Declined", "N/A", "?", "NaT"]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("age", ["34", "40-44", "41", "90+"], "age"),
        ("birth_year", ["1936", "1940", "1980-1984", "90+"], "year"),
        ("state", ["NY", "CA", "MA", "TX"], "state"),
        ("seen", ["2020-01-02", "2020-02-03", "3/4/2020"], "date"),
        ("zip", ["02139", "021", "10001"], "zip"),
    ],
)
def test_words_for_unknown_do_not_flatten_a_short_column(
    name: str, values: list[str], kind: str
) -> None:
    """In a short column each word is a large share of the distinct values, which used to flatten
    the hierarchy.
    """
    for odd in ([], UNKNOWN_WORDS[:1], UNKNOWN_WORDS, [*UNKNOWN_WORDS, "9999X"]):
        mixed = column([*values, *odd], name)
        assert guess_hierarchy(mixed) == kind
        hierarchy, _ = build_hierarchy(kind, mixed)
        assert hierarchy.height > 1
    assert guess_hierarchy(column(UNKNOWN_WORDS, name)) == "flat"
    assert guess_hierarchy(column([*values[:2], "x1y", "y2z"], name)) == "flat"


@pytest.mark.parametrize("word", ["inf", "-inf", "1e999", "nan", "NaN"])
def test_infinity_and_nan_do_not_block_a_number_hierarchy(
    word: str, cpu_seconds_below: Callable[[float], AbstractContextManager[None]]
) -> None:
    """One `inf` used to make the width of the bands infinite and the search for it endless."""
    with cpu_seconds_below(5):
        values = [str(n) for n in range(60)] + [word]
        hierarchy, rule = build_hierarchy("number", column(values))
        assert rule.labels_of(word) is None and hierarchy.height > 1


@pytest.mark.parametrize("odd", [9999, -9999, 1e12])
def test_one_outlier_does_not_widen_the_bands(odd: float) -> None:
    values = [float(v) for v in np.random.default_rng(1).integers(0, 90, 400)]
    alone, spoiled = round_bands(values), round_bands([*values, odd])
    assert alone.cuts == spoiled.cuts
    table = {"x": [str(int(v)) for v in values] + [str(int(odd))]}
    found = plan(table, {}, PlanRequest((ClassSize(3),), max_suppression=0.01))
    assert found.loss < 0.1


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200))
@settings(max_examples=100, deadline=None)
def test_bands_contain_every_number(values: list[float]) -> None:
    low, high = usual_range(values)
    assert min(values) <= low <= high <= max(values)
    for rule in (round_bands(values), quantile_bands(values)):
        for value in values:
            assert rule.labels_of(repr(value)) is not None


SPELLED = st.one_of(
    st.integers(0, 120).map(str),
    st.integers(0, 99).map(lambda n: f"{n}+"),
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: f"{p[0]}-{p[0] + p[1]}"),
)


@given(st.lists(SPELLED, min_size=1, max_size=40, unique=True))
@settings(max_examples=100, deadline=None)
@example(["91", "92", "93", "94", "30-90"])
def test_levels_of_mixed_values_are_nested(values: list[str]) -> None:
    """`Hierarchy` refuses values that share a label at one level and differ at the next."""
    build_hierarchy("age", column([*values]))
    build_hierarchy("number", column(["1", *values]))
