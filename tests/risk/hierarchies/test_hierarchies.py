"""Built-in hierarchies: nested, complete, and built by the same rule for the next extract."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from risk import RiskError, build_hierarchy, encode, guess_hierarchy
from risk.hierarchies.register import apply_rule, restore_rule
from risk.tables.coding import CodedColumn


def column(name: str, values: list[object]) -> CodedColumn:
    return encode({name: values}).columns[0]


def labels(kind: str, value: str, name: str = "x") -> list[object]:
    hierarchy, _ = build_hierarchy(kind, column(name, [value]))
    return next(row for row in hierarchy.rows() if row[0] == value)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("age", "37", ["37", "37", "35-39", "30-39", "20-39", "*"]),
        ("age", "89", ["89", "89", "85-89", "80-89", "80+", "*"]),
        ("age", "97", ["97", "90+", "90+", "90+", "80+", "*"]),
        (
            "date",
            "2019-05-17",
            ["2019-05-17", "2019-05", "2019-Q2", "2019", "2015-2019", "2010-2019", "*"],
        ),
        (
            "date",
            "05/17/2019",
            ["05/17/2019", "2019-05", "2019-Q2", "2019", "2015-2019", "2010-2019", "*"],
        ),
        (
            "date",
            "2019-05-17T08:30:00",
            [
                "2019-05-17T08:30:00",
                *("2019-05-17", "2019-05", "2019-Q2", "2019", "2015-2019", "2010-2019", "*"),
            ],
        ),
        ("zip", "02139", ["02139", "021", "MA", "New England", "Northeast", "*"]),
        ("zip", "2139", ["2139", "021", "MA", "New England", "Northeast", "*"]),
        ("zip", "98101-1234", ["98101-1234", "981", "WA", "Pacific", "West", "*"]),
        ("zip", "00601", ["00601", "006", "PR", "Island areas", "Island areas", "*"]),
        ("state", "OH", ["OH", "East North Central", "Midwest", "*"]),
        ("icd10cm", "E11.65", ["E11.65", "E11", "E08-E13", "chapter IV", "*"]),
        ("icd10cm", "M1A0110", ["M1A0110", "M1A", "M05-M14", "chapter XIII", "*"]),
        ("icd10cm", "Z3A.20", ["Z3A.20", "Z3A", "Z30-Z39", "chapter XXI", "*"]),
        ("flat", "anything", ["anything", "*"]),
    ],
)
def test_a_value_has_the_labels_of_its_levels(kind: str, value: str, expected: list[str]) -> None:
    assert labels(kind, value) == expected


# Every day between the first and the last is a leaf, so a few years cover all cases that can go
# wrong.
_DAYS = st.dates(date(1900, 1, 1), date(2030, 1, 1)).flatmap(
    lambda first: st.lists(
        st.dates(first, min(first + timedelta(days=3000), date(2030, 1, 1))),
        min_size=1,
        max_size=20,
    )
)


@settings(max_examples=30, deadline=None)
@given(_DAYS)
@example([date(1900, 1, 1), date(2030, 1, 1)])
def test_dates_are_nested_and_their_loss_counts_days(days: list[date]) -> None:
    hierarchy, rule = build_hierarchy("date", column("x", [d.isoformat() for d in days]))
    first, last = min(days).year, max(days).year
    assert len(hierarchy.leaves) == (date(last, 12, 31) - date(first, 1, 1)).days + 1
    year = hierarchy.shares(3)
    assert year.sum() == pytest.approx(1)
    assert (
        apply_rule(restore_rule(rule.kind, rule.settings), column("x", ["1999-12-31"])).height == 6
    )


@settings(deadline=None)
@example([0.0, -2.0, -0.0625], "number")  # 2.0 // 0.05 is 39.0
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60), st.sampled_from(["number", "quantile"])
)
def test_bands_are_nested_contain_the_number_and_are_reproducible(
    numbers: list[float], kind: str
) -> None:
    texts = [repr(n) for n in numbers]
    hierarchy, rule = build_hierarchy(kind, column("x", texts))
    again = restore_rule("number", rule.settings)
    for row in hierarchy.rows():
        assert tuple(row[1:]) == again.labels_of(str(row[0]))
        for label in row[1:-1]:
            assert _holds(str(label), float(str(row[0])))


def _holds(band: str, number: float) -> bool:
    if band.startswith("<"):
        return number < float(band[1:]) * (1 + 1e-5) + 1e-5
    if band.startswith(">="):
        return number >= float(band[2:]) - abs(float(band[2:])) * 1e-5 - 1e-5
    low, high = band[1:-1].split(",")
    slack = 1e-5 * max(1.0, abs(number))
    return float(low) - slack <= number <= float(high) + slack


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("age", ["20", "30"], "age"),
        ("patient_age", ["20", "30"], "age"),
        ("zip", ["02139", "10001"], "zip"),
        ("st", ["MA", "OH"], "state"),
        ("when", ["2020-01-01", "2020-05-01"], "date"),
        ("dx", ["E11.9", "I10"], "icd10cm"),
        ("weight", [str(40 + i / 2) for i in range(60)], "number"),
        ("sex", ["M", "F"], "flat"),
        ("score", ["1", "2", "3"], "flat"),
    ],
)
def test_a_kind_is_guessed_from_name_and_values(name: str, values: list[str], kind: str) -> None:
    assert guess_hierarchy(column(name, [*values, None])) == kind


def test_values_that_a_rule_does_not_understand_are_counted_and_not_shown() -> None:
    with pytest.raises(RiskError) as caught:
        build_hierarchy("age", column("age", ["30", "Jane Roe"]))
    assert caught.value.code == "not-understood"
    assert "1 of 2 values" in str(caught.value)
    assert "Jane" not in f"{caught.value}{caught.value.place}{caught.value.hint}"


def test_a_missing_value_stays_missing_below_the_top_level() -> None:
    from risk.hierarchies.level_maps import map_levels

    held = column("age", ["30", None, "31"])
    level_map = map_levels(build_hierarchy("age", held)[0], held)
    told = [level_map.labels[level][level_map.steps[level]].tolist() for level in range(6)]
    assert sorted(told[0], key=str) == ["30", "31", None]
    where = list(held.values).index(None)
    assert [level[where] for level in told] == [None, None, None, None, None, "*"]


def test_every_day_of_a_year_has_a_quarter() -> None:
    first = date(2020, 1, 1)
    days = [(first + timedelta(days=n)).isoformat() for n in range(366)]
    hierarchy, _ = build_hierarchy("date", column("x", days))
    counts = np.bincount(hierarchy.groups[2])
    assert sorted(counts.tolist()) == [91, 91, 92, 92]


def test_a_hierarchy_of_many_days_is_built_quickly(
    cpu_seconds_below: Callable[[float], AbstractContextManager[None]],
) -> None:
    """Ninety years of days, nearly all of which occur: each day is looked up and not searched
    for.
    """
    first = date(1930, 1, 1)
    days = [(first + timedelta(days=n)).isoformat() for n in range(33_000) if n % 50]
    with cpu_seconds_below(10):
        hierarchy, _ = build_hierarchy("date", encode({"d": days}).columns[0])
        assert len(hierarchy.leaves) >= 33_000
