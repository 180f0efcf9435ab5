"""`deid risk`, `exposure`, `population` and `counts`, called as scripts call them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deid.cli import main

Run = Callable[..., tuple[int, str, str]]
SECRET = "Marigold"


@pytest.fixture
def run(capsys, monkeypatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("DEID_POPULATIONS", str(tmp_path / "populations"))

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else 0), told.out, told.err

    return call


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The example of El Emam 2011, appendix, Figure 1, with a name and a drug added."""
    path = tmp_path / "table.csv"
    groups = [("M", "1970-1979", 3), ("M", "1980-1989", 2), ("M", "1990-1999", 2)]
    groups += [("F", "1990-1999", 2), ("F", "1980-1989", 2)]
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["person", "name", "gender", "born", "drug"])
        ordinal = 0
        for gender, born, times in groups:
            for _ in range(times):
                writer.writerow([ordinal, SECRET, gender, born, f"d{ordinal % 2}"])
                ordinal += 1
    return path


def asked(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


CONTRACT = {
    *("records", "quasi_identifiers", "classes", "smallest_class", "uniques", "prosecutor"),
    *("journalist", "marketer", "strict_average", "decision", "thresholds", "population"),
    *("estimators", "unmatched_records"),
}


def test_the_json_of_a_risk_report_follows_the_contract(run: Run, table: Path) -> None:
    found = asked(run, "risk", table, "--quasi", "gender,born", "--tau", "0.33")
    assert set(found) >= CONTRACT
    assert (found["records"], found["classes"], found["smallest_class"]) == (11, 5, 2)
    assert found["uniques"] == 0
    assert {k: round(v, 2) for k, v in found["prosecutor"].items()} == {
        "at_risk": 0.73,
        "maximum": 0.5,
        "average": 0.45,
    }
    assert found["journalist"] is found["population"] is found["estimators"] is None
    assert found["marketer"] == {"average": found["prosecutor"]["average"]}
    assert found["strict_average"]["holds"] is False
    assert found["decision"] == {"at_risk": "HIGH", "maximum": "HIGH", "average": "HIGH"}
    assert found["thresholds"]["cell_size"] == 3
    assert found["thresholds"]["tau_as_stated"] == "tau 0.33, read as 1/3"


def test_cell_size_alpha_and_lambda_determine_the_decision(run: Run, table: Path) -> None:
    found = asked(
        run,
        "risk",
        table,
        "--quasi",
        "gender",
        "--cell-size",
        5,
        "--alpha",
        "0.5",
        "--lambda",
        "0.2",
    )
    assert found["prosecutor"]["at_risk"] == pytest.approx(4 / 11)
    assert found["decision"] == {"at_risk": "LOW", "maximum": "HIGH", "average": "LOW"}


def test_the_exit_code_above_the_limit_is_3_only_on_request(run: Run, table: Path) -> None:
    assert run("risk", table, "--quasi", "gender,born")[0] == 0
    assert run("risk", table, "--quasi", "gender,born", "--fail-over")[0] == 3
    assert run("risk", table, "--quasi", "gender", "--cell-size", 3, "--fail-over")[0] == 0


def test_risk_is_measured_against_a_file_of_counts(run: Run, table: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text("sex,decade,count\nM,1970-1979,30\nM,1980-1989,1\nF,1990-1999,20000\n")
    found = asked(
        *(run, "risk", table, "--quasi", "gender,born", "--population", counts),
        *("--population-columns", "gender=sex,born=decade", "--group-thresholds", "10,100"),
    )
    linked = found["population"]
    assert found["unmatched_records"] == 4
    assert linked["total_risk"] == pytest.approx(3 / 30 + 2 / 1 + 2 / 20000)
    assert linked["rate_percent"] == pytest.approx(100 * linked["total_risk"] / 11)
    assert linked["uniques"] == 2 and linked["modelled"] is False
    assert linked["non_graduated"] == {"10": 2, "100": 5}
    assert linked["graduated"]["100"] == pytest.approx(2.1)
    assert found["journalist"]["maximum"] == 0.5


def test_risk_is_measured_against_a_named_population_and_a_list_of_people(
    run: Run, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,sex,age\n" + "x,M,40\n" * 4 + "y,F,41\n")
    mine = tmp_path / "mine.csv"
    mine.write_text("sex,age\nM,40\nF,41\n")
    found = asked(run, "risk", mine, "--quasi", "sex,age", "--population", people)
    assert found["population"]["total_risk"] == pytest.approx(1.25)
    named = asked(
        *(run, "risk", mine, "--quasi", "sex,age", "--population", "state-acs2022"),
        *("--population-where", "state=DE"),
    )
    assert named["population"]["modelled"] and named["population"]["vintage"] == "2022"
    assert 0 < named["population"]["total_risk"] < 0.01
    code, _, err = run("risk", mine, "--quasi", "sex", "--population", "nowhere")
    assert code == 2 and "state-acs2022" in err


def test_rows_with_a_count_stand_for_several_records(run: Run, tmp_path: Path) -> None:
    """A row with count n equals n identical rows."""
    path = tmp_path / "t.csv"
    path.write_text("a,n\nx,3\ny,1\ny,1\nz,0\n")
    found = asked(run, "risk", path, "--quasi", "a", "--count-column", "n")
    assert found["histogram"] == {"2": 1, "3": 1} and found["records"] == 5
    path.write_text("a,n\nx,1.5\n")
    assert run("risk", path, "--quasi", "a", "--count-column", "n")[0] == 2
    path.write_text(f"a,n\nx,{SECRET}\n")
    code, _, err = run("risk", path, "--quasi", "a", "--count-column", "n")
    assert code == 6 and SECRET not in err


def test_persons_sampling_and_sensitive_columns_are_measured(run: Run, table: Path) -> None:
    found = asked(
        *(run, "risk", table, "--quasi", "gender,born", "--person-column", "person"),
        *("--sampling-fraction", "0.2", "--sensitive", "drug"),
    )
    assert found["unit"] == "person" and found["records"] == 11
    assert set(found["estimators"]) >= {"zayatz", "pitman", "snb", "dankar"}
    assert found["disclosure"][0]["column"] == "drug"
    told = run("risk", table, "--quasi", "gender,born", "--sensitive", "drug")[1]
    assert "the classes reveal" in told and "class with a single value" in told


def test_the_report_is_written_once_and_contains_no_value(run: Run, table: Path, tmp_path) -> None:
    page = tmp_path / "report.html"
    answers = tmp_path / "answers.toml"
    answers.write_text("public = true\n[answers]\naudit = true\n")
    given = ("risk", table, "--quasi", "gender,born", "--sampling-fraction", "0.3", "--sensitive")
    assert run(*given, "drug", "--html", page, "--context", answers)[0] == 0
    text = re.sub(r"\b[0-9a-f]{64}\b", "", page.read_text())
    for part in ("164.514(b)(1)", "<svg", "Sensitivity", "signature", "Limits", "demonstration"):
        assert part in text
    assert not any(value in text for value in (SECRET, "1970-1979", "d0", "d1"))
    assert not any(
        word in text.lower() for word in ("anonymous", "certified", "hipaa" + " compliant")
    )
    assert run(*given, "drug", "--html", page)[0] == 0, "a report may replace an earlier one"
    code, _, err = run(*given, "drug", "--html", table)
    assert code == 2 and "[out-exists]" in err and "name,gender" in table.read_text()


def test_a_report_is_written_as_pdf_where_a_browser_is_installed(
    run: Run, table: Path, tmp_path, monkeypatch
) -> None:
    from risk.reports import pdf as printing

    page = tmp_path / "report.pdf"
    given = ("risk", table, "--quasi", "gender", "--pdf", page)
    code, _, err = run(*given)
    if code == 0:
        assert page.read_bytes().startswith(b"%PDF")
    else:
        assert code == 2 and "[no-browser]" in err and not page.exists()
    monkeypatch.setattr(printing, "BROWSERS", ())
    code, _, err = run(*given)
    assert code == 2 and "[no-browser]" in err


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["--quasi", "gendre"], 2, "unknown-column"),
        (["--quasi", ""], 2, "no-quasi-identifier"),
        (["--quasi", "gender,gender"], 2, "repeated-column"),
        (["--quasi", "gender", "--tau", "2"], 2, "bad-threshold"),
        (["--quasi", "gender", "--tau", "0.2", "--cell-size", "5"], 2, "two-thresholds"),
        (["--quasi", "gender", "--sampling-fraction", "0"], 2, "bad-fraction"),
        (["--quasi", "gender", "--alpha", "7"], 2, "bad-alpha"),
        (["--quasi", "gender", "--known-events", "1"], 2, "bad-known-events"),
        (["--quasi", "gender", "--decide-on", "luck"], 2, "bad-metric"),
        (["--quasi", "gender", "--decide-on", "journalist"], 2, "bad-metric"),
        (["--quasi", "gender", "--group-thresholds", "a"], 2, "bad-number"),
    ],
)
def test_wrong_requests_are_refused(
    run: Run, table: Path, arguments: list[str], code: int, word: str
) -> None:
    found, out, err = run("risk", table, *arguments)
    assert (found, out) == (code, "") and f"[{word}]" in err
    assert SECRET not in err and "Traceback" not in err


def test_a_damaged_table_exits_6_and_repeats_nothing(run: Run, table: Path) -> None:
    table.write_text(table.read_text() + f"{SECRET}\n")
    code, out, err = run("risk", table, "--quasi", "gender")
    assert (code, out) == (6, "") and "row 12" in err and SECRET not in err


def test_the_exposure_of_a_state_is_computed(run: Run) -> None:
    found = asked(
        run, "exposure", "--population", "state-acs2022", "--where", "state=DE", "--g", "1,5"
    )
    first = found["exposures"][0]
    assert first["people"] == pytest.approx(994_084) and set(first["g_distinct"]) == {"1", "5"}
    assert 0 < first["g_distinct_percent"]["1"] < first["g_distinct_percent"]["5"] < 100
    assert found["trust_differential"][0]["total_risk"] > 1


def test_exposure_can_be_described_on_the_command_line(run: Run, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text("state,age,sex,count\nDE,40,M,10\nDE,95,F,2\nDE,97,F,1\n")
    found = asked(
        *(run, "exposure", "--population", counts, "--policy", "p:state,age=year_90_pooled,sex"),
        *("--policy", "q:age", "--attacker", "list:age", "--price", "100"),
    )
    pooled, plain = found["exposures"]
    assert (pooled["groups"], plain["groups"]) == (2, 3)
    assert pooled["cost_per_reidentification"] == 50
    code, _, err = run("exposure", "--population", counts, "--policy", "q:planet")
    assert code == 2 and "unknown field" in err


def test_exposure_writes_a_report_and_a_scenario_text(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("exposure", "--show", "states")
    assert code == 0 and "[[policies]]" in out
    code, out, _ = run("exposure", "--show", "questionnaire")
    assert code == 0 and "[answers]" in out
    page = tmp_path / "e.html"
    code, out, _ = run("exposure", "--population", "state-acs2022", "--html", page)
    assert code == 0 and page.read_text().count("<svg") >= 3 and "trust differential" in out
    assert run("exposure")[0] == 2


def test_populations_are_listed_shown_and_built(run: Run, tmp_path: Path) -> None:
    listed = asked(run, "population", "list")
    assert {"zip3-acs2022", "state-acs2022"} <= {one["name"] for one in listed["tables"]}
    assert {"pep2024", "sf1-2000", "dhc2020"} <= {one["name"] for one in listed["sources"]}
    assert asked(run, "population", "show", "zip3-acs2022")["total"] == 334_365_877
    told = run("population", "show", "state-acs2022")[1]
    assert "modelled: yes" in told and "\n  DE\t" in told and not set("{[") & set(told)
    counts = tmp_path / "mine.csv"
    counts.write_text("sex,count\nM,3\nF,4\n")
    assert asked(run, "population", "build", counts, "--name", "town")["total"] == 7
    assert "town" in run("population", "list")[1]
    mine = tmp_path / "t.csv"
    mine.write_text("sex\nM\n")
    found = asked(run, "risk", mine, "--quasi", "sex", "--population", "town")
    assert found["population"]["total_risk"] == pytest.approx(1 / 3)


def test_a_population_is_fetched_from_a_mirror(run: Run, bureau, write_summary_file) -> None:
    import numpy as np

    folder = bureau.root / "census_2000/datasets/Summary_File_1/Rhode_Island"
    write_summary_file(folder, "RI", "44", np.ones((2, 2, 103, 7), int))
    given = ("population", "fetch", "sf1-2000", "--states", "RI", "--file-server", bureau.url)
    assert asked(run, *given)["total"] == 2 * 2 * 103 * 7
    code, out, _ = run("exposure", "--population", "sf1-2000", "--scenario", "benitez_malin_2010")
    assert code == 0 and "limited_data_set" in out


def test_cohort_counts_are_audited_and_users_locked_out(
    run: Run, table: Path, tmp_path: Path
) -> None:
    given = ("counts", table, "--user", "ann", "--trail", tmp_path / "trail", "--repeats", "2")
    for _ in range(2):
        code, out, _ = run(*given, "--where", "gender=M", "--floor", "1")
        assert code == 0 and out
    code, _, err = run(*given, "--where", "gender=M")
    assert code == 3 and "locked-out" in err
    assert (
        run("counts", table, "--user", "head", "--trail", tmp_path / "trail", "--unlock", "ann")[0]
        == 0
    )
    assert run(*given, "--where", "gender=M", "--json")[0] == 0


def test_household_risk_is_reported(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("age,home\n30,a\n31,a\n31,b\n")
    given = ("risk", table, "--quasi", "age", "--household-column", "home")
    assert "2 households: 2.5 records" in run(*given)[1]
    assert asked(run, *given)["household"]["largest_household"] == 2
    page = tmp_path / "report.html"
    assert run(*given, "--html", page)[0] == 0
    assert "Households" in page.read_text() and ">2.5<" in page.read_text()
