"""The numbers that decide, from `models/constants.csv`: strengths, weights and thresholds.

Code that decides holds no such number of its own. The manifest of the model has the table's hash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

CONSTANTS = WORDS.parent / "models" / "constants.csv"


@cache
def _constant_groups() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in csv_rows(CONSTANTS):
        found[row["group"]][row["name"]] = float(row["value"])
    return found


def constant_group(group: str) -> Mapping[str, float]:
    """The numbers of a group by their names; raises KeyError if there is no such group."""
    return MappingProxyType(dict(_constant_groups())[group])


def constant(group: str, name: str) -> float:
    """One number; raises KeyError if the group has no such number."""
    return constant_group(group)[name]
