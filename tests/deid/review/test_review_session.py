"""The review session: marks on a release, seeded leaks, exports, learned terms, and holds."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from small_review import NOW, release, sit

from deid.crosswalk.keys.master_keys import create_key_file
from deid.errors import DeidError
from deid.reports.visible import count_hidden_characters, show_hidden_characters
from deid.review.event_log import EventLog, event_log_path
from deid.review.exports import write_export
from deid.review.learning import write_learned
from deid.review.marking import judge, miss, undo
from deid.review.outcome import record_review
from deid.review.released_notes import ReviewBatch, open_batch
from deid.review.review_session import ReviewSession, open_review
from deid.review.reviewers.agreement import cohen_kappa
from deid.review.sampling.sampling_plan import Design, Pick
from deid.review.signing import open_points, sign_review
from deid.review.web.shown_cell import is_aligned
from deid.review.web.shown_note import note_json


def text(number: int) -> str:
    return f"Seen: Ada Stone, bed {number}.\r\nZoë Quux 😀 was there, too. Ada Marsh left.\n"


@pytest.fixture
def job(tmp_path: Path) -> tuple[Path, Path]:
    inputs, out = tmp_path / "in", tmp_path / "out"
    for number in range(1, 7):
        path = inputs / ("ward" if number % 2 else "clinic") / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text(number).encode())
    return release(inputs, out)


def released(review: ReviewSession, number: int) -> str:
    return review.batch.cells(review.batch.notes[number])[0].after


def test_marks_survive_a_restart_and_the_page_cannot_alter_them(job: tuple[Path, Path]) -> None:
    review = sit(job)
    start = released(review, 0).index("Zoë")
    miss(review, 0, "ann", 1, "after", start, start + 8, "names")
    review.finish(0, "ann", 12.5)
    again = sit(job)
    [mark] = again.marks.standing()
    assert released(again, 0)[slice(*mark.out)] == "Zoë Quux"
    assert text(1)[slice(*mark.original or ())] == "Zoë Quux"
    assert again.marks.readers(mark.place) == {"ann": 12.5}
    assert "Zoë" not in event_log_path(job[1]).read_bytes().decode("latin-1")
    assert event_log_path(job[1]).stat().st_mode & 0o077 == 0


def test_marks_on_either_side_refer_to_the_same_text(job: tuple[Path, Path]) -> None:
    review = sit(job)
    original = text(1)
    start = original.index("left")
    miss(review, 0, "ann", 1, "before", start, start + 4, "others")
    [mark] = review.marks.standing()
    assert released(review, 0)[slice(*mark.out)] == "left"
    with pytest.raises(DeidError, match="already removed"):
        miss(
            review, 0, "ann", 1, "before", original.index("Ada"), original.index("Ada") + 3, "names"
        )


def test_an_altered_event_log_is_refused(job: tuple[Path, Path]) -> None:
    review = sit(job)
    judge(review, 0, "ann", 1, 0, "stay", "")
    review.event_log._base.execute("UPDATE events SET reviewer = 'eve' WHERE kind = 'mark'")
    review.event_log.close()
    with pytest.raises(DeidError) as caught:
        sit(job)
    assert caught.value.code == "marks-altered"


def test_marks_of_another_release_are_refused(job: tuple[Path, Path], tmp_path: Path) -> None:
    sit(job).event_log.close()
    with pytest.raises(DeidError) as caught:
        EventLog(event_log_path(job[1]), "another", lambda: NOW)
    assert caught.value.code == "marks-of-another-release"


def test_originals_that_differ_are_refused(job: tuple[Path, Path]) -> None:
    (job[0] / "ward" / "1.txt").write_text("changed")
    with pytest.raises(DeidError) as caught:
        open_batch(job[1], (job[0],))
    assert caught.value.code == "originals-differ"


def test_a_changed_release_cannot_be_reviewed(job: tuple[Path, Path]) -> None:
    (job[1] / "ward" / "1.txt").write_text("changed")
    with pytest.raises(DeidError) as caught:
        open_batch(job[1])
    assert caught.value.code == "release-changed"


def test_comments_are_encrypted_or_refused(job: tuple[Path, Path], tmp_path: Path) -> None:
    review = sit(job)
    with pytest.raises(DeidError) as caught:
        review.comment(0, "ann", "Zoë is his wife")
    assert caught.value.code == "comment-needs-key"
    review.event_log.close()
    key = create_key_file(tmp_path / "key")
    event_log = EventLog(event_log_path(job[1]), review.batch.digest, lambda: NOW, key)
    open_review(review.batch, event_log, None, Design())[0].comment(0, "ann", "Zoë is his wife")
    [event] = [e for e in event_log.events() if e.kind == "comment"]
    assert event.place is not None
    assert event_log.unseal(event.body["sealed"], event.place) == "Zoë is his wife"
    assert b"wife" not in event_log_path(job[1]).read_bytes()


def test_reviewers_read_their_own_comments_and_the_adjudicator_all(
    job: tuple[Path, Path], tmp_path: Path
) -> None:
    batch, key = sit(job).batch, create_key_file(tmp_path / "key")
    event_log = EventLog(event_log_path(job[1]), batch.digest, lambda: NOW, key)
    review = open_review(batch, event_log, None, Design())[0]
    review.comment(0, "ann", "Zoë is his wife")
    review.comment(0, "bob", "ask the ward")
    review.comment(1, "ann", "another note")
    own = {"reviewer": "ann", "text": "Zoë is his wife"}
    assert note_json(review, 0, "ann", share=False)["comments"] == [own]
    assert note_json(review, 0, "ann", share=True)["comments"] == []
    everybody = note_json(review, 0, "cleo", share=False, all_comments=True)["comments"]
    assert everybody == [own, {"reviewer": "bob", "text": "ask the ward"}]
    event_log.close()
    without = EventLog(event_log_path(job[1]), batch.digest, lambda: NOW)
    reopened = open_review(batch, without, None, Design())[0]
    assert note_json(reopened, 0, "ann", share=False)["comments"] == []


@pytest.mark.parametrize("originals", [True, False])
def test_seeded_leaks_measure_the_reviewer_and_never_count_as_leaks(
    job: tuple[Path, Path], originals: bool
) -> None:
    review = sit(job, originals=originals, seeded=4)
    assert len(review.seeded) == 4
    for found, leak in enumerate(review.seeded[:3], 1):
        number = review.batch.number(leak.place)
        shown = note_json(review, number, "ann", share=False)["cells"][0]
        assert leak.change not in [change["change"] for change in shown["changes"]]
        planted = review.planted_cell(review.batch.notes[number], 1)
        assert planted.at is not None
        if originals:
            assert planted.cell.after[slice(*planted.at)].startswith("Ada ")
        miss(review, number, "ann", 1, "after", planted.at[0] + 1, planted.at[1], "names")
        review.finish(number, "ann", 30)
        assert review.standing().sensitivity.found == found
    missed = review.batch.number(review.seeded[3].place)
    review.finish(missed, "ann", 30)
    standing = review.standing()
    assert (standing.sensitivity.seeded, standing.sensitivity.found) == (4, 3)
    assert standing.leaks == 0
    assert standing.bound > standing.uncorrected
    # Share mode shows no seeded leak, because it would show an original.
    shared = json.dumps(note_json(review, missed, "ann", share=True))
    assert "Ada" not in shared
    assert not record_review(review, NOW)


def test_text_after_a_seeded_leak_is_marked_at_its_place(job: tuple[Path, Path]) -> None:
    review = sit(job, seeded=6)
    assert review.seeded
    for leak in review.seeded:
        number = review.batch.number(leak.place)
        shown = review.planted_cell(review.batch.notes[number], 1).cell.after
        start = shown.index("left")
        miss(review, number, "ann", 1, "after", start, start + 4, "others")
        [mark] = review.marks.of_note(leak.place)
        assert released(review, number)[slice(*mark.out)] == "left"
        assert not mark.seeded
        [told] = note_json(review, number, "ann", share=False)["marks"]
        assert (told["start"], told["end"]) == (start, start + 4)


def test_a_leak_holds_the_release_until_it_is_dismissed(job: tuple[Path, Path]) -> None:
    review = sit(job)
    start = released(review, 2).index("Zoë")
    miss(review, 2, "ann", 1, "after", start, start + 8, "names")
    for number in range(6):
        review.finish(number, "ann", 30)
    assert record_review(review, NOW)
    manifest = json.loads((job[1] / "_release" / "manifest.json").read_text())
    assert manifest["verdict"]["supported"] == "none"
    assert manifest["review"]["result"]["by_word"]["names"]["notes_leaking"] == 1
    review.finish(2, "ben", 30)
    [difference] = review.differences()
    assert difference.said == (("ann", "missed", "names"), ("ben", "nothing", ""))
    review.rule(2, "cleo", 0, "no_leak")
    assert not record_review(review, NOW)
    manifest = json.loads((job[1] / "_release" / "manifest.json").read_text())
    assert manifest["verdict"]["supported"] == "safe_harbor"
    page = (job[1] / "_release" / "evidence.html").read_text("utf-8")
    assert page.count("Sampling by reviewers") == 1
    assert "6 notes, 0 leaks: at most 0 % of notes leak (95%)" in page
    assert "ann, ben" in page


def test_a_leak_holds_the_release_before_its_note_is_finished(job: tuple[Path, Path]) -> None:
    path = job[1] / "_release" / "manifest.json"
    before = json.loads(path.read_text())
    desk = sit(job)
    start = released(desk, 2).index("Zoë")
    miss(desk, 2, "ann", 1, "after", start, start + 8, "names")
    assert record_review(desk, NOW)
    manifest = json.loads(path.read_text())
    assert manifest["review"]["reviewers"] == ["ann"]
    assert manifest["review"]["result"]["leaks_beside_the_notes_read"] == 1
    assert "1 leak outside the notes read" in desk.standing().sentence
    assert all(table["state"]["names"] == "HELD" for table in manifest["tables"].values())
    undo(desk, "ann")
    assert not record_review(desk, NOW)
    manifest = json.loads(path.read_text())
    assert manifest["verdict"] == before["verdict"]
    assert manifest["tables"] == before["tables"]
    assert manifest["identifiers"] == before["identifiers"]


def test_a_leak_outside_the_sample_holds_the_release(job: tuple[Path, Path]) -> None:
    desk = sit(job)
    outside = desk.places.pop(2)
    desk.plan = replace(desk.plan, picks=tuple(p for p in desk.plan.picks if _at(p) != outside))
    number = desk.batch.number(outside)
    start = released(desk, number).index("Zoë")
    miss(desk, number, "ann", 1, "after", start, start + 8, "names")
    desk.finish(number, "ann", 30)
    assert record_review(desk, NOW)
    assert desk.standing().leaks == 1


def _at(pick: Pick) -> tuple[int, int]:
    return pick.unit.file, pick.unit.record


def test_exports_contain_marks_and_no_original(job: tuple[Path, Path], tmp_path: Path) -> None:
    review = sit(job)
    start = released(review, 0).index("Zoë")
    miss(review, 0, "ann", 1, "after", start, start + 8, "names")
    judge(review, 0, "ann", 1, 1, "stay", "")
    review.finish(0, "ann", 3)
    folder = tmp_path / "export"
    write_export(review, folder, NOW)
    rows = list(csv.DictReader((folder / "marks.csv").open(newline="")))
    assert [row["verdict"] for row in rows] == ["missed", "stay"]
    body = json.loads((folder / "review.json").read_text("utf-8"))
    assert len(body["marks"]) == 2
    assert body["state"] == "held"
    [note], [ann] = (sorted((folder / "brat").glob(f"*.{end}")) for end in ("txt", "ann"))
    kept = note.read_bytes().decode()
    for line in ann.read_text("utf-8").splitlines():
        if line.startswith("T"):
            _, spot, shown = line.split("\t")
            _, first, last = spot.split()
            assert kept[int(first) : int(last)] == shown
    everything = b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert b"Ada" not in everything
    with pytest.raises(DeidError):
        write_export(review, folder, NOW)
    with pytest.raises(DeidError):
        write_export(review, job[1] / "export", NOW)


def test_missed_and_wrong_texts_become_reviewer_lists(
    job: tuple[Path, Path], tmp_path: Path
) -> None:
    review = sit(job)
    start = released(review, 0).index("Zoë")
    miss(review, 0, "ann", 1, "after", start, start + 8, "names")
    judge(review, 0, "ann", 1, 1, "stay", "")
    review.finish(0, "ann", 3)
    folder = tmp_path / "learned"
    write_learned(review, folder)
    assert (folder / "deny.csv").read_text("utf-8") == "word,value\nnames,Zoë Quux\n"
    assert (folder / "allow.csv").read_text("utf-8") == "word,value\nnames,Ada Marsh\n"
    [line] = (folder / "notes.jsonl").read_text("utf-8").splitlines()
    note = json.loads(line)
    spans = [(note["text"][s["start"] : s["end"]], s["label"]) for s in note["spans"]]
    assert spans == [("Ada Stone", "PERSON"), ("Zoë Quux", "NAMES")]
    assert all(p.stat().st_mode & 0o077 == 0 for p in folder.iterdir())
    with pytest.raises(DeidError) as caught:
        write_learned(sit(job, originals=False), tmp_path / "other")
    assert caught.value.code == "learn-needs-originals"


def test_strata_by_folder(job: tuple[Path, Path]) -> None:
    plan = sit(job, stratify="folder").plan
    assert plan.sizes == {"clinic": 3, "ward": 3}


def test_every_cell_is_aligned_as_the_log_records(job: tuple[Path, Path]) -> None:
    batch: ReviewBatch = open_batch(job[1], (job[0],))
    assert all(is_aligned(cell) for note in batch.notes for cell in batch.cells(note))
    assert "Ada" not in repr(batch)


def test_hidden_characters_are_shown_and_offsets_do_not_change() -> None:
    assert show_hidden_characters("a\u202eb\u200bc\x07") == "a◆b◆c◆"
    assert count_hidden_characters("a\u202eb\r\n") == 1
    assert show_hidden_characters("Zoë 😀 नमस्ते") == "Zoë 😀 नमस्ते"


def test_kappa_of_two_reviewers_is_that_computed_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed agreement 0.7, chance agreement 0.5.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    assert cohen_kappa([]) is None
    assert cohen_kappa([("y", "y")] * 3) is None
    assert cohen_kappa([("y", "n"), ("n", "y")]) == -1.0


def test_a_review_is_signed_when_nothing_is_open_and_a_later_mark_voids_the_signature(
    job: tuple[Path, Path],
) -> None:
    review = sit(job)
    with pytest.raises(DeidError) as caught:
        sign_review(review, "ann", "Ann Reed", "Privacy officer")
    assert caught.value.code == "review-unfinished"
    assert open_points(review) == ["Some notes of the sample are not read yet."]
    for number in range(6):
        review.finish(number, "ann", 30)
    with pytest.raises(DeidError):
        sign_review(review, "ann", "  ", "")
    sign_review(review, "ann", "Ann Reed", "Privacy officer")
    assert not record_review(review, NOW)
    folder = job[1] / "_release"
    signed = json.loads((folder / "manifest.json").read_text("utf-8"))["review"]["signed"]
    assert (signed["name"], signed["title"]) == ("Ann Reed", "Privacy officer")
    page = (folder / "evidence.html").read_text("utf-8")
    assert "<b>Ann Reed</b>, Privacy officer, signed this statement" in page
    # The signature survives a restart, and any change of the result invalidates it.
    review.event_log.close()
    again = sit(job)
    assert again.marks.signature is not None
    judge(again, 0, "ann", 1, 0, "stay", "")
    record_review(again, NOW)
    assert "signed this statement" not in (folder / "evidence.html").read_text("utf-8")
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["review"]["signed"] is None


def test_a_release_with_a_leak_cannot_be_signed(job: tuple[Path, Path]) -> None:
    review = sit(job)
    for number in range(6):
        review.finish(number, "ann", 30)
    start = released(review, 0).index("Zoë")
    miss(review, 0, "ann", 1, "after", start, start + 8, "names")
    assert open_points(review) == ["1 leak put the release on hold: scrub again."]
    with pytest.raises(DeidError):
        sign_review(review, "ann", "Ann Reed", "")
