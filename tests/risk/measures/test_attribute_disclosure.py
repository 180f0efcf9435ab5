"""Attribute disclosure: l-diversity, t-closeness and information, compared with their
definitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import pytest

from risk.measures.assessment import RiskRequest, assess
from risk.measures.attribute_disclosure import Disclosure
from risk.tables.classes import Classes
from risk.tables.coding import encode


def measured(groups: list[object], secret: list[object]) -> Disclosure:
    table = encode({"g": groups, "s": secret})
    found = Disclosure.of(Classes.of(table.select(["g"])), table.column("s"))
    assert found is not None
    return found


def test_a_group_with_one_value_discloses_it() -> None:
    """Malin et al. 2011, footnote i: all males have the same diagnosis."""
    found = measured(list("MMFF"), ["flu", "flu", "flu", "gout"])
    assert found.distinct_l == 1 and found.homogeneous_records == 0.5
    assert found.entropy_l == 1.0


def test_information_is_between_none_and_all() -> None:
    nothing = measured(list("AABB"), list("xyxy"))
    assert nothing.information_bits == pytest.approx(0) and nothing.t_equal == 0
    everything = measured(list("AABB"), list("xxyy"))
    assert everything.information_bits == pytest.approx(everything.entropy_bits) == 1.0
    assert everything.t_equal == 0.5


def test_entropy_and_recursive_diversity() -> None:
    found = measured(list("AAAABB"), list("xxyzxy"))
    shares = [0.5, 0.25, 0.25]
    assert found.entropy_l == pytest.approx(min(2.0, 2 ** -sum(p * math.log2(p) for p in shares)))
    assert found.recursive_c == pytest.approx(1.0)
    assert found.distinct_l == 2


def test_t_closeness_of_the_salaries_of_li_et_al() -> None:
    """Li et al. 2007, section 4.1: salaries of 3k-11k. The class {3k, 4k, 5k} has distance 0.375,
    the class {6k, 8k, 11k} 0.167.
    """
    salaries = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    found = measured(list("AAABBBCCC"), salaries)
    assert found.t_ordered == pytest.approx(0.375)
    other = measured(["B" if s in (6, 8, 11) else "rest" for s in salaries], salaries)
    assert other.t_ordered == pytest.approx(0.1667, abs=1e-4)
    assert measured(list("AB"), ["x", "y"]).t_ordered is None


def test_attribute_disclosure_does_not_depend_on_the_row_order() -> None:
    generator = np.random.default_rng(0)
    groups, secret = generator.integers(0, 5, 200), generator.integers(0, 4, 200)
    order = generator.permutation(200)
    one = measured(list(groups), list(secret))
    other = measured(list(groups[order]), list(secret[order]))
    assert one.information_bits == pytest.approx(other.information_bits)
    assert one.t_ordered == pytest.approx(other.t_ordered)
    assert one.distinct_l == other.distinct_l


def test_an_empty_table_discloses_nothing() -> None:
    table = encode({"g": [], "s": []})
    assert Disclosure.of(Classes.of(table.select(["g"])), table.column("s")) is None


def test_ordered_distance_of_many_classes_and_values_is_computed_quickly(
    cpu_seconds_below: Callable[[float], AbstractContextManager[None]],
) -> None:
    """Amounts in cents in twenty thousand classes: the time for each class depends on its own
    values, not on all values.
    """
    generator = np.random.default_rng(1)
    table = {
        "area": generator.integers(0, 20_000, 60_000),
        "paid": np.round(generator.gamma(2, 500, 60_000), 2),
    }
    with cpu_seconds_below(10):
        (found,) = assess(table, ["area"], RiskRequest(sensitive=("paid",))).disclosure
        assert found.t_ordered is not None and 0 < found.t_ordered <= 1


def test_equal_numbers_written_differently_have_the_same_rank() -> None:
    table = {"c": list("aabb"), "s": ["1", "2", "1.0", "2"]}
    (found,) = assess(table, ["c"], RiskRequest(sensitive=("s",))).disclosure
    assert found.t_ordered == pytest.approx(0.0, abs=1e-12)
