"""Minimum results of the column decision, on tables that were not used to build it."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from recognizers import profile

CORPUS = Path(__file__).parents[3] / "corpora" / "columns"
# At least this share of the columns that may stay must be kept or searched as text. At most this
# many columns that identify a person or must be coarsened may be kept.
FLOORS = {"systems_a": (0.893, 0), "systems_b": (0.857, 0)}


@cache
def judged(name: str) -> Counter[tuple[str, str]]:
    lines = lzma.decompress((CORPUS / f"{name}.jsonl.xz").read_bytes()).decode().splitlines()
    rows = map(json.loads, lines)
    return Counter((r["label"], profile(r["header"], r["values"]).kind) for r in rows)


@pytest.mark.parametrize("name", FLOORS)
def test_enough_harmless_columns_of_unknown_systems_are_kept(name: str) -> None:
    found = judged(name)
    stays = sum(times for (label, _), times in found.items() if label == "stay")
    kept = sum(found["stay", kind] for kind in ("keep", "text"))
    assert kept >= FLOORS[name][0] * stays, found


@pytest.mark.parametrize("name", FLOORS)
def test_identifying_columns_of_unknown_systems_are_not_kept(name: str) -> None:
    found = judged(name)
    assert found["identifier", "keep"] + found["reduced", "keep"] <= FLOORS[name][1], found
