"""`deid plan` on wide tables, with a time limit: losses, gaps and processor seconds.

    python benchmarks/plan_wide.py ADULT.csv HIERARCHIES FOLDER [--seconds 60] [--only WORD]

Makes two tables of 20 columns in FOLDER. One is ARX's Adult: to its nine columns, a ZIP code, a
date, height, weight, stay, payer and five codes are added at random. The other has a million rows:
Adult's rows are repeated, and three in ten cells of each column are shuffled. Each line of the
table is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

DRAWN = ("zip", "visit", "height", "weight", "stay", "payer")
MORE = ("ward", "unit", "route", "class", "plan")
_MILLION = 1_000_000
_SHUFFLED = 0.3
_DAYS = 1_095


def wide(adult: pa.Table, rows: int, seed: int) -> pa.Table:
    """A table of `rows` rows: Adult's columns, and the made-up columns."""
    random = np.random.default_rng(seed)
    whole = np.arange(rows) % adult.num_rows
    columns = {}
    for name in adult.column_names:
        taken = whole.copy()
        if rows > adult.num_rows:
            moved = np.flatnonzero(random.random(rows) < _SHUFFLED)
            taken[moved] = taken[random.permutation(moved)]
        columns[name] = adult[name].take(pa.array(taken)).combine_chunks()
    shares = np.random.default_rng(7).lognormal(0, 1.2, 4_000)
    zips = random.choice(np.arange(10_003, 90_003, 20), rows, p=shares / shares.sum())
    days = np.datetime64("2021-01-01") + random.integers(0, _DAYS, rows)
    columns["zip"] = pa.array(zips)
    columns["visit"] = pa.array(days.astype(str))
    columns["height"] = pa.array(np.rint(random.normal(170, 10, rows)).astype(int))
    columns["weight"] = pa.array(np.rint(random.gamma(25, 3.1, rows)).astype(int))
    columns["stay"] = pa.array(np.minimum(random.geometric(0.2, rows), 60))
    columns["payer"] = pa.array(random.choice(["A", "B", "C", "D"], rows, p=[0.5, 0.3, 0.15, 0.05]))
    for name in MORE:
        columns[name] = pa.array(random.choice(list("ABCDEF"), rows))
    return pa.table(columns)


def timed(command: list[str]) -> tuple[float, float, str]:
    """Wall and processor seconds and output of one process."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    return wall, used.ru_utime + used.ru_stime, out


def result(text: str) -> str:
    if not text.startswith("{"):
        return "| no answer | |"
    told = json.loads(text)
    least, nodes = told["minimised"], told["nodes"]
    gap = "proven" if told["optimal"] else f"{least.get('gap', float('nan')):.4f}"
    return f"| {least['value']:.4f} | {gap} | {nodes['checked']:,} of {nodes['total']:,} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("adult", type=Path)
    parser.add_argument("hierarchies", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", default="60")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    adult = csv.read_csv(given.adult, parse_options=csv.ParseOptions(delimiter=";"))
    tables = {"Adult": given.folder / "adult.csv", "million": given.folder / "million.csv"}
    for (name, path), rows in zip(tables.items(), (adult.num_rows, _MILLION), strict=True):
        if not path.exists():
            csv.write_csv(wide(adult, rows, len(name)), path)
    nine = tuple(adult.column_names)
    fifteen, twenty = (*nine, *DRAWN), (*nine, *DRAWN, *MORE)
    five = ("--max-suppression", "0.05")
    cases = [
        ("Adult, 15 columns, 0 %", "Adult", fifteen, ()),
        ("Adult, 15 columns, 5 %", "Adult", fifteen, five),
        ("million, 15 columns, 0 %", "million", fifteen, ()),
        ("million, 15 columns, 5 %", "million", fifteen, five),
        ("Adult, 20 columns, cells", "Adult", twenty, ("--method", "cells")),
        ("million, 12 columns, local", "million", fifteen[:12], ("--method", "local")),
    ]
    deid = str(Path(sys.executable).with_name("deid"))
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    print("| case | wall s | processor s | loss | gap | nodes |")
    print("|---|---:|---:|---:|---:|---|")
    for case, table, quasi, options in cases:
        if given.only not in case:
            continue
        command = [deid, "plan", str(tables[table]), "--quasi", ",".join(quasi), "--k", "5"]
        command += ["--hierarchies", str(given.hierarchies), "--time-limit", given.seconds]
        wall, used, out = timed([*command, "--json", *options])
        print(f"| {case} | {wall:.1f} | {used:.1f} {result(out)}", flush=True)


if __name__ == "__main__":
    main()
