"""A date column is a birth column, under any header, if the ages in its rows count from it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from deid.columns.birth_columns import find_births
from deid.formats import ReadOptions, open_source
from deid.policy.model import read_policy
from deid.tables.column_decisions import decide_columns
from safe_harbor import age_on

BORN = [date(1941 + 4 * n, 1 + n % 12, 3 + n) for n in range(16)]
SEEN = [date(2016 + n % 8, 1 + 7 * n % 12, 4 + n) for n in range(16)]
AGES = [age_on(born, seen) for born, seen in zip(BORN, SEEN, strict=True)]


def cells(values: object) -> list[str | None]:
    return [str(value) for value in values]  # type: ignore[attr-defined]


def test_ages_distinguish_the_birth_date_from_the_visit_date() -> None:
    assert find_births({0: cells(BORN), 1: cells(SEEN)}, cells(AGES)) == {0}
    assert find_births({1: cells(SEEN)}, cells(AGES)) == frozenset()


def test_ages_as_of_the_extract_date_identify_the_birth_date() -> None:
    ages = [age_on(born, date(2024, 6, 1)) for born in BORN]
    assert find_births({0: cells(BORN), 1: cells(SEEN)}, cells(ages)) == {0}


def test_an_early_onset_date_and_its_age_are_not_a_birth_date() -> None:
    onset = [date(born.year + 20 + n % 9, 5, 1) for n, born in enumerate(BORN)]
    at_onset = [age_on(born, day) for born, day in zip(BORN, onset, strict=True)]
    assert find_births({0: cells(onset), 1: cells(SEEN)}, cells(at_onset)) == frozenset()
    assert find_births({0: cells(onset), 1: cells(SEEN)}, cells(AGES)) == frozenset()


@pytest.mark.parametrize("ages", [["0"] * 16, ["1"] * 16, ["40"] * 16, [None] * 16, ["x"] * 16])
def test_uninformative_ages_identify_no_birth_date(ages: list[str | None]) -> None:
    admitted = [day.replace(day=1) for day in SEEN]
    assert find_births({0: cells(admitted), 1: cells(SEEN)}, ages) == frozenset()


def test_two_digit_years_and_empty_cells() -> None:
    born: list[str | None] = [f"{day:%m/%d/%y}" for day in BORN]
    seen: list[str | None] = [f"{day:%m/%d/%y}" for day in SEEN]
    ages = cells(AGES)
    born[3] = seen[5] = ages[7] = None
    assert find_births({0: born, 1: seen}, ages) == {0}


@pytest.mark.parametrize("header", ["B_DT", "BRN_DT", "DTB", "DATE1"])
def test_the_column_is_decided_as_a_birth(tmp_path: Path, header: str) -> None:
    rows = "".join(f"{b},{a},{s}\n" for b, a, s in zip(BORN, AGES, SEEN, strict=True))
    path = tmp_path / "t.csv"
    path.write_text(f"{header},AGE,ADMIT_DT\n{rows}", "utf-8")
    decided = decide_columns(
        read_policy("safe_harbor"), "t.csv", open_source(path), False, ReadOptions()
    )
    assert [d.birth for d in decided] == [True, False, False]
    assert decided[0].entity == "BIRTH_DATE" and decided[0].action == "year"
