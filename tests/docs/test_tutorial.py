"""The tutorial is run: its commands print what it shows, and a person reviews and signs in a
browser.

With `MAKE_PICTURES=1` the pictures of the page are taken again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
IMAGES = ROOT / "docs" / "images"
REVIEW = "deid review release --originals extract/ --reviewer ann"
# The command as a person runs it, except that its clock advances by one minute whenever it is read.
SERVE = """
from datetime import datetime, timedelta
from itertools import count
import deid.cli.review as review
ticks = count()
class Clock(datetime):
    @classmethod
    def now(cls, zone=None):
        return datetime.now(zone) + timedelta(minutes=next(ticks))
review.datetime = Clock
from deid.cli import main
main()
"""


def steps() -> list[tuple[str, list[str]]]:
    """Each command with the lines that the page shows below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def matches(expected: list[str], actual: list[str]) -> bool:
    """`...` alone stands for any number of lines; within a line it stands for any characters."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[n:]) for n in range(len(actual) + 1))
    pattern = ".*".join(map(re.escape, expected[0].split("...")))
    return (
        bool(actual)
        and re.fullmatch(pattern, actual[0]) is not None
        and matches(expected[1:], actual[1:])
    )


def test_the_commands_of_the_tutorial_print_what_it_shows(tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    pictures = IMAGES if os.environ.get("MAKE_PICTURES") else tmp_path
    # In a separate thread, because another test may have a browser driver running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(walk_through, tmp_path, chromium, path, pictures).result()
    evidence = tmp_path / "release" / "_release" / "evidence.html"
    assert "<b>Dana Whitfield</b>, Privacy officer, signed" in evidence.read_text("utf-8")
    manifest = json.loads(evidence.with_name("manifest.json").read_text("utf-8"))
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["review"]["result"]["finished"]
    shown = re.findall(r"\((images/\S+)\)", PAGE.read_text("utf-8"))
    assert all((IMAGES.parent / target).exists() for target in shown)


def walk_through(tmp_path: Path, chromium: str, path: str, pictures: Path) -> None:
    """Run every step of the page."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for command, expected in steps():
            if command == REVIEW:
                review(browser, tmp_path, pictures)
                continue
            if command == "rm diff.html":
                picture(browser, tmp_path / "diff.html", pictures / "tutorial-diff.png")
            ran = subprocess.run(
                command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            assert ran.returncode == 0, f"{command}\n{ran.stdout}"
            if expected:
                assert matches(expected, ran.stdout.splitlines()), f"{command}\n{ran.stdout}"
        evidence = tmp_path / "release" / "_release" / "evidence.html"
        picture(browser, evidence, pictures / "tutorial-evidence.png")
        browser.close()


def review(browser: Any, folder: Path, pictures: Path) -> None:
    """Read the sample, one minute per note, and sign."""
    words = [*REVIEW.split()[1:], "--no-browser"]
    served = subprocess.Popen(
        [sys.executable, "-u", "-c", SERVE, *words], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    try:
        assert served.stderr is not None
        link = next(found[0] for line in served.stderr if (found := re.search(r"http\S+", line)))
        page = browser.new_page(viewport={"width": 1360, "height": 800})
        page.clock.install()
        page.goto(link)
        page.wait_for_selector("html[data-ready]")
        read_sample(page, pictures)
        sign(page, pictures)
        page.close()
        served.send_signal(signal.SIGINT)
        assert served.wait(20) == 0
    finally:
        served.kill()
        served.wait()


def read_sample(page: Any, pictures: Path) -> None:
    planned = int(page.evaluate("document.getElementById('progress').max"))
    assert planned == 29
    taken = False
    for number in range(1, planned + 1):
        if not taken and "notes.csv" in str(page.text_content("#title")):
            page.keyboard.press("j")
            page.wait_for_selector(".after mark.chosen")
            page.screenshot(path=pictures / "tutorial-review.png")
            taken = True
        page.clock.run_for(60_000)
        page.keyboard.press("d")
        page.wait_for_selector(f"#progress[value='{number}']")
        if number < planned:
            page.wait_for_selector(f"#title:has-text('(sample {number + 1})')")
    assert taken


def sign(page: Any, pictures: Path) -> None:
    page.keyboard.press("e")
    page.wait_for_selector("#signature:visible")
    page.fill("#signature [name=name]", "Dana Whitfield")
    page.fill("#signature [name=title]", "Privacy officer")
    page.check("#signature [name=agreed]")
    page.screenshot(path=pictures / "tutorial-sign.png")
    page.click("#sign")
    page.wait_for_selector("#signing-said:has-text('Signed by Dana')")


def picture(browser: Any, path: Path, target: Path) -> None:
    """A screenshot of the first screen of a page, or of its longest note."""
    page = browser.new_page(viewport={"width": 1360, "height": 800})
    page.goto(path.as_uri())
    page.evaluate(
        "location.hash = [...document.querySelectorAll('section')].sort((a, b) =>"
        " b.querySelectorAll('tr').length - a.querySelectorAll('tr').length)[0]?.id ?? ''"
    )
    page.wait_for_timeout(200)
    page.screenshot(path=target)
    page.close()
