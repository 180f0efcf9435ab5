"""How many lines of the note are visible on a laptop screen at 100 and 200 % zoom."""

from __future__ import annotations

from typing import Any

import pytest

LINES = "Ada Stone walks.\n" + "The wound is dry.\n" * 60
SEEN = """() => {
  const below = document.getElementById("finding").getBoundingClientRect().top;
  const box = document.getElementById("text").getBoundingClientRect();
  const head = document.querySelector("#text .head").getBoundingClientRect().bottom;
  return [...document.querySelectorAll("#text .row")].filter((row) => {
    const own = row.getBoundingClientRect();
    const end = Math.min(below, box.bottom, innerHeight);
    return own.top >= Math.max(0, head) - 1 && own.bottom <= end + 1;
  }).length;
}"""


@pytest.mark.parametrize(("width", "height", "least"), [(1366, 768, 20), (683, 384, 10)])
def test_ten_lines_of_the_note_are_visible(
    make: Any, serve: Any, visit: Any, width: int, height: int, least: int
) -> None:
    inputs, out = make([LINES])
    served = serve(out, "--originals", inputs, "--reviewer", "ann")
    page = visit(served.links["ann"])
    page.set_viewport_size({"width": width, "height": height})
    page.keyboard.press("j")
    page.wait_for_selector(".after mark.chosen")
    page.evaluate("document.getElementById('text').scrollIntoView({block: 'start'})")
    page.wait_for_timeout(200)
    assert page.evaluate(SEEN) >= least
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
