"""A larger extract of linked tables: Synthea's CSV, repeated with new patients.

`python benchmarks/linked_tables.py FOLDER OUT COPIES` repeats the rows of every table in FOLDER
COPIES times. Each copy has its own keys, except for organizations, providers and payers, and its
patients have other names, numbers, addresses and birthdays.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from pathlib import Path

from deid.surrogates.lists import family_names, given_names

_UUID = re.compile(r"\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b")
# Tables whose rows are shared by all copies.
SHARED = ("organizations", "providers", "payers")
_STEP = 0x9E3779B1


def repeat(folder: Path, out: Path, copies: int, seed: int = 5) -> None:
    """Write the tables of `folder`, `copies` times as large, to `out`."""
    chance = random.Random(seed)
    out.mkdir(parents=True, exist_ok=True)
    texts = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.csv"))}
    kept = {m.group() for name in SHARED for m in _UUID.finditer(texts.get(f"{name}.csv", ""))}
    for name, text in texts.items():
        head, _, body = text.partition("\n")
        with (out / name).open("w", encoding="utf-8", newline="") as file:
            file.write(head + "\n")
            for copy in range(1 if name.removesuffix(".csv") in SHARED else copies):
                rows = _with_keys(body, copy, kept)
                if name == "patients.csv" and copy:
                    csv.writer(file, lineterminator="\n").writerows(_people(head, rows, chance))
                else:
                    file.write(rows if rows.endswith("\n") else rows + "\n")


def _with_keys(body: str, copy: int, kept: set[str]) -> str:
    """The rows with the keys of a copy; the first copy keeps them."""
    mask = copy * _STEP & 0xFFFFFFFF
    return _UUID.sub(lambda m: m[0] if m[0] in kept else f"{int(m[1], 16) ^ mask:08x}{m[2]}", body)


def _people(head: str, rows: str, chance: random.Random) -> list[list[str]]:
    """The same patients with other names and numbers."""
    first, last = sorted(given_names()), sorted(family_names())
    header, number = head.strip().split(","), chance.randint
    people = []
    for cells in csv.reader(rows.splitlines()):
        row = dict(zip(header, cells, strict=True))
        row |= {
            "SSN": f"{number(100, 899)}-{number(10, 99)}-{number(1000, 9999)}",
            "FIRST": chance.choice(first).title(),
            "LAST": chance.choice(last).title(),
            "MAIDEN": row["MAIDEN"] and chance.choice(last).title(),
            "DRIVERS": row["DRIVERS"] and f"S99{number(900000, 999999)}",
            "PASSPORT": row["PASSPORT"] and f"X{number(1000000, 99999999)}X",
            "ADDRESS": f"{number(100, 999)} {chance.choice(last).title()} Street",
            "BIRTHDATE": f"{row['BIRTHDATE'][:5]}{number(1, 12):02}-{number(1, 28):02}",
        }
        people.append([row[column] for column in header])
    return people


def main() -> None:
    """Parse and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("copies", type=int)
    asked = parser.parse_args()
    repeat(asked.folder, asked.out, asked.copies)


if __name__ == "__main__":
    main()
