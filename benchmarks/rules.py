"""CPU time of each file of rules, and of the steps before and after them: writes `rules.md`.

    .venv/bin/python benchmarks/rules.py

No network is run. The notes are those of `speed.py`, with other digits in each round.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.speed import processor, turned  # noqa: E402
from recognizers import Finder  # noqa: E402
from recognizers.decide.decoding import strong  # noqa: E402
from recognizers.decide.overlaps import resolve_overlaps  # noqa: E402
from recognizers.evidence.matching import Seen  # noqa: E402
from recognizers.evidence.register import Rules, prefilter  # noqa: E402
from recognizers.search import propagated  # noqa: E402
from recognizers.text.normalized_text import NormalizedText  # noqa: E402

ROUNDS = 7
T = TypeVar("T")


class Clock:
    """CPU seconds of each part, one number per round."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)

    def __call__(self, name: str, call: Callable[[], T]) -> T:
        began = time.process_time()
        result = call()
        self.spent[name].append(time.process_time() - began)
        return result


def searched(tables: list[tuple[str, Rules]], texts: list[str], clock: Clock) -> None:
    """Do what `Finder.find_all` does, table by table, and time each part."""
    pages = clock("layout", lambda: [NormalizedText.of(text) for text in texts])
    clock("prefilter", lambda: prefilter(pages))
    seen: list[list[Seen]] = [[] for _ in texts]
    for name, rules in tables:
        found = clock(name, lambda rules=rules: [rules.search(page) for page in pages])
        seen = [before + more for before, more in zip(seen, found, strict=True)]
    held = clock("merging", lambda: [strong(each) for each in seen])
    drafts = clock(
        "overlaps", lambda: [resolve_overlaps(*pair) for pair in zip(held, texts, strict=True)]
    )
    clock("spreading", lambda: propagated(texts, drafts, None))


def page(spent: dict[str, list[float]], characters: int) -> str:
    """The page: nanoseconds per character, the slowest part first."""
    costs = {name: statistics.median(rounds) for name, rounds in spent.items()}
    whole = sum(costs.values())
    speed, share = characters / whole, whole / characters * 1e9
    lines = [
        "# Where the time of the rules goes",
        "",
        "Made by `.venv/bin/python benchmarks/rules.py`.",
        "",
        "A *rule* is a pattern that finds identifiers in a text. This page shows how much CPU time",
        "the files of rules take. The engine searches without its network, on one core. The times",
        f"are medians of {ROUNDS} rounds of {characters:,} characters each, after two rounds that",
        "are not counted.",
        "",
        "Five rows of the table are steps before and after the rules:",
        "",
        "* *layout* normalizes the text.",
        "* *prefilter* excludes the rules that cannot match in the text.",
        "* *merging* turns the matches of rules into findings.",
        "* *overlaps* resolves overlapping findings.",
        "* *spreading* searches the rest of the text for the values of the findings.",
        "",
        "Every other row is a file of rules, named after the identifiers that its rules find.",
        "",
        f"Load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.",
        f"Processor: {processor()}.",
        "",
        "| part | nanoseconds per character | share of the time |",
        "|---|---:|---:|",
        f"| all parts ({speed:,.0f} characters per second) | {share:,.0f} | 100 % |",
    ]
    for name, cost in sorted(costs.items(), key=lambda item: -item[1]):
        lines.append(f"| {name} | {cost / characters * 1e9:,.0f} | {cost / whole * 100:.1f} % |")
    return "\n".join(lines) + "\n"


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    finder = Finder.load(model=False, reference_date=date(2026, 11, 21))
    tables = [(table.name, Rules((table,))) for table in finder.rules.tables]
    clock = Clock()
    for turn in range(ROUNDS + 2):
        if turn == 2:
            clock.spent.clear()
        searched(tables, turned(turn), clock)
    text = page(clock.spent, sum(map(len, turned(ROUNDS))))
    (HERE / "rules.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
