"""Which columns the decision keeps and which slip, and what each rule adds to the decision.

    build/training/bin/python -m benchmarks.columns      # 15 to 30 minutes; columns.md

The labeled columns of `training/column_examples`, each judged by trees and counts of words that
did not learn from its system. A column slips if it holds identifiers or values that must be
coarsened but is kept. `--kept FILE` stores the odds for another run.
"""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from copy import copy
from pathlib import Path
from unittest.mock import patch

from recognizers.columns import deciding, judging, kept, values_alone
from recognizers.columns.deciding import LEAST_CELLS, decided, may_be_decided, telling_part
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned.column_odds import ColumnOdds
from recognizers.columns.learned.of_headers import ends_in_unit
from training.columns import Table, counted
from training.labeled_columns import FOLDS, STAY, Column, read_columns

PAGE = Path("benchmarks/columns.md")
IDENTIFIES = ("identifier", "reduced")
# One of this many columns is measured with each rule switched off.
STRIDE = 3
Switch = Callable[[], ExitStack]


def _off(*places: tuple[object, str, object]) -> Switch:
    """A switch that replaces functions of modules while a row is measured."""

    def switched() -> ExitStack:
        stack = ExitStack()
        for module, name, answer in places:
            stack.enter_context(patch.object(module, name, answer))
        return stack

    return switched


def _never(*_: object, **__: object) -> bool:
    return False


def _nothing(*_: object, **__: object) -> None:
    return None


SWITCHES: dict[str, Switch] = {
    "all rules": ExitStack,
    "scores and readings recognized by the header": _off((judging, "score_shape", _nothing)),
    "answers from closed lists": _off((judging, "answer_list", _nothing)),
    "X12 qualifiers with codes": _off((judging, "is_qualified", _never)),
    "names of organizations": _off((judging, "are_organizations", _never)),
    "numbers written in several parts (`24-958433`)": _off((judging, "are_in_pieces", _never)),
    "closed lists recognized by the values alone": _off(
        (values_alone, "refit", _nothing), (kept, "refit", _nothing)
    ),
    "measurements recognized by their decimals": _off(
        (values_alone, "share_measured", lambda _: 0.0)
    ),
    "units, pressures, ranges and short results": _off(
        (values_alone, "shape_of_content", _nothing)
    ),
    "a few repeated values that are ordinary words": _off((values_alone, "are_categories", _never)),
    "second meanings of abbreviated headers": _off((judging, "other_meaning", _nothing)),
    "reasons to distrust a harmless header": _off((kept, "doubt", _nothing)),
    "identifiers suspected by the values, whatever the odds": _off(
        (deciding, "suspicion", _nothing)
    ),
}


class Judged:
    """Columns with their odds by trees that did not learn from their systems."""

    def __init__(self, table: Table) -> None:
        odds = table.left_out()
        first: dict[int, float] = {}
        for row, number in enumerate(table.of):
            first.setdefault(number, float(odds[row]))
        taught = table.taught
        counts = [counted([c for c in taught if c.fold != n]) for n in range(FOLDS)]
        self.rows = [
            (column, column.sample(60)[0], first[n], counts[column.fold].knows(column.header))
            for n, column in enumerate(taught)
            if n in first and column.header_tells
        ]

    def fewer(self) -> Judged:
        """Every `STRIDE`th of the columns."""
        fewer = copy(self)
        fewer.rows = self.rows[::STRIDE]
        return fewer

    def of(self, labels: Sequence[str]) -> Iterator[tuple[Column, list[str], float, bool]]:
        return (row for row in self.rows if row[0].label in labels)


def judged(row: tuple[Column, list[str], float, bool]) -> tuple[str, str]:
    """The kind of a column by the rules alone, and with the odds."""
    column, seen, odds, named = row
    header = telling_part(column.header, seen)
    named = bool(header) and (named or ends_in_unit(header))
    ruled = judged_by_rules(header, seen)
    if len(seen) < LEAST_CELLS or not may_be_decided(ruled, header):
        return ruled.kind, ruled.kind
    limits = ColumnOdds.load().limits
    return ruled.kind, decided(ruled, seen, odds, limits, named=named).kind


def measured(columns: Judged, name: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """For the rules alone and with the odds: kept columns that stay and kept ones that slip."""
    with SWITCHES[name]():
        stay = [judged(row) for row in columns.of((STAY,))]
        slip = [judged(row) for row in columns.of(IDENTIFIES)]
    return (_kept(stay, 0), _kept(slip, 0)), (_kept(stay, 1), _kept(slip, 1))


def _kept(found: Sequence[tuple[str, str]], place: int) -> int:
    return sum(kinds[place] == "keep" for kinds in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path)
    asked = parser.parse_args()
    if asked.kept is not None and asked.kept.exists():
        columns = pickle.loads(asked.kept.read_bytes())
    else:
        columns = Judged(Table(list(read_columns())))
    if asked.kept is not None:
        asked.kept.write_bytes(pickle.dumps(columns))
    PAGE.write_text("\n".join(page(columns)) + "\n", "utf-8")


def page(columns: Judged) -> Iterator[str]:
    alone, both = measured(columns, "all rules")
    of, others = (sum(1 for _ in columns.of(labels)) for labels in ((STAY,), IDENTIFIES))
    yield "# Columns of systems that the trees did not learn from\n"
    yield "Made by `build/training/bin/python -m benchmarks.columns`.\n"
    yield "The engine decides for each column of a table whether it may be released (kept). This"
    yield "page shows how often the decision is right. The columns of `training/column_examples`"
    yield "come from some 3,000 systems and kinds of tables, and each column has a label. Half of"
    yield f"them were made to be hard. {of:,} columns may stay, and {others:,} identify somebody or"
    yield "must be coarsened.\n"
    yield "* The *rules* are the hand-written part of the decision."
    yield "* The *odds* are the log odds that a column may stay. Boosted trees and word counts"
    yield "  estimate them. The trees and counts that judge a column did not learn from its system."
    yield "* A column *slips* if it is kept although it identifies somebody or must be coarsened."
    yield "  The engine still checks each cell of such a column.\n"
    yield "| decision | columns kept, of those that may stay | columns that slip |"
    yield "|---|---:|---:|"
    for name, (stays, slips) in (("rules alone", alone), ("rules and odds", both)):
        yield f"| {name} | {stays:,} ({stays / of:.1%}) | {slips:,} ({slips / others:.1%}) |"
    columns = columns.fewer()
    alone, both = measured(columns, "all rules")
    yield "\nThe next table shows the effect of each rule, measured on every"
    yield f"{STRIDE}rd column. In each row, one rule is switched off and the odds are unchanged."
    yield "*Kept* is the change in the number of columns that may stay and are kept. *Slip* is the"
    yield "change in the number of columns that slip. With no rule switched off, rules and odds"
    yield f"keep {both[0]:,} of the columns that may stay, and {both[1]:,} columns slip.\n"
    yield (
        "| rule that is switched off | rules alone: kept | rules alone: slip "
        "| rules and odds: kept | rules and odds: slip |"
    )
    yield "|---|---:|---:|---:|---:|"
    for name in list(SWITCHES)[1:]:
        without = measured(columns, name)
        told = [
            n - m
            for now, then in zip(without, (alone, both), strict=True)
            for n, m in zip(now, then, strict=True)
        ]
        yield f"| {name} | " + " | ".join(f"{n:+d}" for n in told) + " |"
        print(name, told, flush=True)


if __name__ == "__main__":
    main()
