"""The rules for each group of identifiers: the rows of its table, and functions for its grammar."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module

from recognizers.evidence.dates.ages import Ages
from recognizers.evidence.matching import Hit
from recognizers.evidence.prefilter import PREFILTER
from recognizers.evidence.rows import Row
from recognizers.evidence.seen import NEVER, Seen
from recognizers.evidence.tables import names, shipped
from recognizers.text.normalized_text import NormalizedText

Search = Callable[[NormalizedText], Iterator[Hit]]


@dataclass(frozen=True)
class Rules:
    """The rows and functions of one group; `name` is the source of their findings."""

    name: str
    rows: tuple[Row, ...] = ()
    functions: tuple[Search, ...] = ()

    @cached_property
    def _rows_of(self) -> dict[str, list[int]]:
        """The indexes of the rows that search for each expression."""
        found: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows):
            for each in row.expressions:
                found.setdefault(each, []).append(number)
        return found

    @cached_property
    def _searched_for(self) -> frozenset[str]:
        return frozenset(self._rows_of)

    def load(self) -> None:
        """Compile every expression, so that errors appear at startup."""
        for _ in self.hits(NormalizedText.of("")):
            pass

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """The hits in a text, as offsets in the normalized text; spans may overlap."""
        left = self._searched_for.difference(page.absent)
        for number in sorted({n for each in left for n in self._rows_of[each]}):
            yield from self.rows[number].hits(page)
        for function in self.functions:
            yield from function(page)

    def search(self, page: NormalizedText) -> list[Seen]:
        """Return the hits in a text, with offsets in the text as read."""
        return [self.placed(hit, page) for hit in self.hits(page)]

    def placed(self, hit: Hit, page: NormalizedText) -> Seen:
        """Return a hit with offsets in the text as read."""
        start, end = page.normal.place(hit.start, hit.end)
        row = hit.rule if "/" in hit.rule else f"{self.name}/{hit.rule}"
        return Seen(start, end, hit.entity, min(max(hit.score, NEVER), 1.0), row)


def load_all(rules: Sequence[Rules]) -> None:
    """Compile every expression of the rules, and their prefilter."""
    for rule in rules:
        rule.load()
    PREFILTER.gather(least=1)


def prefilter(pages: Sequence[NormalizedText]) -> None:
    """Record in each text the expressions that do not match in it; the rules then skip them."""
    PREFILTER.gather()
    PREFILTER.ask(pages)


# The functions by the name of their table or group, as `module:function` below this package.
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "names": (
        "names.announced:announced_names",
        "names.written:side_by_side",
        "names.alone:given_alone",
        "names.alone:will",
        "names.alone:aged",
        "names.spelling:spelled",
        "names.nicknamed:nicknames",
        "names.nicknamed:first_of_kin",
    ),
    "initials": ("names.legends:explained",),
    "dates": (
        "dates.day_pairs:pair_hits",
        "dates.yearless:named_days",
        "dates.yearless:hyphened_near",
    ),
    "figures": ("figures:measured_figures",),
}
# The table that needs the day as of which ages are computed.
AGES = "ages"


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[Rules, ...]:
    """Return one `Rules` per table or group of functions.

    Birth years show an age over 89 as of `reference_date`, or as of the latest date in the text
    that is later and not after `run_date`.
    """
    tables = names()
    found = []
    for name in (*FUNCTIONS, *(table for table in tables if table not in FUNCTIONS)):
        functions = tuple(map(function, FUNCTIONS.get(name, ())))
        if name == AGES:
            functions += (Ages(reference_date, run_date or reference_date).hits,)
        found.append(Rules(name, shipped(name) if name in tables else (), functions))
    return tuple(found)


def function(path: str) -> Search:
    """The function that an entry of `FUNCTIONS` names."""
    module, name = path.split(":")
    found: Search = getattr(import_module(f"{__package__}.{module}"), name)
    return found
