"""A checkpoint from exported networks, to train on from: `python -m training.restore --help`.

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

from training.network import DISTANCES, Skimmer, Tagger

Weights = dict[str, np.ndarray]
PARTS = ("qkv", "out", "up", "down")
NORMS = (("n1", "norm1"), ("n2", "norm2"))


def weights_of(path: Path) -> Weights:
    """The arrays of a graph by name."""
    return {w.name: numpy_helper.to_array(w) for w in onnx.load(path).graph.initializer}


def restored(path: Path) -> Tagger:
    """The tagger whose graph `training.graph` wrote."""
    weights = weights_of(path)
    count = sum(name.endswith(".up.weight") for name in weights)
    widths = [weights[f"layer{n}.up.weight"].shape[1] for n in range(count)]
    tagger = Tagger(widths, len(weights["words.rows"]))
    state = tagger.state_dict()
    for name, value in named(weights, count):
        state[name][: len(value)] = value  # an export leaves out places no window reaches
    tagger.load_state_dict(state)
    return tagger


def restored_skimmer(path: Path, words: Tensor) -> Skimmer:
    """The skimmer of a graph; its projection is the one that takes the tagger's `words` to its own.

    `words`, (vocabulary, hidden), are those of the tagger exported with it.
    """
    weights = weights_of(path)
    skimmer = Skimmer(words)
    own = tensor(weights["words.rows"] * weights["words.scale"])
    state = skimmer.state_dict()
    state["project.weight"] = torch.linalg.lstsq(words, own).solution.T
    state["cues.weight"] = tensor(weights["cue.rows"] * weights["cue.scale"])
    state["classifier.weight"] = tensor(weights["classifier.weight"].T)
    state["classifier.bias"] = tensor(weights["classifier.bias"])
    for number in range(len(DISTANCES)):
        rows = weights[f"mix{number}.weight"] * weights[f"mix{number}.scale"]
        state[f"mixes.{number}.weight"] = tensor(rows.T)
        state[f"mixes.{number}.bias"] = tensor(weights[f"mix{number}.bias"])
    norms = [("norm", "norm"), *((f"mix{n}.norm", f"norms.{n}") for n in range(len(DISTANCES)))]
    for source, name in norms:
        state[f"{name}.weight"] = tensor(weights[f"{source}.weight"])
        state[f"{name}.bias"] = tensor(weights[f"{source}.bias"])
    skimmer.load_state_dict(state)
    return skimmer


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
    parser.add_argument("folder", type=Path, help="of model.onnx and fast.onnx")
    parser.add_argument("out", type=Path, help="the checkpoint to write")
    asked = parser.parse_args()
    tagger = restored(asked.folder / "model.onnx")
    skimmer = restored_skimmer(asked.folder / "fast.onnx", tagger.words.weight)
    states = {"tagger": tagger.state_dict(), "skimmer": skimmer.state_dict()}
    torch.save({**states, "widths": tagger.widths}, asked.out)


if __name__ == "__main__":
    main()
