"""A checkpoint into the folder the engine loads: `python -m training.export --help`."""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn

from recognizers.entities import LABELS
from training.network import Tagger, pretrained


class Runnable(nn.Module):
    """The tagger without padding: every window runs alone."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self.tagger = tagger

    def forward(self, ids: Tensor, cues: Tensor) -> Tensor:
        return self.tagger(ids, cues, torch.ones_like(ids))


def to_onnx(tagger: Tagger, path: Path) -> None:
    """The network in single precision; inputs (1, length) of `ids` and `cues`."""
    sample = torch.randint(5, 1000, (1, 128)), torch.randint(0, 32, (1, 128))
    torch.onnx.export(
        Runnable(tagger).eval(), sample, str(path), input_names=["ids", "cues"],
        output_names=["logits"],
        dynamic_axes={"ids": {1: "n"}, "cues": {1: "n"}, "logits": {1: "n"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip


def to_int8(source: Path, path: Path) -> None:
    """Weights of the encoder in eight bits, the classifier's in single precision.

    Of the eight bits seven are used: with all eight, processors without VNNI overflow in the
    middle of a sum, which costs recall and makes two machines disagree.
    """
    classifier = [n.name for n in onnx.load(source).graph.node if "classifier" in n.name]
    quantize_dynamic(
        source, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        nodes_to_exclude=classifier, op_types_to_quantize=["MatMul", "Gather"],
    )  # fmt: skip


def write_manifest(folder: Path, version: str, thresholds: dict[str, float]) -> None:
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("model.onnx", "tokenizer.json")
    }
    manifest = {
        "version": version,
        "base": "all-MiniLM-L6-v2 (Apache-2.0)",
        "labels": list(LABELS),
        "thresholds": thresholds,
        "files": files,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--version", required=True)
    parser.add_argument("--thresholds", type=Path, help="JSON of label to threshold")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--single", action="store_true", help="keep single precision")
    asked = parser.parse_args()
    tagger = pretrained(asked.minilm, asked.layers)
    tagger.load_state_dict(torch.load(asked.checkpoint, weights_only=True)["tagger"])
    tagger.encoder.config._attn_implementation = "eager"
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        single = asked.out / "model.onnx" if asked.single else Path(scratch) / "single.onnx"
        to_onnx(tagger, single)
        if not asked.single:
            to_int8(single, asked.out / "model.onnx")
    tokenizer = Tokenizer.from_file(str(asked.minilm / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(asked.out / "tokenizer.json"), pretty=False)
    thresholds = json.loads(asked.thresholds.read_text()) if asked.thresholds else {}
    write_manifest(asked.out, asked.version, thresholds)


if __name__ == "__main__":
    main()
