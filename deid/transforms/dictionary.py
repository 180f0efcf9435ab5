"""`dictionary`: replaces values by the map of the column rule; other values are removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from deid.transforms.arguments import argument_refusal
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Replaces values by a map.

    What the map leaves of a value is unknown, so it counts as the value.
    """

    words: Mapping[str, str] = field(repr=False)
    name: str = "dictionary"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.VALUE, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        word = self.words.get(value.strip().casefold(), self.words.get("*", ""))
        return Outcome(word, Residue.VALUE if word else Residue.NOTHING)


def make_dictionary(argument: str) -> Dictionary:
    """The transform for a map in JSON; `*` matches every value that the map does not name."""
    try:
        words = json.loads(argument)
    except ValueError:
        words = None
    if not isinstance(words, dict) or not words:
        raise argument_refusal("dictionary", "a `map` in the same column rule")
    return Dictionary({str(key).strip().casefold(): str(word) for key, word in words.items()})
