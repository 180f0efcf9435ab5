"""Golden examples, one file a word, met by the rules alone; listed misses must be misses."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from recognizers import Finder
from safe_harbor import Identifier

FOLDER = Path(__file__).parent.parent / "examples"
LEDGER = FOLDER / "misses.txt"
MARK = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)


def lines(path: Path) -> list[str]:
    return [x for x in path.read_text("utf-8").splitlines() if x and not x.startswith("#")]


EXAMPLES = [
    (path.stem, line)
    for path in sorted(FOLDER.glob("*.txt"))
    if path != LEDGER
    for line in lines(path)
]


@cache
def finder() -> Finder:
    return Finder.load(model=False)


def parsed(line: str) -> tuple[str, set[int]]:
    """The text without marks, and the places of the marked letters and digits."""
    text, marked, here = "", set(), 0
    raw = line.replace("\\n", "\n")
    for match in MARK.finditer(raw):
        text += raw[here : match.start()]
        marked |= {i + len(text) for i, c in enumerate(match.group(1)) if c.isalnum()}
        text += match.group(1)
        here = match.end()
    return text + raw[here:], marked


def met(line: str) -> bool:
    text, marked = parsed(line)
    found = {i for f in finder().find(text) for i in range(f.start, f.end) if text[i].isalnum()}
    return found == marked


@pytest.mark.parametrize(("word", "line"), EXAMPLES)
def test_example_is_met_unless_the_ledger_lists_it(word: str, line: str) -> None:
    listed = f"{word}\t{line}" in lines(LEDGER)
    assert met(line) is not listed


def test_ledger_lists_only_examples_that_exist() -> None:
    assert set(lines(LEDGER)) <= {f"{word}\t{line}" for word, line in EXAMPLES}


def test_every_word_has_found_and_kept_examples() -> None:
    for word in Identifier:
        own = [line for name, line in EXAMPLES if name.split("_")[0] == word.value]
        assert any(MARK.search(line) for line in own), word
        assert any(not MARK.search(line) for line in own), word
