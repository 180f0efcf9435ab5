"""What a manifest says about each table, and whose values were searched for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_extract import KnownOnly, job

from deid.jobs import run_job
from deid.policy.model import Policy
from safe_harbor import Identifier, Verdict


def test_each_table_lists_the_eighteen_identifiers(extract: Path, tmp_path: Path) -> None:
    release = run_job(job(extract, tmp_path / "out"), KnownOnly())
    manifest = json.loads((tmp_path / "out" / "_release" / "manifest.json").read_text("utf-8"))
    assert release.exit_code == 0
    assert set(manifest["tables"]) == set(manifest["inputs"])
    for word in Identifier:
        parts = [table["found"].get(word.value, 0) for table in manifest["tables"].values()]
        assert sum(parts) == manifest["identifiers"][word.value]["found"]
    for table in manifest["tables"].values():
        assert table["records_in"] == table["records_out"] + table["quarantined"]
        assert set(table["state"]) == {word.value for word in Identifier}
        assert table["state"]["photos"] == "NOT_EVALUATED"
    roles = manifest["residual"]["known_values_by_role"]
    assert roles["patient"] > 0 and sum(roles.values()) == manifest["residual"]["known_values"]
    page = (tmp_path / "out" / "_release" / "evidence.html").read_text("utf-8")
    assert "Findings by file" in page and "Known values by role" in page


def test_the_verdict_is_computed_once_for_any_number_of_tables(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = job(extract, tmp_path / "out")
    asked: list[Policy] = []
    judged = Policy.verdict

    def noted(policy: Policy) -> Verdict:
        asked.append(policy)
        return judged(policy)

    monkeypatch.setattr(Policy, "verdict", noted)
    release = run_job(made, KnownOnly())
    assert len(release.manifest["tables"]) > 5
    assert len(asked) == 1
