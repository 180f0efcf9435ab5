"""What the model makes of one text: findings, and how likely each stretch identifies someone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recognizers.finding import Finding
from recognizers.model.network import Model
from recognizers.model.spans import findings_of


@dataclass(frozen=True, eq=False)
class ModelOutput:
    """`sums[i]` adds up the chances that the word pieces before i are identifiers.

    Piece i goes from `starts[i]` to `ends[i]`; plain lists, since they are asked one by one.
    """

    findings: tuple[Finding, ...]
    starts: list[int]
    ends: list[int]
    sums: list[float]

    @classmethod
    def of(
        cls, findings: tuple[Finding, ...], offsets: NDArray[np.int32], phi: NDArray[np.float32]
    ) -> ModelOutput:
        """From offsets (pieces, 2) and the chance of each piece."""
        sums = np.concatenate([[0.0], np.cumsum(phi, dtype=np.float64)])
        return cls(findings, offsets[:, 0].tolist(), offsets[:, 1].tolist(), sums.tolist())

    def support(self, start: int, end: int) -> float:
        """The mean chance over the pieces of a span; 0 where it has none."""
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        return (self.sums[last] - self.sums[first]) / (last - first) if last > first else 0.0


def read_all(model: Model, texts: Sequence[str]) -> list[ModelOutput]:
    """One reading a text; windows are cut across the batch by the model."""
    readings = []
    for text, encoded in zip(texts, model.encode_all(texts), strict=True):
        rows = model.probabilities(encoded)
        found = findings_of(text, encoded, rows, model.labels, model.thresholds)
        readings.append(ModelOutput.of(found, encoded.offsets, 1.0 - rows[:, 0]))
    return readings
