"""The report as a document: file, hash, command, recipient, expiry date, and the classified
columns.
"""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import pytest

from deid.cli import main
from risk import DocumentFacts, RiskError, RiskRequest, assess, read_variables, render_report

HEAD = "column,replicable,distinguishable,knowable,unique,useful,reason\n"
JUDGED = f"{HEAD}age,yes,yes,yes,no,yes,voter list\nzip,yes,yes,yes,no,yes,address\n"
JUDGED += "id,yes,yes,yes,yes,no,badge\nstay,no,yes,no,no,yes,changes\n"


def files(tmp_path: Path) -> tuple[Path, Path]:
    table, variables = tmp_path / "released.csv", tmp_path / "variables.csv"
    table.write_text("age,zip,id,stay,dx\n" + "41,021,7,3,x\n" * 40)
    variables.write_text(JUDGED)
    return table, variables


def test_the_page_is_a_document(tmp_path: Path) -> None:
    table, variables = files(tmp_path)
    page = tmp_path / "report.html"
    line = ["risk", str(table), "--quasi", "age", "--html", str(page), "--variables"]
    line += [str(variables), "--recipient", "State <University>", "--purpose", "readmissions"]
    with pytest.raises(SystemExit):
        main([*line, "--expires", "2099-12-31"])
    text = page.read_text()
    assert hashlib.sha256(table.read_bytes()).hexdigest() in text
    parts = ["released.csv", "State &lt;University&gt;", "readmissions", "2099-12-31"]
    parts += ["LOW: All three measures are within", "zip was judged a quasi-identifier, but"]
    parts += ["id was judged a direct identifier, but is in", "columns that were not judged: dx"]
    for part in parts:
        assert part in text, part
    assert "Zayatz" not in text and "Journalist</td>" not in text, "methods that were not used"


def test_a_page_without_judgments_says_so(tmp_path: Path) -> None:
    table, _ = files(tmp_path)
    page = tmp_path / "report.html"
    with pytest.raises(SystemExit):
        main(["risk", str(table), "--quasi", "age", "--html", str(page)])
    text = page.read_text()
    assert "No judgment of the columns was given" in text and "to be filled in" in text


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", HEAD + "age,perhaps,yes,yes,no,yes,\n"])
def test_other_judgments_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "v.csv"
    path.write_text(text)
    if not text:
        assert read_variables(path) == ()
        return
    with pytest.raises(RiskError, match="cannot be read"):
        read_variables(path)


def test_a_determination_does_not_expire_before_it_is_made() -> None:
    with pytest.raises(RiskError, match="expire"):
        DocumentFacts("t", None, 1, date(2026, 1, 2), "1", "c", expires=date(2026, 1, 2))


@pytest.mark.parametrize("size", [1, 2, 50])
def test_the_headline_names_the_measures_above_their_limits(size: int) -> None:
    from risk import Threshold

    report = assess({"a": ["x"] * 20}, ["a"], RiskRequest(Threshold.of_cell_size(size)))
    text = render_report(report)
    high = "at risk, maximum, average" in text
    assert high == (size > 20) and ("HIGH: Above the limit" in text) == high
