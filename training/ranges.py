"""Between which numbers the rows of a skimmer lie: its graph counts them in steps that are fixed.

Steps that hang on the window would need two more passes over the rows, and the convolution that
onnxruntime runs fastest takes fixed ones alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from training.network import Skimmer

CUT = 1e-5  # of all numbers, at either end: the step for the rest is a third smaller for it
REACH, BINS = 64.0, 1 << 14


class Range(NamedTuple):
    """All but very few numbers lie between these; nothing, 0, always does."""

    low: float
    high: float


class Mix(NamedTuple):
    """The ranges of what goes into a mixture and of what comes out."""

    taken: Range
    given: Range


class Count:
    """How many numbers fell where."""

    def __init__(self) -> None:
        self._bins = torch.zeros(BINS, dtype=torch.float64)

    def add(self, numbers: Tensor) -> None:
        held = numbers.detach().float().clamp(-REACH, REACH)
        self._bins += torch.histc(held, BINS, -REACH, REACH).double()

    def range(self) -> Range:
        below = self._bins.cumsum(0) / self._bins.sum()
        first, last = ((below > edge).nonzero()[0].item() for edge in (CUT, 1 - CUT))
        step = 2 * REACH / BINS
        return Range(min(0.0, first * step - REACH), max(0.0, (last + 1) * step - REACH))


def ranges(skimmer: Skimmer, batches: Iterable[tuple[Tensor, ...]]) -> list[Mix]:
    """The ranges of every mixture, seen on batches of ids, cues and mask."""
    counts = [(Count(), Count()) for _ in skimmer.mixes]
    seen = torch.zeros(0, dtype=torch.bool)

    def hook(number: int) -> torch.utils.hooks.RemovableHandle:
        taken, given = counts[number]

        def count(_: nn.Module, wide: tuple[Tensor, ...], more: Tensor) -> None:
            taken.add(wide[0].chunk(3, dim=-1)[1][seen])
            given.add(relu(more[seen]))

        return skimmer.mixes[number].register_forward_hook(count)

    hooks = [hook(number) for number in range(len(counts))]
    for ids, cues, mask, *_ in batches:
        seen = mask.bool()
        with torch.no_grad():
            skimmer(ids, cues, mask)
    for held in hooks:
        held.remove()
    return [Mix(taken.range(), given.range()) for taken, given in counts]
