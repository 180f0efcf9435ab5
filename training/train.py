"""Train the tagger: `python -m training.train --help`. Resumes from its last checkpoint."""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from recognizers.model.encoding import CUES_PER_KIND, Encoder
from training.batches import IGNORED, Data, Row, batches, fresh_rows, read_plain, rows_of
from training.lessons import Lesson, Notes, Teacher
from training.network import (
    Skimmer,
    Tagger,
    narrower,
    pretrained,
    read_skimmer,
    read_tagger,
    smaller,
)
from training.notes import read_frames, read_notes, split
from training.pools import read_pools
from training.usage import head_use, neuron_use

SKIM = 5  # how much faster a skimmer learns than the encoder
WEIGHED = 3  # every third window measures which neurons are used
UNLISTED = 0.1  # share of the pieces whose word-list cues are hidden
TOP = 6  # how much faster the new layers learn than the encoder


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minilm", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--tokenizer", type=Path, help="by default MiniLM's own")
    parser.add_argument("--census", type=Path, required=True, help="folder of the Census parquets")
    parser.add_argument("--notes", type=Path, nargs="+", required=True, help="annotated JSONL")
    parser.add_argument("--frames", type=Path, nargs="*", default=[], help="marked sentences")
    parser.add_argument(
        "--plain", type=Path, nargs="*", default=[], help="texts, annotation unknown"
    )
    parser.add_argument("--plain-share", type=float, default=0.2)
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--start", type=Path, help="weights to start from; default: MiniLM's")
    parser.add_argument("--layers", type=int, default=6, help="layers of MiniLM, from the first")
    parser.add_argument("--teacher", type=Path, help="checkpoint to learn from, too")
    parser.add_argument(
        "--keep", type=int, nargs="+", default=[0, 2, 3, 5], help="layers taken from the teacher"
    )
    parser.add_argument("--width", type=int, default=512, help="neurons kept in each layer")
    parser.add_argument("--heads", type=int, help="total heads kept of the weights to start from")
    parser.add_argument("--states", type=float, default=1.0, help="weight of the teacher's states")
    parser.add_argument(
        "--swap", type=float, default=0.0, help="share of pieces exchanged for others of the batch"
    )
    parser.add_argument("--skim", action="store_true", help="also train a skimmer")
    parser.add_argument("--half", action="store_true", help="compute in bfloat16")
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--held-share", type=float, default=0.1, help="0 trains on every note")
    parser.add_argument("--check-every", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def read_data(asked: argparse.Namespace) -> Data:
    kept, held = [], []
    for path in asked.notes:  # each split separately: a new file moves no old note
        part, aside = split(read_notes(path), asked.held_share or 0.1, 17)
        kept += part
        held += aside
    if not asked.held_share:
        kept = kept + held
    plain = [note for path in asked.plain for note in read_plain(path, 2, 4000)]
    frames = [frame for path in asked.frames for frame in read_frames(path)]
    return Data(kept, held, frames, plain, read_pools(asked.census, kept))


def held_out(tagger: nn.Module, rows: list[Row], pad: int) -> dict[str, float]:
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


def rate_at(done: float) -> float:
    """The learning rate: it rises over a twentieth of the run, then falls linearly to a fiftieth;
    `done` is from 0 to 1.
    """
    return max(0.02, done / 0.05 if done < 0.05 else (1 - done) / 0.95)


def start(asked: argparse.Namespace, rows: list[Row], pad: int) -> tuple[Tagger, Lesson]:
    """The tagger to train, and its loss: from the notes alone, or also from a teacher."""
    if not asked.teacher:
        tagger = read_tagger(asked.start) if asked.start else pretrained(asked.minilm, asked.layers)
        return tagger, Notes()
    teacher = read_tagger(asked.teacher)
    skimmer = first_skimmer(asked, teacher) if asked.skim else None
    lesson = Teacher(teacher.eval(), tuple(asked.keep), skimmer, asked.states)
    if asked.start and asked.heads:
        first = read_tagger(asked.start)
        use = head_use(first, batches(rows[::WEIGHED], 4, pad))
        return narrower(first, use, asked.heads), lesson
    if asked.start:
        return read_tagger(asked.start), lesson
    use = neuron_use(teacher, batches(rows[::WEIGHED], 16, pad))
    return smaller(teacher, asked.keep, asked.width, use), lesson


def first_skimmer(asked: argparse.Namespace, teacher: Tagger) -> Skimmer:
    """The skimmer saved with the weights to start from, else a new one with the teacher's words."""
    return read_skimmer(asked.start) if asked.start else Skimmer(teacher.words.weight)


def swapped(ids: Tensor, mask: Tensor, share: float) -> Tensor:
    """The batch with a share of its pieces swapped among them, so that no window repeats."""
    others = ids[mask.bool()]
    drawn = others[torch.randint(len(others), ids.shape)]
    return torch.where((torch.rand(ids.shape) < share) & mask.bool(), drawn, ids)


def unlisted(cues: Tensor, share: float) -> Tensor:
    """The cues with word-list cues hidden for a share of pieces: no list holds every name."""
    return torch.where(torch.rand(cues.shape) < share, cues % CUES_PER_KIND, cues)


def optimiser(tagger: Tagger, rate: float) -> torch.optim.AdamW:
    kinds = [*tagger.cues.kinds.parameters()]
    top = [*tagger.cues.shapes.parameters(), *tagger.classifier.parameters()]
    new = set(map(id, kinds + top))
    rest = [p for p in tagger.parameters() if p.requires_grad and id(p) not in new]
    groups = [{"params": part, "lr": rate} for part in (rest, top, kinds)]
    return torch.optim.AdamW(groups, weight_decay=0.01)


@dataclass
class Run:
    """A training run; `last.pt` in the folder holds all it needs to resume."""

    asked: argparse.Namespace
    tagger: Tagger
    lesson: Lesson
    moves: torch.optim.AdamW
    step: int = 0
    epoch: int = 0
    pieces: int = 0
    spent: float = 0.0
    skims: torch.optim.AdamW | None = None
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def begun(cls, asked: argparse.Namespace, rows: list[Row], pad: int) -> Run:
        """A run from MiniLM, from the given weights, or from where the last slice stopped."""
        tagger, lesson = start(asked, rows, pad)
        run = cls(asked, tagger, lesson, optimiser(tagger, asked.rate))
        if run.skimmer:
            weights = [p for p in run.skimmer.parameters() if p.requires_grad]
            run.skims = torch.optim.AdamW(weights, lr=asked.rate * SKIM, weight_decay=0.01)
        if run.last.exists():
            state = torch.load(run.last, weights_only=True)
            tagger.load_state_dict(state["tagger"])
            run.moves.load_state_dict(state["moves"])
            run.step, run.epoch, run.spent = state["step"], state["epoch"] + 1, state["spent"]
            if run.skimmer and "skimmer" in state:
                run.skimmer.load_state_dict(state["skimmer"])
                run.skims.load_state_dict(state["skims"])
        tagger.train()
        return run

    @property
    def skimmer(self) -> Skimmer | None:
        return self.lesson.skimmer if isinstance(self.lesson, Teacher) else None

    @property
    def last(self) -> Path:
        return Path(self.asked.out) / "last.pt"

    @property
    def done(self) -> float:
        """The share of the steps, or of the time, that is used up."""
        return max(self.step / self.asked.steps, self.minutes / self.asked.minutes)

    @property
    def minutes(self) -> float:
        """The minutes spent in this slice and the earlier ones."""
        return self.spent + (time.monotonic() - self.began) / 60

    def learn(self, ids: Tensor, cues: Tensor, mask: Tensor, classes: Tensor) -> float:
        """Take one step; return the loss before it."""
        rate = self.asked.rate
        rates = (rate, rate * (1 if self.asked.teacher else TOP), rate * TOP)
        for group, base in zip(self.moves.param_groups, rates, strict=True):
            group["lr"] = base * rate_at(self.done)
        if self.asked.swap:
            ids = swapped(ids, mask, self.asked.swap)
        cues = unlisted(cues, UNLISTED)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.asked.half):
            loss = self.lesson.loss(self.tagger, ids, cues, mask, classes)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.tagger.parameters(), 1.0)
        self.moves.step()
        self.moves.zero_grad(set_to_none=True)
        if self.skimmer and self.skims:
            self.skims.param_groups[0]["lr"] = self.asked.rate * SKIM * rate_at(self.done)
            torch.nn.utils.clip_grad_norm_(self.skimmer.parameters(), 1.0)
            self.skims.step()
            self.skims.zero_grad(set_to_none=True)
        self.step += 1
        self.pieces += int(mask.sum())
        return loss.item()

    def keep(self, held: list[Row], pad: int) -> None:
        """Print the progress and write the checkpoint."""
        speed = self.pieces / (time.monotonic() - self.began)
        row = {"step": self.step, "epoch": self.epoch, "pieces_s": round(speed)}
        row["minutes"] = round(self.minutes)
        print(json.dumps(row | held_out(self.tagger, held, pad)), flush=True)
        skimmed = {}
        if self.skimmer and self.skims:
            print(json.dumps({"skimmer": held_out(self.skimmer, held, pad)}), flush=True)
            skimmed = {"skimmer": self.skimmer.state_dict(), "skims": self.skims.state_dict()}
        states = {"tagger": self.tagger.state_dict(), "moves": self.moves.state_dict()}
        where = {"step": self.step, "epoch": self.epoch, "spent": self.minutes}
        shape = {"widths": self.tagger.widths, "heads": self.tagger.heads}
        torch.save({**states, **skimmed, **where, **shape}, self.last)


def train(asked: argparse.Namespace) -> None:
    """Train epoch after epoch until the steps or the minutes are used up."""
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    asked.out.mkdir(parents=True, exist_ok=True)
    encoder = Encoder.read(asked.tokenizer or asked.minilm / "tokenizer.json")
    data = read_data(asked)
    held = list(rows_of(data.held, encoder, None))
    run = Run.begun(asked, held, encoder.pad_id)
    while run.done < 1:
        chance = random.Random(asked.seed * 1000 + run.epoch)
        rows = fresh_rows(data, asked.plain_share, encoder, chance)
        for batch in batches(rows, asked.batch, encoder.pad_id):
            run.learn(*batch)
            if run.step % asked.check_every == 0 or run.done >= 1:
                run.keep(held, encoder.pad_id)
            if run.done >= 1:
                return
        run.epoch += 1


if __name__ == "__main__":
    train(arguments())
