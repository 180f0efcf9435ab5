"""What the model makes of one text: findings, and how likely each stretch identifies someone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recognizers.finding import Finding
from recognizers.model import Model
from recognizers.model_spans import findings_of


@dataclass(frozen=True, eq=False)
class Reading:
    """`phi[i]` is the chance that word piece i, from `starts[i]` to `ends[i]`, is an identifier."""

    findings: tuple[Finding, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    phi: NDArray[np.float32]

    def support(self, start: int, end: int) -> float:
        """The mean chance over the pieces of a span; 0 where it has none."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        return float(self.phi[first:last].mean()) if last > first else 0.0


def read_all(model: Model, texts: Sequence[str]) -> list[Reading]:
    """One reading a text; windows are cut across the batch by the model."""
    labels, thresholds = model.manifest.labels, model.manifest.thresholds
    readings = []
    for text, encoded in zip(texts, model.encode_all(texts), strict=True):
        rows = model.probabilities(encoded)
        found = findings_of(text, encoded, rows, labels, thresholds)
        offsets = np.asarray(encoded.offsets, np.int64).reshape(-1, 2)
        readings.append(Reading(found, offsets[:, 0], offsets[:, 1], 1.0 - rows[:, 0]))
    return readings
