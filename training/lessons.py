"""The losses that train a tagger: from the labels alone, or also from a larger tagger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, kl_div, log_softmax, mse_loss

from training.batches import IGNORED
from training.network import Skimmer, Tagger

# The weight of the labels relative to the teacher's answers.
LABELS = 0.5


class Lesson(Protocol):
    """A loss of a tagger on a batch."""

    def loss(
        self, tagger: Tagger, ids: Tensor, cues: Tensor, mask: Tensor, classes: Tensor
    ) -> Tensor: ...


class Notes:
    """The labels of the notes."""

    def loss(
        self, tagger: Tagger, ids: Tensor, cues: Tensor, mask: Tensor, classes: Tensor
    ) -> Tensor:
        return labelled(tagger(ids, cues, mask), classes)


@dataclass(frozen=True)
class Teacher:
    """The labels, the answers of a teacher, and its states after the layers that were `kept`.

    The teacher answers for every piece, even if the label is unknown. If the answer disagrees with
    the note, only the note counts. The teacher's states have the weight `states`; with 0, the
    tagger is free to move away from its initial states. A skimmer may be trained at the same time.
    """

    teacher: Tagger
    kept: Sequence[int]
    skimmer: Skimmer | None = None
    states: float = 1.0

    def loss(
        self, tagger: Tagger, ids: Tensor, cues: Tensor, mask: Tensor, classes: Tensor
    ) -> Tensor:
        seen = mask.bool()
        with torch.no_grad():
            theirs = self.teacher.hidden(ids, cues, mask)
            answers = log_softmax(self.teacher.classifier(theirs[-1]).float(), -1)[seen]
        known = classes[seen]
        right = (known == IGNORED) | (answers.argmax(-1) == known)
        ours = tagger.hidden(ids, cues, mask)
        logits = tagger.classifier(tagger.dropout(ours[-1]))
        loss = told(logits[seen], answers, right) + LABELS * labelled(logits, classes)
        if self.states:
            loss = loss + self.states * self._apart(ours, theirs, seen)
        if self.skimmer is not None:
            skimmed = self.skimmer(ids, cues, mask)
            loss = loss + told(skimmed[seen], answers, right) + LABELS * labelled(skimmed, classes)
        return loss

    def _apart(self, ours: list[Tensor], theirs: list[Tensor], seen: Tensor) -> Tensor:
        """The distance of the states from the teacher's, relative to their variance.

        A kept layer must reach the state of the last teacher layer before the next kept one.
        """
        stops = [*self.kept[1:], len(self.teacher.layers)]
        states = zip(ours[1:], (theirs[stop] for stop in stops), strict=True)
        pairs = [(mine[seen].float(), aim[seen].float()) for mine, aim in states]
        return torch.stack([mse_loss(mine, aim) / aim.var() for mine, aim in pairs]).mean()


def told(logits: Tensor, answers: Tensor, right: Tensor) -> Tensor:
    """Divergence from the teacher's answers, (pieces, classes) each, over the pieces where the
    teacher is right.
    """
    said = log_softmax(logits.float(), -1)[right]
    return kl_div(said, answers[right], log_target=True, reduction="batchmean")


def labelled(logits: Tensor, classes: Tensor) -> Tensor:
    """Cross-entropy over the pieces whose label is known."""
    return cross_entropy(logits.float().flatten(0, 1), classes.flatten(), ignore_index=IGNORED)
