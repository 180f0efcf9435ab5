"""Recall, precision and retention of the model alone at several thresholds."""

from __future__ import annotations

import argparse
from pathlib import Path

from deid.evaluation.gold import LabelMap, read_gold
from deid.evaluation.scoring import evaluate_findings
from recognizers.model.network import Model
from recognizers.model.spans import findings_of

LEVELS = (0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--label-map", type=Path)
    asked = parser.parse_args()
    labels = LabelMap.read(asked.label_map) if asked.label_map else LabelMap()
    documents = read_gold(asked.gold, labels)
    model = Model.load(asked.model, threads=2)
    texts = [document.text for document in documents]
    encoded = model.encode_all(texts)
    probabilities = [model.probabilities(one) for one in encoded]
    for level in LEVELS:
        same = dict.fromkeys(model.labels, level)
        found = [
            findings_of(text, one, rows, model.labels, same)
            for text, one, rows in zip(texts, encoded, probabilities, strict=True)
        ]
        report = evaluate_findings(documents, found, 0.0)
        weak = {
            label: row["recall"]
            for label, row in report.by_label.items()
            if label in {"NAME", "DATE", "FACILITY", "EMPLOYER", "CITY", "OTHERID", "STREET"}
        }
        print(
            level, report.recall, report.precision, report.retention, report.clean_documents, weak
        )


if __name__ == "__main__":
    main()
