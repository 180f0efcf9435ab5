"""Accuracy and speed of the finder on annotated notes: writes `accuracy.md`.

    .venv/bin/python benchmarks/accuracy.py

The handwritten notes lie in the repository; the other sets are measured where `../shared` is there.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from deid.evaluation import GoldDocument, Report, evaluate
from deid.evaluation_gold import LabelMap, read_gold
from recognizers import Finder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SHARED = ROOT.parent / "shared" / "data" / "text"
REFERENCE = date(2026, 11, 21)


@dataclass(frozen=True)
class Corpus:
    """One annotated set and what may be read from its figures."""

    name: str
    path: Path
    mapped: bool
    note: str


CORPORA = (
    Corpus(
        "handwritten notes",
        ROOT / "corpora" / "handwritten" / "notes.jsonl",
        False,
        "dense notes composed by hand, never trained on",
    ),
    Corpus(
        "clinic notes",
        ROOT / "corpora" / "clinic" / "notes_gold.jsonl",
        False,
        "without the known values that the tables of the extract give",
    ),
    Corpus("ASQ-PHI", SHARED / "dev" / "asq_phi.jsonl", True, "titles stand inside gold names"),
    Corpus("ACI notes", SHARED / "dev" / "aci_notes.jsonl", True, "few identifiers, long prose"),
    Corpus("handoffs", SHARED / "dev" / "pediatric_handoffs.jsonl", True, "templates"),
    Corpus("C-CDA EMERGE", SHARED / "dev" / "ccda_emerge.jsonl", True, "code tables, dates"),
)


def main() -> None:
    """Measure every corpus that is there and write the page."""
    finder = Finder.load(reference_date=REFERENCE)
    shared_map = SHARED / "label_map.json"
    rows = []
    for corpus in CORPORA:
        if not corpus.path.exists():
            continue
        labels = LabelMap.read(shared_map) if corpus.mapped else LabelMap()
        rows.append((corpus, measure(finder, read_gold(corpus.path, labels))))
    (HERE / "accuracy.md").write_text("".join(page(rows)), "utf-8")
    print(f"wrote {HERE / 'accuracy.md'}")


def measure(finder: Finder, documents: list[GoldDocument]) -> Report:
    """One corpus; seconds are of the processor, since the machine may be shared."""
    started = time.process_time()
    found = finder.find_all([document.text for document in documents])
    return evaluate(documents, found, time.process_time() - started)


def page(rows: list[tuple[Corpus, Report]]) -> Iterator[str]:
    """The page, line by line."""
    yield "# Accuracy and speed\n\nMade by `.venv/bin/python benchmarks/accuracy.py`.\n\n"
    yield "A span is covered when every letter and digit of it is covered, by whatever type;\n"
    yield "precision counts characters, retention the words outside all spans that survive.\n"
    yield "Recall leaves WEEKDAY out; in brackets the 95 % interval by document bootstrap.\n\n"
    yield "| set | documents | recall | precision | retention | clean | characters a CPU second |\n"
    yield "|---|---:|---|---|---|---:|---:|\n"
    for corpus, report in rows:
        yield (
            f"| {corpus.name} | {report.documents} | {interval(report, 'recall')} | "
            f"{interval(report, 'precision')} | {interval(report, 'retention')} | "
            f"{report.clean_documents} | {report.characters_per_second:,.0f} |\n"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield f"\nPeak memory {peak} MB.\n\n"
    yield "".join(f"* {corpus.name}: {corpus.note}.\n" for corpus, _ in rows)
    for corpus, report in rows:
        yield f"\n## {corpus.name}\n\n| label | spans | leaked | recall | characters |\n"
        yield "|---|---:|---:|---:|---:|\n"
        for label, row in report.by_label.items():
            yield (
                f"| {label} | {row['spans']} | {row['leaked_spans']} | {share(row['recall'])} | "
                f"{share(row['character_recall'])} |\n"
            )


def interval(report: Report, name: str) -> str:
    """A share with its interval."""
    ends = report.intervals.get(name)
    value = share(getattr(report, name))
    return value if ends is None else f"{value} [{share(ends[0])}, {share(ends[1])}]"


def share(value: float | int | None) -> str:
    """Four decimals, or a dash."""
    return "-" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    main()
