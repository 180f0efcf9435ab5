"""The names of CDISC variables (SDTM, SEND, ADaM)."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from safe_harbor import csv_rows


def read_cdisc(name: str) -> list[dict[str, str]]:
    """The rows of a CSV table in this folder."""
    return csv_rows(files("deid.vocabularies.cdisc") / f"{name}.csv")


@cache
def cdisc_names(sort: str) -> frozenset[str]:
    """The names of one sort: `domain`, `suffix`, `whole` or `fragment`."""
    return frozenset(
        name for row in read_cdisc("names") if row["sort"] == sort for name in row["names"].split()
    )


def is_cdisc_variable(upper: str) -> bool:
    """Whether the name in capitals is a variable: listed whole, or a domain with a suffix.

    >>> [is_cdisc_variable(name) for name in ("LBSEQ", "TRT01P", "JSMITH")]
    [True, True, False]
    """
    if not {upper, re.sub(r"\d{1,2}", "xx", upper, count=1)}.isdisjoint(cdisc_names("whole")):
        return True
    return upper[:2] in cdisc_names("domain") and upper[2:] in cdisc_names("suffix")
