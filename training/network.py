"""The network: the encoder all-MiniLM-L6-v2 with a row of cues and a token classifier on top."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from recognizers.entities import LABELS
from recognizers.model_windows import CUES

CLASSES = ("O", *LABELS)
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class Tagger(nn.Module):
    """(batch, length) ids, cues and mask in; (batch, length, classes) logits out."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.cues = nn.Embedding(CUES, config.hidden_size)
        nn.init.zeros_(self.cues.weight)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, len(CLASSES))

    def forward(self, ids: Tensor, cues: Tensor, mask: Tensor) -> Tensor:
        rows = self.encoder.embeddings.word_embeddings(ids) + self.cues(cues)
        hidden = self.encoder(inputs_embeds=rows, attention_mask=mask).last_hidden_state
        return self.classifier(self.dropout(hidden))


def pretrained(folder: Path, layers: int) -> Tagger:
    """A tagger on the first `layers` layers of MiniLM, whose weights must have the pinned hash."""
    weights = folder / "model.safetensors"
    if hashlib.sha256(weights.read_bytes()).hexdigest() != MINILM_SHA256:
        raise SystemExit(f"{weights.name}: not the pinned MiniLM weights")
    config = BertConfig(**json.loads((folder / "config.json").read_text()))
    config.num_hidden_layers = layers
    config._attn_implementation = "sdpa"
    tagger = Tagger(config)
    missing, _ = tagger.encoder.load_state_dict(load_file(weights), strict=False)
    if [name for name in missing if "position_ids" not in name]:
        raise SystemExit(f"weights lack {missing}")
    tagger.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    return tagger
