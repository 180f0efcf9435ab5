"""The people of the United States by single year of age and sex, used to spread open-ended age
groups."""

from __future__ import annotations

import csv
import hashlib
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

#: The oldest age used to spread an open-ended group over single years (110+ becomes 110-115, six
#: ages).
OLDEST_SINGLE_AGE = 115


@cache
def people_by_age() -> NDArray[np.float64]:
    """Women and men of the United States by single year, 0 to `OLDEST_SINGLE_AGE`.

    Five-year groups, and the group 100 and over, are spread evenly (UN World Population Prospects
    2024, for 2020).
    """
    found = np.zeros((2, OLDEST_SINGLE_AGE + 1))
    for row in embedded("age_sex_us.csv")[0]:
        start, sex = int(row["age"]), ("F", "M").index(row["sex"])
        end = start + 5 if start < 100 else OLDEST_SINGLE_AGE + 1
        found[sex, start:end] = float(row["population"]) / (end - start)
    return found


def embedded(name: str) -> tuple[list[dict[str, str]], str]:
    """The rows of an embedded table and its SHA-256."""
    raw = files("risk.population").joinpath("embedded", name).read_bytes()
    rows = list(csv.DictReader(raw.decode("utf-8").splitlines()))
    return rows, hashlib.sha256(raw).hexdigest()
