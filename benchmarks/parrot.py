"""The parrot attack: whether an adversary can distinguish leaked originals from surrogates.

    python benchmarks/parrot.py [NOTES.jsonl] [--leaks 0.05]

Annotated notes are released with surrogates, and a share of the original identifiers is left in.
Adversaries see only the release, or more than the release, and rank the identifiers that they see
by the likelihood that each is an original. Guessing gives an area under the curve of 0.5 and a
precision equal to the share of originals. The attack follows Carrell et al., "Resilience of
clinical text de-identified with 'hiding in plain sight'", JAMIA 2020;27:1374-1382. Their parrot is
a tagger trained on the released text; the adversary assumes that the identifiers that this tagger
misses are originals.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from deid.surrogates import Draws, replace, words_to_avoid
from deid.text.engine import load_finder
from recognizers import ENTITIES, LABELS
from safe_harbor import Identifier

ROOT = Path(__file__).resolve().parents[1]
NOTES = (
    ROOT.parent / "shared/data/text/train/notes.jsonl",
    ROOT / "corpora/handwritten/notes.jsonl",
)
SIZE = 1 << 20
EPOCHS = 5
REFERENCE = date(2026, 1, 1)
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Seen:
    """An identifier in a released note: its span and label, and whether it is an original."""

    start: int
    end: int
    label: str
    original: bool


@dataclass(frozen=True)
class Released:
    """A released note and all identifiers that an adversary sees in it."""

    text: str
    seen: tuple[Seen, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", nargs="?", type=Path)
    parser.add_argument("--leaks", type=float, default=0.05)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", help="run only attacks with this word in their name")
    asked = parser.parse_args()
    path = asked.notes or next(found for found in NOTES if found.exists())
    notes = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    report: dict[str, Any] = {"notes": len(notes), "seeds": asked.seeds}
    for name, attack in (
        ("parrot, random leaks", parrot),
        ("parrot, leaks of a weak tagger", parrot_of_misses),
        ("parrot, leaks of this engine", parrot_of_engine),
        ("control: hard places, by coin", hard_places),
        ("told half of the originals", informed),
    ):
        if asked.only and asked.only not in name:
            continue
        report[name] = _over_seeds(attack, notes, asked.leaks, asked.seeds)
        print(json.dumps({name: report[name]}), flush=True)
    print(json.dumps(report, indent=2))


Attack = Callable[[list[dict[str, Any]], float, random.Random], tuple[list[float], list[bool]]]


def _over_seeds(attack: Attack, notes: list[Any], leaks: float, seeds: int) -> dict[str, float]:
    scores: list[float] = []
    truth: list[bool] = []
    areas = []
    for seed in range(seeds):
        chance = random.Random(seed)
        mixed = chance.sample(notes, len(notes))
        some, true = attack(mixed, leaks, chance)
        areas.append(area(some, true))
        scores += some
        truth += true
    base = sum(truth) / len(truth)
    top = np.argsort(scores)[::-1][: sum(truth)]
    flagged = [true for score, true in zip(scores, truth, strict=True) if score > 0]
    low, high = _interval(scores, truth)
    return {
        "identifiers": len(truth),
        "originals": sum(truth),
        "chance_precision": round(base, 4),
        "precision_of_the_flagged": round(sum(flagged) / max(1, len(flagged)), 4),
        "share_of_originals_flagged": round(sum(flagged) / max(1, sum(truth)), 4),
        "share_of_surrogates_flagged": round(
            (len(flagged) - sum(flagged)) / max(1, len(truth) - sum(truth)), 4
        ),
        "precision_at_as_many_as_there_are": round(float(np.mean([truth[i] for i in top])), 4),
        "area_under_the_curve": round(float(np.mean(areas)), 4),
        "area_95_low": round(low, 4),
        "area_95_high": round(high, 4),
    }


def parrot(
    notes: list[dict[str, Any]], leaks: float, chance: random.Random
) -> tuple[list[float], list[bool]]:
    """A parrot trained on half of the release ranks the other half; originals stay by chance."""
    half = len(notes) // 2
    released = [release(note, lambda *_: chance.random() < leaks, chance) for note in notes]
    return _misses(Tagger.trained(released[:half]), released[half:])


def parrot_of_misses(
    notes: list[dict[str, Any]], leaks: float, chance: random.Random
) -> tuple[list[float], list[bool]]:
    """The same, but the originals that stay are those that a tagger trained on other notes
    misses.
    """
    third = len(notes) // 3
    weak = Tagger.trained([as_is(note) for note in notes[:third]])

    def missed(note: dict[str, Any], start: int, end: int) -> bool:
        return weak.score(note["text"], start, end) < 0

    released = [release(note, missed, chance) for note in notes[third:]]
    return _misses(Tagger.trained(released[:third]), released[third:])


def parrot_of_engine(
    notes: list[dict[str, Any]], leaks: float, chance: random.Random
) -> tuple[list[float], list[bool]]:
    """The same, but the originals that stay are those that this engine misses in notes that it
    never saw.
    """
    asked = [json.loads(line) for line in NOTES[1].read_text("utf-8").splitlines()]
    found = _found_by_engine(tuple(note["text"] for note in asked))

    def missed(note: dict[str, Any], start: int, end: int) -> bool:
        return not any(a < end and b > start for a, b in found.get(note["text"], [(start, end)]))

    released = [release(note, missed, chance) for note in (*notes, *asked)]
    return _misses(Tagger.trained(released[: len(notes)]), released[len(notes) :])


@cache
def _found_by_engine(texts: tuple[str, ...]) -> dict[str, list[tuple[int, int]]]:
    finder = load_finder(REFERENCE)
    founds = finder.find_all(texts)
    spans = [[(f.start, f.end) for f in found] for found in founds]
    return dict(zip(texts, spans, strict=True))


def hard_places(
    notes: list[dict[str, Any]], leaks: float, chance: random.Random
) -> tuple[list[float], list[bool]]:
    """The control: where this engine misses, a coin toss decides between original and surrogate.

    A parrot misses a hard place whatever its value, so here only the value can show the original.
    """
    asked = [json.loads(line) for line in NOTES[1].read_text("utf-8").splitlines()]
    found = _found_by_engine(tuple(note["text"] for note in asked))
    hard: set[tuple[str, int]] = set()

    def left(note: dict[str, Any], start: int, end: int) -> bool:
        spans = found.get(note["text"], [(start, end)])
        if any(a < end and b > start for a, b in spans):
            return False
        hard.add((note["text"], start))
        return chance.random() < 0.5

    released = [release(note, left, chance) for note in (*notes, *asked)]
    tagger = Tagger.trained(released[: len(notes)])
    scores, truth = [], []
    for note, new in zip(asked, released[len(notes) :], strict=True):
        for start, seen in zip(_starts(note), new.seen, strict=True):
            if (note["text"], start) in hard:
                scores.append(-tagger.score(new.text, seen.start, seen.end))
                truth.append(seen.original)
    return scores, truth


def _starts(note: dict[str, Any]) -> list[int]:
    """The starts of all identifiers except dates in the original."""
    spans = (s for s in note["spans"] if ENTITIES[LABELS[s["label"]]] is not Identifier.DATES)
    return sorted(span["start"] for span in spans)


def informed(
    notes: list[dict[str, Any]], leaks: float, chance: random.Random
) -> tuple[list[float], list[bool]]:
    """An adversary stronger than a parrot: it knows the originals in half of the notes."""
    half = len(notes) // 2
    taught = [release(note, lambda *_: chance.random() < 0.5, chance) for note in notes[:half]]
    asked = [release(note, lambda *_: chance.random() < leaks, chance) for note in notes[half:]]
    model = Perceptron()
    for _ in range(EPOCHS):
        for note in chance.sample(taught, len(taught)):
            for seen in note.seen:
                model.learn(_of_value(note.text, seen), seen.original)
    model.average()
    scores = [model.score(_of_value(note.text, seen)) for note in asked for seen in note.seen]
    return scores, [seen.original for note in asked for seen in note.seen]


def _misses(tagger: Tagger, released: Sequence[Released]) -> tuple[list[float], list[bool]]:
    """The parrot's score that each identifier is ordinary text: above zero it misses it."""
    found = [(note, seen) for note in released for seen in note.seen]
    scores = [-tagger.score(note.text, seen.start, seen.end) for note, seen in found]
    return scores, [seen.original for _, seen in found]


def as_is(note: dict[str, Any]) -> Released:
    """The unchanged note."""
    seen = (Seen(s["start"], s["end"], s["label"], True) for s in note["spans"])
    return Released(note["text"], tuple(seen))


def release(note: dict[str, Any], left: Callable[..., bool], chance: random.Random) -> Released:
    """The note with surrogates; `left(note, start, end)` says what stays. Dates are not attacked,
    because no Safe Harbor policy replaces them by surrogates."""
    text, kept = note["text"], dict[tuple[str, str | None, str], str]()

    def keep(kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        if (kind, person, key) not in kept:
            kept[kind, person, key] = draw()
        return kept[kind, person, key]

    known = words_to_avoid(text[s["start"] : s["end"]] for s in note["spans"])
    draws = Draws(keep, "p", known, chance.randrange)
    parts, seen, at, length = [], [], 0, 0
    for span in sorted(note["spans"], key=lambda span: span["start"]):
        start, end, entity = span["start"], span["end"], LABELS[span["label"]]
        value = text[start:end]
        stays = bool(left(note, start, end))
        is_date = ENTITIES[entity] is Identifier.DATES
        new = value if stays or is_date else replace(ENTITIES[entity], entity, value, draws)
        parts += [text[at:start], new]
        length += start - at
        if not is_date:
            seen.append(Seen(length, length + len(new), span["label"], stays))
        length += len(new)
        at = end
    return Released("".join(parts) + text[at:], tuple(seen))


class Perceptron:
    """An averaged perceptron over hashed features (Freund and Schapire 1999)."""

    def __init__(self) -> None:
        self._weights = np.zeros(SIZE)
        self._sums = np.zeros(SIZE)
        self._steps = 1

    def score(self, features: Sequence[int]) -> float:
        return float(self._weights[list(features)].sum())

    def learn(self, features: Sequence[int], yes: bool) -> None:
        self._steps += 1
        if (self.score(features) > 0) != yes:
            change = 1.0 if yes else -1.0
            np.add.at(self._weights, list(features), change)
            np.add.at(self._sums, list(features), change * self._steps)

    def average(self) -> None:
        self._weights = self._weights - self._sums / self._steps


class Tagger:
    """Decides for each token whether it is part of an identifier."""

    def __init__(self, model: Perceptron) -> None:
        self._model = model
        self._of: dict[str, tuple[list[tuple[int, int]], list[float]]] = {}

    @classmethod
    def trained(cls, notes: Sequence[Released]) -> Tagger:
        model = Perceptron()
        data = [(f, yes) for note in notes for f, yes in zip(*_rows(note), strict=True)]
        for _ in range(EPOCHS):
            for features, yes in data:
                model.learn(features, yes)
        model.average()
        return cls(model)

    def score(self, text: str, start: int, end: int) -> float:
        """The highest score of the span's tokens: below zero the whole span is missed."""
        if text not in self._of:
            tokens = [match.span() for match in _TOKEN.finditer(text)]
            self._of[text] = tokens, [self._model.score(f) for f in _features(text, tokens)]
        tokens, scores = self._of[text]
        inside = [s for (a, b), s in zip(tokens, scores, strict=True) if a < end and b > start]
        return max(inside, default=-1.0)


def _rows(note: Released) -> tuple[list[list[int]], list[bool]]:
    tokens = [match.span() for match in _TOKEN.finditer(note.text)]
    truth = [any(a < s.end and b > s.start for s in note.seen) for a, b in tokens]
    return list(_features(note.text, tokens)), truth


def _features(text: str, tokens: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    words = [text[a:b] for a, b in tokens]
    shapes = [_shape(word) for word in words]
    for at, word in enumerate(words):
        low = word.lower()
        names = [f"w{low}", f"s{shapes[at]}", f"a{low[:3]}", f"z{low[-3:]}", "bias"]
        for step in (-3, -2, -1, 1, 2, 3):
            near = at + step
            inside = 0 <= near < len(words)
            names.append(f"{step}w{words[near].lower() if inside else ''}")
            names.append(f"{step}s{shapes[near] if inside else ''}")
        names.append(f"p{words[at - 1].lower() if at else ''}|{shapes[at]}")
        yield [zlib.crc32(name.encode()) % SIZE for name in names]


def _of_value(text: str, seen: Seen) -> list[int]:
    value = text[seen.start : seen.end]
    low = f"^{value.lower()}$"
    names = [f"l{seen.label}", f"s{seen.label}{_shape(value)}", f"n{seen.label}{len(value)}"]
    names += [
        f"{n}{seen.label}{low[i : i + n]}" for n in (1, 2, 3, 4) for i in range(len(low) - n + 1)
    ]
    names += [f"w{word}" for word in re.findall(r"\w+", low)]
    around = (text[max(0, seen.start - 25) : seen.start], text[seen.end : seen.end + 25])
    names += [f"c{word}" for side in around for word in re.findall(r"\w+", side.lower())]
    return [zlib.crc32(name.encode()) % SIZE for name in names]


def _shape(word: str) -> str:
    shaped = re.sub(r"[^\W\d_]", lambda m: "A" if m[0].isupper() else "a", word)
    return re.sub(r"(.)\1{2,}", r"\1\1", re.sub(r"\d", "9", shaped))


def area(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The chance that an original is ranked above a surrogate; ties count half (Hanley 1982)."""
    yes = np.asarray(truth)
    ranks = rankdata(scores)
    count = int(yes.sum())
    return float((ranks[yes].sum() - count * (count + 1) / 2) / (count * (len(yes) - count)))


def _interval(scores: Sequence[float], truth: Sequence[bool]) -> tuple[float, float]:
    """Bootstrap over identifiers, 95 %."""
    rng = np.random.default_rng(514)
    values, yes = np.asarray(scores), np.asarray(truth)
    drawn = []
    for _ in range(200):
        at = rng.integers(0, len(values), len(values))
        drawn.append(area(values[at].tolist(), yes[at].tolist()))
    return float(np.quantile(drawn, 0.025)), float(np.quantile(drawn, 0.975))


if __name__ == "__main__":
    main()
