"""Forms with a cell for each letter or digit: their letters are joined into one word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from deid.formats.cda.narrative_text import CELL_BAR

# Rows of grades and scores are usually shorter than names and numbers in boxes.
_LEAST_LETTERS, _LEAST_SIGNS = 4, 6
_BOXED_LINE = re.compile(r"(?:(?<=\| )|^)[^\W_](?: \| [^\W_])+(?= \| |$)", re.MULTILINE)
CellRun = tuple[str, str]


def join_boxed_cells(runs: Sequence[CellRun]) -> list[CellRun]:
    """Return the (joint, text) runs of a document without the bars between boxed letters."""
    found = list(runs)
    start = 0
    while start < len(found):
        end = start + 1
        if _is_single(found[start][1]):
            while end < len(found) and found[end][0] == CELL_BAR and _is_single(found[end][1]):
                end += 1
            if _is_boxed([text.strip() for _, text in found[start:end]]):
                found[start + 1 : end] = [("", text) for _, text in found[start + 1 : end]]
        start = end
    return found


def join_boxed_line(text: str) -> str:
    """A text without the bars between boxed letters."""
    return _BOXED_LINE.sub(_without_bars, text)


def _without_bars(match: re.Match[str]) -> str:
    letters = match[0].split(CELL_BAR)
    return "".join(letters) if _is_boxed(letters) else match[0]


def _is_single(text: str) -> bool:
    return len(text.strip()) == 1 and text.strip().isalnum()


def _is_boxed(letters: Sequence[str]) -> bool:
    """Whether the letters suffice for a name or a number, and do not just count (`1 2 3`)."""
    least = _LEAST_LETTERS if all(map(str.isalpha, letters)) else _LEAST_SIGNS
    steps = {ord(after) - ord(before) for before, after in pairwise(letters)}
    return len(letters) >= least and steps != {1}
