"""For each row of evidence, a text whose result is worse without the row. Writes `payers.csv`.

    .venv/bin/python benchmarks/payers.py

Each row is switched off alone, with the default and with the fast network. A row pays if its own
example, a golden line or a note of the corpora then leaks characters that must be found, or if a
must-stay line loses text. It also pays if it was mostly right in the notes that the decision
learned from. `tests/recognizers/evidence/test_payers.py` checks the table.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.ablations.switches import NOTHING, Switch, found, off  # noqa: E402
from benchmarks.ablations.texts import Text, lines, notes  # noqa: E402
from benchmarks.floors import REFERENCE, Golden, corpora, golden  # noqa: E402
from recognizers import Finder  # noqa: E402
from recognizers.evidence.matching import AGAINST  # noqa: E402
from recognizers.evidence.rows import Row  # noqa: E402

PAYERS = HERE / "payers.csv"
HEADER = ("row", "network", "payer", "text")
NETWORKS = {"default": False, "fast": True}
EXAMPLE, GOLDEN, NOTES, NONE = "example", "golden line", "annotated notes", "none"
# How many times as often a row must have been right as wrong in the annotated notes.
RIGHT = 2


def finder_of(network: str) -> Finder:
    """The engine as shipped, with one of its networks."""
    return Finder.load(reference_date=REFERENCE, fast=NETWORKS[network])


def own_example(example: str) -> Golden:
    """The example of a row, read as a golden line."""
    return Golden.of(EXAMPLE, example)


def is_worse(finder: Finder, text: Text, row: str) -> bool:
    """Whether a text is worse without the row: a leak, a lost word or a line no longer exact."""
    switch = Switch(row, rows=frozenset([row]))
    with off(NOTHING):
        today = text.score(found(finder, text, NOTHING))
    with off(switch):
        without = text.score(found(finder, text, switch))
    more = without.leaks > today.leaks or without.lost > today.lost
    return more or without.exact < today.exact


def payers(finder: Finder, examples: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """(row, payer, text) of every row that pays with this finder; its example is tried first."""
    own = lines(finder, [own_example(example) for example in examples.values()])
    golden_lines = lines(finder, golden())
    texts = [note for c in corpora() for note in notes(finder, c.name, c.documents)]
    for text, row in zip(own, examples, strict=True):
        if is_worse(finder, text, row):
            yield row, EXAMPLE, examples[row]
            continue
        line = first(finder, [each for each in golden_lines if row in each.rows], row)
        if line is not None:
            yield row, GOLDEN, golden_lines[golden_lines.index(line)].golden.line
            continue
        note = first(finder, [each for each in texts if row in each.rows], row)
        if note is not None:
            yield row, note.corpus, str(texts.index(note))


def is_right(finder: Finder, row: str, against: bool) -> bool:
    """Whether a row was mostly right in the notes that the decision learned from.

    A row of evidence against identifiers is right where there is no identifier.

    A row that was mostly right pays even if no text gets worse without it: several rows may see one
    value, and the decision still has the other rows.
    """
    assert finder.decision is not None
    cases = [own for (name, _, _), own in finder.decision.odds.rows.cases.items() if name == row]
    wrong, right = (sum(own[side] for own in cases) for side in (0, 1))
    if against:
        wrong, right = right, wrong
    return right > RIGHT * wrong


def first(finder: Finder, texts: Sequence[Text], row: str) -> Text | None:
    """The first text whose result is worse without a row."""
    return next((text for text in texts if is_worse(finder, text, row)), None)


def rows_of(finder: Finder) -> list[Row]:
    """The rows of all tables."""
    rules = (rule for table in finder.rules.tables for rule in table.rules)
    return [rule for rule in rules if isinstance(rule, Row)]


def main() -> None:
    """Run both networks, write the table, and print how many rows do not pay."""
    paid: dict[str, tuple[str, str, str, str]] = {}
    every: dict[str, str] = {}
    for network in NETWORKS:
        finder = finder_of(network)
        every = {row.id: row.example for row in rows_of(finder)}
        left = {row: example for row, example in every.items() if row not in paid}
        for row, payer, text in payers(finder, left):
            paid[row] = row, network, payer, text.replace("\n", "\\n")
    finder = finder_of("default")
    against = {row.id for row in rows_of(finder) if row.strength == AGAINST}
    right = {
        row: (row, "default", NOTES, "") for row in every if is_right(finder, row, row in against)
    }
    rows = [(right | paid).get(row, (row, "", NONE, "")) for row in sorted(every)]
    with PAYERS.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    print(f"{sum(row[2] == NONE for row in rows)} of {len(rows)} rows pay for nothing here")


if __name__ == "__main__":
    main()
