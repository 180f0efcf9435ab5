"""A policy is checked before any record is read; every fault and every breach is reported at
once.
"""

from __future__ import annotations

import pytest

from deid.errors import DeidError
from deid.policy.model import SHIPPED_POLICIES, parse_policy, policy_text, read_policy
from safe_harbor import Claim, Identifier, Residue

BASE = policy_text("safe_harbor")


@pytest.mark.parametrize("name", SHIPPED_POLICIES)
def test_shipped_policies_support_their_claim(name: str) -> None:
    policy = read_policy(name)
    assert policy.claim.value == name
    assert policy.verdict().supported.value == name


def test_limited_data_set_keeps_dates_and_towns_but_no_street() -> None:
    residues = read_policy("limited_data_set").residues()
    assert Residue.VALUE in residues[Identifier.DATES]
    assert {Residue.TOWN, Residue.ZIP5} <= residues[Identifier.PLACES]
    assert Residue.VALUE not in residues[Identifier.PLACES]


def test_every_breach_of_a_policy_is_reported_at_once() -> None:
    text = BASE.replace("names: tag", "names: keep").replace("mrns: tag", "mrns: keep")
    with pytest.raises(DeidError) as caught:
        _load(text)
    assert caught.value.code == "policy-refused"
    assert "names" in caught.value.message and "mrns" in caught.value.message
    assert caught.value.exit_code == 2


def test_full_dates_do_not_support_safe_harbor_but_a_limited_data_set() -> None:
    text = BASE.replace("    otherwise: year\n", "    otherwise: keep\n", 1)
    verdict = parse_policy(text).verdict()
    assert [b.identifier for b in verdict.breaches] == [Identifier.DATES]
    assert verdict.supported is Claim.LIMITED_DATA_SET


def test_every_fault_of_a_policy_is_reported_at_once_and_without_its_value() -> None:
    text = BASE.replace("names: tag", "names: canary-7Q").replace("tags: plain", "tags: canary-8Q")
    text += "surprise: canary-9Q\n"
    with pytest.raises(DeidError) as caught:
        parse_policy(text)
    assert caught.value.code == "policy-invalid"
    assert "surprise" in caught.value.message and "tags" in caught.value.message
    assert "canary" not in caught.value.message


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("{action: tag, identifier: names}", "`name` or `pattern`"),
        ("{name: a, action: melt}", "unknown action"),
        ("{name: a, action: keep}", "reason"),
        ("{name: a, action: tag}", "identifier"),
    ],
)
def test_a_column_rule_is_checked(rule: str, part: str) -> None:
    with pytest.raises(DeidError, match=part):
        parse_policy(BASE.replace("columns: []", f"columns: [{rule}]"))


def test_a_column_kept_with_its_identifier_breaks_safe_harbor() -> None:
    text = BASE.replace("columns: []", "columns: [{name: ssn, action: keep, identifier: ssns}]")
    with pytest.raises(DeidError, match="ssns left as value"):
        _load(text)


def test_patterns_of_columns_ignore_case() -> None:
    rule = "{pattern: '*_md', table: 'enc*', action: tag, identifier: names}"
    policy = parse_policy(BASE.replace("columns: []", f"columns: [{rule}]"))
    assert policy.column_rule("ENCOUNTERS.csv", "ATTENDING_MD") is not None
    assert policy.column_rule("patients.csv", "ATTENDING_MD") is None


@pytest.mark.parametrize("text", ["- a\n- b\n", "{broken", "", "42"])
def test_a_file_that_is_not_a_policy_is_refused(text: str) -> None:
    with pytest.raises(DeidError) as caught:
        parse_policy(text)
    assert caught.value.code == "policy-invalid"


def _load(text: str) -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.yaml"
        path.write_text(text, "utf-8")
        read_policy(str(path))


def test_an_entity_of_a_plugged_in_recognizer_counts_as_another_identifier() -> None:
    policy = read_policy("safe_harbor")
    assert policy.transform_of("HOSPITAL_ID") is policy.transform_of("OTHER_ID")


def test_a_date_that_does_not_exist_is_a_fault_of_the_policy() -> None:
    with pytest.raises(DeidError) as caught:
        parse_policy("name: 2020-13-45\n")
    assert caught.value.code == "policy-invalid" and "2020" not in str(caught.value)


def test_a_copy_with_other_rules_follows_them() -> None:
    """A copy used to keep the index of rules and the hash of its original and to ignore the new
    rules.
    """
    policy = parse_policy(BASE)
    assert policy.column_rule("t", "NOTE") is None and policy.sha256
    rule = parse_policy(
        BASE.replace("columns: []", "columns: [{name: NOTE, action: text}]")
    ).columns[0]
    copied = policy.model_copy(update={"columns": (rule,)})
    assert copied.column_rule("t", "NOTE") == rule
    assert copied.sha256 != policy.sha256
