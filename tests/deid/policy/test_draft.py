"""A draft policy is a valid policy: it loads, keeps its claim, and repeats the findings of the
profile.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.columns.column_profiles import describe_columns
from deid.formats import ReadOptions, open_source
from deid.policy.draft import draft_policy, propose_columns
from deid.policy.model import parse_policy, read_policy
from deid.tables.column_decisions import decide_columns

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"


@pytest.mark.parametrize("name", ["patients", "contacts", "encounters", "results", "devices"])
def test_the_draft_gives_the_decisions_of_the_profile(name: str) -> None:
    source = open_source(CLINIC / f"{name}.csv")
    table = f"{name}.csv"
    drafted = parse_policy(
        draft_policy(
            "safe_harbor",
            propose_columns(1, table, source.columns, describe_columns(table, source)),
        )
    )
    before = decide_columns(read_policy("safe_harbor"), table, source, False, ReadOptions())
    after = decide_columns(drafted, table, source, True, ReadOptions())
    assert drafted.verdict().supported == "safe_harbor"
    assert [(d.action, d.identifier, d.birth) for d in before] == [
        (d.action, d.identifier, d.birth) for d in after
    ]
    assert all(d.decided_by == "policy" for d in after)


def test_a_header_that_holds_a_value_is_not_in_the_draft(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('sex,2023-03-14,"quote "" and: colon"\nF,1,2\n')
    source = open_source(path)
    text = draft_policy(
        "safe_harbor", propose_columns(1, "t.csv", source.columns, describe_columns("t", source))
    )
    assert "2023-03-14" not in text and "column 2" in text
    assert parse_policy(text).column_rule("t.csv", 'quote " and: colon') is not None


def test_tables_of_files_named_by_values_keep_separate_rules(tmp_path: Path) -> None:
    """Otherwise the rules of one table would keep a column of another table with the same
    header.
    """
    path = tmp_path / "t.csv"
    path.write_text("value\n" + "3.1\n4.4\n5.4\n2.9\n" * 3)
    source = open_source(path)
    name = "dump_2021-03-01.sql/labs"
    proposals = propose_columns(1, name, source.columns, describe_columns(name, source))
    policy = parse_policy(draft_policy("safe_harbor", proposals))
    assert proposals[0].as_json()["table"] == "*/labs"
    assert policy.column_rule(name, "value") is not None
    assert policy.column_rule("dump_2021-03-01.sql/contacts", "value") is None


def test_a_path_of_a_message_is_proposed_once(tmp_path: Path) -> None:
    source = open_source(CLINIC / "messages.hl7")
    proposals = propose_columns(
        1, "messages.hl7", source.columns, describe_columns("messages.hl7", source)
    )
    headers = [p.header for p in proposals if p.header]
    assert len(set(headers)) == len(headers) < len(source.columns)
    drafted = parse_policy(draft_policy("safe_harbor", proposals))
    actions = {
        d.header: d.action
        for d in decide_columns(drafted, "messages.hl7", source, False, ReadOptions())
    }
    assert actions["PID-7"] == "year" and actions["PID-8.1"] == "keep"
