"""Turns notes into batches of windows."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from recognizers.model.encoding import Encoded, Encoder
from training.damage import wear
from training.medicine import medicine
from training.network import CLASSES
from training.notes import MASKED, Note, Piece, cut
from training.pools import Pools
from training.slots import Filler

CONTENT = 126  # pieces of a window
IGNORED = -100
CLASS_OF = {name: number for number, name in enumerate(CLASSES)} | {MASKED: IGNORED}
# In texts without annotation, possible names, dates, places and numbers are masked.
DOUBTFUL = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Miss|Doctor|Nurse)\b\.?\s+\w+(?:\s+[A-Z]\w+)?"
    r"|(?:[A-Z][\w']+ ){1,4}(?:Hospital|Clinic|Center|University|School|Street|County)\b"
    r"|\b(?:ABC|XYZ|DEF)\b|\d+[/-]\d+(?:[/-]\d+)?|\b\d{4,}\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?:\s+\w+){0,3}"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    r"|\b(?:in|from|at|near|to) [A-Z]\w+(?: [A-Z]\w+)*"
    r"|\b(?:hi|hello|hey|named|name is|i'm|thanks|thank you),? \w+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Data:
    """The data that one run learns from, and the held-out notes that measure it."""

    notes: list[Note]
    held: list[Note]
    frames: list[Note]
    plain: list[Note]
    pools: Pools


@dataclass(frozen=True, slots=True)
class Row:
    """One window: vocabulary ids, cues and classes, with start and end marks."""

    ids: np.ndarray
    cues: np.ndarray
    classes: np.ndarray


def classes_of(note: Note, encoded: Encoded) -> np.ndarray:
    """The class of every piece: that of the labeled span in which it starts."""
    classes = np.zeros(len(encoded), np.int64)
    starts = encoded.offsets[:, 0]
    for start, end, label in note.spans():
        first, last = np.searchsorted(starts, [start, end])
        classes[first:last] = CLASS_OF[label]
    return classes


def rows_of(notes: Sequence[Note], encoder: Encoder, chance: random.Random | None) -> Iterator[Row]:
    """Consecutive windows; with `chance`, the first is shortened at random, so that cuts vary."""
    for note, encoded in zip(notes, encoder.encode_all([n.text for n in notes]), strict=True):
        classes = classes_of(note, encoded)
        at, size = 0, CONTENT if chance is None else chance.randint(CONTENT // 4, CONTENT)
        while at < len(encoded):
            part = slice(at, at + size)
            yield Row(
                np.concatenate([[encoder.start_id], encoded.ids[part], [encoder.end_id]]),
                np.concatenate([[0], encoded.cues[part], [0]]),
                np.concatenate([[IGNORED], classes[part], [IGNORED]]),
            )
            at, size = at + size, CONTENT


def fresh_rows(
    data: Data, plain_share: float, encoder: Encoder, chance: random.Random
) -> list[Row]:
    """One epoch: every note and frame refilled, and some plain texts; all damaged and shuffled."""
    pools = data.pools
    filled = [
        Filler(pools, chance).note(note, chance.choice([0.0, 0.5, 0.9, 1.0, 1.0]))
        for note in data.notes
    ]
    plain = chance.sample(data.plain, int(len(data.plain) * plain_share))
    texts = [*filled, *composed(data.frames, pools, chance), *plain]
    rows = list(rows_of([wear(note, chance) for note in texts], encoder, chance))
    chance.shuffle(rows)
    return rows


def composed(frames: Sequence[Note], pools: Pools, chance: random.Random) -> Iterator[Note]:
    """Every frame once, refilled; a few consecutive frames make one note."""
    order = chance.sample(frames, len(frames))
    while order:
        size = chance.randint(1, 10)
        part, order = order[:size], order[size:]
        joint = chance.choice(["\n", "\n", "\n\n", "  ", " "])
        pieces: list[Piece] = []
        for frame in part:
            spoken = medicine(frame, chance)
            filler = Filler(pools, chance, evenly=0.9)
            pieces += [*filler.note(spoken, chance.choice([0.5, 1.0, 1.0, 1.0])).pieces]
            pieces.append(Piece(joint, None))
        yield Note("frames", tuple(pieces))


def batches(rows: Sequence[Row], size: int, pad: int) -> Iterator[tuple[torch.Tensor, ...]]:
    """(ids, cues, mask, classes) of `size` rows, padded to the longest."""
    for at in range(0, len(rows), size):
        part = rows[at : at + size]
        shape = (len(part), max(len(row.ids) for row in part))
        ids, cues = np.full(shape, pad, np.int64), np.zeros(shape, np.int64)
        mask, classes = np.zeros(shape, np.int64), np.full(shape, IGNORED, np.int64)
        for number, row in enumerate(part):
            length = len(row.ids)
            ids[number, :length], cues[number, :length] = row.ids, row.cues
            mask[number, :length], classes[number, :length] = 1, row.classes
        yield tuple(map(torch.from_numpy, (ids, cues, mask, classes)))


def read_plain(path: Path, every: int, most: int) -> list[Note]:
    """Every `every`th text of a file without annotation; possible identifiers are masked."""
    notes = []
    for line in path.read_text("utf-8").splitlines()[::every]:
        row = json.loads(line)
        text = row["text"][:most]
        weak = [(s["start"], s["end"], MASKED) for s in row["meta"].get("weak_spans", [])]
        weak += [(s["start"], s["end"], MASKED) for s in row.get("spans", [])]
        doubtful = [(*m.span(), MASKED) for m in DOUBTFUL.finditer(text)]
        notes.append(cut(row["id"], text, (s for s in weak + doubtful if s[1] <= len(text))))
    return notes
