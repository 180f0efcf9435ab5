"""Measures a network with the shipped decision, without rows: `python -m training.measure MODEL
GOLD`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from deid.evaluation.gold import LabelMap, read_gold
from deid.evaluation.scoring import evaluate_findings
from recognizers.decide.decision import Decision
from recognizers.model.network import Model
from recognizers.search import Finder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--label-map", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="misses to show for each label")
    parser.add_argument("--wrong", type=int, default=0, help="number of false findings to show")
    asked = parser.parse_args()
    labels = LabelMap.read(asked.label_map) if asked.label_map else LabelMap()
    documents = read_gold(asked.gold, labels)
    decision = Decision.load(Model.load())
    finder = Finder((), Model.load(asked.model), decision=decision)
    began = time.process_time()
    findings = finder.find_all([document.text for document in documents])
    report = asdict(evaluate_findings(documents, findings, time.process_time() - began))
    for label, row in report.pop("by_label").items():
        print(f"{label:14}", *(f"{value!s:>8}" for value in row.values()))
    print(json.dumps(report))
    wrong: Counter[tuple[str, str]] = Counter()
    shown: Counter[str] = Counter()
    for document, found in zip(documents, findings, strict=True):
        covered = {at for f in found for at in range(f.start, f.end)}
        tagged = {at for s in document.spans for at in range(s.start, s.end)}
        for s in document.spans:
            leak = [
                i for i in range(s.start, s.end) if document.text[i].isalnum() and i not in covered
            ]
            if leak and s.label and shown[s.label] < asked.misses:
                shown[s.label] += 1
                before = document.text[max(0, s.start - 40) : s.start].replace("\n", "⏎")
                after = document.text[s.end : s.end + 25].replace("\n", "⏎")
                print(s.label, "|", before, ">>", document.text[s.start : s.end], "<<", after)
        for f in found:
            if not any(at in tagged for at in range(f.start, f.end)):
                wrong[f.entity, document.text[f.start : f.end]] += 1
    for (entity, text), times in wrong.most_common(asked.wrong):
        print(times, entity, repr(text))


if __name__ == "__main__":
    main()
