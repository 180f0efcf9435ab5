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
    parts = []
    for number, text in enumerate(texts, 1):
        (result,) = scrubber.scrub([Document(number, text)])
        assert isinstance(result, Scrubbed)
        parts.append(tmp_path / str(number))
        page = diff_section(f"file {number}", text, result.text, result.changes)
        parts[-1].write_text(page, "utf-8")
    write_diff(tmp_path / "diff.html", parts)
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
