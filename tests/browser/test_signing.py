"""The end of a review in a real Chromium: what is still open, the statement, the signature."""

from __future__ import annotations

import json
from typing import Any

import pytest

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")


def test_a_review_is_finished_and_signed_by_keyboard(make: Any, serve: Any, visit: Any) -> None:
    inputs, out = make([f"Ada Stone slept well in bed {n}.\n" for n in range(2)])
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    page.keyboard.press("e")
    page.wait_for_selector("#signing[open]")
    assert page.locator("#signing-open li").all_text_contents() == [
        "Some notes of the sample are not read yet."
    ]
    assert page.locator("#signature").is_hidden()
    assert page.locator("#sign").is_hidden()
    assert page.locator("#signing-close").is_visible()
    assert axe_playwright.Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    for read in (1, 2):
        page.wait_for_timeout(1200)
        page.keyboard.press("d")
        page.wait_for_function(f"() => document.getElementById('progress').value === {read}")
    page.keyboard.press("e")
    page.wait_for_selector("#signature:visible")
    page.focus("#signature [name=name]")
    page.keyboard.type("Ann Reed")
    page.keyboard.press("Tab")
    page.keyboard.type("Privacy officer")
    page.keyboard.press("Enter")  # Not yet possible: the statement has not been agreed to.
    manifest = out / "_release" / "manifest.json"
    assert "review" not in json.loads(manifest.read_text("utf-8"))
    page.wait_for_selector("#signature [name=agreed]:focus")
    page.keyboard.press("Space")
    assert axe_playwright.Axe().run(page).response["violations"] == []
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.getElementById('signing-said').textContent.startsWith('Signed by Ann Reed')"
    )
    # The evidence is written at once, while the page is still being served.
    signed = json.loads(manifest.read_text("utf-8"))["review"]["signed"]
    assert (signed["name"], signed["title"]) == ("Ann Reed", "Privacy officer")
    assert "signed this statement" in (out / "_release" / "evidence.html").read_text("utf-8")
    assert served.stop() == 0


def test_nothing_is_signed_while_sharing(make: Any, serve: Any, visit: Any) -> None:
    inputs, out = make(["Ada Stone slept well.\n"])
    served = serve(out, "--originals", inputs, "--reviewer", "ann", "--share")
    page = visit(served.links["ann"])
    page.keyboard.press("e")
    page.wait_for_function(
        "() => document.getElementById('said').textContent.includes('off while sharing')"
    )
    status = page.evaluate(
        "fetch('/api/sign', {method: 'POST', headers: {'content-type': 'application/json',"
        " 'x-review-proof': document.documentElement.dataset.proof},"
        " body: JSON.stringify({name: 'Ann', title: '', agreed: true})}).then(r => r.status)"
    )
    assert status == 400


def test_notes_can_be_searched_and_no_url_contains_the_search_text(
    make: Any, serve: Any, visit: Any
) -> None:
    inputs, out = make([f"Ada Stone slept well in bed {n}.\n" for n in range(5)])
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("/")
    page.keyboard.type("BED 3")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 1")
    assert "note-0004" in str(page.text_content("#list"))
    assert axe_playwright.Axe().run(page).response["violations"] == []
    page.fill("#search", "ada")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 5")
    # In share mode originals are not searched: the result would reveal what they contain.
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.wait_for_function(
        "() => document.getElementById('said').textContent.includes('safe to project')"
    )
    page.fill("#search", "ada")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 0")
    assert asked and not any("bed" in url.casefold() or "ada" in url for url in asked)
