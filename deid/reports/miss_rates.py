"""The miss rates measured on held-out notes. They are valid only for the model that was measured.

`benchmarks/miss_rates.py` makes the table. A span is an annotated identifier; it counts as missed
unless every letter and digit of it was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from safe_harbor import csv_rows

COLUMNS = (
    "network", "identifier", "spans", "missed", "low", "high", "model_sha256", "measured", "source",
)  # fmt: skip
ALL = "all"


@dataclass(frozen=True, slots=True)
class MissRate:
    """Spans, missed spans, and the bounds of the 95 % confidence interval of their share."""

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
        """The entry for the manifest."""
        return {
            "spans": self.spans,
            "missed": self.missed,
            "low": self.low,
            "high": self.high,
        }


def measured_misses(engine: Mapping[str, Any]) -> dict[str, MissRate]:
    """The miss rates of the engine that a manifest describes, by identifier and for `all`.

    The result is empty if the engine's model is not the measured one.
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
        for row in _miss_rate_rows()
        if row["model_sha256"] == model and row["network"] == network
    }


@cache
def _miss_rate_rows() -> tuple[dict[str, str], ...]:
    return tuple(csv_rows(files("deid.reports") / "miss_rates.csv"))
