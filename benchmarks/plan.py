"""Times `deid plan` as a whole process, and other packages for comparison.

    python benchmarks/plan.py DATA [--large 1M.csv] [--larger 10M.csv] [--peers PYTHON]

DATA holds adult.csv and hierarchies/ (ARX's Adult example); the large tables come from
make_synthetic.py. PYTHON is an interpreter that has pycanon, anjana and anonypyx. Each case is run
three times; the lowest wall and processor time and the largest resident set are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

Q6 = "sex,age,race,marital-status,education,native-country"
Q8 = Q6 + ",workclass,occupation"
SYNTHETIC = "age,sex,race,marital-status,education,zip5"
RUNS = 3

PYCANON = """
import pandas as pd, sys, pycanon.anonymity as a
t = pd.read_csv(sys.argv[1], sep=';', dtype=str, keep_default_na=False)
print(a.k_anonymity(t, sys.argv[2].split(',')))
"""
ANJANA = """
import sys, pandas as pd
from pathlib import Path
from anjana.anonymity import k_anonymity
names = sys.argv[2].split(',')
t = pd.read_csv(sys.argv[1], sep=';', dtype=str, keep_default_na=False)
h = {}
for n in names:
    f = pd.read_csv(Path(sys.argv[3]) / f'{n}.csv', sep=';', header=None, dtype=str)
    h[n] = {i: f[i].to_numpy() for i in f.columns}
out = k_anonymity(t, [], names, 5, float(sys.argv[4]) * 100, h)
print(len(out), out.groupby(names).size().min())
"""
ANONYPYX = """
import sys, pandas as pd, anonypyx
names = sys.argv[2].split(',')
t = pd.read_csv(sys.argv[1], sep=';', keep_default_na=False)
for n in names:
    if t[n].dtype == object:
        t[n] = t[n].astype('category')
p = anonypyx.Anonymiser(t, k=5, algorithm='Mondrian', feature_columns=names)
print(len(p.anonymise()))
"""


def timed(command: list[str]) -> tuple[float, float, float, str]:
    """Wall seconds, processor seconds, resident MB and output of one process."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        out = f"failed, exit {process.returncode}"
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out


def ours(table: Path, quasi: str, hierarchies: Path, *options: str) -> list[str]:
    deid = Path(sys.executable).with_name("deid")
    return [
        *(str(deid), "plan", str(table), "--quasi", quasi, "--hierarchies", str(hierarchies)),
        *("--k", "5", "--json", *options),
    ]


def result(text: str) -> str:
    if not text.startswith("{"):
        return text.strip().splitlines()[-1] if text.strip() else ""
    told = json.loads(text)
    least = told["minimised"]
    cells = told["details"].get("cells")
    extra = "" if cells is None else f", {cells:,} cells"
    nodes = told["nodes"]
    return (
        f"{least['loss']} {least['value']:.6g}, {told['suppressed_records']:,} left out, smallest "
        f"{told['smallest_class']}, optimal {told['optimal']}, "
        f"{nodes['checked']}/{nodes['total']}{extra}"
    )


def cases(options: argparse.Namespace) -> list[tuple[str, list[str]]]:
    adult, tree = options.data / "adult.csv", options.data / "hierarchies"
    found = [
        ("Adult Q6, 0 %", ours(adult, Q6, tree)),
        ("Adult Q6, 5 %", ours(adult, Q6, tree, "--max-suppression", "0.05")),
        ("Adult Q8, 0 %", ours(adult, Q8, tree)),
        ("Adult Q8, 5 %", ours(adult, Q8, tree, "--max-suppression", "0.05")),
        ("Adult Q6, cells", ours(adult, Q6, tree, "--method", "cells")),
        ("Adult Q6, local", ours(adult, Q6, tree, "--method", "local")),
    ]
    nue = ("--loss", "non_uniform_entropy")
    for name, table in (("1M", options.large), ("10M", options.larger)):
        if table is not None:
            five = ("--max-suppression", "0.05")
            found += [
                (f"{name}, 0 %", ours(table, SYNTHETIC, tree)),
                (f"{name}, 5 %", ours(table, SYNTHETIC, tree, *five)),
                (f"{name}, 5 %, entropy", ours(table, SYNTHETIC, tree, *five, *nue)),
                (f"{name}, local", ours(table, SYNTHETIC, tree, "--method", "local")),
                (f"{name}, cells", ours(table, SYNTHETIC, tree, "--method", "cells")),
            ]
    if options.peers:
        peer = [options.peers, "-c"]
        found += [
            ("pycanon, Adult Q6, k only", [*peer, PYCANON, str(adult), Q6]),
            ("anjana, Adult Q6, 0 %", [*peer, ANJANA, str(adult), Q6, str(tree), "0"]),
            ("anjana, Adult Q6, 5 %", [*peer, ANJANA, str(adult), Q6, str(tree), "0.05"]),
            ("anonypyx, Adult Q6", [*peer, ANONYPYX, str(adult), Q6]),
        ]
        if options.large is not None:
            found.append(("pycanon, 1M, k only", [*peer, PYCANON, str(options.large), SYNTHETIC]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--large", type=Path)
    parser.add_argument("--larger", type=Path)
    parser.add_argument("--peers")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    print("| case | wall s | processor s | MB | result |\n|---|---:|---:|---:|---|")
    for name, command in cases(options):
        if options.only not in name:
            continue
        runs = [timed(command) for _ in range(1 if name.startswith("an") else RUNS)]
        wall, used = min(r[0] for r in runs), min(r[1] for r in runs)
        size = max(r[2] for r in runs)
        print(f"| {name} | {wall:.2f} | {used:.2f} | {size:.0f} | {result(runs[0][3])} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
