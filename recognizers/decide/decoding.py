"""Join accepted atoms to findings, and choose the entity and the span of each finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from recognizers.constants import constant
from recognizers.decide.evidence import (
    ENTITY_NAMES,
    ENTITY_NUMBERS,
    ENTITY_OF_LABEL,
    UNSEEN,
    Evidence,
    Floats,
)
from recognizers.evidence.matching import Seen
from recognizers.finding import ENTITIES, PERSON, Finding
from recognizers.text.normalized_text import in_row
from recognizers.words import gazetteers
from recognizers.words.expressions import patterns
from safe_harbor import NAMES_BY_STATE

MODEL = "model"
SPANNING = patterns("spans")
UNLABELLED = np.setdiff1d(np.arange(len(ENTITY_NAMES)), ENTITY_OF_LABEL)
STRENGTH_ALONE = constant("decoding", "strength alone")
LEAST_SHARE = constant("decoding", "least share")
# All atoms of one word, `2015-09-08T20:51:17.123Z`, in such a match have the same entity.
SURE_ROW = constant("decoding", "sure row")
SUREST = constant("decoding", "surest")
# Values that may continue on the next line of a wrapped text, but not of a table.
BREAKABLE = frozenset(
    ENTITY_NUMBERS[entity]
    for entity in ("PERSON", "STREET_ADDRESS", "FACILITY", "EMPLOYER", "DATE_TIME", "AGE_OVER_89")
)
WRAPPED_LINE = constant("decoding", "wrapped line")
ABBREVIATION = constant("decoding", "abbreviation")
PLACED = frozenset({"CITY", "FACILITY", "STREET_ADDRESS", "COUNTY", "EMPLOYER"})
WHOLE_STATES = frozenset(name.casefold() for name in NAMES_BY_STATE.values())
LONGEST_FIELD_LABEL = 40
BORNE_FROM = constant("decoding", "borne from")


def entities_of(evidence: Evidence, weight: float) -> NDArray[np.int64]:
    """The entity of each atom, from the network's shares and the rows' strengths times `weight`.

    The rows' learned odds are not used: they predict an identifier but not its entity.
    """
    atoms, count = evidence.atoms, len(evidence.atoms)
    likely = np.empty((count, len(ENTITY_NAMES)))
    shares = np.log(np.maximum(evidence.shares[:, 1:], LEAST_SHARE))
    # The network cannot rule out an entity for which it has no label.
    likely[:] = shares.max(axis=1, keepdims=True)
    likely[:, ENTITY_OF_LABEL] = shares
    best = np.zeros((count, len(ENTITY_NAMES)))
    best[:, UNLABELLED] = UNSEEN
    for seen, (first, end) in zip(evidence.seen, evidence.spans, strict=True):
        number, share = ENTITY_NUMBERS[seen.entity], min(max(seen.strength, 1 - SUREST), SUREST)
        best[first:end, number] = np.maximum(best[first:end, number], log(share / (1 - share)))
    told = likely + weight * best
    found: NDArray[np.int64] = told.argmax(axis=1)
    for seen, (first, end) in zip(evidence.seen, evidence.spans, strict=True):
        if seen.strength >= SURE_ROW and end > first + 1:
            start, stop = int(atoms.starts[first]), int(atoms.ends[end - 1])
            if SPANNING["PARTING"].search(atoms.text, start, stop) is None:
                found[first:end] = told[first:end].sum(axis=0).argmax()
    return found


@dataclass(frozen=True, slots=True)
class FindingThreshold:
    """The least probability of a finding; an atom beside it needs only the share `beside` of it."""

    least: float
    beside: float

    def __post_init__(self) -> None:
        if not 0 < self.least < 1 or not 0 < self.beside <= 1:
            raise ValueError(
                f"threshold {self.least} or share {self.beside} must be above 0 and at most 1"
            )


def findings_of(
    evidence: Evidence, chances: Floats, threshold: FindingThreshold, entities: NDArray[np.int64]
) -> list[Finding]:
    """Ordered, disjoint findings of the atoms whose probability reaches the threshold."""
    sure = np.flatnonzero(chances >= threshold.least).tolist()
    # A text that is one letter, such as the answer `n`, identifies no person.
    if not sure or [*map(len, evidence.atoms.words)] == [1]:
        return []
    edges = Edges(evidence)
    enough = chances >= threshold.least * threshold.beside
    found: list[list[int]] = []
    for number in with_edges(evidence, sure, enough, entities, edges):
        last, entity = found[-1][-1] if found else -2, int(entities[number])
        near = last == number - 1 and entities[last] == entity
        if near and joined(evidence, number, entity, edges):
            found[-1].append(number)
        else:
            found.append([number])
    told = [finding(evidence, run, chances, int(entities[run[0]]), edges) for run in found]
    text = evidence.atoms.text
    return [each for each in told if not (is_whole_state(each, text) or is_label(each, text))]


def with_edges(
    evidence: Evidence,
    sure: Sequence[int],
    enough: NDArray[np.bool_],
    entities: NDArray[np.int64],
    edges: Edges,
) -> list[int]:
    """The accepted atoms, plus adjacent atoms that are likely to be the edge of the same value."""
    found = set(sure)
    for number in sure:
        for other, second in ((number - 1, number), (number + 1, number + 1)):
            inside = 0 <= other < len(enough) and enough[other] and other not in found
            same_kind = inside and entities[other] == entities[number]
            if same_kind and joined(evidence, second, int(entities[number]), edges):
                found.add(other)
    return sorted(found)


def is_whole_state(finding: Finding, text: str) -> bool:
    """Whether the text is a whole state: 45 CFR 164.514(b)(2)(i)(B) names only smaller areas.

    A finding of a name is a state if few people bear it (`Patient: Vermont`, not `Patient:
    Georgia`) or if a label says so (`State: Georgia`).
    """
    value = text[finding.start : finding.end]
    state, whole = SPANNING["STATES"].fullmatch(value) is not None, value.casefold() in WHOLE_STATES
    if not state and not whole:
        return False
    before = max(0, finding.start - LONGEST_FIELD_LABEL)
    if SPANNING["TOWN_LABEL"].search(text, before, finding.start):
        return False
    labelled = SPANNING["STATE_LABEL"].search(text, before, finding.start)
    if labelled and SPANNING["FIELD_END"].match(text, finding.end):
        return state
    if finding.entity == PERSON:
        return whole and gazetteers.bearers(value) < BORNE_FROM
    return finding.entity in PLACED and state


def is_label(finding: Finding, text: str) -> bool:
    """Whether the text is the label of a field, `City:`, and not its value."""
    label = SPANNING["LABEL_ALONE"].match(text, finding.start)
    return label is not None and label.end() == finding.end


class Edges:
    """Where the values found by rows begin, continue and end, by (atom, entity)."""

    def __init__(self, evidence: Evidence) -> None:
        self.over: set[tuple[int, int]] = set()
        self.heads: dict[tuple[int, int], int] = {}
        self.tails: dict[tuple[int, int], int] = {}
        self.best: dict[tuple[int, int], Seen] = {}
        spans = zip(evidence.seen, evidence.spans, strict=True)
        for seen, (first, end) in sorted(spans, key=lambda one: one[0].strength):
            if seen.strength > 0 and first < end:
                self.add(seen, first, end - 1, ENTITY_NUMBERS[seen.entity])

    def add(self, seen: Seen, first: int, last: int, entity: int) -> None:
        head, tail = (first, entity), (last, entity)
        self.heads[head] = min(seen.start, self.heads.get(head, seen.start))
        self.tails[tail] = max(seen.end, self.tails.get(tail, seen.end))
        self.over.update((place, entity) for place in range(first + 1, last + 1))
        self.best.update(((place, entity), seen) for place in range(first, last + 1))


def joined(evidence: Evidence, number: int, entity: int, edges: Edges) -> bool:
    """Whether the atom `number` and the atom before it are parts of one value."""
    atoms = evidence.atoms
    end = int(atoms.ends[number - 1])
    between = atoms.between(number)
    if (number, entity) in edges.over or not SPANNING["PARTING"].search(between):
        return True
    short = atoms.ends[number - 1] - atoms.starts[number - 1] <= ABBREVIATION
    if SPANNING["IN_LINE"].fullmatch(between) or (short and between == ". "):
        return True
    if entity not in BREAKABLE or not SPANNING["ONE_BREAK"].fullmatch(between):
        return False
    wrapped = end - (atoms.text.rfind("\n", 0, end) + 1) >= WRAPPED_LINE
    return wrapped and not in_row(atoms.text, end)


def finding(
    evidence: Evidence, run: Sequence[int], chances: Floats, entity: int, edges: Edges
) -> Finding:
    """A finding of a run of atoms, with the marks at its edges that a row of evidence included."""
    atoms, word = evidence.atoms, ENTITY_NAMES[entity]
    start, end = int(atoms.starts[run[0]]), int(atoms.ends[run[-1]])
    start = min(start, edges.heads.get((run[0], entity), start))
    end = max(end, edges.tails.get((run[-1], entity), end))
    rows = [edges.best[place, entity] for place in run if (place, entity) in edges.best]
    source = max(rows, key=attrgetter("strength")).table if rows else MODEL
    chance = round(float(chances[list(run)].max()), 4)
    return Finding(start, end, ENTITIES[word], word, chance, source)


def strong(seen: Sequence[Seen]) -> list[Finding]:
    """Return the findings that the rules alone would make, for tests without a model."""
    return [
        Finding(s.start, s.end, ENTITIES[s.entity], s.entity, s.strength, s.table)
        for s in seen
        if s.strength >= STRENGTH_ALONE
    ]
