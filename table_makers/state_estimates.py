"""Makes state_estimates_2020.csv and state_estimates_2024.csv; run by hand.

    python -m table_makers.state_estimates sc-est2024-alldata6.csv

Reads the Census Bureau's file of states by single year of age (or five-year groups named by their
first year), sex, race and Hispanic origin. SOURCE.md lists sources and totals.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from risk.population.places import FIPS
from risk.population.state_estimates import AGE_GROUPS
from table_makers import PACKAGES

OUT_FOLDER = PACKAGES / "risk/population/embedded"
_SEX_CODES = {"1": "M", "2": "F"}
_RACE_CODES = {"1": "white", "2": "black", "3": "aian", "4": "asian", "5": "nhpi", "6": "multi"}
# For each year's table, the codes of Hispanic origin that it uses and their labels.
TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "2020": {"0": ()},
    "2024": {"1": ("not hispanic",), "2": ("hispanic",)},
}


def state_table(rows: Iterable[Mapping[str, str]], year: str) -> Iterator[tuple[str, ...]]:
    """The rows of a table: labels, then the people of each five-year group."""
    origins = TABLES[year]
    people: dict[tuple[str, ...], Counter[int]] = {}
    for row in rows:
        if row["SEX"] == "0" or row["ORIGIN"] not in origins:
            continue
        state, origin = FIPS[row["STATE"].zfill(2)], origins[row["ORIGIN"]]
        labels = (state, _SEX_CODES[row["SEX"]], _RACE_CODES[row["RACE"]], *origin)
        group = min(int(row["AGE"]) // 5, len(AGE_GROUPS) - 1)
        counts = people.setdefault(labels, Counter())
        counts[group] += int(row[f"POPESTIMATE{year}"])
    for labels, counts in sorted(people.items()):
        yield (*labels, *(str(counts[group]) for group in range(len(AGE_GROUPS))))


def main(source: str) -> None:
    with Path(source).open(encoding="latin-1", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for year, origins in TABLES.items():
        labels = ("state", "sex", "race", *(("ethnicity",) if any(origins.values()) else ()))
        with (OUT_FOLDER / f"state_estimates_{year}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow((*labels, *AGE_GROUPS))
            writer.writerows(state_table(rows, year))


if __name__ == "__main__":
    main(*sys.argv[1:])
