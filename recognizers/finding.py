"""A finding: the position of an identifier in a text, and its entity type.

A finding holds no text, so it is safe to print. A type has Presidio's own name if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from recognizers.words.folder import WORDS
from safe_harbor import Identifier, csv_rows

# Presidio's type of an entity, its identifier, and its label in annotated corpora if it has one.
_ENTITY_TYPES = csv_rows(WORDS.with_name("entities.csv"))
ENTITIES = MappingProxyType({row["entity"]: Identifier(row["identifier"]) for row in _ENTITY_TYPES})
LABELS = MappingProxyType({row["label"]: row["entity"] for row in _ENTITY_TYPES if row["label"]})
PERSON = "PERSON"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Half-open code-point offsets of one identifier, with its Presidio type, score and source.

    `source` names what made the finding: a recognizer's file, `model`, `known_values`, `spread`.
    """

    start: int
    end: int
    identifier: Identifier
    entity: str
    score: float
    source: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"empty or negative span {self.start}..{self.end}")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score outside 0..1: {self.score}")


Found = tuple[Finding, ...]
