"""How much each neuron of a tagger is used: which of them a smaller one can do without."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from training.network import Tagger


def neuron_use(tagger: Tagger, batches: Iterable[tuple[Tensor, ...]]) -> list[Tensor]:
    """For each layer the root mean square of its neurons' outputs, over the pieces of batches."""
    sums = [torch.zeros(width) for width in tagger.widths]
    seen: list[Tensor] = []

    def add(number: int, output: Tensor) -> None:
        sums[number] += gelu(output[seen[-1]]).float().pow(2).sum(0)

    def hook(number: int) -> torch.utils.hooks.RemovableHandle:
        layer: nn.Module = tagger.layers[number].up
        return layer.register_forward_hook(lambda _, __, output: add(number, output))

    handles = [hook(number) for number in range(len(sums))]
    with torch.no_grad():
        for ids, cues, mask, *_ in batches:
            seen.append(mask.bool())
            tagger.eval()(ids, cues, mask)
    for handle in handles:
        handle.remove()
    pieces = sum(int(mask.sum()) for mask in seen)
    return [(total / pieces).sqrt() for total in sums]
