"""The sampling plan: chosen before the review and reproducible from its seed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal

from deid.errors import DeidError
from deid.review.sampling.bounds import (
    CONFIDENCE,
    StratumRead,
    TwoStage,
    design_effect,
    imbalance,
    notes_needed,
    plan_two_stage,
    upper_bound,
)

Method = Literal["hypergeometric", "binomial", "clustered", "two_stage"]
Rank = Callable[[str, "SampledNote"], float]
"""Returns a number in [0, 1) for a use and a note; the only source of randomness."""


@dataclass(frozen=True, slots=True)
class SampledNote:
    """One note of the batch: file and record by ordinal, its patient as a number, its stratum."""

    file: int
    record: int
    patient: int
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Design:
    """The goals of a plan, set before the review.

    The sample must exclude a leak rate of `rate` at `confidence` if `leaks` leaks are found.
    `per_patient` notes per patient are read (0: ignore patients), with intraclass correlation
    `correlation`. At least `minimum` notes come from each stratum, for separate reports. `seeded`
    leaks are planted, and the sample is enlarged for a reviewer with that `sensitivity`.
    """

    rate: float = 0.01
    confidence: float = CONFIDENCE
    leaks: int = 0
    stratify: str = ""
    per_patient: int = 1
    correlation: float = 1.0
    minimum: int = 0
    two_stage: bool = False
    seeded: int = 0
    sensitivity: float = 1.0
    seed: str = "1"

    def __post_init__(self) -> None:
        whole = self.leaks >= 0 and self.per_patient >= 0 and self.minimum >= 0 <= self.seeded
        shares = 0 < self.rate < 1 and 0.5 <= self.confidence < 1 and 0 < self.sensitivity <= 1
        if not whole or not shares or not 0 <= self.correlation <= 1:
            raise DeidError(
                "plan-invalid",
                "no sample can meet these planning options",
                hint="use rates between 0 and 1 and counts of 0 or more",
            )

    def as_json(self) -> dict[str, Any]:
        """The design as the log stores it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Pick:
    """One note to read: its place in the reading order (from 1) and its stage."""

    position: int
    unit: SampledNote
    stage: int = 1


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """A fixed sample. `sizes` are the notes of the batch by stratum; `stages` is for two stages."""

    design: Design
    method: Method
    notes: int
    patients: int
    sizes: Mapping[str, int]
    picks: tuple[Pick, ...] = field(repr=False)
    stages: TwoStage | None = None

    def as_record(self) -> dict[str, Any]:
        """The plan as stored in the event log."""
        picks = [
            [p.position, p.unit.file, p.unit.record, p.unit.patient, p.unit.stratum, p.stage]
            for p in self.picks
        ]
        return {**self.as_json(), "sizes": dict(self.sizes), "picks": picks}

    @classmethod
    def of_record(cls, kept: Mapping[str, Any]) -> SamplingPlan:
        """Read a plan from its record in the event log."""
        stages = kept["stages"]
        return cls(
            Design(**kept["design"]),
            kept["method"],
            kept["notes_in_batch"],
            kept["patients"],
            kept["sizes"],
            tuple(Pick(p[0], SampledNote(p[1], p[2], p[3], p[4]), p[5]) for p in kept["picks"]),
            None if stages is None else TwoStage(**stages),
        )

    def as_json(self) -> dict[str, Any]:
        """What `deid review OUT --plan` prints."""
        read = defaultdict[str, int](int)
        for pick in self.picks:
            read[pick.unit.stratum] += 1
        stages = self.stages
        return {
            "design": self.design.as_json(),
            "method": self.method,
            "notes_in_batch": self.notes,
            "patients": self.patients,
            "notes_to_read": len(self.picks),
            "strata": {
                name: {"notes": size, "to_read": read[name]} for name, size in self.sizes.items()
            },
            "stages": None
            if stages is None
            else {"first": stages.first, "accept": stages.accept, "second": stages.second},
        }


def hashed_rank(seed: str) -> Rank:
    """Pseudo-random ranks from a seed by BLAKE2b: the seed reproduces the sample."""

    def rank(use: str, unit: SampledNote) -> float:
        subject = f"{use}|{unit.file}|{unit.record}|{unit.patient}".encode()
        digest = hashlib.blake2b(subject, key=seed.encode()[:64], digest_size=8).digest()
        return (int.from_bytes(digest, "big") >> 11) / (1 << 53)

    return rank


def draw_plan(
    units: Sequence[SampledNote], design: Design, rank: Rank | None = None
) -> SamplingPlan:
    """The plan for a batch: sized for the design, drawn and ordered at random.

    Raises:
        DeidError: `nothing-to-review`.
    """
    if not units:
        raise DeidError("nothing-to-review", "the release holds no records to review")
    rank = rank or hashed_rank(design.seed)
    sizes = _stratum_sizes(units)
    method, wanted, stages = _size(units, design)
    allotted = _allot(sizes, wanted, design)
    strata = defaultdict[str, list[SampledNote]](list)
    for unit in units:
        strata[unit.stratum].append(unit)
    drawn = [u for name in sizes for u in _draw_notes(strata[name], allotted[name], design, rank)]
    drawn.sort(key=lambda unit: rank("order", unit))
    first = len(drawn) if stages is None else min(stages.first, len(drawn))
    picks = tuple(
        Pick(place, unit, 1 if place <= first else 2) for place, unit in enumerate(drawn, 1)
    )
    patients = len({unit.patient for unit in units})
    return SamplingPlan(design, method, len(units), patients, sizes, picks, stages)


def _stratum_sizes(units: Iterable[SampledNote]) -> dict[str, int]:
    sizes = defaultdict[str, int](int)
    for unit in units:
        sizes[unit.stratum] += 1
    return dict(sorted(sizes.items()))


def is_simple(units: Sequence[SampledNote], design: Design) -> bool:
    """Whether the draw is a simple random sample, for which the hypergeometric bound is exact."""
    alone = len({unit.patient for unit in units}) == len(units)
    return (alone or design.per_patient == 0) and not design.stratify


def _size(units: Sequence[SampledNote], design: Design) -> tuple[Method, int, TwoStage | None]:
    def inflated(notes: float) -> int:
        return min(len(units), ceil(notes / design.sensitivity))

    if design.two_stage:
        stages = plan_two_stage(design.rate, design.confidence, max(1, design.leaks))
        if stages.first + stages.second <= len(units):
            return "two_stage", stages.first + stages.second, stages
    if is_simple(units, design):
        needed = notes_needed(design.rate, design.leaks, design.confidence, len(units))
        return "hypergeometric", inflated(needed), None
    needed = notes_needed(design.rate, design.leaks, design.confidence)
    if design.per_patient > 1:
        effect = design_effect(design.per_patient, design.correlation)
        return "clustered", inflated(needed * effect), None
    return "binomial", inflated(needed), None


def _allot(sizes: Mapping[str, int], wanted: int, design: Design) -> dict[str, int]:
    """Enlarge the sample until the bound meets the rate despite uneven strata."""
    while True:
        allotted = allocate_sample(sizes, wanted, design.minimum)
        read = sum(allotted.values())
        layers = [StratumRead(size, allotted[name], 0) for name, size in sizes.items()]
        reached = upper_bound(design.leaks, read, design.confidence) * imbalance(layers)
        if len(sizes) == 1 or reached <= design.rate or wanted >= sum(sizes.values()):
            return allotted
        wanted += 1


def allocate_sample(sizes: Mapping[str, int], wanted: int, minimum: int) -> dict[str, int]:
    """Notes per stratum, in proportion to its size (largest remainders first).

    Each stratum gets at least `minimum` notes, or all of its notes if it has fewer.
    """
    batch = sum(sizes.values())
    exact = {name: Fraction(size * wanted, batch) for name, size in sizes.items()}
    share = {name: floor(part) for name, part in exact.items()}
    left = wanted - sum(share.values())
    for name in sorted(exact, key=lambda name: (share[name] - exact[name], name))[:left]:
        share[name] += 1
    # An unread stratum could hide leaks.
    return {name: min(sizes[name], max(share[name], minimum, 1)) for name in sizes}


def _draw_notes(
    units: Sequence[SampledNote], wanted: int, design: Design, rank: Rank
) -> list[SampledNote]:
    if design.per_patient == 0:
        return sorted(units, key=lambda unit: rank("note", unit))[:wanted]
    patients = defaultdict[int, list[SampledNote]](list)
    for unit in units:
        patients[unit.patient].append(unit)
    if design.per_patient > 1:
        return _draw_clusters(patients, wanted, design.per_patient, rank)
    if len(patients) == len(units):
        return sorted(units, key=lambda unit: rank("note", unit))[:wanted]
    return _draw_spread(patients, wanted, rank)


def _in_order(patients: Mapping[int, Sequence[SampledNote]], rank: Rank) -> list[list[SampledNote]]:
    """Return the patients in random order, each with their notes in random order."""
    first = {
        patient: min(notes, key=lambda u: (u.file, u.record)) for patient, notes in patients.items()
    }
    order = sorted(patients, key=lambda patient: rank("patient", first[patient]))
    return [sorted(patients[p], key=lambda unit: rank("note", unit)) for p in order]


def _draw_spread(
    patients: Mapping[int, Sequence[SampledNote]], wanted: int, rank: Rank
) -> list[SampledNote]:
    """Systematic sample along the patients: every note has the same chance.

    A patient gives at most one note unless the patient has more notes than a step.
    """
    line = [unit for notes in _in_order(patients, rank) for unit in notes]
    wanted = min(wanted, len(line))
    step = len(line) / wanted
    start = rank("start", line[0]) * step
    return [line[min(int(start + place * step), len(line) - 1)] for place in range(wanted)]


def _draw_clusters(
    patients: Mapping[int, Sequence[SampledNote]], wanted: int, each: int, rank: Rank
) -> list[SampledNote]:
    """Draw patients weighted by their number of notes, then up to `each` notes per patient."""
    notes = _in_order(patients, rank)
    owner = [place for place, group in enumerate(notes) for _ in group]
    clusters = min(len(notes), max(1, ceil(wanted / each)))
    step = len(owner) / clusters
    start = rank("start", notes[0][0]) * step
    drawn = dict.fromkeys(
        owner[min(int(start + place * step), len(owner) - 1)] for place in range(clusters)
    )
    return [unit for place in drawn for unit in notes[place][:each]]
