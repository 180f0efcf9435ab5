"""Why something was withheld, in words: the codes of the quarantine, with the way out of each."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Reason:
    """A code of `quarantine.jsonl`: what is wrong, and what to do. Both may be empty."""

    code: str
    what: str = ""
    way_out: str = ""

    def __str__(self) -> str:
        """`broken-json: a line is not whole JSON`."""
        return f"{self.code}: {self.what}" if self.what else self.code


def reason(code: str) -> Reason:
    """What a code means; a code that the table lacks stands for itself.

    >>> str(reason("ragged-row"))
    'ragged-row: the row has not as many fields as the header'
    """
    return reasons().get(code, Reason(code))


@cache
def reasons() -> Mapping[str, Reason]:
    """All of them, of `quarantine_codes.csv`."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as table:
        return {row["code"]: Reason(**row) for row in csv.DictReader(table)}
