"""The column names of a release are decided once, and shown and written alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.decision import ColumnDecision
from deid.errors import DeidError
from deid.formats import ReadOptions, open_source
from deid.naming.columns import PathNames, header_name, keys_of
from deid.policy.model import Policy, parse_policy, policy_text, read_policy
from deid.tables.column_decisions import decide_columns

TABLE = "potassium,glucose_john_smith,column_7\n" + "4.1,99,1\n3.9,101,2\n5.0,98,3\n" * 4


def decided(path: Path, policy: Policy | None = None) -> tuple[ColumnDecision, ...]:
    chosen = policy or read_policy("safe_harbor")
    return decide_columns(chosen, path.name, open_source(path), False, ReadOptions())


def with_rule(rule: str) -> Policy:
    head = policy_text("safe_harbor").partition("columns:")[0]
    return parse_policy(f"{head}\ncolumns:\n- {rule}\n")


def test_a_header_is_shown_and_written_alike(tmp_path: Path) -> None:
    path = tmp_path / "labs.csv"
    path.write_text(TABLE)
    found = decided(path)
    assert [d.header for d in found] == ["potassium", None, None]
    assert [d.out_header for d in found] == ["potassium", "column_2", "column_3"]
    assert "smith" not in json.dumps([d.as_json(1) for d in found]) + repr(found)


def test_naming_a_column_in_a_policy_does_not_keep_its_name(tmp_path: Path) -> None:
    path = tmp_path / "labs.csv"
    path.write_text(TABLE)
    rule = "{name: glucose_john_smith, action: keep, reason: a test}"
    assert decided(path, with_rule(rule))[1].out_header == "column_2"
    kept = with_rule(rule.replace("}", ", keep_name: true}"))
    assert decided(path, kept)[1].out_header == "glucose_john_smith"


def test_a_pattern_cannot_keep_names() -> None:
    with pytest.raises(DeidError, match="exact `name`"):
        with_rule('{pattern: "glucose*", action: keep, reason: a test, keep_name: true}')


def test_a_policy_without_keep_name_has_its_earlier_hash() -> None:
    assert "keep_name" not in with_rule("{name: x, action: drop}").model_dump_json()


def test_a_name_that_is_the_number_of_another_column_is_not_kept() -> None:
    assert header_name("column_7", 6) == "column_7"
    assert header_name("column_7", 2) is None and header_name("Column_7", 6) is None


def test_each_key_of_a_path_is_decided_separately() -> None:
    names = PathNames(["visit.quorblatt.value", "visit.labs[].unit", "wt_4.3.2021", "a{key}"])
    assert names.written("visit.quorblatt.value") == "visit.column_1.value"
    assert names.written("visit.labs[].unit") == "visit.labs[].unit"
    assert names.written("wt_4.3.2021") == "column_3"
    assert names.written("labs{key}") == "labs{key}"
    assert names.key("labs", "visit.labs") == "labs"
    assert keys_of("visit.labs{key}") == ["visit", "labs"]


def test_a_value_under_a_renamed_key_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "labs.json"
    rows = [{"visit": {"quorblatt": {"potassium": 4.1 + n}}} for n in range(12)]
    path.write_text(json.dumps(rows))
    [found] = decided(path)
    assert found.action == "keep"
    assert found.out_header == "visit.column_1.potassium"


@pytest.mark.parametrize("key", ["-", "--.-", "*"])
def test_a_key_without_a_word_is_replaced(key: str) -> None:
    assert set(PathNames([key]).written(key).split(".")) == {"column_1"}
