"""What the engine misses, by identifier: writes `deid/reports/miss_rates.csv`.

    .venv/bin/python benchmarks/miss_rates.py

`evidence.html` shows the figures. They are measured without known values, on the held-out corpora
that the repository ships. A span is missed unless all its letters and digits are covered. The
interval is Clopper and Pearson's at 95 %, which assumes independent spans. The rows are valid only
for the model whose hash they name.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from deid.evaluation.gold import LabelMap, read_gold  # noqa: E402
from deid.evaluation.scoring import GoldDocument, evaluate_findings  # noqa: E402
from deid.reports.miss_rates import COLUMNS  # noqa: E402
from deid.review.sampling.bounds import lower_bound, upper_bound  # noqa: E402
from recognizers import ENTITIES, LABELS, Finder, provenance  # noqa: E402
from safe_harbor import Identifier  # noqa: E402

CORPORA = ("whole_documents", "everyday_records")
REFERENCE = date(2026, 11, 21)
TARGET = ROOT / "deid" / "reports" / "miss_rates.csv"
# A weekday alone is not an element of a date.
NOT_REQUIRED = frozenset({"WEEKDAY"})
# The confidence of each side of a two-sided interval at 95 %.
ONE_SIDED = 0.975


def counts(documents: list[GoldDocument], *, fast: bool) -> dict[str, tuple[int, int]]:
    """The spans and missed spans of each identifier, and of all together."""
    found = Finder.load(reference_date=REFERENCE, fast=fast).find_all([d.text for d in documents])
    totals = {word.value: (0, 0) for word in Identifier} | {"all": (0, 0)}
    for label, row in evaluate_findings(documents, found, 0.0).by_label.items():
        if label in NOT_REQUIRED:
            continue
        for key in (ENTITIES[LABELS[label]].value, "all"):
            spans, missed = totals[key]
            totals[key] = spans + int(row["spans"] or 0), missed + int(row["leaked_spans"] or 0)
    return totals


def rows(measured: date) -> Iterator[list[object]]:
    """The rows of the table; an identifier that no corpus contains has no row."""
    documents = [
        document
        for name in CORPORA
        for document in read_gold(ROOT / "corpora" / name / "notes.jsonl", LabelMap())
    ]
    for network in ("default", "fast"):
        for word, (spans, missed) in counts(documents, fast=network == "fast").items():
            if spans:
                ends = lower_bound(missed, spans, ONE_SIDED), upper_bound(missed, spans, ONE_SIDED)
                figures = [f"{end:.5f}" for end in ends]
                source = " and ".join(f"corpora/{name}" for name in CORPORA)
                where = [provenance()["model"], measured.isoformat(), source]
                yield [network, word, spans, missed, *figures, *where]


def main() -> None:
    """Measure both networks and write the table."""
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows(date.today()))
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
