"""The whole engine on the handwritten notes stays above its floors; skipped without them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from recognizers import Finder, Finding

NOTES = Path(__file__).parents[2].parent / "shared/data/text/dev/handwritten_notes.jsonl"
SHIPPED = Path(__file__).parents[2] / "recognizers/models/manifest.json"


def places(text: str, spans: list[tuple[int, int]]) -> set[int]:
    return {i for start, end in spans for i in range(start, end) if text[i].isalnum()}


def tally(text: str, gold: list[dict[str, object]], found: tuple[Finding, ...]) -> list[int]:
    """Spans covered, spans; characters right, characters found; words kept, words outside."""
    required = [(int(str(s["start"])), int(str(s["end"]))) for s in gold if s["label"] != "WEEKDAY"]
    every = places(text, [(int(str(s["start"])), int(str(s["end"]))) for s in gold])
    taken = places(text, [(f.start, f.end) for f in found])
    covered = sum(places(text, [span]) <= taken for span in required)
    words = [set(range(*m.span())) for m in re.finditer(r"\w+", text)]
    outside = [w for w in words if not w & every]
    kept = sum(not w & taken for w in outside)
    return [covered, len(required), len(taken & every), len(taken), kept, len(outside)]


@pytest.mark.skipif(not NOTES.exists() or not SHIPPED.exists(), reason="no notes or no model here")
def test_handwritten_notes_stay_above_their_floors() -> None:
    notes = [json.loads(line) for line in NOTES.read_text("utf-8").splitlines()]
    found = Finder.load().find_all([note["text"] for note in notes])
    rows = [tally(n["text"], n["spans"], f) for n, f in zip(notes, found, strict=True)]
    covered, spans, right, taken, kept, words = (sum(column) for column in zip(*rows, strict=True))
    assert covered / spans >= 0.96
    assert right / taken >= 0.94
    assert kept / words >= 0.975


def test_nothing_is_cut_off_however_long_the_text() -> None:
    text = "No acute distress. " * 15_000 + "Seen by Dr. Okafor."
    (last,) = Finder.load(model=False).find(text)
    assert text[last.start : last.end] == "Okafor"
