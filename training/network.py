"""The network: a BERT encoder with added rows of cues and a token classifier on top."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import gelu, pad, relu

from recognizers.finding import LABELS
from recognizers.model.encoding import CUES_PER_KIND, KIND_COUNT

CLASSES = ("O", *LABELS)
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WORDS, POSITIONS, HIDDEN, HEADS, WIDTH = 30522, 512, 384, 12, 1536
HEAD = HIDDEN // HEADS  # size of one head
EPSILON = 1e-12
UNSEEN = -1e4  # the score that gives a padded piece no weight
SKIMMED, DISTANCES = 256, (1, 1, 2, 4, 8)


class Cues(nn.Module):
    """One row for the shape of a word and the gap before it, one for its entries in the lists."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.shapes, self.kinds = (
            nn.Embedding(CUES_PER_KIND, hidden),
            nn.Embedding(KIND_COUNT, hidden),
        )
        nn.init.zeros_(self.kinds.weight)

    def forward(self, cues: Tensor) -> Tensor:
        return self.shapes(cues % CUES_PER_KIND) + self.kinds(cues // CUES_PER_KIND)


def attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Attention. The fused operator of torch has the same result, but a slow backward pass."""
    alike = (queries * HEAD**-0.5) @ keys.transpose(-1, -2)
    hidden = torch.zeros(mask.shape, dtype=alike.dtype).masked_fill(~mask, UNSEEN)
    return (alike + hidden).softmax(-1).to(values.dtype) @ values


class Layer(nn.Module):
    """Attention of `heads` heads, then `width` neurons, each added to its input and normalized."""

    def __init__(self, width: int, heads: int = HEADS) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(HIDDEN, 3 * heads * HEAD), nn.Linear(heads * HEAD, HIDDEN)
        self.up, self.down = nn.Linear(HIDDEN, width), nn.Linear(width, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.dropout = nn.Dropout(0.1)

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """(batch, length, hidden) in and out; `mask` (batch, 1, 1, length) is False at padding."""
        heads = self.qkv(rows).unflatten(-1, (3, self.heads, HEAD)).permute(2, 0, 3, 1, 4)
        mixed = attention(heads[0], heads[1], heads[2], mask)
        rows = self.norm1(rows + self.dropout(self.out(mixed.transpose(1, 2).flatten(2))))
        return self.norm2(rows + self.dropout(self.down(gelu(self.up(rows)))))


class Tagger(nn.Module):
    """(batch, length) ids, cues and mask in; (batch, length, classes) logits out."""

    def __init__(
        self,
        widths: Sequence[int] = (WIDTH,) * 6,
        words: int = WORDS,
        heads: Sequence[int] | None = None,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, HIDDEN)
        self.positions = nn.Embedding(POSITIONS, HIDDEN)
        self.cues = Cues(HIDDEN)
        nn.init.zeros_(self.cues.shapes.weight)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        counts = heads or [HEADS] * len(widths)
        self.layers = nn.ModuleList(map(Layer, widths, counts))
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(HIDDEN, len(CLASSES))
        self.words.weight.requires_grad_(False)

    @property
    def widths(self) -> list[int]:
        """The number of neurons of each layer."""
        return [layer.up.out_features for layer in self.layers]

    @property
    def heads(self) -> list[int]:
        """The number of heads of each layer."""
        return [layer.heads for layer in self.layers]

    def forward(self, ids: Tensor, cues: Tensor, mask: Tensor) -> Tensor:
        return self.classifier(self.dropout(self.hidden(ids, cues, mask)[-1]))

    def hidden(self, ids: Tensor, cues: Tensor, mask: Tensor) -> list[Tensor]:
        """The input of the first layer and the output of each layer."""
        rows = self.words(ids) + self.cues(cues) + self.positions.weight[: ids.shape[1]]
        states = [self.dropout(self.norm(rows))]
        for layer in self.layers:
            states.append(layer(states[-1], mask.bool()[:, None, None]))
        return states


class Skimmer(nn.Module):
    """A much faster tagger: each layer mixes a piece with neighbors farther away (`DISTANCES`).

    Its words are those of a tagger, projected; its inputs and outputs are those of `Tagger`.
    """

    def __init__(self, words: Tensor, hidden: int = SKIMMED) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(words)
        self.project = nn.Linear(HIDDEN, hidden, bias=False)
        self.cues = Cues(hidden)
        self.norm = nn.LayerNorm(hidden, eps=EPSILON)
        self.mixes = nn.ModuleList(nn.Linear(3 * hidden, hidden) for _ in DISTANCES)
        self.norms = nn.ModuleList(nn.LayerNorm(hidden, eps=EPSILON) for _ in DISTANCES)
        self.classifier = nn.Linear(hidden, len(CLASSES))

    def forward(self, ids: Tensor, cues: Tensor, mask: Tensor) -> Tensor:
        seen = mask[..., None]
        rows = self.norm(self.project(self.words(ids)) + self.cues(cues)) * seen
        for distance, mix, norm in zip(DISTANCES, self.mixes, self.norms, strict=True):
            wide = pad(rows, (0, 0, distance, distance))
            length = rows.shape[1]
            beside = [wide[:, at : at + length] for at in (0, distance, 2 * distance)]
            rows = norm(rows + relu(mix(torch.cat(beside, dim=-1)))) * seen
        return self.classifier(rows)


def pretrained(folder: Path, layers: int) -> Tagger:
    """A tagger on the first `layers` layers of MiniLM, whose weights must have the pinned hash."""
    path = folder / "model.safetensors"
    if hashlib.sha256(path.read_bytes()).hexdigest() != MINILM_SHA256:
        raise SystemExit(f"{path.name}: not the pinned MiniLM weights")
    tagger = Tagger((WIDTH,) * layers)
    load_bert(tagger, load_file(path))
    return tagger


def read_tagger(path: Path) -> Tagger:
    """The tagger of a checkpoint."""
    state = torch.load(path, weights_only=True)
    words = len(state["tagger"]["words.weight"])
    tagger = Tagger(state.get("widths", (WIDTH,) * 6), words, state.get("heads"))
    tagger.load_state_dict(state["tagger"])
    return tagger


def read_skimmer(path: Path) -> Skimmer:
    """The skimmer of a checkpoint."""
    state = torch.load(path, weights_only=True)["skimmer"]
    skimmer = Skimmer(state["words.weight"])
    skimmer.load_state_dict(state)
    return skimmer


def load_bert(tagger: Tagger, weights: dict[str, Tensor]) -> None:
    """Load weights by their BERT names; the token type is added to the position embeddings."""
    bert = "embeddings."
    state = {
        "words.weight": weights[bert + "word_embeddings.weight"],
        "positions.weight": weights[bert + "position_embeddings.weight"]
        + weights[bert + "token_type_embeddings.weight"][0],
    }
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = weights[f"{bert}LayerNorm.{kind}"]
        for number in range(len(tagger.layers)):
            ours, theirs = f"layers.{number}.", f"encoder.layer.{number}."
            qkv = [weights[f"{theirs}attention.self.{n}.{kind}"] for n in ("query", "key", "value")]
            state[f"{ours}qkv.{kind}"] = torch.cat(qkv)
            for name, source in BERT.items():
                state[f"{ours}{name}.{kind}"] = weights[f"{theirs}{source}.{kind}"]
    missing = tagger.load_state_dict(state, strict=False).missing_keys
    if left := [name for name in missing if not name.startswith(("cues", "classifier"))]:
        raise SystemExit(f"weights lack {left}")


BERT = {
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}


def smaller(teacher: Tagger, layers: Sequence[int], width: int, use: Sequence[Tensor]) -> Tagger:
    """A tagger of the teacher's `layers`, each with its `width` most used neurons.

    `use[i]`, (neurons,), says how much the neurons of the teacher's layer i are used.
    """
    pupil = Tagger([width] * len(layers), len(teacher.words.weight))
    state = {
        name: value
        for name, value in teacher.state_dict().items()
        if not name.startswith("layers.")
    }
    for number, source in enumerate(layers):
        layer = teacher.layers[source].state_dict()
        told = use[source] * layer["down.weight"].norm(dim=0)
        kept = told.topk(width).indices.sort().values
        layer |= {"up.weight": layer["up.weight"][kept], "up.bias": layer["up.bias"][kept]}
        layer["down.weight"] = layer["down.weight"][:, kept]
        state |= {f"layers.{number}.{name}": value for name, value in layer.items()}
    pupil.load_state_dict(state)
    return pupil


def narrower(teacher: Tagger, use: Sequence[Tensor], total: int) -> Tagger:
    """A tagger with the `total` most used heads of the teacher, whatever their layer.

    `use[i]`, (heads,), says how much the heads of the teacher's layer i are used.
    """
    told = torch.cat(list(use))
    kept = torch.zeros(len(told), dtype=torch.bool)
    kept[told.topk(total).indices] = True
    chosen = [part.nonzero()[:, 0] for part in kept.split([len(part) for part in use])]
    counts = [len(part) for part in chosen]
    pupil = Tagger(teacher.widths, len(teacher.words.weight), counts)
    state = teacher.state_dict()
    for number, heads in enumerate(chosen):
        name = f"layers.{number}."
        before = teacher.heads[number]
        for kind in ("weight", "bias"):
            rows = state[f"{name}qkv.{kind}"].unflatten(0, (3, before, HEAD))
            state[f"{name}qkv.{kind}"] = rows[:, heads].flatten(0, 2)
        columns = state[f"{name}out.weight"].unflatten(1, (before, HEAD))
        state[f"{name}out.weight"] = columns[:, heads].flatten(1)
    pupil.load_state_dict(state)
    return pupil
