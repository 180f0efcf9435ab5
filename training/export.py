"""Exports a checkpoint to the folder that the engine loads: `python -m training.export --help`.

Fit the decision again afterwards (`training/decision.py`).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import onnx
from tokenizers import Tokenizer
from torch import nn

from recognizers.finding import LABELS
from recognizers.model.encoding import Encoder
from recognizers.model.network import open_session, probed
from training.batches import CONTENT, batches, rows_of
from training.graph import skimmer_graph, tagger_graph
from training.network import Skimmer, Tagger, read_skimmer, read_tagger
from training.notes import read_notes
from training.ranges import Mix, ranges
from training.signing import read_manifest, write_signed
from training.vocabulary import renumbered

SHARED = 16  # pieces that a window shares with the next one
# The skimmer sees sixteen pieces to each side, so that its windows may be long.
SKIMMED, SKIM_SHARED = 510, 16
MEASURED, AT_ONCE = 10, 32  # ranges are measured on every tenth note; windows at once
Row = dict[str, Any]


def network(path: Path, content: int, overlap: int) -> Row:
    """The manifest entry of one network."""
    row: Row = {"file": path.name, "content": content, "overlap": overlap}
    return row | {"arithmetic": probed(open_session(path), content)}


def write_manifest(folder: Path, version: str, networks: dict[str, Row]) -> None:
    names = [*(str(row["file"]) for row in networks.values()), "tokenizer.json"]
    manifest: Row = {
        "version": version,
        "base": "all-MiniLM-L6-v2 (Apache-2.0)",
        "labels": list(LABELS),
        "networks": networks,
        "files": {},
    }
    # The decision about columns uses no network.
    if columns := read_manifest(folder).get("columns"):
        manifest["columns"] = columns
        names += [columns["trees"], columns["words"]]
    write_signed(folder, manifest, names)


def keep_words(network: Tagger | Skimmer, kept: list[int]) -> None:
    network.words = nn.Embedding.from_pretrained(network.words.weight[kept])


def measured(skimmer: Skimmer, tokenizer: str, notes: list[Path]) -> list[Mix]:
    """The ranges of a skimmer on every tenth note."""
    encoder = Encoder(Tokenizer.from_str(tokenizer))
    chosen = [note for path in notes for note in read_notes(path)][::MEASURED]
    rows = list(rows_of(chosen, encoder, None))
    return ranges(skimmer.eval(), batches(rows, AT_ONCE, encoder.pad_id))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", type=Path, required=True, help="of the training")
    parser.add_argument("--checkpoint", type=Path, required=True, help="of a tagger")
    parser.add_argument("--skimmer", type=Path, help="of a skimmer; default: the same checkpoint")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="of the training")
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    tagger, skimmer = read_tagger(asked.checkpoint), read_skimmer(asked.skimmer or asked.checkpoint)
    tokenizer, kept = renumbered(json.loads(asked.tokenizer.read_text("utf-8")))
    keep_words(tagger, kept)
    keep_words(skimmer, kept)
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (asked.out / "tokenizer.json").write_text(text, "utf-8")
    onnx.save(tagger_graph(tagger.eval()), asked.out / "model.onnx")
    seen = measured(skimmer, text, asked.notes)
    onnx.save(skimmer_graph(skimmer.eval(), seen), asked.out / "fast.onnx")
    networks = {
        "default": network(asked.out / "model.onnx", CONTENT, SHARED),
        "fast": network(asked.out / "fast.onnx", SKIMMED, SKIM_SHARED),
    }
    write_manifest(asked.out, asked.version, networks)


if __name__ == "__main__":
    main()
