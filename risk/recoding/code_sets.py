"""k^m-anonymity for sets of codes: no known set of m codes singles out fewer than k persons.

Terrovitis, Mamoulis & Kalnis 2008 (PVLDB 1:1): codes are generalized by a hierarchy, whole subtrees
at once (global recoding), until every set of at most m labels that occurs in a record occurs in at
least k records. For an attacker who knows p events of a person, choose m = p.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.tables.coding import CodedColumn
from risk.tables.longitudinal import separate_unnamed

Sets = Sequence[frozenset[int]]
_MOST_CODE_SETS = 20_000_000


@dataclass(frozen=True, eq=False, repr=False)
class CodeSets:
    """The codes of each person: `sets[person]` holds positions in `codes`, the distinct codes."""

    codes: tuple[str, ...]
    sets: tuple[frozenset[int], ...]

    @classmethod
    def of_cells(cls, column: CodedColumn, separator: str = "|") -> CodeSets:
        """Read one cell per person with all codes, split at `separator`."""
        known: dict[str, int] = {}
        cells = []
        for value in column.values:
            parts = [] if value is None else [part.strip() for part in str(value).split(separator)]
            cells.append(frozenset(known.setdefault(p, len(known)) for p in parts if p))
        return cls(tuple(known), tuple(cells[code] for code in column.codes))

    @classmethod
    def of_rows(cls, column: CodedColumn, person: CodedColumn) -> CodeSets:
        """Read one row per code, with several rows per person.

        A row that names no person counts as a person of its own.
        """
        person = separate_unnamed(person)
        held: list[set[int]] = [set() for _ in range(person.cardinality)]
        known: dict[str, int] = {}
        place = [
            None if value is None else known.setdefault(str(value), len(known))
            for value in column.values
        ]
        for who, code in zip(person.codes.tolist(), column.codes.tolist(), strict=True):
            if (at := place[code]) is not None:
                held[who].add(at)
        return cls(tuple(known), tuple(map(frozenset, held)))

    def __repr__(self) -> str:
        return f"CodeSets({len(self.sets)} persons, {len(self.codes)} codes)"


@dataclass(frozen=True, eq=False, repr=False)
class SetPlan:
    """The label of each code.

    `levels[code]` is the level of a code in the hierarchy. `labels[code]` is the text of its label,
    or None if the code is removed from every record.

    `loss` is the mean over all codes of all persons of the share of the domain under the label (0
    for the code itself, 1 for all codes). `before` is the number of sets of at most m codes that
    fewer than k persons had, and `persons` is the number of persons with such a set. After the
    plan, no such set is left.
    """

    levels: tuple[int, ...]
    labels: tuple[str | None, ...]
    loss: float
    before: int
    persons: int
    steps: int


def protect_sets(held: CodeSets, hierarchy: Hierarchy, k: int, m: int) -> SetPlan:
    """Generalize codes until the persons' sets are k^m-anonymous.

    Set sizes are processed from 1 to m. While some sets of a size are too rare, one label is
    replaced by its parent, together with all codes under that parent. This is the label that occurs
    in the most rare sets relative to the loss that it adds. A label directly under a single top is
    removed instead.

    Raises `RiskError` if the hierarchy lacks codes, if its top has several labels and the limit
    cannot be met, or if there are fewer than k persons.
    """
    if k < 1 or m < 1:
        raise RiskError("k and m must be at least 1", code="bad-limit")
    tree = _Tree.of(held, hierarchy)
    first = rare_sets(held.sets, k, m)
    persons = sum(any(r <= s for r in first) for s in held.sets) if len(first) < 2000 else -1
    cut, steps = tree.start(), 0
    for size in range(1, m + 1):
        while rare := rare_sets(tree.sets(held, cut), k, size):
            cut = tree.raised(cut, rare)
            steps += 1
    levels = tuple(cut)
    top = hierarchy.height if tree.removes else -1
    labels = tuple(
        None if level == top else str(tree.label(code, level)) for code, level in enumerate(levels)
    )
    if persons < 0:
        persons = _persons_with(held.sets, first, m)
    return SetPlan(levels, labels, tree.loss(held, cut), len(first), persons, steps)


def rare_sets(sets: Iterable[frozenset[int]], k: int, m: int) -> set[frozenset[int]]:
    """Return every set of at most m labels that at least one but fewer than k persons have.

    Sets that contain a smaller rare set are left out, because they follow from it.

    Raises:
        RiskError: more combinations than can be held.
    """
    sets = list(sets)
    found: set[frozenset[int]] = set()
    rare_labels: set[int] = set()
    for size in range(1, m + 1):
        counts: Counter[tuple[int, ...]] = Counter()
        for held in sets:
            common = sorted(held - rare_labels)
            counts.update(combinations(common, size))
            if len(counts) > _MOST_CODE_SETS:
                raise RiskError(
                    f"the persons have more than {_MOST_CODE_SETS} sets of {size} codes",
                    code="too-many-sets",
                    hint="lower --known-events, or generalize codes to categories first",
                )
        rare = {frozenset(c) for c, n in counts.items() if n < k}
        rare = {r for r in rare if not any(f < r for f in _rare_subsets(r, found))}
        if size == 1:
            rare_labels = {next(iter(r)) for r in rare}
        found |= rare
    return found


def _rare_subsets(whole: frozenset[int], known: set[frozenset[int]]) -> Iterable[frozenset[int]]:
    for size in range(1, len(whole)):
        for part in combinations(whole, size):
            if frozenset(part) in known:
                yield frozenset(part)


def _persons_with(sets: Sets, rare: set[frozenset[int]], m: int) -> int:
    return sum(
        any(
            frozenset(part) in rare
            for size in range(1, m + 1)
            for part in combinations(sorted(held), size)
        )
        for held in sets
    )


@dataclass(frozen=True, eq=False)
class _Tree:
    """The hierarchy over the codes in use; a label is identified by its level and position."""

    hierarchy: Hierarchy
    place: tuple[int, ...]
    weight: tuple[int, ...]
    shares: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, held: CodeSets, hierarchy: Hierarchy) -> _Tree:
        known: Mapping[str | None, int] = hierarchy.positions
        lost = sum(code not in known for code in held.codes)
        if lost:
            raise RiskError(
                f"the hierarchy lacks {lost} of {len(held.codes)} codes",
                code="hierarchy-incomplete",
                place=f"hierarchy of {hierarchy.column!r}",
                hint="add one line per code: code;level 1;level 2;...",
            )
        weight = Counter(code for person in held.sets for code in person)
        levels = range(hierarchy.height + 1)
        return cls(
            hierarchy,
            tuple(known[code] for code in held.codes),
            tuple(weight[i] for i in range(len(held.codes))),
            tuple(hierarchy.shares(level) for level in levels),
        )

    def start(self) -> list[int]:
        return [0] * len(self.place)

    def number(self, code: int, level: int) -> int:
        """The number of a label, distinct across levels."""
        return level * 10_000_000 + int(self.hierarchy.groups[level][self.place[code]])

    def label(self, code: int, level: int) -> object:
        return self.hierarchy.labels[level][self.hierarchy.groups[level][self.place[code]]]

    @property
    def removes(self) -> bool:
        """Whether the top of the hierarchy is a single label.

        A code with that label carries no information. It is therefore removed, and the other codes
        under the top need not get that label.
        """
        return len(self.hierarchy.labels[-1]) == 1 and self.hierarchy.height > 0

    def sets(self, held: CodeSets, cut: Sequence[int]) -> list[frozenset[int]]:
        labels = [self.number(code, level) for code, level in enumerate(cut)]
        top = self.hierarchy.height if self.removes else -1
        return [frozenset(labels[c] for c in person if cut[c] != top) for person in held.sets]

    def loss(self, held: CodeSets, cut: Sequence[int]) -> float:
        whole = sum(self.weight)
        lost = sum(w * self._lost(c, cut[c]) for c, w in enumerate(self.weight))
        return lost / whole if whole else 0.0

    def raised(self, cut: list[int], rare: Iterable[frozenset[int]]) -> list[int]:
        """Return the levels after one label is replaced by its parent, with all codes under that
        parent.

        It is the label that occurs in the most rare sets relative to the loss that it adds.
        """
        weighed: Counter[int] = Counter(label for found in rare for label in found)
        under: dict[int, list[int]] = {}
        for code, level in enumerate(cut):
            under.setdefault(self.number(code, level), []).append(code)
        mended: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for label, count in weighed.items():
            codes = under[label]
            parent = cut[codes[0]] + 1
            if parent > self.hierarchy.height:
                continue
            if not (self.removes and parent == self.hierarchy.height):
                group = self.hierarchy.groups[parent]
                mark = group[self.place[codes[0]]]
                codes = [c for c, place in enumerate(self.place) if group[place] == mark]
            mended[parent, tuple(codes)] += count
        if not mended:
            raise RiskError(
                "no generalization of the codes meets --k and --known-events",
                code="no-transformation",
                exit_code=3,
                hint="lower --k, or give a hierarchy whose last level is one value",
            )
        best = max(
            sorted(mended), key=lambda move: mended[move] / self._cost(move[0], move[1], cut)
        )
        new = list(cut)
        for code in best[1]:
            new[code] = max(cut[code], best[0])
        return new

    def _cost(self, level: int, codes: Sequence[int], cut: Sequence[int]) -> float:
        extra = sum(
            self.weight[c] * max(0.0, self._lost(c, level) - self._lost(c, cut[c])) for c in codes
        )
        return max(extra, 1e-9)

    def _lost(self, code: int, level: int) -> float:
        floor = self.hierarchy.floor
        share = float(self.shares[level][self.hierarchy.groups[level][self.place[code]]])
        return 0.0 if floor >= 1 else (share - floor) / (1 - floor)


def cluster_codes(held: CodeSets, *, size: int = 4, levels: int = 3) -> Hierarchy:
    """Make a hierarchy from the data: group codes that the same persons have, `size` at a time,
    then those groups, and finally all.

    Groups are formed greedily by shared persons (clustering-based, Gkoulalas-Divanis & Loukides);
    their labels list their codes: `{A,B,C}`.
    """
    holders: list[set[int]] = [set() for _ in held.codes]
    for person, codes in enumerate(held.sets):
        for code in codes:
            holders[code].add(person)
    groups = [[i] for i in range(len(held.codes))]
    rows = [[code] for code in held.codes]
    for _ in range(levels - 1):
        if len(groups) <= 1:
            break
        groups = _grouped(groups, holders, size)
        for group in groups:
            name = "{" + ",".join(sorted(held.codes[i] for i in group)) + "}"
            for i in group:
                rows[i].append(name)
    return Hierarchy.of_rows("codes", [[*row, "*"] for row in rows], source="clusters")


def _grouped(groups: list[list[int]], holders: list[set[int]], size: int) -> list[list[int]]:
    people = [set().union(*(holders[i] for i in group)) for group in groups]
    left = sorted(range(len(groups)), key=lambda g: (len(people[g]), g))
    made = []
    while left:
        seed = left.pop(0)
        near = sorted(left, key=lambda g: (-len(people[seed] & people[g]), len(people[g]), g))
        chosen = near[: size - 1]
        made.append([i for g in (seed, *chosen) for i in groups[g]])
        left = [g for g in left if g not in chosen]
    return made
