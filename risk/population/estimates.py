"""The layouts of the Population Estimates Program, read into cells.

`sc-est*-alldata6.csv` (states), `cc-est*-alldata.csv` and `cc-est*-syasex-*.csv` (counties).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from risk.population.census import SEXES, CensusCell, unreadable_census_file
from risk.population.places import FIPS

_PEP_RACES = {"1": "white", "2": "black", "3": "aian", "4": "asian", "5": "nhpi", "6": "multi"}
_COUNTY_RACES = {
    "WA": "white",
    "BA": "black",
    "IA": "aian",
    "AA": "asian",
    "NA": "nhpi",
    "TOM": "multi",
}


@dataclass(frozen=True)
class EstimatesLayout:
    """One file layout: the columns that identify it, the cell columns, and the reader of its
    rows."""

    name: str
    needs: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Callable[[csv.DictReader[str]], Iterable[tuple[CensusCell, float]]]


def read_estimates(path: Path) -> tuple[list[tuple[CensusCell, float]], EstimatesLayout]:
    """Return the cells of a PEP file, of its last year.

    The header shows which of the three layouts the file has.
    """
    with path.open(encoding="latin-1", newline="") as stream:
        reader = csv.DictReader(stream)
        header = {name.strip().upper() for name in reader.fieldnames or ()}
        reader.fieldnames = [name.strip().upper() for name in reader.fieldnames or ()]
        for layout in _LAYOUTS:
            if header.issuperset(layout.needs):
                try:
                    rows = layout.rows(reader)
                    return list(rows), layout
                except (KeyError, ValueError, TypeError):
                    raise unreadable_census_file(
                        "a row of the estimates file cannot be read"
                    ) from None
    raise unreadable_census_file("the file is not from the Population Estimates Program")


def _state_rows(reader: csv.DictReader[str]) -> Iterable[tuple[CensusCell, float]]:
    names = [n for n in reader.fieldnames or () if n.startswith("POPESTIMATE")]
    for row in reader:
        if row["SEX"] == "0" or row["ORIGIN"] != "0" or row["STATE"].zfill(2) not in FIPS:
            continue
        age = "85+" if row["AGE"] == "85" else row["AGE"]
        cell = (FIPS[row["STATE"].zfill(2)], age, SEXES[int(row["SEX"]) - 1])
        yield (*cell, _PEP_RACES[row["RACE"]]), float(row[max(names)])


def _county_rows(reader: csv.DictReader[str]) -> Iterable[tuple[CensusCell, float]]:
    """Return the rows of the last year.

    YEAR is a code: 1 is the base of April 2020, 2 is July 2020, and so on.
    """
    rows = list(reader)
    last = max(rows, key=lambda row: int(row["YEAR"]))["YEAR"] if rows else ""
    for row in rows:
        group = int(row["AGEGRP"])
        if row["YEAR"] != last or group == 0:
            continue
        age = "85+" if group == 18 else f"{5 * group - 5}-{5 * group - 1}"
        for code, race in _COUNTY_RACES.items():
            for sex, word in (("M", "MALE"), ("F", "FEMALE")):
                yield (*_county(row), age, sex, race), float(row[f"{code}_{word}"])


def _single_rows(reader: csv.DictReader[str]) -> Iterable[tuple[CensusCell, float]]:
    rows = list(reader)
    last = max(rows, key=lambda row: int(row["YEAR"]))["YEAR"] if rows else ""
    for row in rows:
        if row["YEAR"] == last and row["AGE"] != "999":
            age = "85+" if row["AGE"] == "85" else row["AGE"]
            for sex, word in (("M", "TOT_MALE"), ("F", "TOT_FEMALE")):
                yield (*_county(row), age, sex), float(row[word])


def _county(row: dict[str, str]) -> tuple[str, str]:
    state = row["STATE"].zfill(2)
    return FIPS[state], state + row["COUNTY"].zfill(3)


_LAYOUTS = (
    EstimatesLayout(
        "PEP state by single year, sex and race",
        ("STATE", "SEX", "ORIGIN", "RACE", "AGE"),
        ("state", "age", "sex", "race"),
        _state_rows,
    ),
    EstimatesLayout(
        "PEP county by five-year age, sex and race",
        ("STATE", "COUNTY", "YEAR", "AGEGRP", "WA_MALE", "TOM_FEMALE"),
        ("state", "county", "age", "sex", "race"),
        _county_rows,
    ),
    EstimatesLayout(
        "PEP county by single year and sex",
        ("STATE", "COUNTY", "YEAR", "AGE", "TOT_MALE", "TOT_FEMALE"),
        ("state", "county", "age", "sex"),
        _single_rows,
    ),
)
