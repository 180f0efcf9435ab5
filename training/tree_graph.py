"""Boosted trees as an ONNX graph of one operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import lightgbm
import numpy as np
from onnx import ModelProto, TensorProto, helper

DOMAIN, VERSION, OPSET, IR = "ai.onnx.ml", 3, 20, 9
LEAF, BRANCH = "LEAF", "BRANCH_LEQ"
Node = dict[str, Any]


def tree_graph(forests: Sequence[lightgbm.Booster], names: Sequence[str]) -> ModelProto:
    """A graph from `rows` (atoms, features) to `log_odds` (atoms, 1), the mean of the forests."""
    nodes = [
        {"treeids": tree, **node}
        for tree, row in enumerate(
            row for forest in forests for row in forest.dump_model()["tree_info"]
        )
        for node in nodes_of(row["tree_structure"])
    ]
    leaves = [node for node in nodes if node["modes"] == LEAF]
    settings: dict[str, Any] = {
        f"nodes_{key}": [node[key] for node in nodes] for key in ("treeids", *blank(0, LEAF))
    }
    operator = helper.make_node(
        "TreeEnsembleRegressor",
        ["rows"],
        ["log_odds"],
        domain=DOMAIN,
        n_targets=1,
        target_treeids=[node["treeids"] for node in leaves],
        target_nodeids=[node["nodeids"] for node in leaves],
        target_ids=[0] * len(leaves),
        target_weights=[node["weight"] / len(forests) for node in leaves],
        **settings,
    )
    rows = helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, len(names)])
    odds = helper.make_tensor_value_info("log_odds", TensorProto.FLOAT, [None, 1])
    graph = helper.make_graph([operator], "decision", [rows], [odds])
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, VERSION)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR)
    helper.set_model_props(model, {"features": "\n".join(names)})
    return model


def nodes_of(root: Node) -> Iterator[Node]:
    """The nodes of one tree, numbered in the order of the traversal."""
    waiting, number = [(root, 0)], 0
    while waiting:
        node, own = waiting.pop()
        if "leaf_value" in node:
            yield {**blank(own, LEAF), "weight": float(node["leaf_value"])}
            continue
        left, right = number + 1, number + 2
        number += 2
        waiting += [(node["left_child"], left), (node["right_child"], right)]
        yield {
            **blank(own, BRANCH),
            "featureids": int(node["split_feature"]),
            "values": floored(node["threshold"]),
            "truenodeids": left,
            "falsenodeids": right,
        }


def blank(number: int, mode: str) -> Node:
    named: Node = {"nodeids": number, "modes": mode, "values": 0.0}
    return named | {"featureids": 0, "truenodeids": 0, "falsenodeids": 0}


def floored(threshold: float) -> float:
    """The largest single not above a double; singles compare with both in the same way."""
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    return float(single)
