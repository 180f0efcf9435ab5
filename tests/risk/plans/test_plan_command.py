"""`deid plan` end to end: the JSON of the contract, and written files that are counted again
independently.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from deid.cli import main

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "risk"
Q6 = ["sex", "age", "race", "marital-status", "education", "native-country"]
needs_adult = pytest.mark.skipif(not SHARED.exists(), reason="the Adult table is not at hand")
AWKWARD = ["marital-status", "age (years)", "naïve; column", "mixed"]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main([str(a) for a in arguments])
    shown = capsys.readouterr()
    return int(caught.value.code or 0), shown.out, shown.err


def rows_of(path: Path, delimiter: str) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream, delimiter=delimiter)
    return header, rows


def recount(path: Path, names: Sequence[str], delimiter: str = ";") -> Counter[tuple[str, ...]]:
    """Class sizes of a written file, counted with csv and a dictionary."""
    header, rows = rows_of(path, delimiter)
    places = [header.index(name) for name in names]
    return Counter(tuple(row[i] for i in places) for row in rows)


@pytest.fixture
def awkward(tmp_path: Path) -> Path:
    """Missing values, hyphens, spaces, delimiters and quotes in names and values, mixed types."""
    generator = random.Random(11)
    path = tmp_path / "awkward.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, delimiter=";")
        out.writerow([*AWKWARD, "lab value"])
        for _ in range(800):
            out.writerow(
                [
                    generator.choice(["Never-married", "Married; again", 'so "called"', ""]),
                    generator.choice(["", *map(str, range(20, 60)), "33.0"]),
                    generator.choice(["x", "y;z", " ", "*"]),
                    generator.choice(["1", "1.0", "one", "NA", ""]),
                    generator.randint(1, 9),
                ]
            )
    return path


@needs_adult
def test_the_json_of_a_plan_follows_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "plan", SHARED / "adult.csv", "--quasi", ",".join(Q6), "--hierarchies",
        SHARED / "hierarchies", "--k", 5, "--max-suppression", 0.05, "--json",
    )  # fmt: skip
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["levels"] == dict(zip(Q6, (0, 3, 0, 0, 1, 1), strict=True))
    assert told["suppressed_records"] == 1076
    assert told["smallest_class"] == 5
    assert told["loss"]["granularity"] == pytest.approx(0.14120178781666665, rel=1e-6)
    assert set(told["loss"]) == {"granularity", "non_uniform_entropy", "discernibility"}
    assert told["optimal"] is True
    assert told["nodes"]["total"] == 720
    assert 0 < told["nodes"]["checked"] < 720


@needs_adult
@pytest.mark.parametrize("method", ["full-domain", "local", "mondrian", "cells"])
def test_the_written_table_meets_its_limits(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    code, text, _ = run(
        capsys, "plan", SHARED / "adult.csv", "--quasi", ",".join(Q6), "--hierarchies",
        SHARED / "hierarchies", "--k", 5, "--max-suppression", 0.05, "--method", method,
        "-o", out, "--json",
    )  # fmt: skip
    assert code == 0
    told = json.loads(text)
    classes = recount(out, Q6)
    assert min(classes.values()) == told["smallest_class"] >= 5
    assert len(classes) == told["classes"]
    assert sum(classes.values()) == 30162 - told["suppressed_records"]
    header, rows = rows_of(out, ";")
    original_header, original = rows_of(SHARED / "adult.csv", ";")
    assert header == original_header
    if len(rows) == len(original):
        place = header.index("salary-class")
        assert [row[place] for row in rows] == [row[place] for row in original]


@pytest.mark.parametrize("method", ["full-domain", "local", "cells", "columns"])
@pytest.mark.parametrize("k", [3, 11])
def test_unusual_values_are_counted_as_they_are_written(
    awkward: Path, method: str, k: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    quasi = ",".join(AWKWARD)
    code, text, err = run(
        capsys, "plan", awkward, "--quasi", quasi, "--k", k, "--max-suppression", 0.3,
        "--method", method, "--hierarchy", "age (years)=number", "-o", out, "--json",
    )  # fmt: skip
    assert code == 0, err
    classes = recount(out, AWKWARD)
    assert min(classes.values()) >= k
    told = json.loads(text)
    assert min(classes.values()) == told["smallest_class"]
    assert sum(classes.values()) == 800 - told["suppressed_records"]


def test_a_plan_withholds_an_unclassified_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    lines = [f"{i % 2},{i % 4},person{i}@example.org" for i in range(40)]
    table.write_text("sex,x,email\n" + "\n".join(lines) + "\n", "utf-8")
    code, _, err = run(
        capsys, "plan", table, "--quasi", "sex,x", "--k", 5, "-o", tmp_path / "out.csv"
    )
    assert code == 0
    assert "example.org" not in (tmp_path / "out.csv").read_text("utf-8")
    assert "withheld, because it has the profile `identifier`: email" in err
    assert "example.org" not in err


def test_a_missing_value_of_a_hierarchy_is_written_to_a_file_on_request_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "h"
    folder.mkdir()
    (folder / "x.csv").write_text("a;*\nb;*\n", "utf-8")
    table = tmp_path / "t.csv"
    table.write_text("x,y\na,1\nJane Roe,1\nb,1\n", "utf-8")
    lacking = tmp_path / "lacking.csv"
    code, out, err = run(
        capsys, "plan", table, "--quasi", "x", "--hierarchies", folder, "--k", 2,
        "--missing-lines", lacking,
    )  # fmt: skip
    assert code == 2
    assert "hierarchy-incomplete" in err
    assert "Jane" not in out + err
    assert lacking.read_text("utf-8") == "x;Jane Roe;*\n"


def test_a_saved_plan_is_applied_to_the_next_extract_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    june, july = tmp_path / "june.csv", tmp_path / "july.csv"
    rows = [f"{30 + i % 20},MA" for i in range(200)]
    june.write_text("age,state\n" + "\n".join(rows) + "\n", "utf-8")
    july.write_text("age,state\n" + "\n".join([*rows, "31,MA", "92,MA"]) + "\n", "utf-8")
    first = tmp_path / "first.csv"
    asked = ["--k", 12, "--max-suppression", 0.05]
    assert run(capsys, "plan", june, "--quasi", "age,state", *asked, "-o", first)[0] == 0
    saved = tmp_path / "first.plan.json"
    code, text, err = run(
        capsys, "plan", july, "--apply", saved, "--earlier", first, "--k", 12,
        "-o", tmp_path / "second.csv", "--json",
    )  # fmt: skip
    assert code == 3
    assert not (tmp_path / "second.csv").exists()
    (found,) = json.loads(text)["releases"]
    assert (found["apart"], found["smallest_step"], found["safe"]) == (1, 1, False)
    assert "held" in err
    again = tmp_path / "again.csv"
    assert run(capsys, "plan", june, "--apply", saved, "-o", again)[0] == 0
    assert again.read_bytes() == first.read_bytes()


def test_the_policy_is_one_that_scrub_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from deid.policy.model import read_policy

    table = tmp_path / "t.csv"
    rows = [f"{20 + i % 60},{['02139', '10001'][i % 2]},{['MA', 'NY'][i % 2]}" for i in range(600)]
    table.write_text("age,zip,state\n" + "\n".join(rows) + "\n", "utf-8")
    out = tmp_path / "out.csv"
    code, _, err = run(
        capsys, "plan", table, "--quasi", "age,zip,state", "--k", 5, "--levels", "age=1,zip=1",
        "-o", out,
    )  # fmt: skip
    assert code == 0, err
    policy = read_policy(str(tmp_path / "out.policy.yaml"))
    actions = {rule.name: rule.action for rule in policy.columns}
    assert actions == {"age": "age_cap", "zip": "zip3", "state": "keep_state"}


def test_every_change_is_listed_without_a_value(
    awkward: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = tmp_path / "changes.csv"
    code, text, _ = run(
        capsys, "plan", awkward, "--quasi", ",".join(AWKWARD), "--k", 5, "--method", "cells",
        "--changes", changes, "--json",
    )  # fmt: skip
    assert code == 0
    _, rows = rows_of(changes, ",")
    cells = [row for row in rows if row[2] == "suppressed"]
    blanked = json.loads(text)["details"]["cells_by_column"]
    for name in AWKWARD:
        listed = sum(row[1] == name for row in cells)
        # A value that already is `*` stays the same when it is blanked.
        assert listed <= blanked[name] if name == "naïve; column" else listed == blanked[name]
    assert {row[2] for row in rows} <= {"suppressed", "generalised", "record left out"}
    assert {row[3] for row in rows} == {"k 5"}
    written = changes.read_text("utf-8")
    assert "Never" not in written
    assert "again" not in written


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--k", "5"], "no-quasi"),
        (["--quasi", "x"], "no-limit"),
        (["--quasi", "nowhere", "--k", "2"], "unknown-column"),
        (["--quasi", "x", "--k", "2", "--loss", "beauty"], "unknown-loss"),
        (["--quasi", "x", "--k", "2", "--method", "magic"], "unknown-method"),
        (["--quasi", "x", "--k", "200"], "no-transformation"),
        (["--quasi", "x", "--k", "2", "--levels", "x=7"], "bad-level"),
        (["--quasi", "x", "--k", "2", "--hierarchy", "x=age"], "not-understood"),
        (["--quasi", "x", "--k", "2", "--weights", "x=heavy"], "bad-number"),
        (["--no-worse-than", "safe_harbor"], "no-population"),
        (["--no-worse-than", "limited_data_set", "--population", "p.csv"], "unknown-policy"),
        (["--quasi", "x", "--k-map", "2"], "no-population"),
        (["--quasi", "x", "--l-diversity", "2"], "no-sensitive-column"),
        (["--quasi", "x", "--k-map", "0", "--population", "p.csv"], "bad-limit"),
        (["--quasi", "x", "--l-diversity", "0", "--sensitive", "y"], "bad-limit"),
        (["--quasi", "x", "--average", "nan"], "bad-limit"),
        (["--quasi", "x", "--k", "2", "--at-risk", "5"], "bad-limit"),
        (["--quasi", "x", "--k", "2", "--method", "local", "--levels", "x=1"], "bad-limit"),
        (
            ["--quasi", "x", "--k", "2", "--method", "local", "--person-column", "y"],
            "no-persons-here",
        ),
        (
            ["--quasi", "x", "--k", "2", "--method", "cells", "--person-column", "y"],
            "no-persons-here",
        ),
        (
            ["--quasi", "x", "--k", "2", "--sensitive", "y", "--person-column", "y"],
            "sensitive-and-people",
        ),
    ],
)
def test_a_wrong_request_is_refused_in_one_sentence(
    arguments: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("x,y\nRoe,1\nDoe,2\n", "utf-8")
    status, out, err = run(capsys, "plan", table, *arguments)
    assert status == (3 if code == "no-transformation" else 2)
    assert out == ""
    assert f"[{code}]" in err
    assert "Roe" not in err


def test_histories_meet_their_limit_and_intervals_contain_no_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = random.Random(4)
    table, out = tmp_path / "visits.csv", tmp_path / "out.csv"
    lines = ["pid,sex,admitted"]
    for person in range(200):
        sex = generator.choice("MF")
        for visit in range(generator.randint(1, 2)):
            lines.append(f"{person},{sex},2020-{1 + visit:02}-{generator.randint(1, 28):02}")
    table.write_text("\n".join(lines) + "\n", "utf-8")
    code, _, err = run(
        capsys, "plan", table, "--quasi", "sex,admitted", "--person-column", "pid", "--intervals",
        "admitted", "--k", 5, "--max-suppression", 0.2, "-o", out, "--keep", "pid",
    )  # fmt: skip
    assert code == 0, err
    histories: dict[str, list[tuple[str, str]]] = {}
    for pid, sex, admitted in rows_of(out, ",")[1]:
        histories.setdefault(pid, []).append((sex, admitted))
    counts = Counter(tuple(sorted(history)) for history in histories.values())
    assert min(counts.values()) >= 5
    assert "2020-" not in out.read_text("utf-8")
    policy = (tmp_path / "out.policy.yaml").read_text("utf-8")
    assert '{"name": "admitted", "action": "drop"' in policy


def test_a_table_without_rows_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a plan used to be "proven optimal", and then `deid risk` refused the table."""
    table = tmp_path / "t.csv"
    table.write_text("age,sex\n")
    code, out, err = run(capsys, "plan", table, "--quasi", "age,sex", "--k", 3)
    assert (code, out) == (6, "") and "empty-table" in err


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (["--k", "0"], "--k"),
        (["--k", "2", "--max-suppression", "2"], "--max-suppression"),
        (["--k", "2", "--weights", "shoe=2"], "'shoe'"),
        (["--k", "2", "--weights", "age=-1"], "'age'"),
        (["--k", "2", "--levels", "shoe=1-2"], "'shoe'"),
    ],
)
def test_a_refusal_names_the_column_and_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], named: str
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("age,sex\n34,F\n35,M\n")
    code, _, err = run(capsys, "plan", table, "--quasi", "age,sex", *wrong)
    assert code == 2 and wrong[-2] in err and named in err
    assert "34" not in err and "35" not in err
