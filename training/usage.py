"""Measures how much each part of a tagger is used, and thus what a smaller tagger can omit."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from training.lessons import labelled
from training.network import HEAD, Tagger


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


def head_use(tagger: Tagger, batches: Iterable[tuple[Tensor, ...]]) -> list[Tensor]:
    """For each layer, (heads,): how much the loss on the labels changes if a head is weakened.

    The mean over batches of the absolute slope (Michel, Levy and Neubig 2019, equation 4).
    """
    gates = [torch.ones(count, requires_grad=True) for count in tagger.heads]

    def hook(number: int) -> torch.utils.hooks.RemovableHandle:
        layer: nn.Module = tagger.layers[number].out
        gate = gates[number]
        return layer.register_forward_pre_hook(
            lambda _, rows: (rows[0] * gate.repeat_interleave(HEAD),)
        )

    handles = [hook(number) for number in range(len(gates))]
    use = [torch.zeros(count) for count in tagger.heads]
    tagger.eval()
    for ids, cues, mask, classes in batches:
        loss = labelled(tagger(ids, cues, mask), classes)
        for total, slope in zip(use, torch.autograd.grad(loss, gates), strict=True):
            total += slope.abs()
    for handle in handles:
        handle.remove()
    return use
