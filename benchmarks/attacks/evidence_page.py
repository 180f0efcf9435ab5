"""Attacks on the evidence page: releases whose page would state more than the job knows."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.attacks.lab import Lab, Run

TABLE = "patient_id,first_name,last_name,mrn\nP1,Zebulon,Quartermaine,88213377\n"
NOTE = "Slept well. Walked with the nurse and ate breakfast without help, no pain at all today. "
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _notes(lab: Lab, count: int = 4) -> Path:
    rows = [
        json.dumps({"id": str(n), "patient": "P1", "text": f"Note {n}. {NOTE}"})
        for n in range(count)
    ]
    return lab.write("notes.jsonl", "\n".join(rows) + "\n")


def _manifest(lab: Lab) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((lab.here / "out/_release/manifest.json").read_text("utf-8"))
    return told


def _page(lab: Lab) -> str:
    return (lab.here / "out/_release/evidence.html").read_text("utf-8")


def _agree(lab: Lab, headline: str) -> bool:
    """Whether the page's first line, its heading and the manifest state the same."""
    page, verdict = _page(lab), _manifest(lab)["verdict"]["supported"]
    first = page.splitlines()[0]
    wanted = f"{headline}: verdict {verdict}"
    return wanted in first and f">{wanted}</h1>" in page


def _review(
    lab: Lab, seconds: float, clock_seconds: float, *, first: float = 0, missed: int = 0
) -> None:
    """Review every note as one reviewer.

    The page reports `seconds` of reading for each note. By the server's clock, each note took
    `clock_seconds`, and the first note took `first`, if given.
    """
    from deid.review.event_log import EventLog, event_log_path
    from deid.review.marking import miss
    from deid.review.outcome import record_review
    from deid.review.released_notes import open_batch
    from deid.review.review_session import open_review
    from deid.review.sampling.frame import sampling_frame
    from deid.review.sampling.sampling_plan import Design

    now = [BEGAN]
    batch = open_batch(lab.here / "out", ())
    ledger = EventLog(event_log_path(lab.here / "out"), batch.digest, lambda: now[0])
    design = Design(seed="attack")
    review = open_review(batch, ledger, sampling_frame(batch, design.stratify), design)[0]
    for count, place in enumerate(review.places):
        number = batch.number(place)
        review.show(review.note(number), "ann")
        for start in range(2 if count < missed else 0):
            cell = review.batch.cells(review.batch.notes[number])[-1]
            miss(review, number, "ann", cell.column, "after", 3 * start, 3 * start + 2, "names")
        now[0] += timedelta(seconds=first if first and not count else clock_seconds)
        review.finish(number, "ann", seconds)
    record_review(review, now[0])
    ledger.close()


def attack_nothing_known(lab: Lab) -> bool:
    """Scrub without --known and show the page as proof."""
    run = lab.scrub(_notes(lab))
    page, manifest = _page(lab), _manifest(lab)
    states = {row["state"] for row in manifest["identifiers"].values()}
    return (
        run.code == 0
        and "nothing was proved" in run.stderr
        and _agree(lab, "Searched, not proved")
        and states <= {"SEARCHED", "NOT_EVALUATED"}
        and "nothing is left" not in page
        and "PASS" not in page
        and " of 2,933)" in page  # the measured miss rate, beside the state
    )


def attack_keys_beside_notes(lab: Lab) -> bool:
    """Give a column of keys beside the notes, which must not count as known patients."""
    notes = lab.write("notes.csv", f'note_id,mrn,note\n1,88213377,"{NOTE}"\n2,88213390,"{NOTE}"\n')
    lab.scrub(notes)
    names = _manifest(lab)["identifiers"]["names"]["state"]
    return _agree(lab, "Searched, not proved") and names == "SEARCHED"


def attack_known_patients_of_others(lab: Lab) -> bool:
    """Give a known table of patients whom no note names, which proves nothing about the notes."""
    table = lab.write("patients.csv", TABLE)
    note = lab.write("note.txt", NOTE)
    lab.scrub(note, "--known", table, "--patient-key", "patient_id")
    return "1 record of 1 names no known patient" in _page(lab)


def attack_known_table_that_says_nothing(lab: Lab) -> bool:
    """Give a known table without rows, or no record; the page must say what was missing."""
    table = lab.write("patients.csv", TABLE.partition("\n")[0] + "\n")
    lab.scrub(_notes(lab), "--known", table, "--patient-key", "patient_id")
    empty = _agree(lab, "Searched, not proved") and "hold no value that could be" in _page(lab)
    table, notes = lab.write("patients.csv", TABLE), lab.write("none.jsonl", "")
    lab.scrub(notes, "--known", table, "--patient-key", "patient_id", out="again")
    page = (lab.here / "again/_release/evidence.html").read_text("utf-8")
    return empty and "the release has no part that could contain" in page


def attack_sign_after_a_leak(lab: Lab) -> bool:
    """Sign the page of a release in which a reviewer confirmed leaks."""
    table = lab.write("patients.csv", TABLE)
    lab.scrub(_notes(lab), "--known", table, "--patient-key", "patient_id")
    proved = _agree(lab, "Known values proved absent") and "Date and signature" in _page(lab)
    _review(lab, seconds=60, clock_seconds=60, missed=1)
    page, manifest = _page(lab), _manifest(lab)
    checked = lab.deid("check", lab.here / "out")
    return (
        proved
        and _agree(lab, "Held")
        and manifest["verdict"]["supported"] == "none"
        and manifest["identifiers"]["names"]["state"] == "HELD"
        and all(table["state"]["names"] == "HELD" for table in manifest["tables"].values())
        and "Date and signature" not in page
        and "2 leaks" in page
        and "leak(s)" not in page
        and _refused(checked, "on-hold")
    )


def attack_review_without_reading(lab: Lab) -> bool:
    """Click through the sample in seconds, with the clock of the page set forward."""
    lab.scrub(_notes(lab, 12))
    _review(lab, seconds=60, clock_seconds=0.3)
    page, result = _page(lab), _manifest(lab)["review"]["result"]
    return (
        not result["bound_claimed"]
        and result["notes_read"] == 0
        and "no bound is claimed" in page
        and "at most" not in page
    )


def attack_review_one_note_at_leisure(lab: Lab) -> bool:
    """Leave one note open for an hour and click through the rest."""
    lab.scrub(_notes(lab, 12))
    _review(lab, seconds=3600, clock_seconds=0.3, first=3600)
    result = _manifest(lab)["review"]["result"]
    return not result["bound_claimed"] and result["notes_hurried"] == 11


def attack_operator_is_a_patient(lab: Lab) -> bool:
    """Put a known value into the operator's name or a path, to get it onto the page."""
    table = lab.write("Zebulon Quartermaine.csv", TABLE)
    named = ("--known", table, "--patient-key", "patient_id")
    run = lab.scrub(_notes(lab), *named, "--operator", "Zebulon Quartermaine")
    manifest = _manifest(lab)
    return (
        run.code == 0
        and lab.absent("quartermaine", str(lab.here))
        and manifest["command"].startswith("deid scrub INPUT --out OUT --known TABLE")
        and all(manifest[name] for name in ("operator", "version", "start", "end", "processor"))
    )


def attack_markup_in_the_operator(lab: Lab) -> bool:
    """Give an operator's name that is markup or is too long for a name."""
    run = lab.scrub(_notes(lab), "--operator", "<script>alert(1)</script>")
    long = lab.scrub(_notes(lab), "--operator", "x" * 200, out="other")
    return run.code == 0 and "<script>" not in _page(lab) and _refused(long, "operator-invalid", 2)


def attack_numbers_that_disagree(lab: Lab) -> bool:
    """Release one record or one file, for which no sentence may read `1 records`."""
    note = lab.write("note.txt", NOTE)
    run = lab.scrub(note)
    checked = lab.deid("check", lab.here / "out/note.txt")
    said = run.stderr + checked.stdout + _page(lab)
    wrong = ("1 records", "1 files", "1 notes", "1 known values", "1 hits", "(s)")
    return "1 record in" in run.stderr and not any(words in said for words in wrong)


def attack_page_of_another_day(lab: Lab) -> bool:
    """Run twice with other times and another operator; the released data must not differ."""
    notes = _notes(lab)
    lab.scrub(notes)
    lab.scrub(notes, "--operator", "Somebody Else", "--workers", "2", out="again")
    first, second = lab.released(account=False), lab.released("again", account=False)
    return first == second and bool(first)


def _refused(run: Run, code: str, exit_code: int = 3) -> bool:
    return run.code == exit_code and f"[{code}]" in run.stdout + run.stderr
