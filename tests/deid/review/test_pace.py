"""A note that was only clicked through counts as unread, even if a reviewer marked it as read."""

from __future__ import annotations

import pytest

from deid.review.event_log import Event
from deid.review.marks import Marks
from deid.review.reviewers.pace import WORDS_A_MINUTE, Pace, count_words
from deid.review.sampling.sampling_plan import Design, SampledNote, SamplingPlan, draw_plan
from deid.review.status import ReviewStatus, review_status


def test_the_minimum_reading_time_depends_on_the_words() -> None:
    assert Pace(WORDS_A_MINUTE + 1, 60).hurried
    assert not Pace(WORDS_A_MINUTE, 60).hurried
    assert Pace(1, 0).hurried
    assert not Pace(0, 0).hurried
    assert Pace(2, 1.0) + Pace(3, 0.5) == Pace(5, 1.5)


def test_words_are_counted_over_all_cells() -> None:
    assert count_words(["a b", "", "c-d 12"]) == 5


READ = 19  # of 20 notes, to exclude a leak rate of 1 %


def sample(notes: int = 20) -> SamplingPlan:
    units = [SampledNote(1, record, record) for record in range(1, notes + 1)]
    return draw_plan(units, Design(seed="x", rate=0.01))


def reading(plan: SamplingPlan, seconds: list[float], reviewer: str = "ann") -> Marks:
    events = [
        Event(n, "", reviewer, "read", (p.unit.file, p.unit.record), {"seconds": s})
        for n, (p, s) in enumerate(zip(plan.picks, seconds, strict=False), 1)
    ]
    return Marks().take(events)


def standing(seconds: list[float], words: int = 100) -> ReviewStatus:
    plan = sample()
    return review_status(plan, reading(plan, seconds), (), lambda _: words)


def test_notes_that_were_read_are_bounded() -> None:
    found = standing([30.0] * READ)
    assert found.bound_claimed
    assert (found.read, found.finished, found.hurried) == (READ, True, 0)
    assert found.sentence.startswith("19 notes, 0 leaks: at most")


def test_clicked_through_notes_are_flagged_and_nothing_is_claimed() -> None:
    found = standing([0.3] * READ)
    assert not found.bound_claimed
    assert (found.read, found.hurried, found.bound) == (0, READ, 1.0)
    assert "no bound: 19 notes read too fast" in found.sentence
    assert "at most" not in found.sentence


@pytest.mark.parametrize("slow", [1, 10, 18])
def test_slowly_read_notes_do_not_make_up_for_fast_ones(slow: int) -> None:
    found = standing([3600.0] * slow + [0.3] * (READ - slow))
    assert not found.bound_claimed
    assert not found.finished
    assert (found.read, found.hurried) == (slow, READ - slow)


def test_a_note_read_again_slowly_counts() -> None:
    plan = sample()
    events = [
        Event(n, "", "ann", "read", (p.unit.file, p.unit.record), {"seconds": 5.0})
        for n, p in enumerate((*plan.picks, *plan.picks), 1)
    ]
    assert not review_status(plan, Marks().take(events[:READ]), (), lambda _: 90).bound_claimed
    assert review_status(plan, Marks().take(events), (), lambda _: 90).bound_claimed


def test_every_identifier_is_bounded_where_notes_were_read() -> None:
    found = standing([30.0] * READ)
    assert set(found.bound_by_word.values()) == {found.bound}
    assert len(found.bound_by_word) == 18
