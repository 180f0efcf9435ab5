"""The next extract of the same cohort: what puts it on hold, the remedy that is offered, and what
passes.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.cli import main
from risk import ClassSize, PlanRequest, compare_releases, encode, find_remedy, plan


def run(capsys: pytest.CaptureFixture[str], *line: object) -> tuple[int, dict, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(part) for part in line])
    told = capsys.readouterr()
    return int(ended.value.code or 0), json.loads(told.out or "{}"), told.err


def people(count: int, seed: int) -> list[str]:
    chance = np.random.default_rng(seed)
    ages, sexes = chance.integers(20, 90, count), chance.choice(["F", "M"], count)
    return [f"{age},{sex}" for age, sex in zip(ages, sexes, strict=True)]


def written(path: Path, rows: list[str]) -> Path:
    path.write_text("age,sex\n" + "\n".join(rows) + "\n")
    return path


def test_the_remedy_that_is_offered_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    june = written(tmp_path / "june.csv", people(2_000, 1))
    july = written(tmp_path / "july.csv", people(2_000, 1) + people(120, 2))
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    asked = ["--quasi", "age,sex", "--k", 11, "--json"]
    assert run(capsys, "plan", june, *asked, "-o", first)[0] == 0
    after = ["--earlier", first, "-o", second]
    code, told, err = run(capsys, "plan", july, *asked, *after)
    assert code == 3 and not second.exists()
    assert told["remedy"]["safe"] and "--levels" in err
    levels = ",".join(f"{name}={level}" for name, level in told["remedy"]["levels"].items())
    code, told, _ = run(capsys, "plan", july, *asked, *after, "--levels", levels)
    assert code == 0 and second.exists() and told["releases"][0]["safe"]
    assert "remedy" not in told


def test_an_extract_of_other_persons_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    june = written(tmp_path / "june.csv", people(2_000, 1))
    july = written(tmp_path / "july.csv", people(2_010, 2))
    first = tmp_path / "first.csv"
    asked = ["--k", 11, "--json"]
    assert run(capsys, "plan", june, "--quasi", "age,sex", *asked, "-o", first)[0] == 0
    again = ["plan", july, "--apply", tmp_path / "first.plan.json", *asked, "--earlier", first]
    assert run(capsys, *again)[0] == 3
    assert run(capsys, *again, "--other-persons")[0] == 0


def test_too_few_newcomers_have_no_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    june = written(tmp_path / "june.csv", people(500, 1))
    july = written(tmp_path / "july.csv", [*people(500, 1), "44,F", "45,F"])
    first = tmp_path / "first.csv"
    asked = ["--quasi", "age,sex", "--k", 5, "--json"]
    assert run(capsys, "plan", june, *asked, "-o", first)[0] == 0
    code, told, err = run(capsys, "plan", july, *asked, "--earlier", first)
    assert code == 3 and not told["remedy"]["safe"] and "wait until at least 5" in err


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 99), st.integers(0, 60), st.integers(2, 8))
def test_a_remedy_reported_as_safe_is_safe_when_counted_by_hand(
    seed: int, newcomers: int, k: int
) -> None:
    def frame(rows: list[str]) -> dict[str, list[str]]:
        return {"age": [r.split(",")[0] for r in rows], "sex": [r.split(",")[1] for r in rows]}

    old = people(300, seed)
    then = plan(frame(old), {}, PlanRequest((ClassSize(k),)))
    now = plan(frame(old + people(newcomers, seed + 1)), {}, PlanRequest((ClassSize(k),)))
    found = find_remedy(now.table, [then.table], k, now.levels, now.hierarchies)
    if not found.safe:
        return
    coarse: list[Counter[tuple[str, str]]] = []
    for rows in (old, old + people(newcomers, seed + 1)):
        labels = [_generalized(row, found.levels, now.hierarchies) for row in rows]
        coarse.append(Counter(labels))
    for label, count in coarse[1].items():
        step = abs(count - coarse[0][label])
        assert count >= k and (step == 0 or step >= k)


def _generalized(row: str, levels: dict[str, int], hierarchies: dict) -> tuple[str, str]:
    told = []
    for name, value in zip(("age", "sex"), row.split(","), strict=True):
        hierarchy = hierarchies[name]
        leaf = hierarchy.positions[value]
        told.append(str(hierarchy.labels[levels[name]][hierarchy.groups[levels[name]][leaf]]))
    return told[0], told[1]


def test_a_finer_earlier_release_is_compared_at_the_present_levels() -> None:
    """The earlier release had single ages and this one has bands, so they share no label."""
    rows = {"age": [str(20 + i % 40) for i in range(400)]}
    fine = plan(rows, {}, PlanRequest((ClassSize(5),)))
    coarse = plan(rows, {}, PlanRequest((ClassSize(40),)))
    assert fine.levels != coarse.levels
    (plain,) = compare_releases(coarse.table, [fine.table], 5)
    assert plain.other_labels == ("age",)
    (climbed,) = compare_releases(
        coarse.table, [fine.table], 5, levels=coarse.levels, hierarchies=coarse.hierarchies
    )
    assert climbed.safe
    more = {"age": [*rows["age"], "33"]}
    (apart,) = compare_releases(
        plan(more, {}, PlanRequest((ClassSize(40),))).table, [encode(fine.table)], 5,
        levels=coarse.levels, hierarchies=coarse.hierarchies,
    )  # fmt: skip
    assert apart.apart == 1
