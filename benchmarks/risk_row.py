"""Times all risk figures of a large table and, for comparison, a bare group-by, in one run.

    python benchmarks/risk_row.py TABLE.csv [--rivals PYTHON] [--times 3]

Each line is a process of its own: wall time with startup, user time, peak resident memory.
`--rivals` is an interpreter that has duckdb and polars. TABLE has the columns age, sex, race,
marital-status, education, zip5, separated by semicolons.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUASI = ("age", "sex", "race", "marital-status", "education", "zip5")
_NAMES = ", ".join(f'"{name}"' for name in QUASI)
RIVALS = {
    "duckdb, bare group-by, CSV": f"""
import duckdb
sql = '''select n, count(*) from (select count(*) n from read_csv($1, delim=';') group by {_NAMES})
group by n'''
print(sum(c for _, c in duckdb.execute(sql, [PATH]).fetchall()))""",
    "polars, bare group-by, CSV": f"""
import polars as pl
t = pl.scan_csv(PATH, separator=";").select({list(QUASI)!r}).group_by({list(QUASI)!r}).len()
print(t.select("len").collect().height)""",
    "polars, group-by on one key of codes, CSV": f"""
import polars as pl
names = {list(QUASI)!r}
kinds = dict.fromkeys(names, pl.Categorical)
t = pl.read_csv(PATH, separator=";", columns=names, schema_overrides=kinds)
key = pl.lit(0, dtype=pl.Int64)
for n in names:
    codes = t[n].to_physical()
    key = key * (int(codes.max()) + 1) + pl.Series(codes.cast(pl.Int64))
print(t.select(key.alias("k")).group_by("k").len().height)""",
}
OURS = {
    "deid risk --json, CSV": ("csv", None),
    "deid risk --json, Parquet": ("parquet", None),
    "risk.assess, CSV": (
        "csv",
        """from risk import assess, read_table
r = assess(read_table(PATH, QUASI), QUASI); r.as_json(); print(r.classes)""",
    ),
    "risk.assess, Arrow table in memory (reading not timed)": (
        "csv",
        """import time
from pyarrow import csv
t = csv.read_csv(PATH, parse_options=csv.ParseOptions(delimiter=';'),
    convert_options=csv.ConvertOptions(include_columns=QUASI))
from risk import assess
start = time.perf_counter()
r = assess(t, QUASI); r.as_json()
print(r.classes, 'inside', round(time.perf_counter() - start, 2))""",
    ),
}


def measured(command: list[str]) -> tuple[float, float, float, str]:
    """Wall seconds, user seconds, MB and the last printed line of one process."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, env={**os.environ, "PYTHONPATH": "."})
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        out.seek(0)
        told = out.read().strip().splitlines()
    if status:
        return wall, 0.0, 0.0, "failed"
    return wall, usage.ru_utime, usage.ru_maxrss / 1024, told[-1] if told else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("--rivals", default="")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    parquet = Path(given.table).with_suffix(".parquet")
    if not parquet.exists():
        convert = (
            "from pyarrow import csv, parquet, compute; import pyarrow as pa\n"
            f"t = csv.read_csv({given.table!r}, parse_options=csv.ParseOptions(delimiter=';'))\n"
            f"parquet.write_table(t, {str(parquet)!r})"
        )
        subprocess.run([sys.executable, "-c", convert], check=True)
    commands = {}
    for name, (kind, code) in OURS.items():
        path = given.table if kind == "csv" else str(parquet)
        if code is None:
            command = [sys.executable, "-m", "deid", "risk", path, "--json", "--quasi"]
            commands[name] = [*command, ",".join(QUASI)]
        else:
            head = f"PATH = {path!r}; QUASI = {list(QUASI)!r}\n"
            commands[name] = [sys.executable, "-c", head + code]
    if given.rivals:
        for name, code in RIVALS.items():
            commands[name] = [given.rivals, "-c", f"PATH = {given.table!r}\n{code}"]
    best: dict[str, tuple[float, float, float, str]] = {}
    for _ in range(given.times):
        for name, command in commands.items():
            found = measured(command)
            best[name] = min(best.get(name, found), found)
    print(f"| {Path(given.table).name}, best of {given.times} | wall s | user s | MB | |")
    print("|---|---:|---:|---:|---|")
    for name, (wall, user, memory, told) in best.items():
        shown = told if len(told) < 40 and "{" not in told and "}" not in told else ""
        print(f"| {name} | {wall:.2f} | {user:.2f} | {memory:.0f} | {shown} |")


if __name__ == "__main__":
    main()
