"""A policy's risk limit is measured on the output; above the limit nothing is released."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deid
from deid.cli import main
from deid.formats import ReadOptions
from deid.jobs import risk_limits as measuring
from deid.jobs.risk_limits import ReleasedTable, RiskLimitCheck, measure_risk_limits
from deid.policy.model import parse_policy, policy_text
from risk import Population, RiskError, assess, open_population

HEADER = "patient_id,birth_date,gender,zip\n"
DAY = date(2026, 11, 1)


def rows(years: list[int]) -> str:
    lines = [
        f"P{n:05},{year}-03-{n % 27 + 1:02},{'FM'[n % 2]},021{n % 60 + 10:02}\n"
        for n, year in enumerate(years)
    ]
    return HEADER + "".join(lines)


def policy(limit: str) -> deid.Policy:
    text = policy_text("safe_harbor").replace("columns: []", "")
    columns = "columns:\n- {name: gender, action: keep, reason: one of two}\n"
    return parse_policy(f"{text.partition('columns:')[0]}{columns}risk:\n- {limit}\n")


def scrubbed(
    place: Path, years: list[int], limit: str, name: str = "patients.csv", text: str | None = None
) -> deid.Release:
    (place / name).write_text(rows(years) if text is None else text, "utf-8")
    return deid.scrub(place / name, place / "out", policy=policy(limit), reference_date=DAY)


LIMIT = "{quasi: [birth_date, gender, zip], cell_size: 5}"


def test_below_the_risk_limit_the_table_is_released_and_the_manifest_has_the_figures(
    tmp_path: Path,
) -> None:
    release = scrubbed(tmp_path, [1950, 1951] * 20, LIMIT)
    assert release.exit_code == 0
    (measured,) = release.manifest["risk"]
    assert (measured["file"], measured["holds"], measured["records"]) == (1, False, 40)
    assert measured["smallest_class"] == 20 and measured["prosecutor"]["maximum"] == 0.05
    written = json.loads((tmp_path / "out/_release/manifest.json").read_text("utf-8"))
    assert written["risk"] == json.loads(json.dumps([measured]))
    page = (tmp_path / "out/_release/evidence.html").read_text("utf-8")
    assert "birth_date, gender, zip" in page and "cell size 5" in page


def test_risk_is_measured_on_the_output(tmp_path: Path) -> None:
    release = scrubbed(tmp_path, [1950, 1951] * 20, LIMIT)
    lines = (tmp_path / "out/patients.csv").read_text("utf-8").splitlines()
    names = lines[0].split(",")
    table = {n: [line.split(",")[i] for line in lines[1:]] for i, n in enumerate(names)}
    alone = assess(table, ["birth_date", "gender", "zip"])
    assert release.manifest["risk"][0]["classes"] == alone.classes == 2


def test_above_the_risk_limit_nothing_is_released(tmp_path: Path) -> None:
    release = scrubbed(tmp_path, [*[1950, 1951] * 20, 1987], LIMIT)
    assert (release.exit_code, release.out) == (3, None)
    assert release.manifest["verdict"]["supported"] == "none"
    assert release.manifest["risk"][0]["decision"]["maximum"] == "HIGH"
    assert not (tmp_path / "out").exists()


def test_the_command_names_the_risk_limit_that_is_exceeded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "patients.csv").write_text(rows([*[1950, 1951] * 20, 1987]), "utf-8")
    text = policy_text("safe_harbor").partition("columns:")[0]
    (tmp_path / "p.yaml").write_text(f"{text}columns: []\nrisk:\n- {LIMIT}\n", "utf-8")
    asked = ["scrub", tmp_path / "patients.csv", "-o", tmp_path / "out"]
    with pytest.raises(SystemExit) as ended:
        main([*map(str, asked), "--policy", str(tmp_path / "p.yaml"), "--no-progress"])
    said = capsys.readouterr().err
    assert ended.value.code == 3
    assert "file 1 is over limit 1 of the policy (at_risk HIGH, maximum HIGH" in said
    assert "[risk]" in said and "known values remain" not in said
    assert "1987" not in said


def test_without_a_hold_decision_the_risk_is_only_reported(tmp_path: Path) -> None:
    limit = LIMIT.replace("}", ", hold_on: []}")
    release = scrubbed(tmp_path, [*[1950, 1951] * 20, 1987], limit)
    assert release.exit_code == 0
    assert release.manifest["risk"][0]["decision"]["maximum"] == "HIGH"


def test_a_limit_may_allow_a_share_of_records_at_risk(tmp_path: Path) -> None:
    limit = LIMIT.replace("}", ", alpha: 0.05, hold_on: [at_risk]}")
    assert scrubbed(tmp_path, [*[1950, 1951] * 20, 1987], limit).exit_code == 0


def test_a_limit_that_fits_no_table_is_refused_before_the_job(tmp_path: Path) -> None:
    for limit in ("{quasi: [race]}", "{quasi: [gender], table: other.csv}"):
        with pytest.raises(deid.DeidError) as caught:
            scrubbed(tmp_path, [1950] * 20, limit)
        assert (caught.value.code, caught.value.exit_code) == ("risk-no-table", 2)
    assert not (tmp_path / "out").exists()


def test_a_limit_without_a_measured_table_puts_the_release_on_hold(tmp_path: Path) -> None:
    """Every row was withheld, so no table could be measured."""
    release = scrubbed(tmp_path, [], LIMIT, text=HEADER + "P1,1950-01-01\nP2,1950-01-02,F\n")
    assert release.exit_code == 3
    assert release.manifest["risk"] == [{"limit": 0, "file": None, "holds": True}]


def test_a_risk_limit_can_use_a_population(tmp_path: Path) -> None:
    people = "gender,count\nF,1000\nM,900\n"
    (tmp_path / "people.csv").write_text(people, "utf-8")
    limit = (
        f"{{quasi: [gender], decide_on: journalist, population: {tmp_path / 'people.csv'},"
        " cell_size: 11}"
    )
    release = scrubbed(tmp_path, [1950] * 6, limit)
    assert release.exit_code == 0
    (measured,) = release.manifest["risk"]
    assert measured["decided_on"] == "journalist"
    assert measured["population"]["uniques"] == 0
    place = tmp_path / "again"
    place.mkdir()
    with pytest.raises(RiskError):
        scrubbed(place, [1950] * 6, limit.replace("people.csv", "absent.csv"))
    assert not (place / "out").exists()


def test_a_population_is_opened_once_per_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "people.csv").write_text("gender,count\nF,1000\nM,900\n", "utf-8")
    opened: list[str] = []

    def noted(name: str, columns: Sequence[str]) -> Population:
        opened.append(name)
        return open_population(name, columns)

    monkeypatch.setattr(measuring, "open_population", noted)
    limit = f"{{quasi: [gender], population: {tmp_path / 'people.csv'}, cell_size: 5}}"
    assert scrubbed(tmp_path, [1950] * 6, limit).manifest["risk"][0]["population"]
    assert len(opened) == 1


def test_a_population_without_one_of_the_columns_is_refused(tmp_path: Path) -> None:
    """Such a population counts everybody who matches the other columns, so the risk would
    look low.
    """
    (tmp_path / "people.csv").write_text("gender,count\nF,1000\nM,900\n", "utf-8")
    limit = (
        "{quasi: [gender, birth_date], decide_on: journalist,"
        f" population: {tmp_path / 'people.csv'}}}"
    )
    with pytest.raises(deid.DeidError) as caught:
        scrubbed(tmp_path, [*[1950] * 6, 1987], limit)
    assert (caught.value.code, caught.value.exit_code) == ("risk-population-columns", 2)
    assert not (tmp_path / "out").exists()
    told = scrubbed(tmp_path, [*[1950] * 6, 1987], limit.replace("}", ", hold_on: []}"))
    assert told.manifest["risk"][0]["population"]["not_in_population"] == ["birth_date"]


def test_a_population_with_fewer_zip_digits_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("zip,count\n02,100000\n", "utf-8")
    limit = f"{{quasi: [zip], decide_on: journalist, population: {tmp_path / 'people.csv'}}}"
    with pytest.raises(deid.DeidError) as caught:
        scrubbed(tmp_path, [1950] * 6, limit)
    assert (caught.value.code, caught.value.exit_code) == ("risk-population-coarse", 3)
    assert not (tmp_path / "out").exists()


def test_a_table_with_its_headers_in_capitals_is_measured_too(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(rows([1950, 1951] * 20), "utf-8")
    lines = ["P0,F", *(f"P{n},M" for n in range(1, 20))]
    (tmp_path / "b.csv").write_text("\n".join(["PATIENT_ID,GENDER", *lines, ""]), "utf-8")
    release = deid.scrub(
        [tmp_path / "a.csv", tmp_path / "b.csv"],
        tmp_path / "out",
        policy=policy("{quasi: [gender], cell_size: 5}"),
        reference_date=DAY,
    )
    assert [(m["file"], m["holds"]) for m in release.manifest["risk"]] == [(1, False), (2, True)]
    assert release.exit_code == 3


def test_a_file_with_indistinguishable_tables_puts_the_release_on_hold(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("gender\n" + "F\n" * 6, "utf-8")
    known = ReleasedTable(1, "a.csv", tmp_path / "a.csv", "")
    (limit,) = policy("{quasi: [gender], cell_size: 5}").risk
    asked = [RiskLimitCheck(limit, None)]
    told = measure_risk_limits(
        asked, [known, ReleasedTable(2, "b.zip/x.csv", tmp_path, None)], ReadOptions()
    )
    assert [(m["file"], m["holds"]) for m in told] == [(1, False), (None, True)]


def test_a_released_parquet_table_is_read_again_for_its_risk(tmp_path: Path) -> None:
    table = pa.table({"patient_id": [f"P{n}" for n in range(12)], "gender": list("FM") * 6})
    pq.write_table(table, tmp_path / "people.parquet")
    limit = "{quasi: [gender], cell_size: 5}"
    release = deid.scrub(
        tmp_path / "people.parquet", tmp_path / "out", policy=policy(limit), reference_date=DAY
    )
    assert release.manifest["risk"][0]["classes"] == 2


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("{quasi: []}", "risk"),
        ("{quasi: [a, a]}", "twice"),
        ("{quasi: [a], decide_on: journalist}", "population"),
        ("{quasi: [a], population_columns: {a: b}}", "population"),
        ("{quasi: [a], cell_size: 0}", "cell_size"),
        ("{quasi: [a], k: 5}", "risk"),
    ],
)
def test_an_invalid_risk_limit_is_refused_with_the_policy(limit: str, said: str) -> None:
    with pytest.raises(deid.DeidError, match=said):
        policy(limit)
