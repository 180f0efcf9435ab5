"""`fhirPathRules` as a policy: which element each rule decides, and which rules are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deid.cli.policy import app
from deid.errors import DeidError
from deid.policy.column_index import ColumnIndex
from deid.policy.fhir_path.rules import read_configuration
from deid.policy.fhir_path.selectors import parse_selector
from deid.policy.model import Policy, open_policy, read_policy
from deid.policy.table_rules import ColumnRule

PARTIAL = {"enablePartialDatesForRedact": True, "enablePartialZipCodesForRedact": True}
FULL = {**PARTIAL, "enablePartialAgesForRedact": True}


def config(*rules: dict[str, Any], **parameters: object) -> dict[str, Any]:
    return {"fhirPathRules": list(rules), "parameters": parameters}


def rule(path: str, method: str, **more: object) -> dict[str, Any]:
    return {"path": path, "method": method, **more}


def policy_file(folder: Path, content: dict[str, Any]) -> str:
    path = folder / f"config-{len(list(folder.iterdir()))}.json"
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def policy(folder: Path, content: dict[str, Any]) -> Policy:
    return open_policy(policy_file(folder, content))


def actions(of: Policy, *columns: str) -> list[str | None]:
    found = [of.column_rule("fhir.ndjson", column) for column in columns]
    return [None if one is None else one.action for one in found]


def test_the_first_rule_that_selects_an_element_or_its_parent_decides(
    tmp_path: Path,
) -> None:
    made = policy(
        tmp_path,
        config(
            rule("nodesByType('HumanName').use", "keep"),
            rule("Patient.nodesByType('Address').city", "cryptoHash"),
            rule("nodesByType('Address')", "redact"),
            rule("Condition.onset as Age", "redact"),
            rule("Condition.onset", "keep"),
            rule("nodesByName('display')", "redact"),
            rule("nodesByType('HumanName')", "redact"),
            rule("nodesByType('date')", "redact"),
            **PARTIAL,
        ),
    )
    assert actions(
        made,
        "Patient.name.use",
        "Patient.name.family",
        "Patient.contact.name.family",
        "Practitioner.name.family",
        "Patient.address.city",
        "Organization.address.city",
        "Patient.address.postalCode",
        "Patient.birthDate",
        "Condition.code.coding.display",
        "Condition.code.coding.display[published]",
        "Observation.code.coding.code",
    ) == [
        None,
        "remove",
        "remove",
        "remove",
        "code",
        "remove",
        "zip3",
        "year",
        "drop",
        "drop",
        None,
    ]
    # Elements that `as` does not select are decided by the next rule. A kept date breaks Safe
    # Harbor.
    assert actions(made, "Condition.onsetDateTime") == ["keep"]
    assert made.verdict().breaches


@pytest.mark.parametrize(
    ("method", "more", "identifier", "coded"),
    [
        ("redact", {}, "remove", "drop"),
        ("cryptoHash", {}, "code", "drop"),
        ("KEEP", {}, "keep", None),
        ("dateShift", {}, None, None),
        ("substitute", {"replaceWith": "x"}, "dictionary", "dictionary"),
        ("generalize", {"cases": {"$this = 'a'": "'b'"}}, "dictionary", "dictionary"),
    ],
)
def test_every_method_becomes_an_action(
    tmp_path: Path, method: str, more: dict[str, Any], identifier: str, coded: str
) -> None:
    made = policy(
        tmp_path,
        config(rule("Patient.name", method, **more), rule("Patient.gender", method, **more)),
    )
    assert actions(made, "Patient.name.family", "Patient.gender") == [identifier, coded]


def test_the_partial_parameters_determine_what_redact_leaves(tmp_path: Path) -> None:
    everything = rule("Resource", "redact")
    names = ("Patient.birthDate", "Patient.address.postalCode", "Patient.address.city")
    assert actions(policy(tmp_path, config(everything)), *names) == ["remove"] * 3
    partial = policy(tmp_path, config(everything, **FULL))
    assert actions(partial, *names) == ["year", "zip3", "remove"]
    assert not partial.verdict().breaches


def test_rules_weaker_than_safe_harbor_are_refused_unless_the_claim_permits_them(
    tmp_path: Path,
) -> None:
    shifted = policy_file(tmp_path, config(rule("Patient.birthDate", "dateShift")))
    kept = policy_file(tmp_path, config(rule("Patient.telecom", "keep")))
    for weak in (shifted, kept):
        with pytest.raises(DeidError) as caught:
            read_policy(weak)
        assert caught.value.code == "policy-refused"
    expert = ["claim=expert_determination"]
    assert read_policy(shifted, expert).columns
    with pytest.raises(DeidError):
        read_policy(kept, expert)  # no claim permits telephone numbers


def test_a_catch_all_that_keeps_is_not_weaker_than_the_policy_it_extends(tmp_path: Path) -> None:
    made = policy(
        tmp_path, config(rule("nodesByType('HumanName')", "redact"), rule("Group", "keep"))
    )
    assert actions(made, "Observation.valueString", "Patient.telecom.value") == [None, None]


@pytest.mark.parametrize(
    "bad",
    [
        rule("Patient.name", "encrypt"),
        rule("Patient.name", "perturb", span=1),
        rule("Patient.name", "blur"),
        rule("Patient.name.where(use = 'Zelda')", "redact"),
        rule("name.family", "redact"),
        rule("Patient.name", "substitute", replaceWith={"family": "Zelda"}),
        rule("Patient.name", "generalize", cases={"$this >= @2020-01-01": "'Zelda'"}),
        rule("Patient.name", "generalize", cases={"$this = 'Zelda'": "$this"}),
        rule("Patient.name", "generalize", cases={"$this = 'a'": "'b'"}, otherValues="keep"),
    ],
)
def test_an_unsupported_rule_is_refused_by_number_and_without_a_value(bad: dict[str, Any]) -> None:
    with pytest.raises(DeidError) as caught:
        read_configuration(config(rule("Patient.name", "redact"), bad))
    assert caught.value.code == "fhir-path-unread"
    assert "rule 2:" in caught.value.message
    assert "rule 1:" not in caught.value.message
    assert "Zelda" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{}, [{"path": "Patient"}], ["Patient"], None])
def test_a_configuration_without_rules_is_refused(wrong: object) -> None:
    with pytest.raises(DeidError):
        read_configuration({"fhirPathRules": wrong})


def test_generalize_maps_the_values_of_its_cases(tmp_path: Path) -> None:
    cases = {"$this in ('en-GB' | 'en-US')": "'en'", "('es-AR' | 'es-ES') contains $this": "'es'"}
    made = policy(
        tmp_path,
        config(rule("Patient.communication.language.coding.code", "generalize", cases=cases)),
    )
    found = made.column_rule("x", "Patient.communication.language.coding.code")
    assert found is not None
    assert found.map == {"en-GB": "en", "en-US": "en", "es-AR": "es", "es-ES": "es"}


def test_unsupported_paths_are_not_parsed() -> None:
    resources = frozenset(["Patient"])
    for path in ("", "Patient.", ".name", "Patient..name", "Patient.name[0]", "Patient | Group"):
        assert parse_selector(path, resources) is None


def test_the_command_lists_each_rule(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config(rule("Patient.name", "cryptoHash"))), "utf-8")
    done = CliRunner().invoke(app, ["rules", str(path), "--json"])
    [row] = json.loads(done.stdout)
    assert row["becomes"] == "code: random, not derived from the value"
    assert row["paths"] > 4


def test_an_index_finds_the_same_rule_as_a_search_from_the_first() -> None:
    rules = [
        ColumnRule(pattern="P*.b", action="drop"),
        ColumnRule(name="Pa.b", action="text"),
        ColumnRule(pattern="pa.[[]*", action="remove"),
        ColumnRule(name="Pa.c", table="other*", action="text"),
        ColumnRule(pattern="*", action="text"),
    ]
    index = ColumnIndex.of(rules)
    for column in ("Pa.b", "pa.b", "Pa.c", "PA.[x]", "Pa.[x", "q", ""):
        for table in ("a.csv", "Other.csv"):
            plain = next((one for one in rules if one.matches(table, column)), None)
            assert index.first(table, column) is plain
