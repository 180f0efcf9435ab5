"""Measures the ranges of a skimmer's numbers: its graph quantizes them with fixed steps.

Steps that depend on the window would need two more passes over the rows, and the fastest
convolution of onnxruntime takes only fixed steps. The output of the first mixtures has the widest
range, so each channel has its own step there, which costs one more pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import relu

from training.network import Skimmer

CUT = 1e-5  # share of the numbers cut at either end, which makes the step a third smaller
REACH, BINS = 64.0, 1 << 14
SPREAD = 2  # mixtures with a step for each channel


class Range(NamedTuple):
    """The range of all but very few numbers; it always includes 0."""

    low: float
    high: float


class Mix(NamedTuple):
    """The range of a mixture's input, and the highest output of each channel."""

    taken: Range
    given: NDArray[np.float32]


class Count:
    """A histogram of numbers, and the highest number of each channel."""

    def __init__(self) -> None:
        self._bins = torch.zeros(BINS, dtype=torch.float64)
        self.highest = torch.zeros(1)

    def add(self, numbers: Tensor) -> None:
        held = numbers.detach().float().clamp(-REACH, REACH)
        self._bins += torch.histc(held, BINS, -REACH, REACH).double()
        self.highest = torch.maximum(self.highest, numbers.amax(dim=0))

    def range(self) -> Range:
        below = self._bins.cumsum(0) / self._bins.sum()
        first, last = ((below > edge).nonzero()[0].item() for edge in (CUT, 1 - CUT))
        step = 2 * REACH / BINS
        return Range(min(0.0, first * step - REACH), max(0.0, (last + 1) * step - REACH))


def ranges(skimmer: Skimmer, batches: Iterable[tuple[Tensor, ...]]) -> list[Mix]:
    """The ranges of every mixture, measured on batches of ids, cues and mask."""
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
    return [
        Mix(taken.range(), most(given, own=number < SPREAD))
        for number, (taken, given) in enumerate(counts)
    ]


def most(given: Count, own: bool) -> NDArray[np.float32]:
    """The highest number of each channel, or of all channels together."""
    highest = given.highest if own else torch.full_like(given.highest, given.range().high)
    values: NDArray[np.float32] = highest.numpy()
    return values
