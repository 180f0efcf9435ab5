"""The sentences that a person reads keep to `docs/style.md`."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PHRASES = ROOT / "docs" / "style_phrases.csv"
READ = ("*.md", "docs/**/*.md", "deid/**/*.py", "risk/**/*.py", "safe_harbor/**/*.py")
READ += ("deid/**/*.html", "risk/**/*.html", "deid/**/*.md", "risk/**/*.md", "safe_harbor/**/*.md")
# Tables that hold sentences for the user.
READ += (
    "deid/cli/options.csv",
    "deid/crosswalk/errors.csv",
    "deid/vocabularies/quarantine_codes.csv",
)


def phrases() -> list[tuple[str, str]]:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        return [(row["pattern"], row["instead"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize(("pattern", "instead"), phrases())
def test_no_phrase_of_the_list_is_written(pattern: str, instead: str) -> None:
    refused = re.compile(pattern)
    texts = {path for glob in READ for path in ROOT.glob(glob)} - {ROOT / "docs" / "style.md"}
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(texts)
        if refused.search(" ".join(path.read_text("utf-8", errors="ignore").split()))
    ]
    assert not found, f"write instead: {instead}"


def test_the_patterns_see_what_they_refuse() -> None:
    """A pattern that matches nothing would hold nothing."""
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
    ):
        assert any(pattern.search(sentence) for pattern in refused), sentence
