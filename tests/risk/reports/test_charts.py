"""Charts: round tick marks, intervals, and pages with the cost of a plan and earlier
measurements.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.cli import main
from risk import (
    ClassSize,
    PlanRequest,
    RiskRequest,
    Threshold,
    assess,
    encode,
    frontier_of,
    frontier_page,
    numbers_rows,
    plan,
    render_policies,
)
from risk.reports.charts import (
    bars,
    curves,
    horizontal_bars,
    magnitudes,
    round_marks,
    scatter,
)
from risk.reports.rendering import _format_number, _format_share


@given(st.floats(0, 1e6), st.floats(1e-6, 1e6))
def test_tick_marks_are_round_and_few(low: float, width: float) -> None:
    marks = round_marks(low, low + width)
    assert len(marks) <= 11
    assert all(low - 1e-6 * width <= mark <= low + width + 1e-6 * width for mark in marks)


def test_usual_axes_have_their_expected_marks() -> None:
    assert round_marks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert round_marks(0, 12.17) == [0, 2, 4, 6, 8, 10, 12]
    assert round_marks(3, 3) == [3]


def test_bars_show_their_intervals() -> None:
    plain = bars("t", {"a": 0.2, "b": 0.1}, "risk")
    told = bars("t", {"a": 0.2, "b": 0.1}, "risk", intervals={"a": (0.15, 0.4)})
    assert plain.count("whisker") == 0 and told.count("whisker") == 3
    heights = [float(h) for h in re.findall(r'<rect [^>]*height="([\d.]+)"', told)]
    assert heights[0] < 120, "the axis reaches the end of the interval"


def test_a_scatter_marks_the_best_and_the_limit() -> None:
    points = [(0.1, 50.0), (0.5, 10.0), (0.9, 0.0)]
    drawn = scatter("t", points, [(0.1, 50.0, "age: <years>")], "loss", "%", limit=20.0)
    assert drawn.count('class="dot"') == 3 and 'class="limit"' in drawn
    assert "age: &lt;years&gt;" in drawn and ">loss</text>" in drawn
    assert scatter("t", points, [], "loss", "%") == ""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    rows = [f"{20 + (7 * n) % 60},{'FM'[n % 2]},{3 * (20 + (7 * n) % 60)}" for n in range(400)]
    path.write_text("age,sex,charge\n" + "\n".join(rows) + "\nMarigold,F,1\n")
    return path


def run(*given: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(part) for part in given])
    return int(ended.value.code or 0)


def test_the_page_of_a_plan_shows_its_cost(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "plan.html"
    given = ("plan", table, "--quasi", "age,sex", "--k", "20", "--max-suppression", "0.1")
    given = (*given, "--keep", "charge")
    more = ("--regression", "charge=age,sex", "--html", page, "--json")
    assert run(*given, *more) == 0
    text = page.read_text()
    for part in (
        "in bands of 10 years, 90 and over as one",
        "proven to be the least",
        "Regression of charge",
        "Propensity-score distance",
        "age: in bands of 10 years, 90 and over as one; sex: as recorded",
        "information loss without suppression (granularity)",
    ):
        assert part in text, part
    assert "Marigold" not in text, "the page holds no value"
    utility = json.loads(capsys.readouterr().out)["utility"]
    assert utility["records"]["before"] == 401
    (pair,) = utility["correlations"]
    assert pair["columns"] == ["age", "charge"]
    assert pair["before"] == pytest.approx(1) and pair["after"] < 1
    assert run(*given, "--utility") == 0
    assert "correlations change by" in capsys.readouterr().out
    assert run(*given, "--regression", "sex=age") == 2
    assert run(*given, "--regression", "charge") == 2
    page.rename(tmp_path / "plan.txt")
    assert run(*given, "--html", tmp_path / "plan.txt") == 2


def test_a_risk_report_shows_earlier_measurements(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = tmp_path / "planned.csv"
    given = ("--quasi", "age,sex")
    assert run("plan", table, *given, "--k", "5", "--max-suppression", "0.1", "-o", released) == 0
    capsys.readouterr()
    page = tmp_path / "risk.html"
    assert run("risk", released, *given, "--before", table, "--html", page, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["before"]["uniques"] == 1 and found["uniques"] == 0
    low, high = found["average_intervals"]["age"]
    assert low <= found["sensitivity"]["age"]["average"] <= high
    text = page.read_text()
    assert "Before and after" in text and "95 % interval" in text and "Marigold" not in text
    assert "before: 1 unique" in _text(capsys, "risk", released, *given, "--before", table)


def _text(capsys: pytest.CaptureFixture[str], *given: object) -> str:
    assert run(*given) == 0
    return capsys.readouterr().out


def heights(chart: str) -> list[float]:
    return [float(h) for h in re.findall(r'<rect [^>]*height="([\d.]+)" class', chart)]


@given(st.lists(st.floats(0.1, 1e5), min_size=1, max_size=9))
def test_a_bar_is_as_long_as_its_value(values: list[float]) -> None:
    """A bar starts at zero and ends within the chart. Logarithmic bars or bars from another bound
    mislead.
    """
    found = heights(bars("t", {str(i): value for i, value in enumerate(values)}, "%"))
    assert max(found) <= 222
    most = max(values)
    for height, value in zip(found, values, strict=True):
        assert height / max(found) == pytest.approx(value / most, abs=1e-3)


def test_without_data_there_is_no_chart() -> None:
    assert bars("t", {"a": 0.0, "b": 0.0}, "%") == "" and magnitudes("t", {"a": 0.0}, "%") == ""
    assert curves("t", {"a": []}, "x", "y") == ""


def test_before_and_after_share_one_axis() -> None:
    drawn = bars("t", {"1": 10.0, "2": 90.0}, "%", before={"1": 80.0, "2": 20.0})
    first, second, third, fourth, *legend = heights(drawn)
    assert first / second == pytest.approx(8, abs=0.1) and fourth / third == pytest.approx(
        4.5, abs=0.1
    )
    assert ">before<" in drawn and ">after<" in drawn and len(legend) == 2


def test_shares_are_steps_from_zero_to_all() -> None:
    drawn = curves("t", {"a": [(2.0, 40.0), (8.0, 100.0)]}, "g", "%", shares=True)
    (line,) = re.findall(r'<polyline points="([^"]+)"', drawn)
    ys = [float(pair.split(",")[1]) for pair in line.split()]
    assert ys[0] == 252 and ys[-1] == 30 and len(set(ys)) == 3


def test_magnitudes_are_points_and_not_bars() -> None:
    drawn = magnitudes("t", {"a": 37.0, "b": 0.002, "none": 0.0}, "%")
    assert drawn.count("<circle") == 2 and heights(drawn) == []
    assert ">0.002<" in drawn and ">37<" in drawn


def test_a_bar_past_the_limit_has_another_color() -> None:
    drawn = horizontal_bars("t", {"a": 1.0, "b": 2.0, "<c>": 1.5}, "%", limit=1.5)
    assert re.findall(r'height="14" class="(c\d)"', drawn) == ["c0", "c1", "c0"]
    assert "&lt;c&gt;" in drawn and 'class="limit"' in drawn


@pytest.mark.parametrize(
    ("value", "number", "share"),
    [(0.0, "0", "0"), (1e-12, "below 10⁻⁹", "below 10⁻⁹ (1 in 1,000,000,000,000)"),
     (0.5, "0.5", "0.5 (1 in 2)"), (1.22295e-05, "1.22 × 10⁻⁵", "1.22 × 10⁻⁵ (1 in 81,800)"),
     (0.0121922, "0.0121922", "0.01219 (1 in 82)"), (None, "–", "–")],
)  # fmt: skip
def test_numbers_are_formatted_for_a_report(value: float | None, number: str, share: str) -> None:
    assert _format_number(value) == number and _format_share(value) == share


def test_a_page_of_policies_has_every_policy_and_no_script() -> None:
    rows = [("Safe Harbor", ["0.2"]), ("<5> Year", ["0.4*"])]
    page = render_policies(2, {"Safe Harbor": 0.2, "<5> Year": 0.4}, 0.2, ["Total risk"], rows)
    assert page.count("&lt;5&gt; Year") == 3 and "<script" not in page and "0.4*" in page
    assert "2 records" in page and "prefers-color-scheme: dark" in page
    assert "has 1 record." in render_policies(1, {}, 0.0, [], [])


def test_a_frontier_names_its_levels() -> None:
    ages = [str(20 + n % 40) for n in range(90)]
    hierarchies = plan({"age": ages}, {}, PlanRequest((ClassSize(5),))).hierarchies
    points = frontier_of(encode({"age": ages}), hierarchies, sizes=[5])
    words = {"age": ["years", "90+ pooled", "in bands of 5", "10", "20", "not told"]}
    page = frontier_page(points, words, 5, limit=0.1)
    assert f"{len(points)} generalizations of age" in page and "age: years" in page
    assert page.count("<circle") >= len([p for p in points if p.best]) and 'class="limit"' in page


def test_a_tiny_number_is_a_power_of_ten_and_a_cell_size_of_one_is_explained() -> None:
    table = {"x": list("aab"), "p": [1, 1, 2], "d": list("xyx")}
    told = assess(table, ["x"], RiskRequest(Threshold.of_cell_size(1)))
    assert any("cell size of 1" in note for note in told.notes)
    known = assess(table, ["d"], RiskRequest(person="p", known_events=1))
    assert any("any one of a person's rows" in note for note in known.notes)
    plain = assess(table, ["d"], RiskRequest(person="p"))
    assert not any("rows; classes" in note for note in plain.notes)


def test_a_column_that_numbers_the_rows_is_a_key() -> None:
    keys = encode({"id": list(range(30)), "charge": [n % 7 for n in range(30)], "code": ["a"] * 30})
    assert [numbers_rows(column) for column in keys.columns] == [True, False, False]
    assert not numbers_rows(encode({"age": [30, 31, 32]}).column("age"))
