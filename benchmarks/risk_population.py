"""Measures exposure from population counts in the format of Summary File 1.

    python benchmarks/risk_population.py [POPULATION_FOLDER]

1. Made-up people of 3,219 counties, with 209 counts and seven races each, are written in the layout
   of Summary File 1, read back, and exposed under both policies of Benitez & Malin 2010. The time
   is measured.
2. With the folder of census tables, six states of the paper are modeled in the same layout for
   2000, from counted age by sex and from the races of the same cohorts in 2020 (twenty years
   older). The result is the Safe Harbor column of the paper's Table 1.
"""

from __future__ import annotations

import csv
import gzip
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

from risk import build_population, compare_exposures, read_scenario
from risk.population.places import FIPS

PUBLISHED = {"DE": 0.16, "RI": 0.13, "AK": 0.21, "NY": 0.01, "CA": 0.01, "TX": 0.01}
#: Census 2000, people of 85 and over: 85-89, 90-94, 95-99, 100 and over.
OLD = (2_789_818, 1_112_531, 286_784, 50_454)
#: Census 2000: 5.5 % some other race, 2.4 % two or more.
OTHER_TO_MULTI = 5.5 / 2.4
RACE_COLUMNS = ("white_only", "black_only", "american_indian_only", "asian_only", "nhopi_only")


def write(folder: Path, postal: str, fips: str, people: np.ndarray) -> None:
    """`people[county, sex, age, race]` as segments 16-22 and a geographic header of 2000."""
    low = postal.lower()
    lines = [
        f"uSF1  {postal}0500000000{i + 1:07d}3551{fips}{2 * i + 1:03d}".ljust(400)
        for i in range(len(people))
    ]
    _zip(folder / f"{low}geo_uf1.zip", f"{low}geo.uf1", lines)
    for race in range(7):
        men, women = people[:, 0, :, race], people[:, 1, :, race]
        both = [men.sum(1) + women.sum(1), men.sum(1), *men.T, women.sum(1), *women.T]
        counts = np.stack(both, axis=1)
        rows = [
            f"uSF1,{postal},000,{16 + race},{i + 1:07d}," + ",".join(map(str, row))
            for i, row in enumerate(counts.tolist())
        ]
        _zip(folder / f"{low}{16 + race:05d}_uf1.zip", f"{low}{16 + race:05d}.uf1", rows)


def _zip(path: Path, inner: str, lines: list[str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(inner, "\n".join(lines) + "\n")


def all_counties() -> None:
    generator = np.random.default_rng(1)
    shares = np.array([0.75, 0.12, 0.01, 0.036, 0.001, 0.055, 0.024])
    ages = np.append(np.linspace(1.4, 0.2, 100), [0.02, 0.004, 0.001])
    ages /= ages.sum()
    states = sorted((postal, fips) for fips, postal in FIPS.items())
    sizes = generator.lognormal(10.2, 1.4, 3219)
    own = np.array_split(sizes, len(states))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for (postal, fips), counties in zip(states, own, strict=True):
            expected = counties[:, None, None, None] * 0.5 * ages[None, None, :, None] * shares
            people = generator.poisson(np.repeat(expected, 2, axis=1))
            write(folder, postal, fips, people)
        start = time.perf_counter()
        population = build_population("sf1-2000", sorted(folder.iterdir()))
        read = time.perf_counter()
        exposures, _ = compare_exposures(
            population, read_scenario("benitez_malin_2010"), by="state"
        )
        done = time.perf_counter()
    cells = population.cells.rows
    print(f"3,219 counties: {population.total:,.0f} people in {cells:,} cells that are not empty")
    print(f"read {read - start:.2f} s, exposed {done - read:.2f} s ({len(exposures)} results)")


def six_states(source: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for fips, postal in FIPS.items():
            if postal in PUBLISHED:
                write(folder, postal, fips, modelled(source, fips)[None])
        population = build_population("sf1-2000", sorted(folder.iterdir()))
    exposures, _ = compare_exposures(population, read_scenario("benitez_malin_2010"), by="state")
    print("| state | people | groups | Safe Harbor % | published |\n|---|---:|---:|---:|---:|")
    for one in exposures:
        if one.policy == "safe_harbor_as_published":
            told = f"{one.people:,.0f} | {one.matches:,.0f} | {one.percent:.4f}"
            published = PUBLISHED[one.place or ""]
            sign = "<" if one.place == "CA" else ""
            print(f"| {one.place} | {told} | {sign}{published} |")


def modelled(source: Path, fips: str) -> np.ndarray:
    """`people[sex, age, race]` of a state in 2000, drawn to fit the margins."""
    ages = np.zeros((2, 103))
    path = source / "state_single_year_sex_2000base_2010census.csv.gz"
    with gzip.open(path, "rt", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["STATE"].zfill(2) == fips and row["SEX"] != "0":
                ages[int(row["SEX"]) - 1, int(row["AGE"])] = float(row["ESTIMATESBASE2000"])
    old = np.concatenate(
        [np.full(5, n / 5) * 0.82 ** np.arange(5) for n in OLD[:3]] + [[OLD[3] * 0.93]]
    )
    old = np.concatenate((old, [OLD[3] * 0.06, OLD[3] * 0.01]))
    for sex in range(2):
        ages[sex, 85:] = ages[sex, 85] * old / old.sum()
    races = np.zeros((2, 18, 7))
    with (source / "state_2020_5y_sex_race6_V2024_wide.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["state_fips"] == fips:
                counts = [float(row[str(5 * i)]) for i in range(18)]
                sex = ("male", "female").index(row["sex"].lower())
                if row["race"] in RACE_COLUMNS:
                    races[sex, :, RACE_COLUMNS.index(row["race"])] = counts
                else:  # two or more; "some other race" by the nation's ratio of 2000
                    races[sex, :, 6] = counts
                    races[sex, :, 5] = races[sex, :, 6] * OTHER_TO_MULTI
    races /= races.sum(axis=2, keepdims=True)
    groups = np.minimum(np.arange(103) // 5 + 4, 17)
    return np.random.default_rng(int(fips)).poisson(ages[:, :, None] * races[:, groups])


if __name__ == "__main__":
    all_counties()
    if len(sys.argv) > 1:
        six_states(Path(sys.argv[1]))
