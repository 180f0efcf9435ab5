"""`--diff F`: original and scrubbed text side by side. It holds originals: never inside OUT."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup, escape

from deid.reports.pages import render_page
from deid.reports.visible import show_hidden_characters
from deid.text.change import Change

_SPLIT = "<!--sections-->"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One row of the page: a line before and after, as markup. The `repr` shows no content."""

    number: int
    before: Markup = field(repr=False)
    after: Markup = field(repr=False)
    changed: bool


def aligned_lines(original: str, scrubbed: str, changes: Sequence[Change]) -> Iterator[DiffLine]:
    """The rows of one document. A change across line breaks keeps its lines in one row."""
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
    """One document of the page. `title` must not hold a value."""
    lines = list(aligned_lines(original, scrubbed, changes))
    return render_page("diff_section.html", title=title, lines=lines, n=len(changes))


def write_diff(path: Path, parts: Iterable[Path]) -> None:
    """Write the page from sections in files, so that its size is limited by the disk alone."""
    head, _, tail = render_page("diff.html", split=Markup(_SPLIT)).partition(_SPLIT)
    with path.open("x", encoding="utf-8", newline="\n") as page:
        path.chmod(0o600)
        page.write(head)
        for part in parts:
            with part.open(encoding="utf-8", newline="") as sections:
                shutil.copyfileobj(sections, page)
        page.write(tail)
