"""The tagger as an ONNX graph, written out node by node in the operators that run fastest.

An exporter's graph needs fusing at every load, and onnxruntime's fused sum-and-norm is several
times slower than the two nodes it stands for. Weights are in eight bits, of which seven are used:
with all eight, processors without VNNI overflow in the middle of a sum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

from recognizers.model_windows import CUES
from training.batches import CONTENT
from training.network import DISTANCES, EPSILON, Cues, Layer, Skimmer, Tagger

FUSED = "com.microsoft"
OWN = ("DynamicQuantizeMatMul", "MatMulIntegerToFloat", "MultiHeadAttention")  # onnxruntime's
MOST = 63  # of seven bits
OPSET, IR = 20, 9
END = 1 << 40
ATTENDING = ("query", "key", "value")
Numbers = NDArray[np.float32]


class Quantised(NamedTuple):
    """Names of rows in eight bits, of the step between two numbers, of the number for nothing."""

    eights: str
    step: str
    origin: str


@dataclass
class Graph:
    """Nodes and weights collected on the way; each adding method returns its output's name."""

    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)

    def weight(self, name: str, value: NDArray[np.generic]) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator: str, inputs: list[str], name: str, **settings: object) -> str:
        domain = FUSED if operator in OWN else ""
        self.nodes.append(
            helper.make_node(operator, inputs, [name], name=name, domain=domain, **settings)
        )
        return name

    def seven_bits(self, weight: Tensor, bias: Tensor, name: str) -> tuple[str, str, str, str]:
        """Weight, a scale and a zero for each column, and bias of a layer."""
        rows = numbers(weight).T
        scale = np.maximum(np.abs(rows).max(axis=0), 1e-9) / MOST
        return (
            self.weight(name + ".weight", np.rint(rows / scale).astype(np.int8)),
            self.weight(name + ".scale", scale.astype(np.float32)),
            self.weight(name + ".zero", np.zeros(len(scale), np.int8)),
            self.weight(name + ".bias", numbers(bias)),
        )

    def linear(self, rows: str, layer: nn.Linear, name: str) -> str:
        """Rows are quantised as they come."""
        held = self.seven_bits(layer.weight, layer.bias, name)
        return self.node("DynamicQuantizeMatMul", [rows, *held], name)

    def quantised(self, rows: str, name: str) -> Quantised:
        """Rows in eight bits, once for all that is made of them."""
        held = Quantised(f"{name}.eights", f"{name}.step", f"{name}.origin")
        made = helper.make_node("DynamicQuantizeLinear", [rows], [*held], name=name + ".held")
        self.nodes.append(made)
        return held

    def multiplied(self, rows: Quantised, weight: Tensor, bias: Tensor, name: str) -> str:
        """Quantised rows through a layer."""
        held, scale, zero, added = self.seven_bits(weight, bias, name)
        inputs = [rows.eights, held, rows.step, scale, rows.origin, zero, added]
        return self.node("MatMulIntegerToFloat", inputs, name)

    def looked_up(self, ids: str, table: Tensor, name: str) -> str:
        """Rows of a table kept in eight bits."""
        rows = numbers(table)
        scale = np.float32(max(float(np.abs(rows).max()), 1e-9) / 127)
        held = self.weight(name + ".rows", np.rint(rows / scale).astype(np.int8))
        found = self.node("Gather", [held, ids], name + ".found")
        return self.node("DequantizeLinear", [found, self.weight(name + ".scale", scale)], name)

    def tokens(self, words: Tensor, cues: Cues) -> str:
        count = self.weight("shapes", np.array(CUES))
        parts = [
            self.looked_up("ids", words, "words"),
            self.looked_up(self.node("Mod", ["cues", count], "shape"), cues.shapes.weight, "cue"),
            self.looked_up(self.node("Div", ["cues", count], "listed"), cues.kinds.weight, "kind"),
        ]
        return self.node("Add", [self.node("Add", parts[1:], "told"), parts[0]], "tokens")

    def mixed(self, rows: str, distance: int, layer: nn.Linear, name: str) -> str:
        """Each row between those `distance` before and behind it, through a layer.

        Rows are quantised before they are laid side by side: a quarter of the bytes, and once.
        """
        held = self.quantised(rows, name)
        wide = self.beside(held.eights, held.origin, distance, name)
        return self.multiplied(held._replace(eights=wide), layer.weight, layer.bias, name)

    def beside(self, rows: str, nothing: str, distance: int, name: str) -> str:
        """Three rows in one; outside the window stands `nothing`."""
        pads = self.weight(name + ".pads", np.array([0, distance, 0, 0, distance, 0]))
        wide = self.node("Pad", [rows, pads, nothing], name + ".wide")
        parts = []
        for number, (start, end) in enumerate(
            ((0, -2 * distance), (distance, -distance), (2 * distance, END))
        ):
            part = f"{name}.part{number}"
            bounds = zip(("start", "end", "axis"), (start, end, 1), strict=True)
            ends = [self.weight(f"{part}.{key}", np.array([value])) for key, value in bounds]
            parts.append(self.node("Slice", [wide, *ends], part))
        return self.node("Concat", parts, name + ".beside", axis=2)

    def classified(self, rows: str, layer: nn.Linear) -> None:
        """The logits, in single precision."""
        weight = self.weight("classifier.weight", numbers(layer.weight).T)
        bias = self.weight("classifier.bias", numbers(layer.bias))
        self.node("Add", [self.node("MatMul", [rows, weight], "classified"), bias], "logits")

    def norm(self, rows: str, layer: nn.LayerNorm, name: str) -> str:
        inputs = [
            rows,
            self.weight(name + ".weight", numbers(layer.weight)),
            self.weight(name + ".bias", numbers(layer.bias)),
        ]
        return self.node("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)

    def layer(self, rows: str, layer: Layer, name: str) -> str:
        held = self.quantised(rows, name)
        split = zip(ATTENDING, layer.qkv.weight.chunk(3), layer.qkv.bias.chunk(3), strict=True)
        parts = [self.multiplied(held, *part, f"{name}.{kind}") for kind, *part in split]
        mixed = self.node("MultiHeadAttention", parts, name + ".attention", num_heads=layer.heads)
        out = self.linear(mixed, layer.out, name + ".out")
        rows = self.norm(self.node("Add", [rows, out], name + ".sum1"), layer.norm1, name + ".n1")
        up = self.node("Gelu", [self.linear(rows, layer.up, name + ".up")], name + ".gelu")
        down = self.linear(up, layer.down, name + ".down")
        return self.norm(self.node("Add", [rows, down], name + ".sum2"), layer.norm2, name + ".n2")


def numbers(tensor: Tensor) -> Numbers:
    """A weight in single precision."""
    values: Numbers = tensor.detach().float().numpy()
    return values


def tagger_graph(tagger: Tagger) -> ModelProto:
    """The network; inputs `ids` and `cues` (batch, length), output `logits`, all of one length."""
    graph = Graph()
    tokens = graph.tokens(tagger.words.weight, tagger.cues)
    length = graph.node("Shape", ["ids"], "length", start=1, end=2)
    table = graph.weight("positions", numbers(tagger.positions.weight)[: CONTENT + 2])
    places = graph.node("Slice", [table, graph.weight("zero", np.zeros(1, np.int64)), length], "at")
    rows = graph.norm(graph.node("Add", [tokens, places], "placed"), tagger.norm, "norm")
    for number, layer in enumerate(tagger.layers):
        rows = graph.layer(rows, layer, f"layer{number}")
    graph.classified(rows, tagger.classifier)
    return finished(graph, tagger.classifier.out_features)


def skimmer_graph(skimmer: Skimmer) -> ModelProto:
    """The cheap network, inputs and output as of the other; its words are projected beforehand."""
    graph = Graph()
    words = skimmer.project(skimmer.words.weight)
    rows = graph.norm(graph.tokens(words, skimmer.cues), skimmer.norm, "norm")
    steps = zip(DISTANCES, skimmer.mixes, skimmer.norms, strict=True)
    for number, (distance, mix, norm) in enumerate(steps):
        name = f"mix{number}"
        more = graph.node("Relu", [graph.mixed(rows, distance, mix, name)], name + ".relu")
        rows = graph.norm(graph.node("Add", [rows, more], name + ".sum"), norm, name + ".norm")
    graph.classified(rows, skimmer.classifier)
    return finished(graph, skimmer.classifier.out_features)


def finished(graph: Graph, classes: int) -> ModelProto:
    shape = ["batch", "length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("ids", "cues")
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*shape, classes])
    made = helper.make_graph(graph.nodes, "tagger", inputs, [output], graph.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR)
