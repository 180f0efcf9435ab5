"""Makes `nicknames.csv` from the package `nicknames` 1.0.1.

Run in an environment with that package: `python -m table_makers.nicknames`.
"""

from __future__ import annotations

import csv
from importlib.resources import files

from table_makers import PACKAGES

NICKNAMES = PACKAGES / "recognizers/words/nicknames"


def nickname_pairs() -> list[tuple[str, str]]:
    """Every (name, nickname) of the package, in lower case and sorted."""
    with (files("nicknames") / "names.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return sorted({(row["name1"].strip().lower(), row["name2"].strip().lower()) for row in rows})


if __name__ == "__main__":
    with (NICKNAMES / "nicknames.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("name", "nickname"))
        writer.writerows(nickname_pairs())
