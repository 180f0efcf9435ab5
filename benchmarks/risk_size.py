"""`deid risk` on tables too large for memory, compared with DuckDB's bare group-by.

    python benchmarks/risk_size.py FOLDER [--millions 10 30 100] [--population] [--alone]

Makes one folder of Parquet for each size (parts of ten million rows) and a CSV of the smallest.
Six quasi-identifiers: age, sex, race, marital status, education, ZIP5 of 4,000 codes. Each line is
a process of its own: CPU seconds (user and system) and peak resident memory. `--population`
matches the smallest table to the people of the largest. `--alone` leaves out the CSV and DuckDB,
whose group-by of 300 million rows needs more memory than a small machine has.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

QUASI = ("age", "sex", "race", "marital", "education", "zip5")
_PART = 10_000_000
_KINDS = {"sex": 2, "race": 5, "marital": 7, "education": 16, "zip5": 4000}
_GROUP_BY = """
import duckdb, sys
source = "read_csv('%s')" if sys.argv[1].endswith("csv") else "read_parquet('%s/*.parquet')"
query = f"select count(*) n from {source % sys.argv[1]} group by " + sys.argv[2]
print(duckdb.execute(f"select n, count(*) from ({query}) group by n").fetchall()[:1])"""


def part(rows: int, seed: int) -> pa.Table:
    """Made-up people: ages like those of adults; other columns have values of decreasing share."""
    random = np.random.default_rng(seed)
    columns = {"age": pa.array(np.clip(random.gamma(9, 4.3, rows), 17, 90).astype(np.int64))}
    for name, kinds in _KINDS.items():
        weights = np.random.default_rng(kinds).lognormal(0, 1.2, kinds)
        shares = np.cumsum(weights / weights.sum())
        codes = np.minimum(np.searchsorted(shares, random.random(rows)), kinds - 1)
        words = pa.array([f"{10_000 + 7 * code}" for code in range(kinds)])
        columns[name] = pa.DictionaryArray.from_arrays(codes.astype(np.int32), words).cast("string")
    return pa.table(columns)


def measured(command: list[str]) -> tuple[float, float]:
    """CPU seconds and MB of one process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=int, nargs="+", default=[10, 30, 100])
    parser.add_argument("--population", action="store_true")
    parser.add_argument("--alone", action="store_true")
    given = parser.parse_args()
    tables = []
    for millions in sorted(given.millions):
        table = given.folder / f"rows{millions}"
        if not table.exists():
            table.mkdir(parents=True)
            for number in range(0, millions * 1_000_000, _PART):
                rows = min(_PART, millions * 1_000_000 - number)
                parquet.write_table(
                    part(rows, number), table / f"part-{number // _PART:04}.parquet"
                )
        tables.append(table)
    risk = [sys.executable, "-m", "deid", "risk"]
    asked = ["--json", "--quasi", ",".join(QUASI)]
    if given.alone:
        for table in tables:
            spent, memory = measured([*risk, str(table), *asked])
            print(f"| {table.name} | {spent:.1f} | {memory:.0f} |", flush=True)
        return
    text = given.folder / "smallest.csv"
    csv.write_csv(parquet.read_table(tables[0]), text)
    print("| table | deid risk, CPU s | MB | DuckDB, CPU s | MB | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for table in (text, *tables):
        ours = measured([*risk, str(table), *asked])
        theirs = measured([sys.executable, "-c", _GROUP_BY, str(table), ",".join(QUASI)])
        row = f"| {table.name} | {ours[0]:.1f} | {ours[1]:.0f} | {theirs[0]:.1f} | {theirs[1]:.0f} "
        print(row + f"| {ours[0] / theirs[0]:.2f} |", flush=True)
    if given.population:
        joined = [*risk, str(tables[0]), *asked, "--population", str(tables[-1])]
        spent, memory = measured([*joined, "--population-count", "none"])
        names = f"{tables[0].name} against the people of {tables[-1].name}"
        print(f"| {names} | {spent:.1f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
