"""The quarantine codes: why something was withheld and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from safe_harbor import csv_rows


@dataclass(frozen=True, slots=True)
class QuarantineReason:
    """A code of `quarantine.jsonl`: the reason and the remedy. Both may be empty."""

    code: str
    what: str = ""
    way_out: str = ""

    def __str__(self) -> str:
        """The code with its reason: `broken-json: a line is not complete JSON`."""
        return f"{self.code}: {self.what}" if self.what else self.code


def reason(code: str) -> QuarantineReason:
    """The meaning of a code; a code that is not in the table has an empty meaning.

    >>> str(reason("ragged-row"))
    'ragged-row: the row and the header have different numbers of fields'
    """
    return reasons().get(code, QuarantineReason(code))


@cache
def reasons() -> Mapping[str, QuarantineReason]:
    """All codes of `quarantine_codes.csv`."""
    return {
        row["code"]: QuarantineReason(**row) for row in csv_rows(Path(__file__).with_suffix(".csv"))
    }
