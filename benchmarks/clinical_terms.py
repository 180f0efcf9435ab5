"""How many clinical terms survive: 2,000 terms in sentences, and the share that is kept.

    .venv/bin/python benchmarks/clinical_terms.py

`clinical_terms.csv` holds drugs, signs, diseases, scores, devices, operations and findings, most of
them eponyms or similar to names; words of ICD-10-CM and of drug names that the package ships
complete the list.
"""

from __future__ import annotations

import csv
import lzma
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from recognizers import Finder

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parent / "recognizers" / "words" / "clinical" / "items.txt.xz"
WANTED = 2000
DAYS = frozenset(
    [
        "christmas",
        "easter",
        "january",
        "february",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
)
FRAMES = {
    "drug": (
        "Continue {} 20 mg by mouth daily.",
        "She was started on {} and tolerates it well.",
        "Allergies: {} (rash).",
        "Will hold {} before surgery and resume it after.",
        "Refilled {} #30, no refills.",
    ),
    "sign": (
        "{} sign negative bilaterally.",
        "{} test was positive on the left.",
        "Exam: no edema, {} negative, gait steady.",
    ),
    "disease": (
        "PMH: hypertension, {} disease, GERD.",
        "The patient has a history of {} syndrome.",
        "Family history notable for {} disease in an uncle.",
        "Assessment: {} disease, stable on current therapy.",
    ),
    "score": (
        "{} score 14 today, 12 last visit.",
        "{} 3 on admission.",
        "Risk: {} 2, low.",
    ),
    "device": ("A {} was placed without difficulty.", "The {} was removed intact.",
               "Secured with a {} and dressed."),
    "procedure": (
        "Status post {} procedure in 2019.",
        "He underwent a {} repair under general anesthesia.",
        "Plan: elective {} procedure, risks discussed.",
    ),
    "finding": ("{} noted.", "No {} seen on exam.", "Impression: {}, unchanged."),
    "word": (
        "There is no evidence of {} at this time.",
        "Discussed {} with the patient and family.",
        "Assessment and plan: {}, improving.",
        "He denies {} or weight loss.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """A sentence with a term, which is at `start..end`."""

    kind: str
    text: str
    start: int
    end: int


def terms() -> list[tuple[str, str]]:
    """2,000 pairs (kind, term): the list, then evenly drawn words of the shipped vocabulary."""
    with (HERE / "clinical_terms.csv").open(encoding="utf-8", newline="") as stream:
        own = [(row["kind"], row["term"]) for row in csv.DictReader(stream)]
    lines = lzma.decompress(SHIPPED.read_bytes()).decode("ascii").splitlines()
    words = [w for w in lines if w.isalpha() and len(w) > 5 and w not in DAYS]
    step = len(words) / (WANTED - len(own))
    drawn = [words[int(n * step)] for n in range(WANTED - len(own))]
    return own + [("word", word) for word in drawn]


def sentences() -> list[Sentence]:
    """Every term in one sentence, the frames of its kind in turn."""
    turns = {kind: cycle(frames) for kind, frames in FRAMES.items()}
    made = []
    for kind, term in terms():
        frame = next(turns[kind])
        start = frame.index("{}")
        made.append(Sentence(kind, frame.format(term), start, start + len(term)))
    return made


def lost(finder: Finder, said: Sequence[Sentence]) -> list[Sentence]:
    """The sentences whose term a finding touches; each sentence is searched as its own text."""
    found = finder.find_all([sentence.text for sentence in said])
    return [
        sentence
        for sentence, findings in zip(said, found, strict=True)
        if any(f.start < sentence.end and f.end > sentence.start for f in findings)
    ]


def main() -> None:
    said = sentences()
    gone = lost(Finder.load(), said)
    counts = Counter(sentence.kind for sentence in said)
    missed = Counter(sentence.kind for sentence in gone)
    print(f"kept {1 - len(gone) / len(said):.4f} of {len(said)}")
    for kind, count in counts.items():
        print(f"{kind}: {missed[kind]} of {count} lost")
    for sentence in gone:
        print("  ", sentence.text)


if __name__ == "__main__":
    main()
