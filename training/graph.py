"""The networks as ONNX graphs, written out node by node in the operators that run fastest.

An exporter's graph needs fusing at every load, and onnxruntime's fused sum-and-norm is several
times slower than the two nodes it replaces. Weights are in eight bits, but only seven are used:
with all eight, sums overflow on processors without VNNI. The tagger's rows are
quantized with a step computed for each window, the skimmer's with fixed steps (`ranges.py`).

Every operator used gives the same bits with AVX2 as with AVX-512 and VNNI. onnxruntime's softmax,
alone or inside its attention, does not, because the order of its sums depends on the instruction
set. Therefore the shares are computed from exponentials, sums and quotients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

from recognizers.model.encoding import CUES_PER_KIND
from training.batches import CONTENT
from training.network import DISTANCES, EPSILON, HEAD, Cues, Layer, Skimmer, Tagger
from training.ranges import Mix, Range

FUSED = "com.microsoft"
OWN = ("DynamicQuantizeMatMul", "FusedMatMul", "QLinearConv")  # onnxruntime's
MOST = 63  # of seven bits
# The cap on the similarity of two pieces: sums of e to this power stay far from overflow.
ALIKE = 60
OPSET, IR = 20, 9
LAST = np.array([-1])
Numbers = NDArray[np.float32]


@dataclass
class Graph:
    """Collects nodes and weights; each adding method returns the name of its output."""

    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)

    def weight(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        self.weights.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def node(self, operator: str, inputs: list[str], name: str, **settings: object) -> str:
        domain = FUSED if operator in OWN else ""
        self.nodes.append(
            helper.make_node(operator, inputs, [name], name=name, domain=domain, **settings)
        )
        return name

    def linear(self, rows: str, layer: nn.Linear, name: str) -> str:
        """A linear layer whose input rows are quantized at run time."""
        held, scale = self.seven_bits(numbers(layer.weight).T, name)
        bias = self.weight(name + ".bias", numbers(layer.bias))
        return self.node("DynamicQuantizeMatMul", [rows, held, scale, "", bias], name)

    def seven_bits(self, columns: Numbers, name: str) -> tuple[str, str]:
        """A weight and a scale for each of its columns."""
        eights, scale = seven_bits(columns)
        return self.weight(name + ".weight", eights), self.weight(name + ".scale", scale)

    def attended(self, rows: str, layer: Layer, name: str) -> str:
        """Attention: each piece's sum over all others; the input rows are quantized once.

        (1, length, hidden) in and (1, length, heads * HEAD) out: one window a call.
        """
        made = self.linear(rows, layer.qkv, name + ".qkv")
        shape = self.weight(name + ".heads", np.array([-1, 3 * layer.heads, HEAD]))
        parts = [f"{name}.{part}" for part in ("queries", "keys", "values")]
        apart = self.node("Reshape", [made, shape], name + ".apart")
        self.nodes.append(helper.make_node("Split", [apart], parts, axis=1, num_outputs=3))
        turned = {"transBatchA": 1, "transBatchB": 1, "transB": 1}
        alike = self.node("FusedMatMul", parts[:2], name + ".alike", alpha=HEAD**-0.5, **turned)
        most = self.weight(name + ".most", np.float32(ALIKE))
        powers = self.node(
            "Exp", [self.node("Clip", [alike, "", most], name + ".held")], name + ".e"
        )
        taken = self.node("FusedMatMul", [powers, parts[2]], name + ".taken", transBatchB=1)
        shares = self.node("Div", [taken, self.summed(powers, name)], name + ".mixed")
        side = self.node("Transpose", [shares], name + ".side", perm=[1, 0, 2])
        joined = self.weight(name + ".joined", np.array([1, -1, layer.heads * HEAD]))
        return self.node("Reshape", [side, joined], name + ".attention")

    def summed(self, rows: str, name: str) -> str:
        """Sums over the last axis, which is kept with length one."""
        return self.node("ReduceSum", [rows, self.weight(name + ".last", LAST)], name + ".sum")

    def looked_up(self, ids: str, table: Tensor, name: str) -> str:
        """Rows looked up in a table of eight-bit numbers."""
        rows = numbers(table)
        scale = np.float32(max(float(np.abs(rows).max()), 1e-9) / 127)
        held = self.weight(name + ".rows", np.rint(rows / scale).astype(np.int8))
        found = self.node("Gather", [held, ids], name + ".found")
        return self.node("DequantizeLinear", [found, self.weight(name + ".scale", scale)], name)

    def told(self, ids: str, table: Tensor, name: str) -> str:
        """Rows looked up in a small table, in single precision."""
        return self.node("Gather", [self.weight(name + ".rows", numbers(table)), ids], name)

    def tokens(self, words: Tensor, cues: Cues) -> str:
        count = self.weight("shapes", np.array(CUES_PER_KIND))
        parts = [
            self.looked_up("ids", words, "words"),
            self.told(self.node("Mod", ["cues", count], "shape"), cues.shapes.weight, "cue"),
            self.told(self.node("Div", ["cues", count], "listed"), cues.kinds.weight, "kind"),
        ]
        return self.node("Add", [self.node("Add", parts[1:], "told"), parts[0]], "tokens")

    def mixed(self, rows: str, distance: int, layer: nn.Linear, name: str, seen: Mix) -> str:
        """The positive part of a layer over each row and those `distance` before and after it.

        It is a convolution, so rows need not be concatenated.
        """
        columns, scale = seven_bits(numbers(layer.weight).T)
        step, origin = fixed(seen.taken)
        given = (np.maximum(seen.given, 1e-9) / 255).astype(np.float32)
        taken = [self.weight(name + ".step", step), self.weight(name + ".origin", origin)]
        inputs = [
            self.node("QuantizeLinear", [rows, *taken], name + ".eights"),
            *taken,
            self.weight(name + ".weight", columns.T.reshape(len(scale), 3, -1).swapaxes(1, 2)),
            self.weight(name + ".scale", scale / given),
            self.weight(name + ".zero", np.zeros(len(scale), np.int8)),
            self.weight(name + ".one", np.float32(1)),
            self.weight(name + ".nothing", np.uint8(0)),
            self.weight(name + ".bias", np.rint(numbers(layer.bias) / (step * scale)).astype("i4")),
        ]
        settings = {"kernel_shape": [3], "dilations": [distance], "pads": [distance] * 2}
        more = self.node("QLinearConv", inputs, name, channels_last=1, **settings)
        return self.stepped(more, given, name + ".given")

    def stepped(self, eights: str, steps: Numbers, name: str) -> str:
        """Eight-bit numbers multiplied by the step of their channel."""
        if (steps == steps[0]).all():
            inputs = [eights, self.weight(name, steps[0])]
            return self.node("DequantizeLinear", inputs, name + ".of")
        counted = self.node("Cast", [eights], name + ".counted", to=TensorProto.FLOAT)
        return self.node("Mul", [counted, self.weight(name, steps)], name + ".of")

    def classified(self, rows: str, layer: nn.Linear) -> None:
        """The probability of each class for each piece, in single precision."""
        weight = self.weight("classifier.weight", numbers(layer.weight).T)
        bias = self.weight("classifier.bias", numbers(layer.bias))
        scored = self.node("MatMul", [rows, weight], "classified")
        logits = self.node("Add", [scored, bias], "logits")
        highest = self.node("ReduceMax", [logits, self.weight("highest.last", LAST)], "highest")
        powers = self.node("Exp", [self.node("Sub", [logits, highest], "below")], "powers")
        self.node("Div", [powers, self.summed(powers, "powers")], "shares")

    def norm(self, rows: str, layer: nn.LayerNorm, name: str) -> str:
        inputs = [
            rows,
            self.weight(name + ".weight", numbers(layer.weight)),
            self.weight(name + ".bias", numbers(layer.bias)),
        ]
        return self.node("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)

    def layer(self, rows: str, layer: Layer, name: str) -> str:
        mixed = self.attended(rows, layer, name)
        out = self.linear(mixed, layer.out, name + ".out")
        rows = self.norm(self.node("Add", [rows, out], name + ".sum1"), layer.norm1, name + ".n1")
        up = self.node("Gelu", [self.linear(rows, layer.up, name + ".up")], name + ".gelu")
        down = self.linear(up, layer.down, name + ".down")
        return self.norm(self.node("Add", [rows, down], name + ".sum2"), layer.norm2, name + ".n2")


def numbers(tensor: Tensor) -> Numbers:
    """The weight in single precision."""
    values: Numbers = tensor.detach().float().numpy()
    return values


def seven_bits(columns: Numbers) -> tuple[NDArray[np.int8], Numbers]:
    """Columns in eight bits, seven of them used, and the scale of each."""
    scale = np.maximum(np.abs(columns).max(axis=0), 1e-9) / MOST
    return np.rint(columns / scale).astype(np.int8), scale.astype(np.float32)


def fixed(seen: Range) -> tuple[np.float32, np.uint8]:
    """The quantization step of a range in eight bits, and the number that stands for zero."""
    step = max(seen.high - seen.low, 1e-9) / 255
    return np.float32(step), np.uint8(round(-seen.low / step))


def tagger_graph(tagger: Tagger) -> ModelProto:
    """The network; inputs `ids` and `cues` (batch, length), output `shares`, all of one length."""
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


def skimmer_graph(skimmer: Skimmer, seen: Sequence[Mix]) -> ModelProto:
    """The fast network, with the inputs and output of the other; its words are projected first.

    `seen` holds the ranges of its mixtures.
    """
    graph = Graph()
    words = skimmer.project(skimmer.words.weight)
    rows = graph.norm(graph.tokens(words, skimmer.cues), skimmer.norm, "norm")
    steps = zip(DISTANCES, skimmer.mixes, skimmer.norms, seen, strict=True)
    for number, (distance, mix, norm, held) in enumerate(steps):
        name = f"mix{number}"
        more = graph.mixed(rows, distance, mix, name, held)
        rows = graph.norm(graph.node("Add", [rows, more], name + ".sum"), norm, name + ".norm")
    graph.classified(rows, skimmer.classifier)
    return finished(graph, skimmer.classifier.out_features)


def finished(graph: Graph, classes: int) -> ModelProto:
    shape = ["batch", "length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("ids", "cues")
    ]
    output = helper.make_tensor_value_info("shares", TensorProto.FLOAT, [*shape, classes])
    made = helper.make_graph(graph.nodes, "tagger", inputs, [output], graph.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR)
