"""The tables of the papers, by name and without a network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.cli import main
from risk import PAPER_TABLES, RiskError, reproduce

EXACT = ("el-emam-2011-table-5", "el-emam-thresholds", "benitez-malin-2010-example")


@pytest.fixture(autouse=True)
def nothing_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DEID_POPULATIONS", str(tmp_path / "none"))


@pytest.mark.parametrize("table", EXACT)
def test_the_printed_figures_of_a_paper_are_reproduced(table: str) -> None:
    found = reproduce(table)
    assert found.exact and found.figures
    for figure in found.figures:
        digits = len(figure.published.partition(".")[2])
        published, computed = float(figure.published), figure.reproduced
        assert computed is not None
        assert abs(computed - published) <= 0.5 * 10**-digits + 1e-9, figure


def test_table_1_offline_compares_safe_harbor_only() -> None:
    found = reproduce("benitez-malin-2010-table-1")
    assert not found.exact and "sf1-2000" in found.note
    for figure in found.figures:
        assert (figure.reproduced is None) == (figure.column == "limited %")
    by_state = {f.row: f.reproduced for f in found.figures if f.reproduced is not None}
    assert sorted(by_state, key=lambda s: by_state[s]) == ["CA", "TX", "NY", "RI", "DE", "AK"]
    for figure in found.figures:
        if figure.reproduced is not None and not figure.published.startswith("<"):
            assert figure.reproduced == pytest.approx(float(figure.published), rel=0.6)


def test_table_4_offline_says_that_the_cohorts_are_drawn() -> None:
    found = reproduce("malin-2011-table-4")
    assert not found.exact and "drawn" in found.note and len(found.figures) == 30
    stars = {(f.row, f.column): (f.published.endswith("*"), f.starred) for f in found.figures}
    agreed = sum(published == computed for published, computed in stars.values())
    assert agreed >= 28, "two of thirty stars differ for people of other years"
    assert found == reproduce("malin-2011-table-4"), "the draw has a seed"


def test_the_command_reproduces_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["reproduce"], ["reproduce", "el-emam-2011-table-5", "--json"]):
        with pytest.raises(SystemExit) as ended:
            main(line)
        assert not ended.value.code
        told = capsys.readouterr().out
        if len(line) == 1:
            assert [row.split("\t")[0] for row in told.splitlines()] == list(PAPER_TABLES)
        else:
            assert json.loads(told)["exact"] is True
    with pytest.raises(RiskError, match="no table of a paper has this name"):
        reproduce("table-99")
