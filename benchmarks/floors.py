"""The shipped engine on the repository's own texts: golden lines and annotated corpora.

    .venv/bin/python benchmarks/floors.py

Writes the ledger of golden lines that the engine does not meet exactly
(`tests/examples/misses.txt`) and the floors by corpus and label (`benchmarks/floors.csv`).
`tests/recognizers/test_examples.py` and `test_floors.py` test the engine against both.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from deid.evaluation.gold import LabelMap, read_gold  # noqa: E402
from deid.evaluation.scoring import NOT_REQUIRED, DocumentTally, GoldDocument, count_document  # noqa: E402
from recognizers import Finder, Finding  # noqa: E402

REFERENCE = date(2026, 11, 21)
CORPORA = {
    "handwritten": ROOT / "corpora" / "handwritten" / "notes.jsonl",
    "whole documents": ROOT / "corpora" / "whole_documents" / "notes.jsonl",
    "everyday records": ROOT / "corpora" / "everyday_records" / "notes.jsonl",
    "clinic": ROOT / "corpora" / "clinic" / "notes_gold.jsonl",
}
EXAMPLES = ROOT / "tests" / "examples"
LEDGER = EXAMPLES / "misses.txt"
FLOORS = HERE / "floors.csv"
HEADER = ("corpus", "label", "total", "lost")
# The row of a corpus that counts the words outside all spans instead of spans.
WORDS = "(clean words)"
MARK = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
# How the findings in a line differ from its marks, the worst first.
MISSED, TOUCHED, WIDE, EXACT = "missed", "touched", "wide", ""


@dataclass(frozen=True)
class Golden:
    """A line of `tests/examples`: its file, its text and the places that must be found."""

    word: str
    line: str
    text: str
    marked: frozenset[int]

    @classmethod
    def of(cls, word: str, line: str) -> Golden:
        text, marked, here = "", set(), 0
        raw = line.replace("\\n", "\n")
        for match in MARK.finditer(raw):
            text += raw[here : match.start()]
            marked |= {i + len(text) for i, c in enumerate(match.group(1)) if c.isalnum()}
            text += match.group(1)
            here = match.end()
        return cls(word, line, text + raw[here:], frozenset(marked))

    def judged(self, found: Sequence[Finding]) -> str:
        """`missed`: marked characters stay. `touched`: a line without marks loses characters.
        `wide`: a marked line loses more than its marks. The result is empty if findings and marks
        agree.
        """
        taken = {i for f in found for i in range(f.start, f.end) if self.text[i].isalnum()}
        if not self.marked <= taken:
            return MISSED
        if taken == self.marked:
            return EXACT
        return WIDE if self.marked else TOUCHED


def golden() -> list[Golden]:
    """Every golden line, in the order of the files."""
    return [
        Golden.of(path.stem, line)
        for path in sorted(EXAMPLES.glob("*.txt"))
        if path != LEDGER
        for line in path.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]


def deviations(finder: Finder, examples: Sequence[Golden]) -> list[tuple[str, str, str]]:
    """(verdict, file, line) of each golden line that is not met exactly."""
    found = finder.find_all([example.text for example in examples])
    judged = [(e.judged(f), e.word, e.line) for e, f in zip(examples, found, strict=True)]
    return [row for row in judged if row[0] != EXACT]


def listed() -> list[tuple[str, str, str]]:
    """The ledger as stored."""
    rows = [line.split("\t", 2) for line in LEDGER.read_text("utf-8").splitlines()]
    return [(verdict, word, line) for verdict, word, line in rows]


@dataclass(frozen=True)
class Annotated:
    """One corpus and its documents."""

    name: str
    documents: list[GoldDocument] = field(repr=False)

    @property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]


def corpora() -> list[Annotated]:
    """The annotated corpora of the repository."""
    return [Annotated(name, read_gold(path, LabelMap())) for name, path in CORPORA.items()]


Row = tuple[str, str, int, int]


def measured(corpus: Annotated, found: Sequence[Sequence[Finding]]) -> list[Row]:
    """Rows (corpus, label, spans, spans that leak), then the words outside all spans."""
    tallies = [
        count_document(d, f, NOT_REQUIRED) for d, f in zip(corpus.documents, found, strict=True)
    ]
    labels = sorted({label for one in tallies for label in one.by_label})
    rows = [counted(corpus.name, label, tallies) for label in labels]
    words, kept = sum(t.words for t in tallies), sum(t.kept for t in tallies)
    return [*rows, (corpus.name, WORDS, words, words - kept)]


def counted(name: str, label: str, tallies: Sequence[DocumentTally]) -> Row:
    own = [one.by_label[label] for one in tallies if label in one.by_label]
    spans = sum(row.spans for row in own)
    return name, label, spans, spans - sum(row.covered for row in own)


def floors() -> list[Row]:
    """The floors as stored."""
    with FLOORS.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [(corpus, label, int(total), int(lost)) for corpus, label, total, lost in rows]


def summed(rows: Sequence[Row]) -> Iterator[str]:
    """One line per corpus: spans of required labels that leak, and clean words lost."""
    for name in dict.fromkeys(row[0] for row in rows):
        own = {label: (total, lost) for corpus, label, total, lost in rows if corpus == name}
        words = own.pop(WORDS)
        leaks = [lost for label, (_, lost) in own.items() if label not in NOT_REQUIRED]
        yield f"{name}: {sum(leaks)} leaks, {words[1]} of {words[0]} clean words lost"


def main() -> None:
    """Measure both, write both, print the sums."""
    finder = Finder.load(reference_date=REFERENCE)
    examples = golden()
    told = deviations(finder, examples)
    LEDGER.write_text("".join("\t".join(row) + "\n" for row in told), "utf-8")
    rows = [row for c in corpora() for row in measured(c, finder.find_all(c.texts))]
    with FLOORS.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    by = [sum(verdict == kind for verdict, _, _ in told) for kind in (MISSED, TOUCHED, WIDE)]
    print(
        f"golden lines: {len(examples) - len(told)} of {len(examples)} exact, "
        f"{by[0]} missed, {by[1]} touched, {by[2]} wide"
    )
    print("\n".join(summed(rows)))


if __name__ == "__main__":
    main()
