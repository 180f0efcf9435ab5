"""What the model makes of one text: how likely each word piece is of each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recognizers.model.network import Model


@dataclass(frozen=True, eq=False)
class ModelOutput:
    """`offsets` (pieces, 2) in code points, the number of each piece's word, and `shares`
    (pieces, 1 + labels): column 0 is no identifier."""

    offsets: NDArray[np.int32]
    words: NDArray[np.int32]
    shares: NDArray[np.float32]


def read_all(model: Model, texts: Sequence[str]) -> list[ModelOutput]:
    """One output a text; windows are cut across the batch by the model."""
    return [
        ModelOutput(encoded.offsets, encoded.words, model.probabilities(encoded))
        for encoded in model.encode_all(texts)
    ]
