"""Every score is compared with a naive computation, over spellings, missing values, bands and
years.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.cli import main as run_command
from risk import (
    Population,
    RiskError,
    RiskRequest,
    Threshold,
    assess,
    column_details,
    compare_policies,
    encode,
    open_population,
    read_population,
)


def main(line: list[str]) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        run_command(line)
    return int(ended.value.code or 0)


YEAR = 2026
RACES = ("white", "black", "asian", "hispanic")
PEOPLE = {
    (age, sex, race): 1 + (age * 7 + ord(sex) + len(race) * 3) % 11
    for age in range(111)
    for sex in "MF"
    for race in RACES
    if age < 100 or (age, sex) in ((100, "F"), (104, "M"))
}


def population(ages: Callable[[int], str] = str) -> Population:
    columns = {
        "age": [ages(a) for a, _, _ in PEOPLE],
        "sex": [s for _, s, _ in PEOPLE],
        "race": [r for _, _, r in PEOPLE],
    }
    counts = np.array(list(PEOPLE.values()), float)
    return Population("made up", "test", str(YEAR), False, encode(columns), counts)


def born(first: int, last: int) -> Callable[[int], bool]:
    return lambda age: first <= YEAR - age <= last


AGES: dict[str | None, Callable[[int], bool]] = {
    "41": lambda age: age == 41,
    "41.0": lambda age: age == 41,
    "40-44": lambda age: 40 <= age <= 44,
    "[40,45)": lambda age: 40 <= age <= 44,
    "90+": lambda age: age >= 90,
    "95 or older": lambda age: age >= 95,
    ">99": lambda age: age >= 100,
    "under 2": lambda age: age < 2,
    "1980": born(1980, 1980),
    "1975-1979": born(1975, 1979),
    "1970s": born(1970, 1979),
    "40s": lambda age: 40 <= age <= 49,
    "35-<40": lambda age: 35 <= age <= 39,
    "2025-2029": born(2025, 2029),
    "2020-2039": born(2020, 2039),
    "1936 or earlier": born(0, 1936),
    "2024 or later": born(2024, 9999),
    "Unknown": lambda age: True,
    "*": lambda age: True,
    None: lambda age: True,
    "2031": lambda age: False,
}
SEXES: dict[str | None, Callable[[str], bool]] = {
    "F": lambda sex: sex == "F",
    "female": lambda sex: sex == "F",
    " M ": lambda sex: sex == "M",
    "U": lambda sex: True,
    "UNK": lambda sex: True,
    None: lambda sex: True,
}
WORDS: dict[str | None, Callable[[str], bool]] = {
    "White": lambda race: race == "white",
    "2106-3": lambda race: race == "white",
    "2028-9": lambda race: race == "asian",
    "OT": lambda race: race not in ("white", "black"),
    "2186-5": lambda race: race != "hispanic",
    "Declined": lambda race: True,
    "Patient Refused": lambda race: True,
}
RECORD = st.tuples(st.sampled_from([*AGES]), st.sampled_from([*SEXES]), st.sampled_from([*WORDS]))


@settings(max_examples=150, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=30), st.integers(1, 12), st.sampled_from([0.5, 1.0]))
def test_scores_agree_with_a_naive_computation(
    rows: list[tuple[str | None, str | None, str | None]], size: int, scaling: float
) -> None:
    age, sex, race = zip(*rows, strict=True)
    table = {"age": list(age), "sex": list(sex), "race": list(race)}
    asked = RiskRequest(Threshold.of_cell_size(size), scaling=scaling, groups=(1, 10, 500))
    report = assess(table, ["age", "sex", "race"], asked, population=population())
    own = Counter(rows)
    group = {
        row: sum(
            n
            for (a, s, r), n in PEOPLE.items()
            if AGES[row[0]](a) and SEXES[row[1]](s) and WORDS[row[2]](r)
        )
        for row in own
    }
    found = report.scores["prosecutor"]
    assert found is not None and report.population is not None
    assert found.at_risk == pytest.approx(sum(own[r] < size for r in rows) / len(rows))
    assert found.maximum == 1 / min(own.values())
    assert found.average == pytest.approx(len(own) / len(rows))
    linked = report.population.linkage
    matched = [row for row in rows if group[row]]
    assert linked.unmatched == len(rows) - len(matched)
    assert linked.total == pytest.approx(sum(group[row] ** -scaling for row in matched))
    for limit in (1, 10, 500):
        inside = [row for row in matched if group[row] <= limit]
        assert linked.non_graduated[limit] == len(inside)
        assert linked.graduated[limit] == pytest.approx(sum(group[r] ** -scaling for r in inside))
    held = {row: max(own[row], group[row]) for row in own}
    journalist, marketer = report.scores["journalist"], report.scores["marketer"]
    assert journalist is not None and marketer is not None
    mean = sum(1 / held[row] for row in rows) / len(rows)
    assert journalist.maximum == pytest.approx(1 / min(held.values()))
    assert journalist.average == pytest.approx(max(mean, len(own) / sum(held.values())))
    assert marketer.average == pytest.approx(mean)
    assert journalist.at_risk == pytest.approx(sum(held[r] < size for r in rows) / len(rows))


@pytest.mark.parametrize("day", ["2025-05-05", "2026-01-01", "2021-12-31", "1990-05-05"])
def test_a_band_that_ends_after_the_reference_year_matches_people(day: str) -> None:
    """The band 2025-2029 used to match nobody, so each record counted as identified and good
    policies were refused.
    """
    people = open_population("state-acs2022")
    table = encode({"DOB": [day], "sex": ["F"], "race": ["White"], "state": ["NY"]})
    details = column_details(table.names, people, {"DOB": "age"})
    found = compare_policies(table, people, details, reference_year=2026)
    risks = {one.name: one.risk["total"] for one in found.others}
    assert risks["5 Year"] < 1e-4 and risks["10 Year"] < 1e-4
    assert all(one.unmatched == 0 for one in (found.reference, *found.others))


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=12))
def test_no_policy_is_riskier_than_a_finer_one(
    rows: list[tuple[str | None, str | None, str | None]],
) -> None:
    """In three race groups, `Declined` used to become "other", which has fewer people, so a coarser
    policy had a higher risk.
    """
    table = encode(
        dict(zip(("age", "sex", "race"), map(list, zip(*rows, strict=True)), strict=True))
    )
    people = population()
    details = column_details(table.names, people)
    found = compare_policies(table, people, details, reference_year=YEAR)
    policies = (found.reference, *found.others)
    for fine in policies:
        for coarse in policies:
            if all(
                fine.detail[c.column] == coarse.detail[c.column]
                or coarse.detail[c.column] in c.level(fine.detail[c.column]).coarser
                for c in details
            ):
                for model, risk in coarse.risk.items():
                    assert risk <= fine.risk[model] + 1e-9, (model, fine.name, coarse.name)


@pytest.mark.parametrize("written", ["90+", "95+", "100+", "100 or older", ">=93", "97", "93.0"])
def test_everyone_aged_90_or_older_is_pooled_in_any_notation(written: str) -> None:
    people = population(lambda age: str(age) if age < 90 else "90+")
    own = compare_policies(
        encode({"age": [written] * 3, "sex": ["F"] * 3}),
        people,
        column_details(["age", "sex"], people),
    )
    pooled = sum(n for (a, s, _), n in PEOPLE.items() if a >= 90 and s == "F")
    assert own.reference.risk["total"] == pytest.approx(3 / pooled)


def test_birth_years_of_people_over_89_are_pooled(tmp_path: Path) -> None:
    people = population()
    table = encode({"birth_year": ["1930", "1925 or earlier", "1936"], "sex": ["F"] * 3})
    details = column_details(table.names, people)
    found = compare_policies(table, people, details, reference_year=YEAR).reference
    pooled = sum(n for (a, s, _), n in PEOPLE.items() if a >= 90 and s == "F")
    assert found.risk["total"] == pytest.approx(3 / pooled)


def counts(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["pop", "POP2020", "people", "n", "popestimate2024", "estimate"])
def test_a_column_of_counts_is_recognized_and_reported(tmp_path: Path, name: str) -> None:
    path = counts(tmp_path, f"state,sex,{name}\nDE,F,500\nDE,M,490\nRI,F,700\n")
    found = read_population(path, ["state", "sex"])
    assert found.total == 1690 and name in found.source and "1,690" in found.source
    assert read_population(path, ["sex"]).total == 1690
    assert read_population(path).columns == ("state", "sex")


@pytest.mark.parametrize("header", ["wt", "0,5", "a,b"])
def test_a_column_that_may_hold_counts_is_refused(tmp_path: Path, header: str) -> None:
    """A file of 55,692 cells used to be read as a population of 55,692 people."""
    cells = ",".join("7" for _ in header.split(","))
    path = counts(tmp_path, f"state,sex,{header}\nDE,F,{cells}\nDE,M,{cells}\n")
    with pytest.raises(RiskError) as refused:
        read_population(path, ["state", "sex"])
    assert refused.value.code == "ambiguous-counts"
    assert read_population(path, ["state", "sex"], count="none").total == 2
    assert read_population(path, ["state", "sex"], count=header.split(",")[0]).total == 14


def test_a_file_of_people_with_numbers_is_read_as_people(tmp_path: Path) -> None:
    path = counts(tmp_path, "id,state,n\n1,DE,3\n2,DE,3\n3,DE,3\n")
    assert read_population(path, ["state"], count="none").total == 3
    repeated = counts(tmp_path, "state,sex,weight\nDE,F,70\nDE,F,80\nDE,M,90\n")
    assert read_population(repeated, ["state", "sex"]).total == 3


def test_the_command_asks_for_the_column_of_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = counts(tmp_path, "sex,wt\nF,500\nM,490\n")
    table = tmp_path / "t.csv"
    table.write_text("sex\nF\nM\n")
    line = ["risk", str(table), "--quasi", "sex", "--population", str(path), "--json"]
    assert main(line) == 2
    assert "--population-count" in capsys.readouterr().err
    assert main([*line, "--population-count", "wt"]) == 0
    assert json.loads(capsys.readouterr().out)["population"]["total_risk"] == pytest.approx(
        1 / 500 + 1 / 490
    )
