"""What was changed, where, and what is left of it. Holds no text, so it is safe to print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from safe_harbor import Identifier, Residue

Told = tuple[Identifier, str, str, Residue, str, float, int]
"""What a `Change` says behind its offsets."""


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement: half-open code-point offsets in the original and in the output.

    `source` is what found it, `round` the search that did: 1 the first, 2 and more the searches
    of the text already scrubbed.
    """

    start: int
    end: int
    out_start: int
    out_end: int
    identifier: Identifier
    entity: str
    transform: str
    residue: Residue
    source: str
    score: float
    round: int

    def as_json(self) -> dict[str, Any]:
        """The line of `changes.jsonl`."""
        return {
            "start": self.start,
            "end": self.end,
            "out_start": self.out_start,
            "out_end": self.out_end,
            "identifier": self.identifier.value,
            "entity": self.entity,
            "transform": self.transform,
            "residue": self.residue.value,
            "source": self.source,
            "score": round(self.score, 4),
            "round": self.round,
        }
