"""All rules: for each group of identifiers, the rows of its table and functions for its grammar."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import starmap
from typing import NamedTuple

from recognizers.errors import RecognizerError
from recognizers.evidence import ages, day_pairs, names
from recognizers.evidence.figures import measured_figures
from recognizers.evidence.matching import NEVER, PREFILTER, Seen, TextRule, compiled
from recognizers.evidence.tables import shipped, table_names
from recognizers.text.normalized_text import NormalizedText

Search = Callable[[NormalizedText], Iterable[Seen]]


class Function(NamedTuple):
    """A function of a text, and the expressions without which it sees nothing; empty if unknown."""

    hits: Search
    expressions: Sequence[str] = ()


@dataclass(frozen=True)
class RuleTable:
    """The rows and functions of one group; `name` is the source of their findings."""

    name: str
    rules: tuple[TextRule, ...] = ()


@dataclass(frozen=True)
class Rules:
    """The rules of several tables, which search a text in one pass."""

    tables: tuple[RuleTable, ...] = ()

    @cached_property
    def _named(self) -> list[tuple[str, TextRule]]:
        """Each rule with the name of its table, in the order in which they are asked."""
        return [(table.name, rule) for table in self.tables for rule in table.rules]

    @cached_property
    def _numbers_of(self) -> dict[str, list[int]]:
        """The numbers of the rules that search for each expression."""
        found: dict[str, list[int]] = {}
        for number, (_, rule) in enumerate(self._named):
            for each in rule.expressions:
                found.setdefault(each, []).append(number)
        return found

    @cached_property
    def _expressions(self) -> frozenset[str]:
        return frozenset(self._numbers_of)

    @cached_property
    def _always_asked(self) -> list[int]:
        return [n for n, (_, rule) in enumerate(self._named) if not rule.expressions]

    def load(self) -> None:
        """Compile every expression and the prefilter, so that errors appear at startup."""
        for _, rule in self._named:
            for each in rule.expressions:
                compiled(each)
            list(rule.hits(NormalizedText.of("")))
        PREFILTER.gather(least=1)

    def search(self, page: NormalizedText) -> list[Seen]:
        """What the rules see in a text, with offsets in the text as read.

        Raises `RecognizerError`, which names the table of the first rule that failed.
        """
        found: list[Seen] = []
        for number in self._asked(page):
            table, rule = self._named[number]
            try:
                found += [placed(seen, table, page) for seen in rule.hits(page)]
            except Exception as error:
                raise RecognizerError.of(error, table) from None
        return found

    def _asked(self, page: NormalizedText) -> list[int]:
        """The numbers of the rules that may see something, in their order."""
        likely = (self._expressions & page.present) | (self._expressions - page.asked)
        numbers = {number for each in likely for number in self._numbers_of[each]}
        return sorted(numbers.union(self._always_asked))


def placed(seen: Seen, table: str, page: NormalizedText) -> Seen:
    """What a rule saw, with offsets in the text as read and the full name of the row."""
    start, end = seen.start, seen.end
    if page.normal.origin is not None:
        start, end = page.normal.place(start, end)
    row = seen.row if "/" in seen.row else f"{table}/{seen.row}"
    return Seen(start, end, seen.entity, min(max(seen.strength, NEVER), 1.0), row)


def prefilter(pages: Sequence[NormalizedText]) -> None:
    """Record in each text the expressions that may match in it; the rules skip the others."""
    PREFILTER.gather()
    PREFILTER.ask(pages)


FUNCTIONS: dict[str, Mapping[Search, Sequence[str]]] = {
    "names": names.OF_NAMES,
    "initials": names.OF_INITIALS,
    "dates": day_pairs.OF_DATES,
    "figures": {measured_figures: ()},
}
# The table that needs the day as of which ages are computed.
AGES = "ages"


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[RuleTable, ...]:
    """Return one `RuleTable` per table or group of functions.

    Birth years show an age over 89 as of `reference_date`, or as of the latest date in the text
    that is later and not after `run_date`.
    """
    tables = table_names()
    found = []
    for name in (*FUNCTIONS, *(table for table in tables if table not in FUNCTIONS)):
        rows: tuple[TextRule, ...] = shipped(name) if name in tables else ()
        functions = FUNCTIONS.get(name, {})
        if name == AGES:
            counted = ages.Ages(reference_date, run_date or reference_date)
            functions = {counted.hits: ages.age_expressions()}
        rules = starmap(Function, functions.items())
        found.append(RuleTable(name, (*rows, *rules)))
    return tuple(found)
