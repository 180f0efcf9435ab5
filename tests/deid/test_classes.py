"""Two people class the same columns."""

from __future__ import annotations

import pytest

from deid.classes import compare
from deid.policy import Policy, parse_policy, policy_text

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


def test_the_same_classes_agree_wholly() -> None:
    found = compare(_policy(), _policy())
    assert (found.columns, found.by_role, found.by_word, found.differing) == (6, 1.0, 1.0, ())


def test_kappa_by_hand() -> None:
    found = compare(_policy(), _policy(ZIP="identifier: places, action: tag"))
    # Roles: direct quasi quasi keep sensitive text against direct direct quasi keep sensitive text:
    # five of six agree; by chance (1*2 + 2*1 + 1 + 1 + 1) / 36.
    assert found.by_role == pytest.approx((5 / 6 - 7 / 36) / (1 - 7 / 36))
    assert found.by_word == 1.0
    assert [(d.header, d.one, d.other) for d in found.differing] == [
        ("ZIP", "quasi (places)", "direct (places)")
    ]


def test_a_column_one_of_them_left_out_is_a_difference() -> None:
    found = compare(_policy(), _policy(DX=None))
    assert [(d.header, d.other) for d in found.differing] == [("DX", "not named")]


def test_nothing_to_compare_has_no_kappa() -> None:
    found = compare(parse_policy(BASE), parse_policy(BASE))
    assert found.by_role is None and found.columns == 0
