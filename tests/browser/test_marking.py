"""Moving the edges of spans, marking all alike texts, and the adjudicator's page, in a real
Chromium.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"
TEXT = (
    "Seen: Ada Stone-Marsh, bed {}.\nHer sister Zelda Quux came. Zelda Quux left, Ada Stone not.\n"
)


def said(page: Any, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('said').textContent.includes(words)", arg=words
    )


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def axe(page: Any) -> list[str]:
    found = axe_playwright.Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]


def marks(out: Path) -> list[dict[str, Any]]:
    base = sqlite3.connect(f"file:{out}.review.sqlite?mode=ro", uri=True)
    rows = base.execute("SELECT body FROM events WHERE kind = 'mark' ORDER BY id").fetchall()
    base.close()
    return [json.loads(body) for (body,) in rows]


def on_first(page: Any) -> None:
    """Go to the first note of the batch."""
    page.select_option("#filters [name=view]", "all")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#list button')]"
        ".every((button, at) => Number(button.dataset.number) === at)"
    )
    page.click("#list li:first-child button")
    page.wait_for_function("() => document.getElementById('title').textContent.includes('0001')")
    page.focus("#text")


def original(out: Path, mark: dict[str, Any]) -> str:
    text = (out.parent / "notes" / "note-0001.txt").read_text("utf-8")
    return text[slice(*mark["original"])]


@pytest.fixture
def served(make: Any, serve: Any) -> tuple[Any, Path]:
    inputs, out = make([TEXT.format(n) for n in range(1, 7)])
    return serve(out, "--originals", inputs, "--reviewer", "ann"), out


def test_edges_by_word_and_by_character_and_undone(served: Any, visit: Any) -> None:
    server, out = served
    page = visit(server.links["ann"])
    on_first(page)
    press(page, "j", "x")
    said(page, "“Ada Stone”")
    press(page, "ArrowRight")
    said(page, "“Ada Stone-”")
    press(page, "ArrowRight")
    said(page, "“Ada Stone-Marsh”")
    press(page, "Shift+ArrowLeft")
    said(page, "“Ada Stone-Mars”")
    press(page, "Shift+ArrowRight", "ArrowUp", "Shift+ArrowLeft")
    said(page, "First edge, original: “ Ada Stone-Marsh”")
    press(page, "Shift+ArrowRight")
    said(page, "“Ada Stone-Marsh”")
    assert axe(page) == []
    page.screenshot(path=PICTURES / "review-edges.png")
    press(page, "Enter")
    said(page, "The edges are set")
    edges, rest = marks(out)
    assert (edges["verdict"], original(out, edges)) == ("edges", "Ada Stone-Marsh")
    assert (rest["verdict"], original(out, rest)) == ("missed", "Marsh")
    assert "1 leak" in str(page.text_content("#sentence"))
    # Missed text can be selected, too. Esc leaves the edges unchanged.
    press(page, "j")
    page.wait_for_function(
        "() => document.getElementById('what').textContent.includes('marked missed: names')"
    )
    press(page, "x", "ArrowLeft", "Escape")
    said(page, "The edges are unchanged")
    press(page, "u")
    said(page, "Undone")
    page.wait_for_function("() => !document.querySelector('.after mark[data-verdict]')")
    assert "0 leaks" in str(page.text_content("#sentence")) or "no note" in str(
        page.text_content("#sentence")
    )


def test_edges_are_dragged_with_the_mouse(served: Any, visit: Any) -> None:
    server, out = served
    page = visit(server.links["ann"])
    on_first(page)
    press(page, "j", "x")
    said(page, "“Ada Stone”")
    box = page.locator(".edge.end").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y)
    page.mouse.move(x + 50, y, steps=4)
    page.mouse.up()
    dragged = str(page.text_content("#said")).partition("“")[2].rstrip("”")
    assert dragged.startswith("Ada Stone-M")
    box = page.locator(".edge.start").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 33, y, steps=4)
    page.mouse.up()
    dragged = str(page.text_content("#said")).partition("“")[2].rstrip("”")
    assert dragged.lstrip().startswith("Stone-M")
    press(page, "Enter")
    said(page, "The edges are set")
    assert original(out, marks(out)[0]) == dragged


def test_marking_all_alike_by_keyboard_is_undone_in_one_step(served: Any, visit: Any) -> None:
    server, out = served
    page = visit(server.links["ann"])
    on_first(page)
    press(page, "m")
    said(page, "Selected")
    for _ in range(40):
        if page.text_content("#said") == "Selected: Zelda":
            break
        press(page, "ArrowRight")
    press(page, "Shift+ArrowRight", "Enter", "a")
    said(page, "Marked missed: names")
    press(page, "a")
    said(page, "1 marked alike in 1 note.")
    press(page, "Shift+A")
    said(page, "10 marked alike in 5 notes.")
    assert "12 leaks" in str(page.text_content("#sentence"))
    assert axe(page) == []
    assert len(marks(out)) == 12
    press(page, "u")
    said(page, "Undone")
    page.wait_for_function(
        "() => document.getElementById('sentence').textContent.includes('2 leaks')"
    )
    press(page, "j", "j", "3")
    said(page, "Marked should have stayed")
    page.click("#alike-sample")
    said(page, "11 marked alike in 6 notes.")
    assert page.locator(".after mark[data-verdict=stay]").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_adjudicator_sees_both_reviewers_on_one_screen(
    make: Any, serve: Any, visit: Any, scheme: str
) -> None:
    inputs, out = make([TEXT.format(n) for n in range(1, 7)])
    people = ("--reviewer", "ann", "--reviewer", "ben", "--adjudicator", "cleo")
    server = serve(out, "--originals", inputs, *people, "--overlap", "0.5")
    ann, ben = visit(server.links["ann"]), visit(server.links["ben"])
    for page in (ann, ben):
        total = int(str(page.text_content("#total")).rpartition("of ")[2].split()[0])
        assert total in (4, 5)
        for read in range(1, total + 1):
            if page is ann:
                press(page, "j", "3")
                said(page, "Marked should")
            page.wait_for_timeout(2_200)
            press(page, "d")
            page.wait_for_function(f"() => document.getElementById('progress').value === {read}")
    cleo = visit(server.links["cleo"], color_scheme=scheme, reduced_motion="reduce")
    cleo.set_viewport_size({"width": 1366, "height": 768})
    shown = str(cleo.text_content("aside"))
    assert "0 of 3 differences decided" in str(cleo.text_content("#sentence"))
    assert "All reviewers read 50 % of 6 notes; the rest is divided among them." in shown
    assert "ann and ben: kappa none on leaks" in shown
    assert cleo.locator("#pairs tbody tr").count() == 1
    assert axe(cleo) == []
    if scheme == "light":
        cleo.screenshot(path=PICTURES / "review-adjudication.png")
    press(cleo, "1")
    cleo.wait_for_function(
        "() => document.getElementById('sentence').textContent.startsWith('1 of 3')"
    )
    # At 200 % zoom and on a phone, nothing scrolls sideways and axe finds nothing.
    for width in (640, 390):
        cleo.set_viewport_size({"width": width, "height": 800})
        assert cleo.evaluate(
            "['html', 'aside'].every(name => { const box = document.querySelector(name);"
            " return box.scrollWidth <= box.clientWidth; })"
        )
        assert axe(cleo) == []
    cleo.screenshot(path=f"/tmp/team-{scheme}.png", full_page=True)
    for page in (ann, ben):
        assert page.locator("#pairs").count() == 0
        status = page.evaluate(
            "fetch('/api/team', {headers: {'x-review-proof': document.documentElement.dataset"
            ".proof}}).then(r => r.status)"
        )
        assert status == 403
