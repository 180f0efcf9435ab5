"""A plan covers an extract: a person who is left out has no row in any table, and the codes that
link tables remain.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from deid.cli import main


def run(capsys: pytest.CaptureFixture[str], *line: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(part) for part in line])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def extract(tmp_path: Path, times: int = 1) -> tuple[Path, Path, Path]:
    """Forty persons of two ages and one person alone, each with three visits and a laboratory
    value.
    """
    patients, visits, labs = (tmp_path / f"{n}.csv" for n in ("patients", "visits", "labs"))
    ages = [41] * 20 + [67] * 20 + [93]
    rows = [f"p{i:03},{age},F" for i, age in enumerate(ages) for _ in range(times)]
    patients.write_text("person_id,age,sex\n" + "\n".join(rows) + "\n")
    visits.write_text(
        "person_id,stay\n" + "".join(f"p{i:03},{n}\n" for i in range(41) for n in (1, 2, 3))
    )
    labs.write_text("sodium,person_id\n" + "".join(f"{130 + i % 9},p{i:03}\n" for i in range(45)))
    return patients, visits, labs


def persons(path: Path) -> set[str]:
    with path.open(newline="") as stream:
        return {row["person_id"] for row in csv.DictReader(stream)}


@pytest.mark.parametrize("times", [1, 2])
def test_persons_left_out_by_a_plan_are_in_no_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], times: int
) -> None:
    patients, visits, labs = extract(tmp_path, times)
    out = tmp_path / "planned"
    code, text, err = run(
        capsys, "plan", patients, "--quasi", "age,sex", "--k", 5, "--max-suppression", 0.1,
        "--levels", "age=0", "--link", "person_id", "--linked", visits, "--linked", labs,
        "--keep", "stay,sodium", "-o", out, "--json",
    )  # fmt: skip
    assert code == 0, err
    told = json.loads(text)
    assert told["suppressed_records"] == times
    expected = {f"p{i:03}" for i in range(40)}
    for name in ("patients.csv", "visits.csv", "labs.csv"):
        assert persons(out / name) == expected, name
    linked = {one["table"]: one for one in told["output"]["linked"]}
    assert linked["visits.csv"]["rows_left_out"] == 3
    assert linked["labs.csv"]["rows_left_out"] == 5, "four persons were in no measured table"
    assert set(linked["labs.csv"]["columns_kept"]) == {"person_id", "sodium"}


@pytest.mark.parametrize(
    "more",
    [["--linked", "visits.csv"], ["--link", "person_id", "--linked", "v.csv", "-o", "a.csv"]],
)
def test_linked_tables_require_their_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    patients, _, _ = extract(tmp_path)
    code, _, err = run(capsys, "plan", patients, "--quasi", "age,sex", "--k", 5, *more)
    assert code == 2 and "link-missing" in err


def test_a_table_without_the_link_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patients, _, _ = extract(tmp_path)
    other = tmp_path / "other.csv"
    other.write_text("id,x\n1,2\n")
    line = ["plan", patients, "--quasi", "age,sex", "--k", 5, "--max-suppression", 0.1, "--link"]
    code, _, err = run(capsys, *line, "person_id", "--linked", other, "-o", tmp_path / "planned")
    assert code == 2 and "unknown-column" in err and not (tmp_path / "planned").exists()
