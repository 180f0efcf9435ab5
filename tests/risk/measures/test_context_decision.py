"""A context determines limit, decision, headline and exit code, with or without a report page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deid.cli import main as run_command
from risk import ReleaseContext, RiskRequest, assess


def main(line: list[str]) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        run_command(line)
    return int(ended.value.code or 0)


ROWS = {"sex": ["F"] * 30 + ["M"] * 20, "born": [str(1970 + i // 5) for i in range(50)]}


def written(tmp_path: Path, context: str, rows: int = 50) -> list[str]:
    table, answers = tmp_path / "t.csv", tmp_path / "answers.toml"
    lines = [f"{s},{b}" for s, b in zip(ROWS["sex"], ROWS["born"], strict=True)][:rows]
    table.write_text("\n".join(["sex,born", *lines]) + "\n")
    answers.write_text(context)
    return ["risk", str(table), "--quasi", "sex,born", "--context", str(answers)]


LOW_RISK = "attempt = 0.1\nprevalence = 0.0001\nbreach = 0.1\n"


@pytest.mark.parametrize("page", [True, False])
@pytest.mark.parametrize(("context", "risk"), [("public = true\n", "HIGH"), (LOW_RISK, "LOW")])
def test_the_context_determines_limit_and_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], context: str, risk: str, page: bool
) -> None:

    line = written(tmp_path, context)
    html = tmp_path / "report.html"
    more = ["--html", str(html)] if page else []
    assert main([*line, "--json", "--fail-over", *more]) == (3 if risk == "HIGH" else 0)
    told = json.loads(capsys.readouterr().out)
    assert told["headline"]["risk"] == risk and told["headline"]["set_by"] == "context"
    assert {value for value in told["decision"].values() if value} == {risk}
    assert told["thresholds"]["cell_size"] == 20
    if page:
        text = html.read_text()
        assert f'class="{risk}"' in text
        assert f'class="{"LOW" if risk == "HIGH" else "HIGH"}"' not in text
    assert main(line) == 0
    assert capsys.readouterr().out.startswith(f"risk {risk}")


def test_two_limits_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = written(tmp_path, "public = true\n")
    assert main([*line, "--cell-size", "5"]) == 2
    assert "--context" in capsys.readouterr().err


@pytest.mark.parametrize("attempt", [0.0, 0.01, 0.099, 0.101, 0.5, 1.0])
def test_the_decision_is_the_product_by_hand(attempt: float) -> None:
    """Classes of five: the average risk is .2. No question is answered, so the limit is .05."""
    context = ReleaseContext(False, {}, attempt=attempt, prevalence=0.0, breach=0.1)
    report = assess(ROWS, ["born"], RiskRequest(context=context))
    high = 0.2 * max(attempt, 0.1) > 0.05
    assert report.headline["risk"] == ("HIGH" if high else "LOW") == context.verdict(report)["risk"]
    assert report.headline["value"] == pytest.approx(0.2 * max(attempt, 0.1))


def test_an_empty_table_fails_with_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "empty.csv"
    table.write_text("sex,born\n")
    assert main(["risk", str(table), "--quasi", "sex", "--json"]) == 6
    told = capsys.readouterr()
    assert json.loads(told.out)["headline"]["risk"] is None and "no rows" in told.err
    assert assess({"sex": []}, ["sex"]).over


def test_spelling_variants_are_reported() -> None:
    notes = assess({"sex": ["F", "F ", "f", "M"]}, ["sex"]).notes
    assert any(note.startswith("2 values of sex differ") for note in notes)
    assert not assess({"sex": ["F", "M"]}, ["sex"]).notes
