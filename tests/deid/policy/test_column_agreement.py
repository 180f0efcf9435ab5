"""Two people classify the same columns."""

from __future__ import annotations

import pytest

from deid.policy.column_agreement import compare_columns
from deid.policy.model import Policy, parse_policy, policy_text

BASE = policy_text("safe_harbor")
LINES = {
    "NAME": "identifier: names, action: tag",
    "ZIP": "identifier: places, entity: US_ZIP_CODE, action: zip3",
    "BORN": "identifier: dates, entity: BIRTH_DATE, action: year",
    "SEX": "action: keep, reason: few values",
    "DX": "role: sensitive, action: keep, reason: codes",
    "NOTE": "action: text",
}


def _policy(**changed: str | None) -> Policy:
    lines = {**LINES, **changed}
    rules = [f"  - {{name: {name}, {line}}}\n" for name, line in lines.items() if line]
    return parse_policy(BASE.replace("columns: []\n", "columns:\n" + "".join(rules)))


def test_identical_classifications_agree_completely() -> None:
    found = compare_columns(_policy(), _policy())
    assert (found.columns, found.by_role, found.by_word, found.differing) == (6, 1.0, 1.0, ())


def test_kappa_of_two_policies_is_that_computed_by_hand() -> None:
    found = compare_columns(_policy(), _policy(ZIP="identifier: places, action: tag"))
    # Roles: direct quasi quasi keep sensitive text against direct direct quasi keep sensitive text:
    # five of six agree; by chance (1*2 + 2*1 + 1 + 1 + 1) / 36.
    assert found.by_role == pytest.approx((5 / 6 - 7 / 36) / (1 - 7 / 36))
    assert found.by_word == 1.0
    assert [(d.header, d.one, d.other) for d in found.differing] == [
        ("ZIP", "quasi (places), zip3", "direct (places), tag")
    ]


def test_a_column_missing_from_one_policy_is_a_difference() -> None:
    found = compare_columns(_policy(), _policy(DX=None))
    assert [(d.header, d.other) for d in found.differing] == [("DX", "not named")]


def test_nothing_to_compare_has_no_kappa() -> None:
    found = compare_columns(parse_policy(BASE), parse_policy(BASE))
    assert found.by_role is None and found.columns == 0


def test_differing_settings_are_reported_without_a_column() -> None:
    changes = {"  names: tag": "  names: keep", "otherwise: year": "otherwise: shift"}
    text = BASE.replace("claim: safe_harbor", "claim: limited_data_set")
    for before, after in changes.items():
        text = text.replace(before, after)
    found = compare_columns(parse_policy(BASE), parse_policy(text))
    assert [(s.name, s.one, s.other) for s in found.settings] == [
        ("claim", "safe_harbor", "limited_data_set"),
        ("transforms.names", "tag", "keep"),
        ("transforms.dates", "year", "shift"),
    ]


def test_an_identifier_with_one_transform_is_compared_with_one_with_several() -> None:
    several = BASE.replace("  phones: tag", "  phones: {otherwise: tag, PHONE_NUMBER: keep}")
    found = compare_columns(parse_policy(BASE), parse_policy(several))
    assert [(s.name, s.one, s.other) for s in found.settings] == [
        ("transforms.phones.PHONE_NUMBER", "tag", "keep")
    ]


def test_columns_of_one_class_but_other_actions_differ() -> None:
    found = compare_columns(_policy(), _policy(NAME="identifier: names, action: remove"))
    assert found.by_role == 1.0
    assert [(d.one, d.other) for d in found.differing] == [
        ("direct (names), tag", "direct (names), remove")
    ]


def test_differing_risk_limits_are_reported() -> None:
    limited = BASE + "risk:\n  - {quasi: [ZIP], cell_size: 5}\n"
    found = compare_columns(parse_policy(BASE), parse_policy(limited))
    assert [(s.name, s.one) for s in found.settings] == [("risk", "none")]
