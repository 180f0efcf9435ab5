"""The page of `--diff F`: original and scrubbed text side by side. It must not lie inside OUT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup, escape

from deid.reports.pages import render_page
from deid.reports.visible import show_hidden_characters
from deid.text.change import Change

_SPLIT = "<!--sections-->"
_SECTION = "<section>"
SECTIONS_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One row of the page: a line before and after scrubbing. The `repr` shows no content."""

    number: int
    before: Markup = field(repr=False)
    after: Markup = field(repr=False)
    changed: bool


def aligned_lines(original: str, scrubbed: str, changes: Sequence[Change]) -> Iterator[DiffLine]:
    """The rows of one document. Lines that a change joins are in one row."""
    before, after, number, changed = Markup(), Markup(), 1, False
    pieces = [*_diff_pieces(original, scrubbed, changes)]
    for left, right, change in pieces:
        if change is not None:
            before += _marked(left, change)
            after += _marked(right, change)
            changed = True
            continue
        *whole, rest = left.split("\n")
        for line in whole:
            kept = escape(show_hidden_characters(line.removesuffix("\r")))
            yield DiffLine(number, before + kept, after + kept, changed)
            before, after, number, changed = Markup(), Markup(), number + 1, False
        before += escape(show_hidden_characters(rest))
        after += escape(show_hidden_characters(rest))
    yield DiffLine(number, before, after, changed)


def _diff_pieces(
    original: str, scrubbed: str, changes: Sequence[Change]
) -> Iterator[tuple[str, str, Change | None]]:
    at = out = 0
    for change in changes:
        yield original[at : change.start], scrubbed[out : change.out_start], None
        yield (
            original[change.start : change.end],
            scrubbed[change.out_start : change.out_end],
            change,
        )
        at, out = change.end, change.out_end
    yield original[at:], scrubbed[out:], None


def _marked(text: str, change: Change) -> Markup:
    title = (
        f"{change.identifier.value}: {change.entity}, {change.transform}, "
        f"{change.source} {change.score:.2f}"
    )
    return Markup('<mark class="{}" title="{}">{}</mark>').format(
        change.identifier.value, title, show_hidden_characters(text)
    )


def diff_section(title: str, original: str, scrubbed: str, changes: Sequence[Change]) -> str:
    """One document of the page: its place in its file, its original and its scrubbed text."""
    lines = list(aligned_lines(original, scrubbed, changes))
    return render_page("diff_section.html", title=title, lines=lines, n=len(changes)) + "\n"


def write_diff(path: Path, parts: Sequence[tuple[str, Path]]) -> None:
    """Write the HTML file from files of sections, each with its name in the release.

    Only the disk limits the size. The browser shows `SECTIONS_PER_PAGE` texts at a time, without a
    script: CSS shows the page that the fragment of the URL names, or that holds the named text.
    """
    firsts, total = [], 0
    for name, part in parts:
        with part.open(encoding="utf-8", newline="") as sections:
            own = sum(line.startswith(_SECTION) for line in sections)
        firsts.append((name, total + 1, own))
        total += own
    files = [(name, first, own) for name, first, own in firsts if own]
    head, _, tail = render_page(
        "diff.html", split=Markup(_SPLIT), files=files, total=total
    ).partition(_SPLIT)
    with path.open("x", encoding="utf-8", newline="\n") as page:
        path.chmod(0o600)
        page.write(head)
        for line in _paged(parts, total):
            page.write(line)
        page.write(tail)


def _paged(parts: Sequence[tuple[str, Path]], total: int) -> Iterator[str]:
    """The lines of all sections, with numbers and file names, divided into pages."""
    pages = -(-total // SECTIONS_PER_PAGE)
    number = 0
    for name, part in parts:
        with part.open(encoding="utf-8", newline="") as sections:
            for line in sections:
                if line.startswith(_SECTION):
                    number += 1
                    if number % SECTIONS_PER_PAGE == 1:
                        yield _page_begins(number // SECTIONS_PER_PAGE + 1, pages)
                    yield f'<section id="t{number}">\n'
                elif line.startswith("<h2>"):
                    beside = _steps("t", number, total, "text")
                    yield f"<h2>{escape(name)}, {line[4:].rstrip()} {beside}\n"
                else:
                    yield line
    if number:
        yield "</div>\n"


def _page_begins(page: int, pages: int) -> str:
    before = "</div>\n" if page > 1 else ""
    bar = f'<p class="pager">Page {page} of {pages} {_steps("p", page, pages, "page")}</p>'
    return f'{before}<div class="page" id="p{page}">\n{bar}\n'


def _steps(kind: str, number: int, total: int, word: str) -> str:
    """The links to the previous and the next text or page."""
    back = f'<a href="#{kind}{number - 1}">previous {word}</a>' if number > 1 else ""
    on = f'<a href="#{kind}{number + 1}">next {word}</a>' if number < total else ""
    return f'<span class="steps">{back} {on}</span>'
