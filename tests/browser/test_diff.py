"""The side-by-side page of `--diff` in a real Chromium: light and dark, wide and narrow."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

from deid.policy.model import read_policy  # noqa: E402
from deid.reports.diff import diff_section, write_diff  # noqa: E402
from deid.text.document import Document  # noqa: E402
from deid.text.scrubber import Scrubbed, Scrubber  # noqa: E402

HARD = (
    "مریض Ada Stone در تاریخ 03/14/2021 دیده شد\n",
    "turned \u202eAda Stone\u202c round, hid\u200bden\n",
    "x" * 3000 + " Ada Stone " + "word " * 400,
)


@pytest.fixture
def diff(tmp_path: Path, rules: Any, notes: list[str]) -> str:
    scrubber = Scrubber(read_policy("safe_harbor"), rules, date(2026, 1, 1))
    texts = [*notes, *HARD, "\n".join(f"{n} Ada Stone 03/14/2021" for n in range(500))]
    parts, names = [], list[tuple[str, Path]]()
    for number, text in enumerate(texts, 1):
        (result,) = scrubber.scrub([Document(number, text)])
        assert isinstance(result, Scrubbed)
        parts.append(tmp_path / str(number))
        page = diff_section(f"file {number}", text, result.text, result.changes)
        parts[-1].write_text(page, "utf-8")
    half = len(parts) // 2
    for number, part in enumerate(parts):
        names.append(("first.txt" if number < half else "second.txt", part))
    write_diff(tmp_path / "diff.html", names)
    return (tmp_path / "diff.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_diff_is_legible_in_light_and_dark(diff: str, visit: Any, scheme: str) -> None:
    page = visit(diff, color_scheme=scheme)
    found = axe_playwright.Axe().run(page).response["violations"]
    assert [violation["id"] for violation in found] == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 25, 31)")


def test_nothing_of_the_diff_is_cut_off_on_a_narrow_screen(diff: str, visit: Any) -> None:
    page = visit(diff)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= 390")


def test_the_diff_names_its_files_and_shows_a_page_at_a_time(
    tmp_path: Path, rules: Any, visit: Any
) -> None:
    scrubber = Scrubber(read_policy("safe_harbor"), rules, date(2026, 1, 1))
    parts = []
    for name, count in (("a&b.txt", 60), ("second.txt", 55)):
        part = tmp_path / name
        with part.open("w", encoding="utf-8") as file:
            for number in range(1, count + 1):
                text = f"Ada Stone, bed {number}\n<section>\n<h2>no heading"
                (done,) = scrubber.scrub([Document(number, text)])
                assert isinstance(done, Scrubbed)
                file.write(diff_section(f"record {number}", text, done.text, done.changes))
        parts.append((name, part))
    write_diff(tmp_path / "diff.html", parts)
    page = visit((tmp_path / "diff.html").as_uri())
    shown = page.locator("section:visible h2")
    assert shown.count() == 50
    assert str(shown.first.text_content()).startswith("a&b.txt, record 1 ")
    assert page.locator(".files-list li").all_text_contents() == [
        "a&b.txt 60 texts",
        "second.txt 55 texts",
    ]
    page.click("text=second.txt")
    assert page.locator("#t61").is_visible() and not page.locator("#t1").is_visible()
    page.click("#t61 >> text=next text")
    assert page.url.endswith("#t62")
    page.click("#p2 >> text=next page")
    assert shown.count() == 15
    page.check("#whole")
    assert shown.count() == 115
    assert axe_playwright.Axe().run(page).response["violations"] == []
