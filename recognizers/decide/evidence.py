"""All evidence on one text, atom by atom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recognizers.decide.atoms import Atoms
from recognizers.entities import ENTITIES, LABELS
from recognizers.evidence.matching import Seen
from recognizers.model.network import ModelOutput

Floats = NDArray[np.float32]
NETWORK_LABELS, ENTITY_NAMES = tuple(LABELS), tuple(ENTITIES)
ENTITY_NUMBERS = {entity: number for number, entity in enumerate(ENTITY_NAMES)}
ENTITY_OF_LABEL = np.array([ENTITY_NUMBERS[LABELS[label]] for label in NETWORK_LABELS])
# The log odds of an atom without any evidence, and of an atom without a row.
UNSEEN, NO_ROW = -14.0, -9.0
SURE_ENOUGH = 1e-6

RowWeigher = Callable[[Seen], float]
Column = NDArray[Any]
Columns = dict[str, Column]


@dataclass(frozen=True, eq=False)
class Evidence:
    """All evidence on one text. `shares` is (atoms, 1 + labels): the network's probabilities."""

    atoms: Atoms
    seen: Sequence[Seen] = field(repr=False)
    shares: Floats = field(repr=False)
    """(atoms, 1 + labels): mean over the pieces of an atom's word; column 0 is "no identifier"."""
    peaks: Floats = field(repr=False)
    """For each atom, the greatest probability that a piece of its word is part of an identifier."""

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """The half-open range of atoms of each row of evidence."""
        return [self.atoms.span(seen.start, seen.end) for seen in self.seen]

    @classmethod
    def of_output(cls, text: str, seen: Sequence[Seen], output: ModelOutput) -> Evidence:
        """The evidence from the rows' hits and the network's output for a text."""
        return cls.of(text, seen, output.offsets, output.words, output.shares)

    @classmethod
    def of(
        cls,
        text: str,
        seen: Sequence[Seen],
        offsets: NDArray[np.int32],
        words: NDArray[np.int32],
        shares: Floats,
    ) -> Evidence:
        """Join evidence by atom, from `offsets` (pieces, 2), `words` and `shares` (pieces, 1 +
        labels).
        """
        atoms = Atoms.of(text, seen)
        count = len(atoms)
        if not len(words):
            none = np.zeros((count, 1 + len(NETWORK_LABELS)), np.float32)
            none[:, 0] = 1
            return cls(atoms, seen, none, np.zeros(count, np.float32))
        firsts = np.append(0, (words[1:] != words[:-1]).nonzero()[0] + 1)
        sizes = np.append(firsts[1:], len(words)) - firsts
        own = np.maximum(offsets[firsts, 0].searchsorted(atoms.starts, "right") - 1, 0)
        mean = np.add.reduceat(shares, firsts, axis=0) / sizes[:, None]
        peaks = np.maximum.reduceat(1 - shares[:, 0], firsts)
        return cls(atoms, seen, mean[own].astype(np.float32), peaks[own].astype(np.float32))


def moved(values: Column, by: int, fill: float, atoms: Atoms) -> Column:
    """Return, for each atom, the value of the atom `by` places before it (after it if negative)."""
    found = np.full_like(values, fill)
    if abs(by) < len(values):
        to, of = (slice(by, None), slice(-by)) if by > 0 else (slice(by), slice(-by, None))
        found[to] = values[of]
        if atoms.texts is not None:
            found[to][atoms.texts[to] != atoms.texts[of]] = fill
    return found


def share_log_odds(shares: Floats) -> Floats:
    clipped = np.clip(shares, SURE_ENOUGH, 1 - SURE_ENOUGH).astype(np.float64)
    return np.log(clipped / (1 - clipped)).astype(np.float32)
