"""A policy states its differences from another policy; everything else, and the claim, is
inherited.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.policy.model import open_policy, policy_schema, read_policy
from safe_harbor import Identifier

ROOT = Path(__file__).resolve().parents[3]


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_the_policy_in_the_crosswalk_guide_is_valid(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "guides" / "crosswalk.md").read_text("utf-8")
    lines = re.search(r"```yaml[^\n]*\n(extends: .*?)```", guide, re.DOTALL)
    assert lines is not None
    policy = read_policy(write(tmp_path, "coded.yaml", lines[1]))
    assert policy.transforms[Identifier.MRNS] == "code"
    assert policy.transforms[Identifier.SSNS] == "tag"
    assert policy.transforms[Identifier.DATES]["AGE_OVER_89"] == "age_cap"
    assert policy.needs_crosswalk
    assert policy.name == "extends safe_harbor"


def test_a_base_policy_is_found_relative_to_the_folder_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    write(tmp_path / "base", "a.yaml", "extends: safe_harbor\ntags: numbered\nname: a\n")
    write(tmp_path / "base", "b.yaml", "extends: a.yaml\nproviders: keep\n")
    policy = read_policy(write(tmp_path, "c.yaml", "extends: base/b.yaml\nname: ours\n"))
    assert (policy.name, policy.tags, policy.providers) == ("ours", "numbered", "keep")


def test_column_rules_of_the_nearer_policy_match_first(tmp_path: Path) -> None:
    near = "{name: x, action: drop}"
    far = "{name: x, action: keep, reason: measured}"
    write(tmp_path, "far.yaml", f"extends: safe_harbor\ncolumns: [{far}]\n")
    policy = read_policy(write(tmp_path, "near.yaml", f"extends: far.yaml\ncolumns: [{near}]\n"))
    rule = policy.column_rule("t.csv", "x")
    assert rule is not None and rule.action == "drop"
    assert len(policy.columns) == 2


def test_an_inherited_policy_keeps_its_claim(tmp_path: Path) -> None:
    text = "extends: safe_harbor\ntransforms: {mrns: derived_code}\n"
    with pytest.raises(DeidError) as raised:
        read_policy(write(tmp_path, "p.yaml", text))
    assert raised.value.code == "policy-refused"


@pytest.mark.parametrize("text", ["extends: p.yaml\n", "extends: [safe_harbor]\n", "extends: ''\n"])
def test_a_circular_chain_of_policies_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DeidError) as raised:
        read_policy(write(tmp_path, "p.yaml", text))
    assert raised.value.code == "policy-invalid"


def test_a_missing_base_policy_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as raised:
        read_policy(write(tmp_path, "p.yaml", "extends: canary-7Q.yaml\n"))
    assert raised.value.code == "policy-unreadable"
    assert "canary" not in raised.value.message + raised.value.hint


def test_settings_override_the_policy_and_are_named() -> None:
    policy = open_policy(
        "safe_harbor", ["transforms.mrns=code", "zip3_census=2010", "tags=numbered"]
    )
    assert policy.transforms[Identifier.MRNS] == "code"
    assert (policy.zip3_census, policy.tags) == ("2010", "numbered")
    assert policy.name == "safe_harbor with settings"
    assert open_policy("safe_harbor").sha256 != policy.sha256
    dates = open_policy("safe_harbor", ["transforms.dates.WEEKDAY=year"]).transforms
    assert dates[Identifier.DATES] == {
        **open_policy("safe_harbor").transforms[Identifier.DATES],
        "WEEKDAY": "year",
    }


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("transforms.mrns", "usage"),
        ("=code", "usage"),
        ("transforms..mrns=code", "usage"),
        ("columns.x=keep", "usage"),
        ("transforms.mrns=canary-7Q", "policy-invalid"),
        ("canary-7Q=1", "policy-invalid"),
        ("transforms.mrns=keep", "policy-refused"),
    ],
)
def test_an_invalid_setting_is_refused(setting: str, code: str) -> None:
    with pytest.raises(DeidError) as raised:
        read_policy("safe_harbor", [setting])
    assert raised.value.code == code
    assert "canary-7Q" not in raised.value.message.replace("canary-7Q: Extra", "")


def test_the_schema_accepts_policies_that_extend_another() -> None:
    schema = policy_schema()
    assert "extends" in schema["properties"]
    assert {"required": ["extends"]} in schema["anyOf"]


def test_an_unused_crosswalk_is_reported(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("BP 120/80")
    key = ["--key-file", str(tmp_path / "k")]
    deid = [sys.executable, "-m", "deid"]
    made = [*deid, "crosswalk", "init", str(tmp_path / "b.db"), *key]
    subprocess.run(made, check=True, capture_output=True)
    asked = [*deid, "scrub", str(tmp_path / "n.txt"), "--crosswalk", str(tmp_path / "b.db"), *key]
    plain = subprocess.run([*asked, "-o", str(tmp_path / "o")], capture_output=True, text=True)
    coded = subprocess.run(
        [*asked, "-o", str(tmp_path / "p"), "--set", "transforms.mrns=code"],
        capture_output=True,
        text=True,
    )
    assert "no transform of this policy uses the crosswalk" in plain.stderr
    assert "uses the crosswalk" not in coded.stderr
    manifest = json.loads((tmp_path / "p" / "_release" / "manifest.json").read_text())
    assert manifest["policy"] == "safe_harbor with settings"
    assert "--set KEY=VALUE" in manifest["command"]


def test_a_policy_that_extends_another_does_not_carry_its_name(tmp_path: Path) -> None:
    text = "name: safe_harbor\nextends: safe_harbor\nproviders: keep\n"
    assert read_policy(write(tmp_path, "own.yaml", text)).name == "extends safe_harbor"
