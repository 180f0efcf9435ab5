"""Accuracy of the finder on annotated notes, beside default Presidio: writes `accuracy.md`.

    .venv/bin/python benchmarks/accuracy.py [--spacy-model FOLDER]

The handwritten notes, the whole documents, the everyday records and the clinic's notes are in the
repository; the other sets are measured if `../shared` exists. `FOLDER` holds the weights of
`en_core_web_sm` or `en_core_web_lg`, on which this project does not depend; without it Presidio's
figures are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from benchmarks.clinical_terms import lost, sentences  # noqa: E402
from benchmarks.speed import presidio  # noqa: E402
from deid.evaluation.gold import LabelMap, read_gold  # noqa: E402
from deid.evaluation.scoring import (  # noqa: E402
    GoldDocument,
    GoldSpan,
    Report,
    evaluate_findings,
    over_redactions,
)
from recognizers import Finder, Finding  # noqa: E402
from safe_harbor import Identifier  # noqa: E402

SHARED = ROOT.parent / "shared" / "data" / "text"
REFERENCE = date(2026, 11, 21)
PUBLISHED = HERE / "published.csv"
Found = Sequence[Sequence[Finding]]
Search = Callable[[list[str]], Found]


@dataclass(frozen=True)
class Corpus:
    """One annotated set, with a note on what its figures mean."""

    name: str
    path: Path
    mapped: bool
    note: str
    titles: bool = False  # titles at the head of a gold name are cut off
    beside: bool = True  # whether Presidio is also run on it


def dev(name: str) -> Path:
    return SHARED / "dev" / f"{name}.jsonl"


CORPORA = (
    Corpus(
        "handwritten notes",
        ROOT / "corpora" / "handwritten" / "notes.jsonl",
        False,
        "dense notes, written by hand. The networks did not learn from them. But the authors of "
        "rules read the misses in these notes and wrote rules for them, so the figures say little "
        "about other notes",
    ),
    Corpus(
        "whole documents",
        ROOT / "corpora" / "whole_documents" / "notes.jsonl",
        False,
        "notes by other authors. The networks did not learn from them. The authors of rules read "
        "only the missed employers and telephone numbers with the words beside them, and "
        "corrected two rows because of these. The figures on these notes were used in the choice "
        "of thresholds and weights. The authors also saw the shapes (label, length, capitals) of "
        "the missed spans, and wrote some rules for the edges of spans by these shapes",
    ),
    Corpus(
        "everyday records",
        ROOT / "corpora" / "everyday_records" / "notes.jsonl",
        False,
        "notes by another author. The networks did not learn from them. The authors of rules read "
        "only the missed employers and counties with the words beside them, and corrected one row "
        "and wrote another because of these. Changes that lowered the figures on these notes were "
        "investigated. The authors also saw the shapes (label, length, capitals) of the missed "
        "spans, and wrote some rules for the edges of spans by these shapes",
    ),
    Corpus(
        "clinic notes",
        ROOT / "corpora" / "clinic" / "notes_gold.jsonl",
        False,
        "the notes of a fictional clinic. Tables of this clinic hold names and numbers of the "
        "patients, but the engine did not use these tables here",
    ),
    Corpus(
        "ASQ-PHI",
        dev("asq_phi"),
        True,
        "short clinical queries, with the spans as annotated. A tenth of the name spans include a "
        "title (`Dr.`). This engine does not remove titles, so these spans count as missed",
    ),
    Corpus(
        "ASQ-PHI, names without titles",
        dev("asq_phi"),
        True,
        "the documents of ASQ-PHI, with titles cut from the name spans",
        titles=True,
        beside=False,
    ),
    Corpus("ACI notes", dev("aci_notes"), True, "long prose with few identifiers"),
    Corpus(
        "handoffs",
        dev("pediatric_handoffs"),
        True,
        "notes made from templates. Most DATE spans are clock times, which this engine keeps, "
        "because a time of day is not an element of a date. ID spans include the label "
        "(`MRN MRN 26240908`), which this engine keeps",
    ),
    Corpus(
        "presidio synth v2",
        dev("presidio_synth_v2"),
        True,
        "texts that are not clinical. Presidio is tuned on this set. The annotated places and "
        "dates include countries, states and years, which Safe Harbor permits. Most of the spans "
        "that this engine misses are countries, states and years",
    ),
    Corpus("C-CDA EMERGE", dev("ccda_emerge"), True, "tables of codes and dates", beside=False),
)


def main() -> None:
    """Measure every corpus that exists and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacy-model", default="", metavar="FOLDER")
    model = parser.parse_args().spacy_model
    finder = Finder.load(reference_date=REFERENCE)
    theirs = beside(model) if model else None
    quick = Finder.load(reference_date=REFERENCE, fast=True)
    text = "".join(page(finder, quick, theirs, model))
    (HERE / "accuracy.md").write_text(text, "utf-8")
    print(f"wrote {HERE / 'accuracy.md'}")


def beside(model: str) -> Search:
    """A search by Presidio that returns findings of our type."""
    search = presidio(model)

    def run(texts: list[str]) -> Found:
        return [
            [
                Finding(r.start, r.end, Identifier.OTHERS, r.entity_type, r.score, "presidio")
                for r in sorted(results, key=lambda r: r.start)
            ]
            for results in search(texts)
        ]

    return run


def gold_of(corpus: Corpus) -> list[GoldDocument]:
    """The annotated documents of a corpus."""
    labels = LabelMap.read(SHARED / "label_map.json") if corpus.mapped else LabelMap()
    documents = read_gold(corpus.path, labels)
    return [untitled(document) for document in documents] if corpus.titles else documents


TITLE = re.compile(r"(?:Drs?|Mrs?|Ms)\.? +")


def untitled(document: GoldDocument) -> GoldDocument:
    """The document, with titles removed from the start of spans."""

    def bare(span: GoldSpan) -> GoldSpan:
        title = TITLE.match(document.text, span.start, span.end)
        return replace(span, start=title.end()) if title and title.end() < span.end else span

    return replace(document, spans=tuple(map(bare, document.spans)))


def measure(search: Search, documents: list[GoldDocument]) -> tuple[Report, Found]:
    """Measure one corpus; seconds are CPU seconds, because the machine may be shared."""
    started = time.process_time()
    found = search([document.text for document in documents])
    return evaluate_findings(documents, found, time.process_time() - started), found


MEASURES = (
    "This page compares what this engine and Presidio find in annotated notes. A *span* is an\n",
    "identifier that an annotator marked in a text. A span *leaks* if findings do not cover it\n",
    "completely.\n\n",
    "* Recall: the share of annotated spans in which findings of any type cover every letter and\n",
    "  digit. WEEKDAY spans are not counted.\n",
    "* Precision: of the letters and digits that findings cover, the share in annotated spans.\n",
    "* Retention: the share of the words outside all spans that no finding touches.\n",
    "* Clean: the number of documents in which no span leaks.\n\n",
    "Brackets hold 95 % confidence intervals (bootstrap over documents). *Ours* is this engine\n",
    "with its default network. *Ours, `--fast`* is the same engine with the smaller network.\n",
)


def page(finder: Finder, quick: Finder, theirs: Search | None, model: str) -> Iterator[str]:
    """The page, line by line."""
    yield "# Accuracy\n\n"
    yield "Made by `.venv/bin/python benchmarks/accuracy.py --spacy-model FOLDER`.\n\n"
    yield from MEASURES
    yield (
        f"Presidio ran with its default recognizers and the spaCy model `{Path(model).name}`.\n"
        if model
        else "Presidio was not run.\n"
    )
    yield "\n| set | engine | documents | recall | precision | retention | clean |\n"
    yield "|---|---|---:|---|---|---|---:|\n"
    ours = []
    for corpus in CORPORA:
        if not corpus.path.exists():
            continue
        gold = gold_of(corpus)
        report, found = measure(finder.find_all, gold)
        ours.append((corpus, report, over_redactions(gold, found, 8)))
        yield row(corpus.name, "ours", report)
        yield row(corpus.name, "ours, `--fast`", measure(quick.find_all, gold)[0])
        if theirs and corpus.beside:
            yield row(corpus.name, "Presidio", measure(theirs, gold)[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield f"\nThe process that made this page needed at most {peak} MB of memory.\n\n"
    yield "The sets of the table:\n\n"
    yield "".join(f"* {corpus.name}: {corpus.note}.\n" for corpus, _, _ in ours)
    yield from over_redaction(finder, quick, theirs)
    yield from published()
    for corpus, report, over in ours:
        yield from labels(corpus.name, report, over)


def row(name: str, engine: str, report: Report) -> str:
    return (
        f"| {name} | {engine} | {report.documents} | {interval(report, 'recall')} | "
        f"{interval(report, 'precision')} | {interval(report, 'retention')} | "
        f"{report.clean_documents} |\n"
    )


def over_redaction(finder: Finder, quick: Finder, theirs: Search | None) -> Iterator[str]:
    """Text that is removed but should stay: hard negatives, plain samples, clinical terms."""
    yield "\n## What should stay\n\n"
    yield "This table shows how much text is removed although it identifies nobody.\n\n"
    yield "| set | measure | ours | ours, `--fast` | Presidio |\n|---|---|---:|---:|---:|\n"
    engines = [finder.find_all, quick.find_all, theirs]
    for name, unit, count in (
        (
            "ASQ-PHI, queries without identifiers (hard negatives)",
            "queries from which something is removed",
            touched,
        ),
        (
            "MTSamples (medical transcriptions)",
            "words removed, of 10,000 words outside possible identifiers (`weak_spans`)",
            taken_words,
        ),
    ):
        if dev("asq_phi").exists():
            figures = [count(engine) if engine else "-" for engine in engines]
            yield f"| {name} | {unit} | {' | '.join(figures)} |\n"
    said = sentences()
    kept = [f"{1 - len(lost(each, said)) / len(said):.4f}" for each in (finder, quick)]
    yield (
        f"| {len(said):,} clinical terms in sentences | share of terms kept | "
        f"{' | '.join(kept)} | - |\n"
    )
    yield "\nThe clinical terms come from `clinical_terms.csv` and from the vocabulary in the"
    yield " package. Terms that earlier versions of the engine removed by mistake were added to"
    yield " that vocabulary (`clinical_terms.py`). So the share of other clinical terms that are"
    yield " kept may be lower.\n"


def touched(search: Search) -> str:
    rows = [json.loads(line) for line in dev("asq_phi").read_text("utf-8").splitlines()]
    texts = [r["text"] for r in rows if (r.get("meta") or {}).get("hard_negative")]
    hit = sum(bool(found) for found in search(texts))
    return f"{hit} of {len(texts)}"


def taken_words(search: Search) -> str:
    rows = [json.loads(line) for line in dev("mtsamples").read_text("utf-8").splitlines()]
    words = gone = 0
    for record, found in zip(rows, search([r["text"] for r in rows]), strict=True):
        weak = mask((s["start"], s["end"]) for s in record["meta"].get("weak_spans", []))
        taken = mask((f.start, f.end) for f in found)
        for word in re.finditer(r"\w+", record["text"]):
            places = set(range(*word.span()))
            if not places & weak:
                words += 1
                gone += bool(places & taken)
    return f"{10_000 * gone / words:.1f}"


def mask(spans: Iterator[tuple[int, int]]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def published() -> Iterator[str]:
    """What others published on these sets."""
    yield "\n## Published figures on the same public sets\n\n"
    yield "Each row gives the figures that the source in its last column published. The sources\n"
    yield "use other splits, labels and scoring rules than this page. P is precision and R is\n"
    yield "recall. F1 and F2 combine both, and F2 gives recall more weight. A *hard negative* is\n"
    yield "a text without identifiers. It is *touched* if the system removes something from it.\n\n"
    yield "| set | system | figures | source |\n|---|---|---|---|\n"
    for line in PUBLISHED.read_text("utf-8").splitlines()[1:]:
        yield "| " + " | ".join(line.split(";")) + " |\n"


def labels(name: str, report: Report, over: list[tuple[str, str, int]]) -> Iterator[str]:
    yield f"\n## {name}\n\n"
    yield "| label | spans | leaked spans | recall of spans | recall of characters |\n"
    yield "|---|---:|---:|---:|---:|\n"
    for label, line in report.by_label.items():
        yield (
            f"| {label} | {line['spans']} | {line['leaked_spans']} | {share(line['recall'])} | "
            f"{share(line['character_recall'])} |\n"
        )
    told = ", ".join(f"{entity} {times}" for entity, times in kinds(over))
    yield "\nFindings outside annotated spans (the 8 most frequent texts only), by type of finding"
    yield f": {told or 'none'}.\n"


def kinds(over: list[tuple[str, str, int]]) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for entity, _, times in over:
        counts[entity] = counts.get(entity, 0) + times
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def interval(report: Report, name: str) -> str:
    """A measure with its confidence interval."""
    ends = report.intervals.get(name)
    value = share(getattr(report, name))
    return value if ends is None else f"{value} [{share(ends[0])}, {share(ends[1])}]"


def share(value: float | int | None) -> str:
    """Four decimals, or a dash."""
    return "-" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    main()
