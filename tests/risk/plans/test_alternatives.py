"""Table 4 of Malin, Benitez & Masys 2011, rebuilt for an invented state."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.cli import main
from risk import (
    Alternative,
    Comparison,
    Population,
    RiskError,
    column_details,
    compare_policies,
    encode,
)

RACES = {"white": 0.81, "black": 0.06, "asian": 0.06, "multi": 0.03, "aian": 0.02, "nhpi": 0.01}
RACES |= {"other": 0.01}
PAPER = ["GenEth", "5 Year", "5 Year-GenEth", "10 Year", "10 Year-GenEth"]
MODELS = (
    "total",
    "uniques",
    "graduated_10",
    "graduated_20000",
    "non_graduated_10",
    "non_graduated_20000",
)


def state(people: int = 600_000) -> dict[tuple[int, str, str], int]:
    """People by age, sex and race: constant to 60, then halved every seven years, to 109."""
    weight = {age: 0.5 ** (max(0, age - 60) / 7) for age in range(110)}
    whole = sum(weight.values())
    cells = {}
    for (age, w), sex, (race, share) in product(weight.items(), ("F", "M"), RACES.items()):
        count = round(people * w / whole * share / 2)
        if count:
            cells[age, sex, race] = count
    return cells


def population(cells: dict[tuple[int, str, str], int]) -> Population:
    ages, sexes, races = zip(*cells, strict=True)
    columns = {"age": [str(a) for a in ages], "sex": list(sexes), "race": list(races)}
    counts = np.array(list(cells.values()), float)
    return Population("made up", "test", "2000", False, encode(columns), counts)


def draw(
    cells: dict[tuple[int, str, str], int], lowest: int, highest: int, count: int
) -> list[tuple[int, str, str]]:
    """A cohort drawn without replacement from these ages, with every age equally likely. Like the
    cohort of a memory clinic, it has many more people over 89 than the state.
    """
    people = [cell for cell, n in cells.items() if lowest <= cell[0] <= highest for _ in range(n)]
    at_age = Counter(cell[0] for cell in people)
    weight = np.array([1 / at_age[cell[0]] for cell in people])
    generator = np.random.default_rng(3)
    picks = generator.choice(len(people), count, replace=False, p=weight / weight.sum())
    return [people[i] for i in picks]


def generalized(cell: tuple[int, str, str], policy: str) -> tuple[object, ...]:
    """A cell as the paper's Table 2 generalizes it, written independently."""
    age, sex, race = cell
    eth = {"white": "WH", "black": "AA"}.get(race, "OT") if policy.endswith("GenEth") else race
    if policy == "Safe Harbor":
        return (min(age, 90), sex, eth)
    if policy.startswith("5"):
        return (age // 5, sex, eth)
    return (age // 10 if policy.startswith("10") else age, sex, eth)


def by_hand(
    cells: dict[tuple[int, str, str], int], cohort: list[tuple[int, str, str]], policy: str
) -> dict[str, float]:
    """Equations 1 to 4 computed person by person."""
    groups: Counter[tuple[object, ...]] = Counter()
    for cell, count in cells.items():
        groups[generalized(cell, policy)] += count
    sizes = [groups[generalized(cell, policy)] for cell in cohort]
    risk = {"total": sum(1 / g for g in sizes), "uniques": float(sum(g == 1 for g in sizes))}
    for t in (10, 20_000):
        risk[f"graduated_{t}"] = sum(1 / g for g in sizes if g <= t)
        risk[f"non_graduated_{t}"] = float(sum(g <= t for g in sizes))
    return risk


def cohort_table(cohort: list[tuple[int, str, str]]) -> dict[str, list[str]]:
    ages, sexes, races = zip(*cohort, strict=True)
    return {"age": [str(a) for a in ages], "sex": list(sexes), "race": list(races)}


def compare(
    cells: dict[tuple[int, str, str], int], cohort: list[tuple[int, str, str]]
) -> Comparison:
    table = encode(cohort_table(cohort))
    people = population(cells)
    return compare_policies(table, people, column_details(table.names, people))


def named(found: Comparison) -> dict[str, Alternative]:
    return {"Safe Harbor": found.reference, **{other.name: other for other in found.others}}


@pytest.mark.parametrize(
    ("lowest", "highest", "count"), [(65, 109, 2000), (20, 70, 1500), (85, 109, 300)]
)
def test_table_4_of_the_paper_is_reproduced(lowest: int, highest: int, count: int) -> None:
    cells = state()
    cohort = draw(cells, lowest, highest, count)
    found = named(compare(cells, cohort))
    safe = by_hand(cells, cohort, "Safe Harbor")
    stars = 0
    for policy in ("Safe Harbor", *PAPER):
        expected = by_hand(cells, cohort, policy)
        for model in MODELS:
            assert found[policy].risk[model] == pytest.approx(expected[model], rel=1e-9, abs=1e-9)
            worse = expected[model] > safe[model] + 1e-9
            assert (model in found[policy].worse) == worse
            stars += worse
    assert found["Safe Harbor"].risk["total"] > 0
    assert (stars > 0) == (highest > 90)


def test_an_old_cohort_has_the_pattern_of_the_dementia_cohort() -> None:
    """G_DEM of Table 4: single years over 89 are worse by every model that counts small groups."""
    cells = state()
    found = named(compare(cells, draw(cells, 70, 109, 2000)))
    assert {"total", "graduated_10", "graduated_20000"} <= set(found["GenEth"].worse)
    assert found["10 Year-GenEth"].risk["total"] < found["10 Year"].risk["total"]
    assert found["10 Year"].risk["total"] < found["5 Year"].risk["total"]
    assert found["5 Year"].risk["total"] < found["GenEth"].risk["total"] * 3


cells_of = st.dictionaries(
    st.tuples(
        st.integers(80, 99), st.sampled_from("FM"), st.sampled_from(["white", "black", "asian"])
    ),
    st.integers(1, 40),
    min_size=2,
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(cells_of, st.data())
def test_a_riskier_policy_is_never_offered(cells, data) -> None:
    cohort = data.draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=20))
    found = compare(cells, cohort)
    safe = by_hand(cells, cohort, "Safe Harbor")
    names = named(found)
    assert found.reference.risk["total"] == pytest.approx(safe["total"])
    for other in found.others:
        riskier = any(other.risk[m] > found.reference.risk[m] + 1e-9 for m in MODELS)
        assert other.offered != riskier
        assert not set(other.maximal) & set(other.worse)
    for policy in PAPER:
        expected = by_hand(cells, cohort, policy)
        if names[policy].offered:
            assert all(expected[model] <= safe[model] + 1e-6 for model in MODELS)


@settings(max_examples=40, deadline=None)
@given(cells_of, st.data())
def test_a_policy_is_maximal_if_no_finer_one_is_acceptable(cells, data) -> None:
    cohort = data.draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=20))
    found = compare(cells, cohort)
    orders = {
        "age": {
            "1 year": {"1 year, 90+ pooled", "5 years", "10 years", "none"},
            "1 year, 90+ pooled": {"none"},
            "5 years": {"10 years", "none"},
            "10 years": {"none"},
            "none": set(),
        },
        "race": {"as recorded": {"three", "none"}, "three": {"none"}, "none": set()},
        "sex": {"as recorded": {"none"}, "none": set()},
    }

    def finer(a: Alternative, b: Alternative) -> bool:
        return a.detail != b.detail and all(
            a.detail[c] == b.detail[c] or b.detail[c] in orders[c][a.detail[c]] for c in orders
        )

    for model in MODELS:
        for one in found.others:
            finest = not any(
                finer(other, one) and model not in other.worse
                for other in (found.reference, *found.others)
            )
            assert (model in one.maximal) == (model not in one.worse and finest)


def test_a_record_that_matches_no_person_counts_as_identified() -> None:
    cells = {(40, "F", "white"): 10, (41, "F", "white"): 10}
    found = compare(cells, [(40, "F", "white"), (70, "M", "black")])
    assert found.reference.unmatched == 1
    assert found.reference.risk["total"] == pytest.approx(1.1)
    assert found.reference.risk["uniques"] == 1


def test_a_birth_month_is_riskier_than_the_year() -> None:
    cells = {(age, sex, "white"): 1200 for age in range(30, 60) for sex in "FM"}
    people = population(cells)
    births = [f"{1950 + i % 15}-{1 + i % 12:02}-11" for i in range(60)]
    table = encode({"birth_date": births, "sex": ["F", "M"] * 30})
    found = compare_policies(
        table, people, column_details(table.names, people), reference_year=2000
    )
    risk = {
        o.detail["birth_date"]: o.risk["total"] for o in found.others if o.detail["sex"] != "none"
    }
    assert risk["month"] == pytest.approx(60 / 100)
    assert risk["quarter"] == pytest.approx(60 / 300)
    assert risk["1 year"] == pytest.approx(60 / 1200)
    assert risk["month"] > found.reference.risk["total"]


def areas(counts: dict[str, int], name: str) -> Population:
    cells = {name: list(counts), "sex": ["F"] * len(counts)}
    return Population("t", "t", "2020", False, encode(cells), np.array([*counts.values()], float))


def test_small_zip_areas_are_withheld_and_five_digits_are_finer_than_three() -> None:
    counts = {"02139": 30_000, "02140": 10_000, "03601": 5_000, "03602": 3_000}
    people = areas(counts, "zip5")
    table = encode({"zip": ["02139", "02140", "03601", "2139"], "sex": ["F"] * 4})
    found = compare_policies(table, people, column_details(table.names, people))
    assert found.reference.detail["zip"] == "three digits"
    assert found.reference.risk["total"] == pytest.approx(3 / 40_000 + 1 / 48_000)
    (fine,) = [o for o in found.others if o.detail == {"zip": "five digits", "sex": "as recorded"}]
    assert fine.risk["total"] == pytest.approx(2 / 30_000 + 1 / 10_000 + 1 / 5_000)
    assert "total" in fine.worse


def test_a_population_by_three_digits_never_offers_five() -> None:
    people = areas({"021": 40_000, "036": 8_000}, "zip3")
    table = encode({"zip": ["02139", "03601"], "sex": ["F", "F"]})
    (column_detail, _) = column_details(table.names, people)
    assert [setting.name for setting in column_detail.levels] == ["three digits", "none"]


def test_a_column_that_the_population_does_not_count_is_in_no_policy() -> None:
    cells = {(40, "F", "white"): 10}
    table = encode({"age": ["40"], "ward": ["7"]})
    people = population(cells)
    found = compare_policies(table, people, column_details(table.names, people))
    assert found.left_out == ("ward",)
    with pytest.raises(RiskError):
        compare_policies(table, people, column_details(["ward"], people))


def test_the_command_prints_the_table_and_the_chart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = state(60_000)
    cohort = draw(cells, 70, 109, 200)
    census = tmp_path / "census.csv"
    lines = [f"{age},{sex},{race},{count}" for (age, sex, race), count in cells.items()]
    census.write_text("age,sex,race,count\n" + "\n".join(lines) + "\n", "utf-8")
    table = tmp_path / "cohort.csv"
    rows = [f"{age},{sex},{race}" for age, sex, race in cohort]
    table.write_text("age,sex,race\n" + "\n".join(rows) + "\n", "utf-8")
    call = ["plan", str(table), "--no-worse-than", "safe_harbor", "--population", str(census)]
    with pytest.raises(SystemExit) as caught:
        main([*call, "--chart", str(tmp_path / "chart.html")])
    assert not caught.value.code
    shown = capsys.readouterr().out
    row = next(line for line in shown.splitlines() if line.startswith("GenEth"))
    assert "*" in row
    assert "<svg" in (tmp_path / "chart.html").read_text("utf-8")
    with pytest.raises(SystemExit):
        main([*call, "--json"])
    told_json = json.loads(capsys.readouterr().out)
    star = {
        p["name"]: {m for m, r in p["risk"].items() if r["worse"]} for p in told_json["policies"]
    }
    safe = by_hand(cells, cohort, "Safe Harbor")
    for policy in PAPER:
        expected = by_hand(cells, cohort, policy)
        assert star[policy] == {m for m in MODELS if expected[m] > safe[m] + 1e-9}
    assert all(not star[name] for name in told_json["offered"])


def files_of(
    tmp_path: Path, cells: dict[tuple[int, str, str], int], cohort: list[tuple[int, str, str]]
) -> tuple[Path, Path]:
    census, table = tmp_path / "census.csv", tmp_path / "cohort.csv"
    lines = [f"{age},{sex},{race},{count}" for (age, sex, race), count in cells.items()]
    census.write_text("age,sex,race,count\n" + "\n".join(lines) + "\n", "utf-8")
    rows = [f"{age},{sex},{race}" for age, sex, race in cohort]
    table.write_text("age,sex,race\n" + "\n".join(rows) + "\n", "utf-8")
    return table, census


@pytest.mark.parametrize("model", ["total", "graduated-10", "non-graduated-20000"])
def test_the_plan_has_the_least_loss_that_is_no_riskier_than_safe_harbor(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = state(300_000)
    cohort = draw(cells, 60, 99, 500)
    table, census = files_of(tmp_path, cells, cohort)
    written = tmp_path / "out.csv"
    with pytest.raises(SystemExit) as caught:
        main(
            [
                *("plan", str(table), "--quasi", "age,sex,race", "--no-worse-than", "safe_harbor"),
                *("--risk-model", model, "--population", str(census), "--json"),
                *("-o", str(written), "--max-suppression", "0.1"),
            ]
        )
    shown = capsys.readouterr()
    assert not caught.value.code, shown.err
    report = json.loads(shown.out)
    assert report["optimal"]
    assert report["levels"]["age"] < 5
    safe = by_hand(cells, cohort, "Safe Harbor")[model.replace("-", "_")]
    assert report["limits"][0]["population_risk"] == pytest.approx(safe)
    assert risk_of(written, cells, report["levels"], model) <= safe + 1e-6


def risk_of(
    path: Path, cells: dict[tuple[int, str, str], int], levels: dict[str, int], model: str
) -> float:
    """The risk of the written rows: people of the state are counted under the released labels."""

    def label(cell: tuple[int, str, str]) -> tuple[str, ...]:
        age, sex, race = cell
        band = {0: str(age), 1: "90+" if age >= 90 else str(age), 5: "*"}
        for level, width in ((2, 5), (3, 10), (4, 20)):
            low = age // width * width
            band[level] = f"{low}-{low + width - 1}" if age < 90 else "90+"
        if age >= 80:
            band[4] = "80+"
        return (
            band[levels["age"]],
            sex if levels["sex"] == 0 else "*",
            race if levels["race"] == 0 else "*",
        )

    groups: Counter[tuple[str, ...]] = Counter()
    for cell, count in cells.items():
        groups[label(cell)] += count
    rows = [tuple(line.split(",")) for line in path.read_text("utf-8").splitlines()[1:]]
    sizes = [groups[row] for row in rows]
    assert min(sizes) > 0
    name, _, group = model.rpartition("-")
    if not group.isdigit():
        return sum(1 / g for g in sizes)
    return float(sum(1 / g if name == "graduated" else 1 for g in sizes if g <= int(group)))


@pytest.mark.parametrize("public", [True, False])
def test_the_questionnaire_sets_the_limit(
    public: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(f"public = {str(public).lower()}\nattempt = 0.5\n", "utf-8")
    table, _ = files_of(tmp_path, {}, draw(state(), 20, 90, 2000))
    with pytest.raises(SystemExit):
        main(["plan", str(table), "--quasi", "age,sex,race", "--context", str(answers), "--json"])
    report = json.loads(capsys.readouterr().out)
    (limit,) = report["limits"]
    if public:
        assert limit == {"k": 20}
        assert report["smallest_class"] >= 20
    else:
        assert limit["strict"] is True
        assert 0 < limit["average"] <= 1
        assert report["classes"] / report["records"] <= limit["average"]
        assert report["smallest_class"] >= 3
