"""Marks at more than one place, corrected edges, and what undo reverts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_review import NOW, release, sit

from deid.errors import DeidError
from deid.review.alike import mark_alike
from deid.review.event_log import event_log_path
from deid.review.learning import write_learned
from deid.review.marking import judge, miss, set_edges, undo
from deid.review.outcome import record_review
from deid.review.review_session import ReviewSession
from deid.review.signing import open_points
from deid.review.web.shown_note import note_json
from deid.review.web.team import team_json

TEXT = (
    "Seen: Ada Stone-Marsh, bed {}.\n"
    "Zoë Quux was there, ADA Quux not. Zoë Quux and Ada Stone left.\n"
)


@pytest.fixture
def job(tmp_path: Path) -> tuple[Path, Path]:
    inputs, out = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    for number in range(1, 7):
        (inputs / f"{number}.txt").write_text(TEXT.format(number), "utf-8")
    return release(inputs, out)


def shown(review: ReviewSession, number: int) -> str:
    return review.planted_cell(review.note(number), 1).cell.after


def miss_zoe(review: ReviewSession, number: int = 0, name: str = "ann") -> None:
    start = shown(review, number).index("Zoë")
    miss(review, number, name, 1, "after", start, start + 8, "names")


def spans(review: ReviewSession, number: int) -> list[tuple[str, str]]:
    """Verdict and original text of each mark on a note."""
    text = TEXT.format(number + 1)
    marks = review.marks.of_note(review.note(number).place)
    return sorted((m.verdict, text[slice(*m.original)]) for m in marks if m.original)


def test_missed_text_is_marked_everywhere_in_the_note_then_in_the_sample_and_undone_in_one_step(
    job: tuple[Path, Path],
) -> None:
    review = sit(job)
    miss_zoe(review)
    assert mark_alike(review, 0, "ann", "note") == (1, 1)
    assert spans(review, 0) == [("missed", "Zoë Quux")] * 2
    assert mark_alike(review, 0, "ann", "note") == (0, 0)
    assert mark_alike(review, 0, "ann", "sample") == (10, 5)
    assert len(review.marks.standing()) == 12
    # Each decision is a separate event without text, and it survives a restart of the server.
    assert sum(event.kind == "mark" for event in review.event_log.events()) == 12
    assert "Zoë" not in event_log_path(job[1]).read_bytes().decode("latin-1")
    review.event_log.close()
    again = sit(job)
    assert len(again.marks.standing()) == 12
    assert undo(again, "ann") == 0
    assert len(again.marks.standing()) == 2
    assert undo(again, "ann") == 0
    assert undo(again, "ann") == 0
    assert undo(again, "ann") is None
    assert again.marks.standing() == []


def test_a_verdict_is_applied_to_the_same_original_text_alone(job: tuple[Path, Path]) -> None:
    review = sit(job)
    judge(review, 0, "ann", 1, 0, "stay", "")
    judge(review, 3, "ann", 1, 1, "right", "")
    judge(review, 0, "ann", 1, 0, "wrong_word", "places")
    # "Ada Stone" is twice in each of six notes; the judged one and the one judged correct keep
    # their verdict.
    assert mark_alike(review, 5, "ann", "sample") == (10, 6)
    verdicts = [(m.verdict, m.word) for m in review.marks.standing()]
    assert verdicts.count(("wrong_word", "places")) == 11
    assert verdicts.count(("right", "names")) == 1


def test_marking_all_alike_needs_a_mark_and_originals(job: tuple[Path, Path]) -> None:
    review = sit(job, originals=False)
    for expected in ("nothing-marked", "originals-needed"):
        with pytest.raises(DeidError) as caught:
            mark_alike(review, 0, "ann", "note")
        assert caught.value.code == expected
        judge(review, 0, "ann", 1, 0, "stay", "")
    with pytest.raises(DeidError):
        mark_alike(review, 0, "ann", "everything")


def test_a_seeded_leak_marked_by_all_alike_does_not_measure_the_reviewer(
    job: tuple[Path, Path],
) -> None:
    review = sit(job, seeded=3)
    first, second, third = (review.batch.number(leak.place) for leak in review.seeded)
    planted = review.planted_cell(review.note(first), 1)
    assert planted.at is not None
    review.finish(third, "ann", 60)  # the reviewer read the note without seeing it: a miss
    start = planted.at[0]
    miss(review, first, "ann", 1, "after", start, planted.at[1], "names")
    made, _ = mark_alike(review, first, "ann", "sample")
    assert made == 2
    for number in (first, second):
        review.finish(number, "ann", 60)
    found = review.standing().sensitivity
    assert (found.seeded, found.found) == (2, 1)
    assert review.standing().leaks == 0


def test_a_span_that_was_too_short_leaks_its_rest_and_one_undo_takes_both_back(
    job: tuple[Path, Path], tmp_path: Path
) -> None:
    review = sit(job)
    start = TEXT.index("Ada")
    set_edges(review, 0, "ann", 1, 0, -1, "before", start, start + len("Ada Stone-Marsh"))
    assert spans(review, 0) == [("edges", "Ada Stone-Marsh"), ("missed", "Marsh")]
    assert record_review(review, NOW)
    # The edge is corrected again: the earlier rest no longer counts.
    set_edges(review, 0, "ann", 1, 0, -1, "before", start, start + 3)
    assert spans(review, 0) == [("edges", "Ada")]
    review.finish(0, "ann", 60)
    write_learned(review, tmp_path / "learned")
    note = json.loads((tmp_path / "learned" / "notes.jsonl").read_text("utf-8"))
    learned = [note["text"][one["start"] : one["end"]] for one in note["spans"]]
    assert learned == ["Ada", "Ada Stone"]
    undo(review, "ann")
    assert spans(review, 0) == [("edges", "Ada Stone-Marsh"), ("missed", "Marsh")]
    # A verdict on the change replaces the correction and everything that followed from it.
    judge(review, 0, "ann", 1, 0, "right", "")
    assert spans(review, 0) == [("right", "Ada Stone")]
    undo(review, "ann")
    undo(review, "ann")
    assert spans(review, 0) == []
    assert not record_review(review, NOW)


def test_edges_of_missed_text_are_moved_and_the_move_undone(job: tuple[Path, Path]) -> None:
    review = sit(job)
    miss_zoe(review)
    [mark] = review.marks.standing()
    start = TEXT.format(1).index("Zoë")
    set_edges(review, 0, "ann", 1, -1, mark.id, "before", start, start + 3)
    assert spans(review, 0) == [("missed", "Zoë")]
    undo(review, "ann")
    assert spans(review, 0) == [("missed", "Zoë Quux")]
    with pytest.raises(DeidError):
        set_edges(review, 0, "ben", 1, -1, mark.id, "before", start, start + 3)


def test_without_originals_a_span_can_only_grow(job: tuple[Path, Path]) -> None:
    review = sit(job, originals=False)
    text = shown(review, 0)
    tag = text.index("[")
    end = text.index(", bed")
    set_edges(review, 0, "ann", 1, 0, -1, "after", tag, end)
    missed = [m for m in review.marks.standing() if m.verdict == "missed"]
    assert [text[slice(*m.out)] for m in missed] == ["Marsh"]
    for low, high in ((tag + 1, end), (tag, text.index("]") + 1), (0, 3), (5, 5)):
        with pytest.raises(DeidError):
            set_edges(review, 0, "ann", 1, 0, -1, "after", low, high)


def test_the_sample_is_divided_and_its_shared_part_measures_agreement(
    job: tuple[Path, Path],
) -> None:
    review = sit(job)
    review.assign(("ann", "ben"), 0.5)
    ann, ben = review.assigned("ann"), review.assigned("ben")
    assert set(ann) | set(ben) == set(review.places)
    both = set(ann) & set(ben)
    assert len(both) == 3
    assert {len(ann), len(ben)} == {4, 5}
    assert review.assigned("cleo") == review.places
    for place in ann:
        review.finish(review.batch.number(place), "ann", 60)
    assert review.standing("ann").finished
    assert not review.standing().finished
    assert review.next_unread("ann") is None
    for place in set(ben) - both:
        review.finish(review.batch.number(place), "ben", 60)
    assert review.standing().finished
    assert open_points(review) == ["3 second readings assigned but not done."]
    shared = sorted(review.batch.number(place) for place in both)
    miss_zoe(review, shared[0], "ann")
    for number in shared:
        review.finish(number, "ben", 60)
    judge(review, shared[1], "ben", 1, 0, "stay", "")
    team = team_json(review)
    [pair] = team["agreement"]
    # Three notes with two changes each; ann missed one text that ben did not.
    assert pair["by_word"] == {
        "names": {"subjects": 7, "agreed": 5, "missed": (1, 0), "kappa": pytest.approx(5 / 19)}
    }
    assert [one["word"] for one in team["differences"]] == ["names", "names"]
    first, second = team["readers"]
    assert (first["notes_read"], first["notes_assigned"]) == (len(ann), len(ann))
    assert first["marks"] == {"names": {"missed": 1}}
    assert second["marks"] == {"names": {"stay": 1}}
    assert 0 < first["words_a_minute"] < 600
    # The evidence has the speed of each reviewer, and no value.
    record_review(review, NOW)
    page = (job[1] / "_release" / "evidence.html").read_text("utf-8")
    assert f"{first['words_a_minute']} words a minute" in page
    manifest = (job[1] / "_release" / "manifest.json").read_text("utf-8")
    assert not any(value in page + manifest for value in ("Zo", "Quux", "Ada", "Stone"))
    # The assignment is in the log: it survives a restart and is recorded once.
    review.event_log.close()
    again = sit(job)
    again.assign(("ann", "ben"), 0.5)
    assert again.assigned("ann") == ann
    assert sum(event.kind == "assignment" for event in again.event_log.events()) == 1


def test_no_bound_is_claimed_below_the_floor_of_reading_time(job: tuple[Path, Path]) -> None:
    review = sit(job)
    for number in range(6):
        review.finish(number, "ann", 1 if number == 2 else 60)
    assert not review.standing().bound_claimed
    [reader] = team_json(review)["readers"]
    assert (reader["notes_read"], reader["notes_hurried"]) == (5, 1)
    record_review(review, NOW)
    assert "none is claimed" in (job[1] / "_release" / "evidence.html").read_text("utf-8")


def test_the_page_of_a_note_names_its_marks(job: tuple[Path, Path]) -> None:
    review = sit(job)
    miss_zoe(review)
    mark_alike(review, 0, "ann", "note")
    marks = note_json(review, 0, "ann", share=False)["marks"]
    assert [mark["alike"] for mark in marks] == [False, True]
    assert note_json(review, 0, "ann", share=True)["marks"] == []
