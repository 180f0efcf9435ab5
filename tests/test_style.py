"""The sentences that people read follow `docs/style.md`."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PHRASES = ROOT / "docs" / "style_phrases.csv"
READ = ("*.md", "docs/**/*.md", "deid/**/*.py", "risk/**/*.py", "safe_harbor/**/*.py")
READ += ("deid/**/*.html", "risk/**/*.html", "deid/**/*.md", "risk/**/*.md", "safe_harbor/**/*.md")
# Tables with sentences for the user.
READ += (
    "deid/cli/options.csv",
    "deid/crosswalk/errors.csv",
    "deid/vocabularies/quarantine_codes.csv",
)


def phrases() -> list[tuple[str, str]]:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        return [(row["pattern"], row["instead"]) for row in csv.DictReader(file)]


@cache
def texts() -> dict[str, str]:
    """Each file that people read, with all white space reduced to single blanks."""
    read = {path for glob in READ for path in ROOT.glob(glob)} - {ROOT / "docs" / "style.md"}
    return {
        path.relative_to(ROOT).as_posix(): " ".join(path.read_text("utf-8", "ignore").split())
        for path in sorted(read)
    }


@pytest.mark.parametrize(("pattern", "instead"), phrases())
def test_no_page_contains_a_refused_phrase(pattern: str, instead: str) -> None:
    refused = re.compile(pattern)
    found = [name for name, text in texts().items() if refused.search(text)]
    assert not found, f"write instead: {instead}"


def test_each_example_sentence_is_refused_by_a_pattern() -> None:
    """Patterns that match nothing would refuse nothing."""
    refused = [re.compile(pattern) for pattern, _ in phrases()]
    for sentence in (
        "Nothing leaves that nobody is sure of.",
        "Who does not see them is told.",
        "Say it and exit.",
        "whose they are counts not",
        "`marks.csv` says how a model is told",
        "Two kinds of cell cannot be told:",
        "content that calls itself text",
        "rows that cannot be read stay behind and are counted",
        "Two rows that speak against bring more.",
        "Below 18 is told as 18.",
        "A table is withheld, and so does its file stay.",
        "A number that two patients share leads to nobody.",
        "The file is written anew.",
        "A patient called so was not found.",
        "It is drawn. Who knows the seed can undo it.",
        "Whoever holds the key can read.",
        "It lists what becomes of each rule.",
        "The same tables decide of both.",
        "More lines are worth nothing.",
        "The actions stand in [this table](x.md).",
        "A later mark takes the signature away.",
        "This is no URL of a store.",
        "a file says whose they are",
    ):
        assert any(pattern.search(sentence) for pattern in refused), sentence
