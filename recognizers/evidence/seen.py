"""What a row of evidence saw in a text."""

from __future__ import annotations

from typing import NamedTuple

NEVER = -1.0
# What a row saw looks like an identifier and is none.
AGAINST = 0.0


class Seen(NamedTuple):
    """`row` saw an entity from `start` to `end`, in code points of the text as read.

    `strength` is what the row itself makes of it, `AGAINST` (0) to 1.
    `NEVER` is a fact that no other evidence outweighs.
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
