"""A hook of mkdocs: pages that are made of the repository, and links that lead there.

Benchmarks, limitations and the change log stand outside `docs/` and become pages; the references of
commands and of Python are made of the help and the docstrings. A link to a file that is no page
keeps its words and loses its target.
"""

from __future__ import annotations

import posixpath
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from commands import command_pages  # beside this file
from doctests import fenced
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {
    "LIMITATIONS.md": "limitations.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
}
MODULES = ("deid", "recognizers", "safe_harbor", "risk")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def repository_pages() -> dict[str, str]:
    """Repository path to page, for what lies outside `docs/`."""
    figures = {
        path.relative_to(ROOT).as_posix(): f"figures/{path.name}"
        for path in sorted((ROOT / "benchmarks").glob("*.md"))
    }
    return OUTSIDE | figures


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made."""
    for source, page in repository_pages().items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, page, content=text))
    for page, text in {**command_pages(), **api_pages()}.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_config(config: Any) -> Any:
    """Fill `folder/*` of the navigation."""
    pages = [*repository_pages().values(), *command_pages(), *api_pages()]
    pages += [p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").rglob("*.md")]
    config.nav = _filled(config.nav, sorted(pages), set(_named(config.nav)))
    return config


def _named(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [name for part in parts for name in _named(part)]


def _filled(nav: Any, pages: list[str], named: set[str]) -> Any:
    if isinstance(nav, dict):
        return {key: _filled(below, pages, named) for key, below in nav.items()}
    if isinstance(nav, str):
        return nav
    filled: list[Any] = []
    for one in nav:
        if isinstance(one, str) and one.endswith("/*"):
            folder = one.removesuffix("*")
            own = [page for page in pages if page.startswith(folder) and page not in named]
            filled += sorted(own, key=lambda page: (not page.endswith("index.md"), page))
        else:
            filled.append(_filled(one, pages, named))
    return filled


def api_pages() -> dict[str, str]:
    """One page for each package, of the names at its front door."""
    pages = {}
    for name in MODULES:
        package = import_module(name)
        doc = fenced((package.__doc__ or "").strip())
        names = [f"::: {name}.{one}" for one in package.__all__ if not one.startswith("_")]
        pages[f"api/{name}.md"] = "\n\n".join((f"# `{name}`", doc, *names)) + "\n"
    return pages


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links lead to pages, also from and to what lies outside `docs/`."""
    own = page.file.src_uri
    sources = {made: source for source, made in repository_pages().items()}
    origin = sources.get(own, f"docs/{own}")

    def lead(found: re.Match[str]) -> str:
        image, label, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        made = repository_pages().get(place, place.removeprefix("docs/"))
        if files.get_file_from_path(made) is None or made == place:
            generated = made in (*command_pages(), *api_pages())
            if not generated:
                return label
        link = posixpath.relpath(made, posixpath.dirname(own) or ".")
        return f"{image}[{label}]({link}{'#' + anchor if anchor else ''})"

    if own.startswith(("commands/", "api/")):
        return markdown
    return LINK.sub(lead, markdown.replace("<!-- figures -->", benchmark_figures()))


def benchmark_figures() -> str:
    """Rows of the benchmarks that set this engine beside Presidio."""
    accuracy = _rows("accuracy", r"\| (?:everyday records|whole documents|ASQ-PHI) \|")
    speed = _rows("speed", r"\| (?:default Presidio|`Finder)")
    head = (
        "| set | engine | documents | recall | precision | retention | documents without a leak |"
    )
    both = [head, "|---|---|---:|---|---|---|---:|", *accuracy, ""]
    both += ["| engine | characters a second | times Presidio |", "|---|---:|---:|"]
    return "\n".join(both + ["|".join(row.split("|")[:4]) + "|" for row in speed])


def _rows(benchmark: str, pattern: str) -> list[str]:
    lines = (ROOT / "benchmarks" / f"{benchmark}.md").read_text("utf-8").splitlines()
    found = [line for line in lines if re.match(pattern, line)]
    if not found:
        raise PluginError(f"benchmarks/{benchmark}.md has no such row")
    return found
