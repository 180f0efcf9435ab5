"""What a row of evidence found in a text."""

from __future__ import annotations

from typing import NamedTuple

NEVER = -1.0
# The strength of a hit that looks like an identifier but is not one.
AGAINST = 0.0


class Seen(NamedTuple):
    """`row` found an entity from `start` to `end`, in code points of the text as read.

    `strength` is the row's own score, `AGAINST` (0) to 1. `NEVER` excludes the span as an
    identifier, regardless of other evidence.
    """

    start: int
    end: int
    entity: str
    strength: float
    row: str

    @property
    def table(self) -> str:
        """The table of the row."""
        return self.row.partition("/")[0]
