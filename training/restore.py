"""A checkpoint from an exported tagger, to train on from: `python -m training.restore --help`.

What eight-bit weights lost does not come back; a few steps of training make up for it. Its words
are numbered as the tokenizer beside the network numbers them: give that one as `--tokenizer`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.network import Tagger

Weights = dict[str, np.ndarray]
PARTS = ("qkv", "out", "up", "down")
NORMS = (("n1", "norm1"), ("n2", "norm2"))


def restored(path: Path) -> Tagger:
    """The tagger whose graph `training.graph` wrote."""
    model = onnx.load(path)
    weights = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
    count = sum(name.endswith(".up.weight") for name in weights)
    widths = [weights[f"layer{n}.up.weight"].shape[1] for n in range(count)]
    tagger = Tagger(widths, len(weights["words.rows"]))
    state = tagger.state_dict()
    for name, value in named(weights, count):
        state[name][: len(value)] = value  # an export leaves out places no window reaches
    tagger.load_state_dict(state)
    return tagger


def named(weights: Weights, count: int) -> Iterator[tuple[str, Tensor]]:
    """The weights by the names they have in the tagger, in single precision."""
    for table, name in (("words", "words"), ("cue", "cues")):
        yield f"{name}.weight", tensor(weights[f"{table}.rows"] * weights[f"{table}.scale"])
    yield "positions.weight", tensor(weights["positions"])
    yield "classifier.weight", tensor(weights["classifier.weight"].T)
    yield "classifier.bias", tensor(weights["classifier.bias"])
    norms = [("norm", "norm")]
    for number in range(count):
        ours = f"layer{number}"
        for part in PARTS:
            rows = weights[f"{ours}.{part}.weight"] * weights[f"{ours}.{part}.scale"]
            yield f"layers.{number}.{part}.weight", tensor(rows.T)
            yield f"layers.{number}.{part}.bias", tensor(weights[f"{ours}.{part}.bias"])
        norms += [(f"{ours}.{short}", f"layers.{number}.{name}") for short, name in NORMS]
    for source, name in norms:
        yield f"{name}.weight", tensor(weights[f"{source}.weight"])
        yield f"{name}.bias", tensor(weights[f"{source}.bias"])


def tensor(values: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(values, np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path, help="model.onnx")
    parser.add_argument("out", type=Path, help="the checkpoint to write")
    asked = parser.parse_args()
    tagger = restored(asked.network)
    torch.save({"tagger": tagger.state_dict(), "widths": tagger.widths}, asked.out)


if __name__ == "__main__":
    main()
