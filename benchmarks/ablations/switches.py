"""The parts that can be switched off: rows and files of evidence, and each source of evidence.

The product itself has no switches: while a part is off, functions of the product are replaced. The
decision is always the one that was fitted with every part on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.ablations.texts import Text
from recognizers import Finder, Finding, search
from recognizers.decide import features, overlaps
from recognizers.decide.evidence import Evidence
from recognizers.evidence.matching import Seen
from recognizers.model.network import ModelOutput
from recognizers.search import Reading

Substitute = tuple[Any, str, Any]


@dataclass(frozen=True)
class Switch:
    """A part that is switched off. Rows in `rows` and in the tables `files` find nothing."""

    name: str
    files: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    substitutes: tuple[Substitute, ...] = field(default=(), repr=False)
    zeros: bool = True
    model: bool = True
    propagation: bool = True

    def sees(self, seen: Seen) -> bool:
        """Whether the ablation keeps what a row saw."""
        if seen.row in self.rows or seen.table in self.files:
            return False
        return self.zeros or seen.strength > 0


NOTHING = Switch("")


@contextmanager
def off(switch: Switch) -> Iterator[None]:
    """The product without what the switch names."""
    with ExitStack() as stack:
        for owner, name, value in switch.substitutes:
            stack.enter_context(patch.object(owner, name, value))
        yield


def found(finder: Finder, text: Text, switch: Switch) -> tuple[Finding, ...]:
    """The findings of one text as `Finder.find` gives them; to be called within `off`."""
    seen = [one for one in text.seen if switch.sees(one)]
    output = text.output if switch.model else silent(text.output)
    (held,) = finder.accepted([Reading(text.text, seen, output)])
    draft = overlaps.resolve_overlaps(held, text.text)
    if not switch.propagation:
        return draft
    known = search.learn([(text.text, draft)])
    return search.enriched((text.text, draft), known)


def silent(output: ModelOutput) -> ModelOutput:
    """A network that sees no identifier anywhere."""
    shares = np.zeros_like(output.shares)
    shares[:, 0] = 1
    return ModelOutput(output.offsets, output.words, shares)


def alone(evidence: Evidence, net: Any, found: Any) -> Any:
    """Evidence as if no word occurred anywhere else in the text."""
    shares = np.zeros_like(evidence.shares)
    parted = Evidence(OneEach(evidence.atoms), (), shares, evidence.peaks)
    return original(parted, net, found)


class OneEach:
    """The atoms of a text, each with a word of its own."""

    def __init__(self, atoms: Any) -> None:
        self.words = [f"{number} {word}" for number, word in enumerate(atoms.words)]
        self.text, self.starts, self.ends = atoms.text, atoms.starts, atoms.ends
        self.texts, self.own_text = atoms.texts, atoms.own_text
        self.forms = self.words, np.arange(len(self.words))

    def __len__(self) -> int:
        return len(self.words)


original = features.elsewhere


def mechanisms(files: Sequence[str]) -> list[Switch]:
    """A switch for each source of evidence."""
    return [
        Switch("rules (all files)", files=frozenset(files)),
        Switch("network", model=False),
        Switch(
            "the same word elsewhere in the note", substitutes=((features, "elsewhere", alone),)
        ),
        Switch("rules that are evidence against an identifier", zeros=False),
        Switch("propagation of findings within the note", propagation=False),
    ]
