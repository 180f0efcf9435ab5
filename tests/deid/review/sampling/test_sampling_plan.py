"""The sampling plan: reproducible by its seed, fair, and with a bound that is true as often as it
states.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from deid.errors import DeidError
from deid.review.sampling.bounds import notes_needed, upper_bound, upper_clustered, upper_in_batch
from deid.review.sampling.sampling_plan import (
    Design,
    Rank,
    SampledNote,
    allocate_sample,
    draw_plan,
    is_simple,
)

REVIEWS = 10_000


def batch(patients: int, notes: int, strata: int = 1) -> list[SampledNote]:
    return [
        SampledNote(p * notes + n + 1, 1, p, f"type {n % strata}" if strata > 1 else "")
        for p in range(patients)
        for n in range(notes)
    ]


def test_usual_sample_sizes_are_met() -> None:
    assert len(draw_plan(batch(2000, 1), Design()).picks) == 265
    assert len(draw_plan(batch(3000, 4), Design()).picks) == 299
    assert len(draw_plan(batch(3000, 4), Design(leaks=1)).picks) == 473
    assert len(draw_plan(batch(3000, 4), Design(sensitivity=0.85)).picks) == 352
    assert len(draw_plan(batch(20, 1), Design()).picks) == 19


def test_one_note_per_patient_is_sampled() -> None:
    plan = draw_plan(batch(1000, 7), Design())
    assert max(Counter(pick.unit.patient for pick in plan.picks).values()) == 1
    assert plan.method == "binomial"


def test_few_patients_of_many_notes_give_several() -> None:
    plan = draw_plan(batch(10, 200), Design())
    counts = Counter(pick.unit.patient for pick in plan.picks)
    assert len(plan.picks) == 299
    assert set(counts.values()) <= {29, 30}


def test_the_same_seed_is_the_same_plan() -> None:
    units = batch(500, 3)
    assert draw_plan(units, Design(seed="a")) == draw_plan(units, Design(seed="a"))
    assert draw_plan(units, Design(seed="a")).picks != draw_plan(units, Design(seed="b")).picks
    assert [p.position for p in draw_plan(units, Design()).picks] == list(range(1, 300))


def test_no_note_is_read_twice() -> None:
    for design in (Design(), Design(per_patient=0), Design(per_patient=3, correlation=0.1)):
        units = [pick.unit for pick in draw_plan(batch(300, 5), design).picks]
        assert len(units) == len(set(units))


def test_strata_by_size_and_never_under_the_minimum() -> None:
    plan = draw_plan(batch(1000, 3, strata=3), Design(stratify="type", minimum=120))
    counts = Counter(pick.unit.stratum for pick in plan.picks)
    assert counts == {"type 0": 120, "type 1": 120, "type 2": 120}
    assert allocate_sample({"a": 900, "b": 90, "c": 10}, 100, 0) == {"a": 90, "b": 9, "c": 1}
    assert allocate_sample({"a": 1000, "b": 1}, 10, 0) == {"a": 10, "b": 1}
    assert allocate_sample({"a": 1000, "b": 40}, 299, 59)["b"] == 40


def test_several_notes_per_patient_need_a_larger_sample() -> None:
    plan = draw_plan(batch(5000, 10), Design(per_patient=10, correlation=0.1))
    assert plan.method == "clustered"
    assert len(plan.picks) == pytest.approx(notes_needed(0.01) * 1.9, abs=10)


def test_two_stages_are_marked() -> None:
    plan = draw_plan(batch(5000, 1), Design(two_stage=True))
    assert plan.stages is not None
    stages = Counter(pick.stage for pick in plan.picks)
    assert stages == {1: plan.stages.first, 2: plan.stages.second}


@pytest.mark.parametrize(
    "wrong", [{"rate": 0.0}, {"rate": 1.0}, {"seeded": -1}, {"confidence": 0.2}, {"leaks": -1}]
)
def test_an_impossible_plan_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(DeidError):
        Design(**wrong)  # type: ignore[arg-type]


def test_an_empty_release_is_refused() -> None:
    with pytest.raises(DeidError):
        draw_plan([], Design())


def chance(rng: random.Random) -> Rank:
    return lambda use, unit: rng.random()


def simulated(
    units: list[SampledNote], leaking: set[SampledNote], design: Design, seed: int
) -> float:
    """The share of reviews whose bound is at least the true share of leaking notes."""
    rng, truth, covered = random.Random(seed), len(leaking) / len(units), 0
    bounds: dict[tuple[int, int], float] = {}
    for _ in range(REVIEWS):
        picks = draw_plan(units, design, chance(rng)).picks
        found = sum(pick.unit in leaking for pick in picks)
        key = (found, len(picks))
        if key not in bounds:
            simple = is_simple(units, design)
            bounds[key] = upper_in_batch(*key, len(units)) if simple else upper_bound(*key)
        covered += bounds[key] >= truth
    return covered / REVIEWS


def clustered(units: list[SampledNote], patients: int) -> set[SampledNote]:
    """Every note of the first few patients leaks, so leaks are as alike within a patient as
    possible.
    """
    return {unit for unit in units if unit.patient < patients}


def uneven() -> list[SampledNote]:
    """Patients with one to nine notes; the first patients, who leak, have the most notes."""
    sizes = [9] * 6 + [1 + p % 4 for p in range(134)]
    return [SampledNote(p * 10 + n + 1, 1, p) for p, size in enumerate(sizes) for n in range(size)]


DESIGN = Design(rate=0.05)


@pytest.mark.parametrize(
    ("units", "patients", "design"),
    [
        pytest.param(batch(200, 1), 11, DESIGN, id="one note each"),
        pytest.param(batch(60, 4), 4, DESIGN, id="one note a patient"),
        pytest.param(batch(60, 4), 4, Design(rate=0.05, per_patient=0), id="any note"),
        pytest.param(batch(10, 24), 1, DESIGN, id="ten patients, one of them leaks"),
        pytest.param(uneven(), 3, DESIGN, id="those who leak have the most notes"),
        pytest.param(
            batch(60, 4, strata=2), 4, Design(rate=0.05, stratify="type"), id="strata by size"
        ),
    ],
)
def test_the_bound_of_ten_thousand_reviews_has_its_coverage(
    units: list[SampledNote], patients: int, design: Design
) -> None:
    leaking = clustered(units, patients)
    assert 0.01 < len(leaking) / len(units) < 0.2
    assert simulated(units, leaking, design, seed=2026) >= 0.95


def test_the_bound_of_clustered_notes_has_its_coverage() -> None:
    units, rng, covered = batch(150, 4), random.Random(7), 0
    leaking = clustered(units, 9)
    design = Design(rate=0.1, per_patient=4, correlation=1.0)
    bounds: dict[int, float] = {}
    for _ in range(REVIEWS // 4):
        picks = draw_plan(units, design, chance(rng)).picks
        found = sum(pick.unit in leaking for pick in picks)
        if found not in bounds:
            bounds[found] = upper_clustered(found / len(picks), len(picks), 4.0)
        covered += bounds[found] >= len(leaking) / len(units)
    assert covered / (REVIEWS // 4) >= 0.95
