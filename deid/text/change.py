"""One replacement in a text: its span, its identifier and what is left of the value.

It holds no text, so it is safe to print.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from safe_harbor import Identifier, Residue

ChangeFacts = tuple[Identifier, str, str, Residue, str, float]
"""The fields of a `Change` that follow its four offsets, in order."""


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement, with half-open code-point offsets in the original and in the output.

    `source` names the recognizer that found the value.
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

    def as_json(self) -> dict[str, Any]:
        """Return the change as a line of `changes.jsonl` writes it."""
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
        }
