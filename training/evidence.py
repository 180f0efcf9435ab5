"""The evidence of rows and network on annotated notes, cached, for fitting the decision."""

from __future__ import annotations

import hashlib
import pickle
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import recognizers
from recognizers.decide.evidence import Atoms, Evidence
from recognizers.evidence.matching import Seen
from recognizers.evidence.register import Rules, prefilter, rules
from recognizers.model.encoding import Encoded
from recognizers.model.network import Model, ModelOutput
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import SHARED
from training.notes import Note, Piece, cut, read_frames, read_notes, split

REFERENCE = date(2026, 11, 21)
RULES = Rules(rules(REFERENCE))
FOLDS = 5
# Collections of templates, which become notes only when they are filled.
TEMPLATES = frozenset({"medicine"})
FRAMES = frozenset({"frames"})
# Lines for the decision alone, with their weights: each as its own text, then again in notes of
# `TOGETHER` lines. Drawn lines repeat their sentences, so they are not counted.
DRAWN = {"drawn_names": 0.75, "drawn_stays": 0.5}
LINES, TOGETHER = {"short_lines": 3.0, **DRAWN}, 20
AGAIN = "together-"
# Documents for the decision alone, in which nearly every word must stay.
UNSEEN, UNSEEN_WEIGHT = frozenset({"plain_transcriptions", "coded_documents"}), 0.3
# Notes are repeated line by line, long lines sentence by sentence, to teach short texts too.
PIECE, PIECE_WEIGHT = "~", 0.5
LONG_LINE, LEAST_SENTENCE, LEAST_WORDS = 160, 60, 3
LINE_OF_NOTE = re.compile(r"[^\n]+")
SENTENCE_END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z\d])")
HELD_SHARE, HELD_SEED = 0.1, 17
# Annotators sometimes leave out this word, which belongs to the name of the county.
COUNTY_WORD = re.compile(r"\s{1,2}(?:County|Parish|Borough|Co)\b", re.IGNORECASE)
# The article of a day (`the 4th`): some annotators include it and others do not.
ARTICLE = re.compile(r"\bthe\s$", re.IGNORECASE)
ORDINAL = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{SHARED.texts['SPOKEN_ORDINAL']})\b", re.IGNORECASE
)
Shares = NDArray[np.float32]
NONE = np.zeros(0, np.int32)
NOTHING = Encoded(NONE, NONE, NONE.reshape(0, 2), NONE)


@dataclass(frozen=True)
class Lesson:
    """A note, the evidence of the rows in it, and the shares of a network that never saw it.

    `shares` is None for a note that the network learned from: only its rows can be counted.
    """

    key: str
    text: str
    spans: Sequence[tuple[int, int, str]]
    seen: Sequence[Seen]
    offsets: NDArray[np.int32]
    words: NDArray[np.int32]
    shares: Shares | None
    group: str
    """The unit that stays in one fold: a note, or a line with the notes that repeat it."""

    def evidence(self) -> Evidence:
        if self.shares is None:
            raise ValueError("the network learned from this note")
        output = ModelOutput(self.offsets, self.words, self.shares)
        return Evidence.of_output(self.text, self.seen, output)

    def labels(self, atoms: Atoms) -> list[str | None]:
        """The label of each atom: that of the span that covers its middle."""
        marks: list[str | None] = [None] * len(self.text)
        for start, end, label in self.spans:
            word = COUNTY_WORD.match(self.text, end) if label == "COUNTY" else None
            end = word.end() if word else end
            if label == "DATE" and ORDINAL.match(self.text, start):
                article = ARTICLE.search(self.text, max(start - 4, 0), start)
                start = article.start() if article else start
            marks[start:end] = [label] * (end - start)
        middles = (atoms.starts + (atoms.ends - 1 - atoms.starts) // 2).tolist()
        return [marks[place] for place in middles]

    @property
    def counts(self) -> bool:
        """Whether the note counts in measurements. Repeated and drawn lines and pieces of notes
        do not.
        """
        return not (AGAIN in self.key or PIECE in self.key or self.drawn)

    @property
    def drawn(self) -> bool:
        """Whether the note is a drawn line, or repeats drawn lines."""
        return self.collection in DRAWN

    @property
    def collection(self) -> str:
        return self.key.split("/")[0]

    @property
    def weight(self) -> float:
        """The weight of each atom of the note."""
        whole = UNSEEN_WEIGHT if self.collection in UNSEEN else LINES.get(self.collection, 1.0)
        return whole * PIECE_WEIGHT if PIECE in self.key else whole

    @property
    def fold(self) -> int:
        """The fold, which is the same in every run and does not depend on other notes."""
        return int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % FOLDS


def collections(paths: Sequence[Path]) -> Iterator[tuple[str, list[Note], set[str]]]:
    """Each collection: its name, its notes, and which of them the shipped network never saw."""
    for path in paths:
        if path.stem in TEMPLATES:
            continue
        if path.stem in LINES:
            lines = read_frames(path)
            notes = [*lines, *gathered(lines)]
            yield path.stem, notes, {note.id for note in notes}
            continue
        notes = read_frames(path) if path.stem in FRAMES else read_notes(path)
        held = held_out(path.stem, notes)
        again = [piece for note in held for piece in pieces(note)]
        yield path.stem, [*notes, *again], {note.id for note in [*held, *again]}


def held_out(name: str, notes: Sequence[Note]) -> Sequence[Note]:
    """The notes of a collection that the shipped network never saw."""
    if name in UNSEEN:
        return notes
    # Frames were never held out.
    return [] if name in FRAMES else split(notes, HELD_SHARE, HELD_SEED)[1]


def pieces(note: Note) -> Iterator[Note]:
    """The lines of a note as notes of their own; a long line is split into sentences."""
    text, spans = note.text, note.spans()
    for number, (start, end) in enumerate(stretches(text)):
        inside = [(max(a, start), min(b, end), label) for a, b, label in spans]
        own = [(a - start, b - start, label) for a, b, label in inside if a < b]
        yield cut(f"{note.id}{PIECE}{number}", text[start:end], own)


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """The start and end of each piece of a text."""
    for line in LINE_OF_NOTE.finditer(text):
        start, end = line.span()
        if end - start <= LONG_LINE:
            if len(line.group().split()) >= LEAST_WORDS:
                yield start, end
            continue
        for mark in SENTENCE_END.finditer(text, start, end):
            if mark.start() - start > LEAST_SENTENCE:
                yield start, mark.start()
                start = mark.end()
        yield start, end


def steps_of(lines: int) -> int:
    """The number of notes in which this many lines are repeated."""
    return -(-lines // TOGETHER)


def gathered(lines: Sequence[Note]) -> Iterator[Note]:
    """Notes that repeat the lines, one below the other."""
    step = steps_of(len(lines))
    for number in range(step):
        pieces = [(*line.pieces, Piece("\n", None)) for line in lines[number::step]]
        yield Note(f"{AGAIN}{number}", tuple(piece for own in pieces for piece in own))


def group_of(name: str, note: str, notes: Sequence[Note]) -> str:
    """The group of a note: the note itself, or the note that repeats the line."""
    if name not in LINES:
        return f"{name}/{note.partition(PIECE)[0]}"
    again = sum(AGAIN in other.id for other in notes)
    return f"{name}/{int(note.rsplit('-', 1)[1]) % again}"


def seen_in(text: str) -> list[Seen]:
    """The evidence that the rows find in a text."""
    page = NormalizedText.of(text)
    prefilter([page])
    return RULES.search(page)


def rows_digest() -> str:
    """A digest of the rows and of the functions and lists that they use."""
    root = Path(recognizers.__file__).parent
    parts = [
        *(root / "evidence").rglob("*"),
        *(root / "text").rglob("*"),
        *(root / "words").rglob("*"),
    ]
    own = hashlib.sha256()
    for path in sorted(p for p in parts if p.is_file() and p.suffix != ".pyc"):
        own.update(path.name.encode() + path.read_bytes())
    return own.hexdigest()


def lessons(paths: Sequence[Path], model: Model, kept: Path) -> list[Lesson]:
    """All notes; with the network's shares if the network did not learn from the note."""
    kept.mkdir(parents=True, exist_ok=True)
    own_rows = rows_digest()
    found: list[Lesson] = []
    for name, notes, held in collections(paths):
        said = repr([own_rows, *((note.id, note.pieces) for note in notes)])
        own = hashlib.sha256(said.encode()).hexdigest()[:16]
        path = kept / f"{name}-{own}.pickle"
        if path.exists():
            rows = pickle.loads(path.read_bytes())
        else:
            rows = [seen_in(note.text) for note in notes]
            path.write_bytes(pickle.dumps(rows))
        for note, seen in zip(notes, rows, strict=True):
            key = f"{name}/{note.id}"
            shares, encoded = None, NOTHING
            if note.id in held:
                (encoded,) = model.encode_all([note.text])
                shares = model.probabilities(encoded)
            pieces = (encoded.offsets, encoded.words, shares)
            group = group_of(name, note.id, notes)
            found.append(Lesson(key, note.text, note.spans(), seen, *pieces, group))
    return found
