"""The reviewer's page in a real Chromium, operated by keyboard."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from deid.crosswalk.keys.master_keys import create_key_file

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"


def said(page: Any, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('said').textContent.includes(words)", arg=words
    )


def figure(page: Any) -> str:
    return str(page.text_content("#sentence"))


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def read(page: Any, seconds: float = 3) -> None:
    """Mark the note as read, no sooner than the minimum reading time allows."""
    page.wait_for_timeout(1000 * seconds)
    press(page, "d")


def go_to(page: Any, number: int) -> None:
    """Go to a note of the whole list by keyboard: open the filters, then press n until it is
    shown.
    """
    press(page, "f")
    page.keyboard.type("all")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#list button')]"
        ".every((button, at) => Number(button.dataset.number) === at)"
    )
    press(page, "Escape")
    for _ in range(40):
        title = page.text_content("#title")
        at = int(title.partition("note-")[2][:4])
        if at == number:
            return
        before = title
        press(page, "n" if at < number else "p")
        page.wait_for_function(
            "before => document.getElementById('title').textContent !== before", arg=before
        )
    raise AssertionError("the note was not reached")


def choose_text(page: Any, *words: str) -> None:
    """After `m`: move word by word to the first word, then extend the selection to the last."""
    said(page, "Selected")
    for _ in range(200):
        if page.text_content("#said") == f"Selected: {words[0]}":
            break
        press(page, "ArrowRight")
    for _ in words[1:]:
        press(page, "Shift+ArrowRight")
    assert page.text_content("#said") == "Selected: " + " ".join(words)
    press(page, "Enter")


def marks(out: Path) -> list[dict[str, Any]]:
    base = sqlite3.connect(f"file:{out}.review.sqlite?mode=ro", uri=True)
    rows = base.execute("SELECT kind, reviewer, body FROM events ORDER BY id").fetchall()
    base.close()
    return [{"kind": k, "reviewer": r, **json.loads(b)} for k, r, b in rows if k != "plan"]


def axe(page: Any) -> list[str]:
    found = axe_playwright.Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]


def test_every_key(make: Any, notes: list[str], serve: Any, visit: Any, tmp_path: Path) -> None:
    inputs, out = make(notes)
    key = tmp_path / "key"
    create_key_file(key)
    served = serve(out, "--originals", inputs, "--reviewer", "ann", "--key-file", key)
    page = visit(served.links["ann"])
    assert "no note read yet, of 12" in figure(page)
    # Findings: next and previous, and what happens at both ends.
    go_to(page, 3)
    press(page, "j")
    page.wait_for_selector(".after mark.chosen")
    assert "1 of 4: names (PERSON), tag, leaves tag, found by rule, score 0.9" in str(
        page.text_content("#what")
    )
    press(page, "j", "k", "k")
    said(page, "first finding")
    # Verdicts: each one is saved, and the next finding is selected.
    press(page, "1")
    said(page, "Marked right")
    press(page, "k", "2", "c")
    said(page, "Marked wrong category")
    press(page, "k", "3")
    said(page, "Marked should have stayed")
    assert [m["verdict"] for m in marks(out)] == ["right", "wrong_word", "stay"]
    assert marks(out)[1]["word"] == "dates"
    # Undo removes one verdict after the other.
    press(page, "u")
    said(page, "Undone")
    page.wait_for_selector(".after mark[data-verdict=wrong_word]")
    press(page, "u", "u")
    page.wait_for_function("() => !document.querySelector('.after mark[data-verdict]')")
    press(page, "u")
    said(page, "nothing-to-undo")
    # A comment is encrypted.
    press(page, "c")
    page.keyboard.type("Zelda again")
    press(page, "Control+Enter")
    said(page, "Comment saved")
    press(page, "c")
    assert page.locator("#written li").all_inner_texts() == ["ann wrote: Zelda again"]
    press(page, "Escape")
    assert "Zelda" not in json.dumps(marks(out))
    # Show changed lines only, then all lines again.
    lines = page.locator(".row:visible").count()
    press(page, "l")
    assert page.locator(".row:visible").count() < lines
    press(page, "l")
    assert page.locator(".row:visible").count() == lines
    # The list: next and previous note.
    title = page.text_content("#title")
    press(page, "n")
    page.wait_for_function("t => document.getElementById('title').textContent !== t", arg=title)
    press(page, "p")
    page.wait_for_function("t => document.getElementById('title').textContent === t", arg=title)
    # Mark as read: the next note of the sample is shown, and the progress figure rises.
    said(page, "")
    read(page)
    said(page, "next note in the sample")
    assert figure(page) == "so far 1 note, 0 leaks: at most 92 % of notes leak (95%)"
    # Blank screen: nothing is shown. Any key shows the page again and has no other effect.
    press(page, "b")
    assert page.locator("#cover").is_visible()
    press(page, "d")
    assert not page.locator("#cover").is_visible()
    assert "so far 1 note," in figure(page)
    # Keys: the help opens, and single-key shortcuts can be switched off.
    press(page, "?")
    assert page.locator("#keys").is_visible()
    page.uncheck("#single")
    press(page, "Escape")
    press(page, "l")
    assert page.get_attribute("#only", "aria-pressed") == "false"
    served.stop()


def test_a_missed_name_marked_by_keyboard_alone_puts_the_release_on_hold(
    make: Any, notes: list[str], serve: Any, visit: Any, tmp_path: Path
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    go_to(page, 6)
    press(page, "m")
    choose_text(page, "Zelda", "Quux")
    press(page, "a")
    said(page, "Marked missed: names")
    mark = marks(out)[-1]
    original, released = notes[5], (out / "note-0006.txt").read_text("utf-8")
    assert original[slice(*mark["original"])] == released[slice(*mark["out"])] == "Zelda Quux"
    press(page, "d")
    page.wait_for_function(
        "() => document.getElementById('sentence').textContent.includes('1 leak')"
    )
    said(page, "next note in the sample")
    # The other side, by keyboard: removed text cannot be marked as missed, remaining text can.
    go_to(page, 6)
    press(page, "m")
    said(page, "Selected")
    press(page, "o")
    choose_text(page, "Neighbour")
    press(page, "r")
    said(page, "Marked missed: others")
    mark = marks(out)[-1]
    assert original[slice(*mark["original"])] == released[slice(*mark["out"])] == "Neighbour"
    assert served.stop() == 3
    manifest = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))
    assert manifest["verdict"]["supported"] == "none"
    assert manifest["review"]["state"] == "held"
    page_text = (out / "_release" / "evidence.html").read_text("utf-8")
    assert "On hold: 2 leaks confirmed" in page_text
    assert "Zelda" not in page_text + json.dumps(manifest)


def test_text_selected_by_mouse(make: Any, notes: list[str], serve: Any, visit: Any) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    go_to(page, 2)
    line = page.locator(".after >> text=nitroglycerin")
    line.dblclick(position={"x": 30, "y": 8})
    page.click("#missed")
    picked = str(page.text_content("#picked")).strip("“” ")
    page.click("#choices button:nth-child(2)")
    said(page, "Marked missed: places")
    mark = marks(out)[-1]
    assert (out / "note-0002.txt").read_text("utf-8")[slice(*mark["out"])] == picked


def test_a_killed_server_resumes_at_the_same_note(
    make: Any, notes: list[str], serve: Any, visit: Any
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    for expected in ("so far 1 note", "so far 2 notes", "so far 3 notes"):
        read(page)
        page.wait_for_function(
            "words => document.getElementById('sentence').textContent.startsWith(words)",
            arg=expected,
        )
    press(page, "j", "3")
    said(page, "Marked should have stayed")
    title, before = page.text_content("#title"), figure(page)
    served.stop(signal.SIGKILL)
    again = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(again.links["ann"])
    assert page.text_content("#title") == title
    assert figure(page) == before
    assert page.locator(".after mark[data-verdict=stay]").count() == 1


def test_two_reviewers_and_an_adjudicator(make: Any, serve: Any, visit: Any) -> None:
    came = "Neighbour Zelda Quux came along.\n"
    inputs, out = make([f"Ada Stone slept.\n{came if n == 6 else ''}" for n in range(1, 13)])
    people = ("--reviewer", "ann", "--reviewer", "ben", "--adjudicator", "cleo")
    served = serve(out, "--originals", inputs, *people)
    ann, ben = visit(served.links["ann"]), visit(served.links["ben"])
    go_to(ann, 6)
    press(ann, "m")
    choose_text(ann, "Zelda", "Quux")
    press(ann, "a")
    said(ann, "Marked missed")
    go_to(ben, 6)
    # Blind review: ben sees nothing that ann marked.
    assert ben.evaluate("CSS.highlights.has('missed')") is False
    press(ben, "j", "3")
    said(ben, "Marked should have stayed")
    for page in (ann, ben):
        for _ in range(12):
            before = figure(page)
            read(page, 0.8)
            page.wait_for_function(
                "t => document.getElementById('sentence').textContent !== t", arg=before
            )
        assert "12 notes" in figure(page)
    assert "1 leak" in figure(ann)
    assert "0 leaks" in figure(ben)
    cleo = visit(served.links["cleo"])
    assert "0 of 2 differences decided" in figure(cleo)
    assert "ann and ben: kappa" in str(cleo.text_content("#kappa"))
    assert axe(cleo) == []
    cleo.screenshot(path=PICTURES / "review-adjudication.png")
    for _ in range(2):
        at, before = str(cleo.text_content("#voices")), figure(cleo)
        press(cleo, "2" if "missed" in at else "1")
        cleo.wait_for_function(
            "t => document.getElementById('sentence').textContent !== t", arg=before
        )
    assert "2 of 2 differences decided" in figure(cleo)
    rulings = [m["verdict"] for m in marks(out) if m["kind"] == "ruling"]
    assert "no_leak" in rulings
    # The leak was dismissed: nothing holds the release, and the evidence names both reviewers.
    assert served.stop() == 0
    review = json.loads((out / "_release" / "manifest.json").read_text("utf-8"))["review"]
    assert review["state"] == "finished"
    assert review["reviewers"] == ["ann", "ben"]
    assert review["result"]["notes_leaking"] == 0
    assert review["agreement"][0]["notes_read_by_both"] == 12


def test_share_mode_shows_only_the_scrubbed_side(
    make: Any, notes: list[str], serve: Any, visit: Any
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann", "--seeded-leaks", "4")
    page = visit(served.links["ann"])
    go_to(page, 2)
    assert "Edsger Stone" in str(page.text_content("#text"))
    press(page, "s")
    said(page, "safe to project")
    for number in range(1, 13):
        go_to(page, number)
        shown = str(page.text_content("#text"))
        assert "Original" not in shown
        assert not any(name in shown for name in ("Ada", "Grace", "Edsger", "2019-", "MRN 1"))
    assert page.locator("#missed").is_disabled()
    assert (
        page.evaluate(
            "fetch('/api/notes/1', {headers: {"
            "'x-review-proof': document.documentElement.dataset.proof}})"
            ".then(r => r.json()).then(n => n.originals)"
        )
        is False
    )
    press(page, "s")
    said(page, "Both sides")


def test_two_thousand_notes(make_lines: Any, serve: Any, visit: Any) -> None:
    plain = "The wound is dry and the patient walks.\n" * 6
    long = "".join(f"{n}: Grace Field, seen 03/04/2019.\n{plain}" for n in range(740))
    assert len(long) > 200_000
    inputs, out = make_lines(
        [long, *(f"Of Ada Stone, seen 03/04/2019: {n}.\n" for n in range(1999))]
    )
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    page.evaluate(
        "window.shifts = []; new PerformanceObserver(list => list.getEntries().forEach(e => "
        "window.shifts.push(...e.sources.map(s => (s.node?.id || s.node?.nodeName) + ' '"
        " + JSON.stringify([s.previousRect, s.currentRect])))))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    assert "of 265 in the sample" in figure(page)
    press(page, "f")
    page.keyboard.type("all")
    page.wait_for_function(
        "() => document.getElementById('total').textContent === '1 to 200 of 2000 notes'"
    )
    press(page, "Escape")
    page.click("#list li:first-child button")
    page.wait_for_function("() => document.querySelectorAll('.row').length > 4000")
    for key in ("j", "j", "End", "Home", "n", "n", "p"):
        press(page, key)
    for _ in range(3):
        page.click("#later")
    press(page, "d", "d", "d")
    page.wait_for_timeout(300)
    slow = page.evaluate(
        "performance.getEntriesByType('resource').filter(e => e.name.includes('/api/'))"
        ".map(e => [e.name.split('/api/')[1], e.responseEnd - e.startTime])"
    )
    print("slowest requests in ms:", sorted(slow, key=lambda e: -e[1])[:5])
    assert page.evaluate("window.shifts") == []
    assert len(slow) > 10


def test_screens_pass_axe_and_become_the_pictures_of_the_guide(
    make: Any, notes: list[str], serve: Any, visit: Any
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"], reduced_motion="reduce")
    go_to(page, 6)
    press(page, "j")
    page.wait_for_selector(".after mark.chosen")
    assert axe(page) == []
    press(page, "m")
    choose_text(page, "Zelda", "Quux")
    assert axe(page) == []
    page.screenshot(path=PICTURES / "review-missed.png")
    press(page, "a")
    said(page, "Marked missed")
    press(page, "d")
    said(page, "next note in the sample")
    go_to(page, 2)
    press(page, "j")
    page.screenshot(path=PICTURES / "review-page.png")
    press(page, "?")
    assert axe(page) == []
    press(page, "Escape", "s")
    said(page, "safe to project")
    assert axe(page) == []
    page.screenshot(path=PICTURES / "review-share.png")
    press(page, "b")
    assert axe(page) == []
    # At 200 % zoom the width is half: nothing is cut off sideways.
    press(page, "b")
    page.set_viewport_size({"width": 640, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= 640")
    assert axe(page) == []
    locked = visit(served.origin + "/")
    assert axe(locked) == []
    # Print: the originals are not printed.
    page.emulate_media(media="print")
    assert page.locator("#text").is_hidden()
    assert page.locator("#no-print").is_visible()


def test_the_dark_color_scheme_is_legible(
    make: Any, notes: list[str], serve: Any, visit: Any
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"], reduced_motion="reduce", color_scheme="dark")
    go_to(page, 6)
    press(page, "j")
    page.wait_for_selector(".after mark.chosen")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in re.findall(r"\d+", ground)) < 64
    assert axe(page) == []
    press(page, "?")
    assert axe(page) == []
    press(page, "Escape", "l", "s")
    said(page, "safe to project")
    assert axe(page) == []
    locked = visit(served.origin + "/", color_scheme="dark")
    assert axe(locked) == []


def test_on_a_narrow_screen_the_list_and_the_verdict_are_visible(
    make: Any, notes: list[str], serve: Any, visit: Any
) -> None:
    inputs, out = make(notes)
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("#list").bounding_box()["height"] > 100
    page.locator("#text").scroll_into_view_if_needed()
    buttons = page.locator("#finding").bounding_box()
    assert buttons["y"] + buttons["height"] <= 844
