"""Train the tagger: `python -m training.train --help`. Resumes from its last checkpoint."""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from recognizers.model_windows import Encoder
from training.batches import IGNORED, Data, Row, batches, fresh_rows, read_plain, rows_of
from training.network import CLASSES, Tagger, pretrained
from training.notes import read_frames, read_notes, split
from training.pools import read_pools


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minilm", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--census", type=Path, required=True, help="folder of the Census parquets")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="annotated JSONL")
    parser.add_argument("--frames", type=Path, nargs="*", default=[], help="marked sentences")
    parser.add_argument(
        "--plain", type=Path, nargs="*", default=[], help="texts, annotation unknown"
    )
    parser.add_argument("--plain-share", type=float, default=0.2)
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--start", type=Path, help="weights to start from, else MiniLM's own")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--held-share", type=float, default=0.1, help="0 trains on every note")
    parser.add_argument("--check-every", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def read_data(asked: argparse.Namespace) -> Data:
    notes = [note for path in asked.notes for note in read_notes(path)]
    kept, held = split(notes, asked.held_share or 0.1, 17)
    if not asked.held_share:
        kept = kept + held
    plain = [note for path in asked.plain for note in read_plain(path, 2, 4000)]
    frames = [frame for path in asked.frames for frame in read_frames(path)]
    return Data(kept, held, frames, plain, read_pools(asked.census, kept))


def held_out(tagger: Tagger, rows: list[Row], pad: int) -> dict[str, float]:
    """Loss, and recall and precision of pieces (any label against none) on the held-out notes."""
    tagger.eval()
    losses, hits, gold, found = [], 0, 0, 0
    with torch.no_grad():
        for ids, cues, mask, classes in batches(rows, 16, pad):
            logits = tagger(ids, cues, mask)
            losses.append(
                cross_entropy(logits.flatten(0, 1), classes.flatten(), ignore_index=IGNORED).item()
            )
            known = classes != IGNORED
            tagged, marked = (classes > 0) & known, (logits.argmax(-1) > 0) & known
            hits += int((tagged & marked).sum())
            gold += int(tagged.sum())
            found += int(marked.sum())
    tagger.train()
    return {
        "loss": float(np.mean(losses)),
        "recall": hits / max(gold, 1),
        "precision": hits / max(found, 1),
    }


def rate_at(step: int, steps: int) -> float:
    """Warm-up over a twentieth of the steps, then straight down to a fiftieth."""
    warm = max(steps // 20, 1)
    return (step + 1) / warm if step < warm else max(0.02, (steps - step) / (steps - warm))


def optimiser(tagger: Tagger, rate: float) -> torch.optim.AdamW:
    encoder = [p for p in tagger.encoder.parameters() if p.requires_grad]
    top = [*tagger.cues.parameters(), *tagger.classifier.parameters()]
    groups = [{"params": encoder, "lr": rate}, {"params": top, "lr": rate * 6}]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def train(asked: argparse.Namespace) -> None:
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    encoder = Encoder.read(asked.minilm / "tokenizer.json")
    data = read_data(asked)
    tagger = pretrained(asked.minilm, asked.layers)
    if asked.start:
        tagger.load_state_dict(torch.load(asked.start, weights_only=True)["tagger"])
    moves = optimiser(tagger, asked.rate)
    last, step, epoch = asked.out / "last.pt", 0, 0
    if last.exists():
        state = torch.load(last, weights_only=True)
        tagger.load_state_dict(state["tagger"])
        moves.load_state_dict(state["moves"])
        step, epoch = state["step"], state["epoch"] + 1
    asked.out.mkdir(parents=True, exist_ok=True)
    held = list(rows_of(data.held, encoder, None))
    print(
        json.dumps(
            {
                "notes": len(data.notes),
                "held": len(data.held),
                "plain": len(data.plain),
                "classes": len(CLASSES),
            }
        ),
        flush=True,
    )
    tagger.train()
    began, pieces = time.monotonic(), 0
    while step < asked.steps:
        chance = random.Random(asked.seed * 1000 + epoch)
        rows = fresh_rows(data, asked.plain_share, encoder, chance)
        for ids, cues, mask, classes in batches(rows, asked.batch, encoder.pad_id):
            for group, base in zip(moves.param_groups, (asked.rate, asked.rate * 6), strict=True):
                group["lr"] = base * rate_at(step, asked.steps)
            logits = tagger(ids, cues, mask)
            loss = cross_entropy(logits.flatten(0, 1), classes.flatten(), ignore_index=IGNORED)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            moves.step()
            moves.zero_grad(set_to_none=True)
            step, pieces = step + 1, pieces + int(mask.sum())
            if step % asked.check_every == 0 or step == asked.steps:
                speed = pieces / (time.monotonic() - began)
                print(
                    json.dumps(
                        {
                            "step": step,
                            "epoch": epoch,
                            "loss": round(loss.item(), 4),
                            "pieces_s": round(speed),
                            **held_out(tagger, held, encoder.pad_id),
                        }
                    ),
                    flush=True,
                )
                torch.save(
                    {
                        "tagger": tagger.state_dict(),
                        "moves": moves.state_dict(),
                        "step": step,
                        "epoch": epoch,
                    },
                    last,
                )
            if step >= asked.steps:
                break
        epoch += 1


if __name__ == "__main__":
    train(arguments())
