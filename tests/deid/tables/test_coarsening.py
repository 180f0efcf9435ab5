"""Transforms that coarsen: bands, rounding, limits, the first characters, a map, intervals."""

from __future__ import annotations

from datetime import date

import pytest

from deid.errors import DeidError
from deid.policy.model import parse_policy, policy_text
from deid.transforms import TransformContext, transform
from safe_harbor import Claim, Identifier, Residue

REFERENCE = date(2026, 11, 21)


def _left(action: str, value: str, entity: str = "", index: date | None = None) -> tuple[str, str]:
    beside = None if index is None else index.isoformat()
    context = TransformContext(Identifier.DATES, entity, REFERENCE, where="column", beside=beside)
    outcome = transform(action).apply(value, context)
    return outcome.text, outcome.residue.value


@pytest.mark.parametrize(
    ("action", "value", "left"),
    [
        ("band(10)", "67", "60-69"),
        ("band(10)", "-3", "-10--1"),
        ("band(0.5)", "0.7", "0.5-<1"),
        ("band(1)", "3", "3"),
        ("round(5)", "172.4", "170"),
        ("top_code(85)", "87", "85+"),
        ("top_code(85)", "84.5", "84.5"),
        ("bottom_code(18)", "17", "<18"),
        ("truncate(3)", "I21.4", "I21"),
        ('dictionary({"M": "male", "*": "other"})', " m ", "male"),
        ('dictionary({"M": "male", "*": "other"})', "X", "other"),
        ('dictionary({"M": "male"})', "X", ""),
        ("band(10)", "unknown", ""),
    ],
)
def test_each_coarsening_transform_leaves_its_documented_value(
    action: str, value: str, left: str
) -> None:
    assert _left(action, value)[0] == left


@pytest.mark.parametrize(
    ("action", "value", "left"),
    [
        ("band(10)", "93", "90+"),
        ("band(20)", "85", "80-89"),
        ("round(20)", "85", "80"),
        ("round(10)", "89", "90+"),
        ("top_code(95)", "93", "90+"),
        ("top_code(85)", "93", "85+"),
        ("bottom_code(18)", "104", "90+"),
        ("band(10)", "+91", ""),
        ("band(100)", "1091", ""),
        ("top_code(95)", "+91", ""),
        ("bottom_code(18)", "0000095", ""),
        ("round(5)", "-91", ""),
    ],
)
def test_ages_over_89_are_not_distinguished(action: str, value: str, left: str) -> None:
    assert _left(action, value, "AGE")[0] == left


def test_an_interval_counts_days_from_the_index_date() -> None:
    assert _left("interval(ADMIT)", "2024-03-04", "DATE_TIME", date(2024, 2, 28)) == (
        "5",
        "interval",
    )
    assert _left("interval(ADMIT)", "2024", "DATE_TIME", date(2024, 2, 28)) == ("", "nothing")
    assert _left("interval(ADMIT)", "2024-03-04", "DATE_TIME") == ("", "nothing")


def test_an_interval_of_ninety_years_is_treated_as_an_age() -> None:
    birth = date(1934, 2, 28)
    assert _left("interval(B1)", "2024-02-27", "DATE_TIME", birth) == ("32871", "interval")
    assert _left("interval(B1)", "2024-02-28", "DATE_TIME", birth) == ("", "nothing")


def test_days_since_birth_are_an_age_and_not_an_interval() -> None:
    assert Residue.VALUE in transform("interval(ADMIT)").residues("BIRTH_DATE")


@pytest.mark.parametrize("action", ["band", "band()", "band(0)", "band(x)", "tag(3)", "dictionary"])
def test_a_missing_or_wrong_argument_is_refused(action: str) -> None:
    rule = f"columns:\n  - {{name: A, action: '{action}', reason: ours}}\n"
    with pytest.raises(DeidError) as caught:
        parse_policy(policy_text("safe_harbor").replace("columns: []\n", rule))
    assert caught.value.code == "policy-invalid"


def test_a_band_of_ages_is_safe_harbor_and_the_first_digits_of_a_phone_are_not() -> None:
    ages = "columns:\n  - {name: AGE, identifier: dates, entity: AGE, action: band(10)}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", ages))
    assert policy.verdict().supported is Claim.SAFE_HARBOR
    phones = "columns:\n  - {name: TEL, identifier: phones, action: truncate(3)}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", phones))
    assert [b.identifier for b in policy.verdict().breaches] == [Identifier.PHONES]


def test_a_map_is_part_of_the_policy_and_of_its_hash() -> None:
    base = policy_text("safe_harbor")
    rule = "columns:\n  - {name: SEX, action: dictionary, map: {M: male}, reason: ours}\n"
    one = parse_policy(base.replace("columns: []\n", rule))
    two = parse_policy(base.replace("columns: []\n", rule.replace("male", "man")))
    assert one.sha256 != two.sha256
