"""The policy that a plan writes repeats the plan as far as transforms can."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from deid.cli import main
from deid.plans.actions import action_of
from risk import build_hierarchy, encode


def run(*words: str | Path) -> int:
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    return int(end.value.code or 0)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    ("kind", "values", "level", "action"),
    [
        ("age", [31, 34, 62, 89], 1, None),  # `_ACTIONS` gives the reason: only the cap at 89
        ("age", [31, 34, 62, 89], 3, "band(10)"),
        ("icd10cm", ["E11.9", "I10", "J45.909"], 1, "truncate(3)"),
        ("zip", ["02139", "02140"], 2, None),
    ],
)
def test_the_action_corresponds_to_the_level(
    kind: str, values: list[object], level: int, action: str | None
) -> None:
    column = encode({"c": values}, ["c"]).column("c")
    hierarchy, _ = build_hierarchy(kind, column)
    assert action_of(kind, hierarchy, level) == action


def test_scrub_with_the_policy_of_a_plan_writes_the_table_of_the_plan(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    lines = [
        f"{age},{sex},{code}" for age in range(30, 90) for sex in "MF" for code in ("I10", "E11.9")
    ]
    table.write_text("\n".join(["age,sex,dx", *lines]) + "\n")
    plan = ("plan", table, "--quasi", "age,dx", "--levels", "age=3-3,dx=1-1", "--k", "5")
    assert run(*plan, "-o", tmp_path / "planned", "--json") == 0
    policy = tmp_path / "planned" / "table.policy.yaml"
    assert run("scrub", table, "-o", tmp_path / "out", "--policy", policy, "--quiet") == 0
    planned, scrubbed = (
        rows(tmp_path / "planned" / "table.csv"),
        rows(tmp_path / "out" / "table.csv"),
    )
    assert scrubbed == planned
    assert planned[0] == {"age": "30-39", "sex": "M", "dx": "I10"}
    manifest = json.loads((tmp_path / "out" / "_release" / "manifest.json").read_text("utf-8"))
    assert manifest["verdict"]["supported"] == "expert_determination"
