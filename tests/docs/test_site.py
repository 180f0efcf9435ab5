"""The site builds in strict mode, needs no network when it is read, and can be searched."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

mkdocs = pytest.importorskip("mkdocs", reason="mkdocs is not installed")
pytest.importorskip("material")
pytest.importorskip("mkdocstrings_handlers.python")
ROOT = Path(__file__).resolve().parents[2]
ASKED = re.compile(
    r"<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=\"?(https?:[^\">\s]+)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built as `make docs` builds it."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        config: Any = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(out), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    return out


def test_every_page_is_in_the_navigation_and_loads_nothing_from_other_hosts(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]
    assert len(pages) > 60
    strays = {found for page in pages for found in ASKED.findall(page.read_text("utf-8"))}
    assert strays == set()
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert not re.findall(r"url\([\"']?https?:", styles)


def test_the_index_finds_commands_functions_and_figures(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    text = {entry["location"]: entry["text"] for entry in index["docs"]}
    assert "--patient-key" in text["commands/scrub.html"]
    assert any(place.startswith("api/deid.html#deid.scrub_text") for place in text)
    assert any("everyday records" in t for p, t in text.items() if p.startswith("compare.html"))
    assert (site / "search" / "search_index.js").exists()


def test_a_page_opened_from_the_disk_can_be_searched(site: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    from shutil import which

    if (chromium := which("chromium")) is None:
        pytest.skip("no Chromium on this machine")
    # In a separate thread, because another test may have a browser driver running in this one.
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(search_from_disk, playwright, chromium, site).result()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def search_from_disk(playwright: Any, chromium: str, site: Path) -> list[str]:
    """Open the first page as a file and search it; returns every address that was requested."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("crosswalk")
        page.wait_for_selector(".md-search-result__link", timeout=10_000)
        browser.close()
    return asked
