"""What the engine missed when it was measured: the shipped figures, tied to the model they are of.

`benchmarks/miss_rates.py` makes the table. Spans are annotated identifiers of held-out notes; one
is missed unless every letter and digit of it was found.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

COLUMNS = (
    "network", "identifier", "spans", "missed", "low", "high", "model_sha256", "measured", "source",
)  # fmt: skip
ALL = "all"


@dataclass(frozen=True, slots=True)
class MissRate:
    """Spans, those missed, and the ends of the 95 % interval of their share."""

    spans: int
    missed: int
    low: float
    high: float
    measured: str
    source: str

    @property
    def share(self) -> float:
        """The share of spans that was missed."""
        return self.missed / self.spans

    def as_json(self) -> dict[str, Any]:
        """For the manifest."""
        return {
            "spans": self.spans,
            "missed": self.missed,
            "low": self.low,
            "high": self.high,
        }


def measured_misses(engine: Mapping[str, Any]) -> dict[str, MissRate]:
    """The figures of the engine that a manifest names, by identifier and for `all`.

    Empty where its model is not the one that was measured: no figure is passed on to another.
    """
    model, network = engine.get("model"), engine.get("network", "default")
    return {
        row["identifier"]: MissRate(
            int(row["spans"]),
            int(row["missed"]),
            float(row["low"]),
            float(row["high"]),
            row["measured"],
            row["source"],
        )
        for row in _rows()
        if row["model_sha256"] == model and row["network"] == network
    }


@cache
def _rows() -> tuple[dict[str, str], ...]:
    text = (files("deid.reports") / "miss_rates.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))
