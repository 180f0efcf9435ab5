"""`deid plan` with t-closeness, presence, uniqueness, differential privacy and perturbation."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from deid.cli import main

AGES = [str(20 + (7 * n) % 60) for n in range(600)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    rows = [f"{age},{'FM'[n % 2]},{n % 3},{(n * 13) % 97},note {n}" for n, age in enumerate(AGES)]
    path.write_text("age,sex,grade,charge,note\n" + "\n".join(rows) + "\n")
    return path


def run(capsys: pytest.CaptureFixture[str], *given: object) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([str(part) for part in given])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def rows_of_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_released_table_meets_t_closeness(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "planned.csv"
    given = ("plan", table, "--quasi", "age,sex", "--sensitive", "grade", "--t-closeness", "0.1")
    code, told, _ = run(capsys, *given, "--distance", "ordered", "-o", out, "--json")
    assert code == 0 and json.loads(told)["limits"] == [{"t_closeness": 0.1, "distance": "ordered"}]
    code, told, _ = run(capsys, "risk", out, "--quasi", "age,sex", "--sensitive", "grade", "--json")
    assert json.loads(told)["disclosure"][0]["t_ordered"] <= 0.1 + 1e-9
    code, _, err = run(capsys, *given, "--distance", "far")
    assert code == 2 and "bad-distance" in err


def test_uniques_of_the_population_need_the_share(
    capsys: pytest.CaptureFixture[str], table: Path
) -> None:
    given = ("plan", table, "--quasi", "age,sex", "--population-uniques", "0.01")
    code, _, err = run(capsys, *given)
    assert code == 2 and "--sampled" in err
    assert run(capsys, *given, "--sampled", "0.1")[0] == 0


def test_differential_privacy_samples_rows_and_reports_its_parameters(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "private.csv"
    given = ("plan", table, "--quasi", "age,sex", "--differential-privacy", "1,0.001")
    levels = ("--levels", "age=5,sex=0")
    code, told, _ = run(capsys, *given, *levels, "-o", out, "--json", "--keep", "grade")
    assert code == 0
    summary = json.loads(told)
    private = summary["differential_privacy"]
    assert 300 < private["drawn"] < 450 and summary["smallest_class"] >= private["k"]
    rows = rows_of_csv(out)
    assert list(rows[0]) == ["age", "sex"], "other columns are outside the guarantee"
    assert min(Counter((r["age"], r["sex"]) for r in rows).values()) >= private["k"]
    for wrong in (
        ("--levels", "age=4-5,sex=0"),
        ("--levels", "age=5"),
        (*levels, "--k", "5"),
        (*levels, "--hierarchy", "age=quantile"),
        (*levels, "--person-column", "note"),
    ):
        code, _, err = run(capsys, *given, *wrong)
        assert code == 2 and "levels-not-fixed" in err, wrong
    assert run(capsys, *given[:-1], "1", *levels)[0] == 2


def test_perturbed_columns_are_reported_and_the_policy_does_not_keep_them(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "planned"
    given = ("plan", table, "--quasi", "age,sex", "--k", "5", "--perturb")
    code, told, _ = run(capsys, *given, "charge=microaggregate(10)", "-o", out, "--json")
    assert code == 0
    (said,) = json.loads(told)["perturbations"]
    assert said["columns"] == ["charge"] and "at least 10" in said["effect"]
    rows = rows_of_csv(out / "t.csv")
    charges = Counter(row["charge"] for row in rows)
    assert min(charges.values()) >= 10 and len(charges) < 97
    total = sum(float(row["charge"]) for row in rows)
    assert total == pytest.approx(sum((n * 13) % 97 for n in range(600)), rel=1e-6)
    policy = (out / "t.policy.yaml").read_text()
    assert '"name": "charge", "action": "drop"' in policy
    code, told, _ = run(capsys, *given, "charge=noise(0.1)")
    assert code == 0 and "untrue on purpose" in told
    for wrong in ("age=noise(1)", "nothing=noise(1)", "charge=noise"):
        assert run(capsys, *given, wrong)[0] == 2, wrong
