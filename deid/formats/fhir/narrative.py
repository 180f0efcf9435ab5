"""Splits XHTML narratives into the tags that are kept and one text, and rebuilds them.

Inline tags (`b`, `span`, `a`, ...) are removed, so that a name across them is one text. The tags of
blocks and tables are kept. Their attributes are removed, except those that make a table cell span
several rows or columns. The result is always well-formed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

_BLOCKS = """
    div p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td
    pre blockquote
"""
BLOCKS = frozenset(_BLOCKS.split())
_EMPTY = frozenset(["br", "hr"])
_SILENT = frozenset(["script", "style", "head", "title", "object", "svg", "math"])
_CELL_SPAN = re.compile(r"[1-9]\d?")
_DEEPEST = 64
XMLNS = "http://www.w3.org/1999/xhtml"


@dataclass(frozen=True, slots=True)
class Markup:
    """The tags of a narrative, with None in the place of each line of its text."""

    tokens: tuple[str | None, ...] = field(repr=False)


class _NarrativeParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tokens: list[str | None] = []
        self.lines: list[str] = []
        self._open: list[str] = []
        self._run = ""
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        if tag not in BLOCKS or self._silent:
            return
        self.end_run()
        spans = [
            f' {name}="{value}"'
            for name, value in attrs
            if name in ("colspan", "rowspan") and value and _CELL_SPAN.fullmatch(value)
        ]
        if tag in _EMPTY:
            self.tokens.append(f"<{tag}/>")
        elif len(self._open) < _DEEPEST:
            self._open.append(tag)
            self.tokens.append(f"<{tag}{''.join(spans)}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT and self._silent:
            self._silent -= 1
        if tag not in self._open or self._silent:
            return
        self.end_run()
        while self._open:
            last = self._open.pop()
            self.tokens.append(f"</{last}>")
            if last == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._run += data

    def end_run(self) -> None:
        """Add the text so far as one line; white space is collapsed as in HTML."""
        line = " ".join(self._run.split())
        self._run = ""
        if line:
            self.tokens.append(None)
            self.lines.append(line)

    def end(self) -> None:
        self.end_run()
        while self._open:
            self.tokens.append(f"</{self._open.pop()}>")


def read_narrative(xhtml: str) -> tuple[Markup, str]:
    """The markup that is kept, and the text with one line per block."""
    reader = _NarrativeParser()
    reader.feed(xhtml)
    reader.close()
    reader.end()
    return Markup(tuple(reader.tokens)), "\n".join(reader.lines)


def write_narrative(markup: Markup, text: str) -> str:
    """The narrative with a new text; without tags if its number of lines has changed."""
    lines = text.split("\n")
    places = sum(token is None for token in markup.tokens)
    if len(lines) != places or not text:
        return f'<div xmlns="{XMLNS}">{escape(text, quote=False) or "-"}</div>'
    rest = iter(lines)
    body = "".join(
        escape(next(rest), quote=False) if token is None else token for token in markup.tokens
    )
    whole = body.startswith("<div>") and body.endswith("</div>") and _is_one_element(markup.tokens)
    return f'<div xmlns="{XMLNS}">{body[5:-6] if whole else body}</div>'


def _is_one_element(tokens: tuple[str | None, ...]) -> bool:
    """Whether the last tag closes the first, and no earlier tag does."""
    depth = 0
    for place, token in enumerate(tokens):
        if token is None or token.endswith("/>"):
            continue
        depth += -1 if token.startswith("</") else 1
        if depth == 0 and place < len(tokens) - 1:
            return False
    return True
