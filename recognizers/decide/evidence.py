"""All evidence on one text, atom by atom, or on several texts joined.

A short text needs as many function calls as a long one, so joining saves time. No feature crosses
the edge of a text: each atom has the same features as if its text were read alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recognizers.constants import constant
from recognizers.decide.atoms import END, NEWLINES, OUTSIDE, Atoms, Ints
from recognizers.evidence.matching import Seen
from recognizers.finding import ENTITIES, LABELS
from recognizers.model.network import ModelOutput

Floats = NDArray[np.float32]
NETWORK_LABELS, ENTITY_NAMES = tuple(LABELS), tuple(ENTITIES)
ENTITY_NUMBERS = {entity: number for number, entity in enumerate(ENTITY_NAMES)}
ENTITY_OF_LABEL = np.array([ENTITY_NUMBERS[LABELS[label]] for label in NETWORK_LABELS])
UNSEEN, NO_ROW = constant("features", "unseen"), constant("features", "no row")

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
        starts, ends = self.atoms.bounds
        return [(bisect_right(ends, s.start), bisect_left(starts, s.end)) for s in self.seen]

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


# Inserted twice between two texts; no character has this code point.
EDGE, EDGES = 0x110000, 2
ATOMS_AT_ONCE = 1 << 12


@dataclass(frozen=True, eq=False)
class JoinedAtoms(Atoms):
    """The atoms of several texts; `edges` are the ends of the texts, in code points."""

    edges: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @cached_property
    def characters(self) -> NDArray[np.uint32]:
        found = super().characters.copy()
        for place in range(EDGES):
            found[self.edges + place] = EDGE
        return found

    @cached_property
    def gaps(self) -> NDArray[np.int8]:
        found: NDArray[np.int8] = super().gaps
        if self.texts is not None:
            found[np.flatnonzero(np.diff(self.texts)) + 1] = END
        return found

    @cached_property
    def line_starts(self) -> Ints:
        at = np.arange(1, len(self.characters) + 1, dtype=np.int32)
        ends = (self.characters == NEWLINES[0]) | (self.characters == EDGE)
        starts = np.maximum.accumulate(np.where(ends, at, 0))
        return np.append(np.int32(0), starts).astype(np.int32)[self.starts]

    def kind(self, places: Ints) -> NDArray[np.int8]:
        found = super().kind(places)
        inside = np.clip(places, 0, len(self.characters) - 1)
        found[self.characters[inside] == EDGE] = OUTSIDE
        return found


@dataclass(frozen=True, eq=False)
class JoinedEvidence(Evidence):
    """The evidence on several texts."""

    parts: Sequence[Evidence] = field(default=(), repr=False)

    @classmethod
    def of_parts(cls, parts: Sequence[Evidence]) -> JoinedEvidence:
        """The joined evidence of several texts."""
        sizes = np.array([len(part.atoms.text) + EDGES for part in parts])
        shifts = np.cumsum(sizes) - sizes
        moved_by = list(zip(parts, shifts.tolist(), strict=True))
        atoms = JoinedAtoms(
            ("\n" * EDGES).join(part.atoms.text for part in parts),
            np.concatenate([part.atoms.starts + shift for part, shift in moved_by]),
            np.concatenate([part.atoms.ends + shift for part, shift in moved_by]),
            np.repeat(np.arange(len(parts)), [len(part.atoms) for part in parts]),
            (shifts + sizes - EDGES)[:-1],
        )
        return cls(
            atoms,
            [seen for part in parts for seen in part.seen],
            np.concatenate([part.shares for part in parts]),
            np.concatenate([part.peaks for part in parts]),
            parts,
        )

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        found, shift = list[tuple[int, int]](), 0
        for part in self.parts:
            found += [(first + shift, end + shift) for first, end in part.spans]
            shift += len(part.atoms)
        return found


def joined_evidence(parts: Sequence[Evidence]) -> Iterator[tuple[Evidence, list[Evidence]]]:
    """Groups of texts of up to `ATOMS_AT_ONCE` atoms: their joined evidence, and each text's."""
    some, atoms = list[Evidence](), 0
    for part in parts:
        if some and atoms + len(part.atoms) > ATOMS_AT_ONCE:
            yield _as_one(some), some
            some, atoms = [], 0
        some.append(part)
        atoms += len(part.atoms)
    if some:
        yield _as_one(some), some


def _as_one(parts: list[Evidence]) -> Evidence:
    return parts[0] if len(parts) == 1 else JoinedEvidence.of_parts(parts)
