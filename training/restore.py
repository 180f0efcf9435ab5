"""Makes a checkpoint from exported networks for further training.

See `python -m training.restore --help`. The precision that eight-bit weights lost is not restored,
but a few training steps make up for the loss. Words are numbered as in the tokenizer beside the
network: give that tokenizer as `--tokenizer`.
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

from training.network import DISTANCES, HEAD, Skimmer, Tagger

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
    heads = [weights[f"layer{n}.out.weight"].shape[0] // HEAD for n in range(count)]
    tagger = Tagger(widths, len(weights["words.rows"]), heads)
    state = tagger.state_dict()
    for name, value in named(weights, count):
        state[name][: len(value)] = value  # an export leaves out places no window reaches
    tagger.load_state_dict(state)
    return tagger


def restored_skimmer(path: Path, words: Tensor) -> Skimmer:
    """The skimmer of a graph; its projection maps the tagger's `words` to the skimmer's words.

    `words`, (vocabulary, hidden), belong to the tagger that was exported with it.
    """
    weights = weights_of(path)
    own = table(weights, "words")
    skimmer = Skimmer(words, own.shape[1])
    state = skimmer.state_dict()
    state["project.weight"] = torch.linalg.lstsq(words, own).solution.T
    state |= cues(weights)
    state |= classifier(weights)
    for number in range(len(DISTANCES)):
        state |= mix(weights, number)
        state |= norm(weights, f"mix{number}.norm", f"norms.{number}")
    skimmer.load_state_dict(state | norm(weights, "norm", "norm"))
    return skimmer


def named(weights: Weights, count: int) -> Iterator[tuple[str, Tensor]]:
    """The weights in single precision, under their names in the tagger."""
    yield "words.weight", table(weights, "words")
    yield from cues(weights).items()
    yield "positions.weight", tensor(weights["positions"])
    yield from classifier(weights).items()
    yield from norm(weights, "norm", "norm").items()
    for number in range(count):
        for part in PARTS:
            yield from linear(weights, f"layer{number}.{part}", f"layers.{number}.{part}").items()
        for short, name in NORMS:
            yield from norm(weights, f"layer{number}.{short}", f"layers.{number}.{name}").items()


def cues(weights: Weights) -> dict[str, Tensor]:
    """The rows of the cues: shapes and kinds."""
    return {
        "cues.shapes.weight": table(weights, "cue"),
        "cues.kinds.weight": table(weights, "kind"),
    }


def table(weights: Weights, name: str) -> Tensor:
    """The rows of an embedding."""
    return tensor(weights[f"{name}.rows"] * weights.get(f"{name}.scale", np.float32(1)))


def linear(weights: Weights, source: str, name: str) -> dict[str, Tensor]:
    """The weights of an eight-bit linear layer, which has a scale for each column."""
    rows = weights[f"{source}.weight"] * weights[f"{source}.scale"]
    return {f"{name}.weight": tensor(rows.T), f"{name}.bias": tensor(weights[f"{source}.bias"])}


def mix(weights: Weights, number: int) -> dict[str, Tensor]:
    """The weights of an eight-bit convolution; a row's scale is relative to its output step."""
    name = f"mix{number}"
    scale = weights[f"{name}.scale"] * weights[f"{name}.given"]
    rows = weights[f"{name}.weight"] * scale[:, None, None]
    bias = weights[f"{name}.bias"] * scale * weights[f"{name}.step"]
    wide = rows.swapaxes(1, 2).reshape(len(scale), -1)
    return {f"mixes.{number}.weight": tensor(wide), f"mixes.{number}.bias": tensor(bias)}


def norm(weights: Weights, source: str, name: str) -> dict[str, Tensor]:
    return {f"{name}.{kind}": tensor(weights[f"{source}.{kind}"]) for kind in ("weight", "bias")}


def classifier(weights: Weights) -> dict[str, Tensor]:
    rows = tensor(weights["classifier.weight"].T)
    return {"classifier.weight": rows, "classifier.bias": tensor(weights["classifier.bias"])}


def tensor(values: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(values, np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of model.onnx and fast.onnx")
    parser.add_argument("out", type=Path, help="the checkpoint to write")
    asked = parser.parse_args()
    tagger = restored(asked.folder / "model.onnx")
    skimmer = restored_skimmer(asked.folder / "fast.onnx", tagger.words.weight)
    states = {"tagger": tagger.state_dict(), "skimmer": skimmer.state_dict()}
    torch.save({**states, "widths": tagger.widths, "heads": tagger.heads}, asked.out)


if __name__ == "__main__":
    main()
