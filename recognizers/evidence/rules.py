"""What looks for one group of identifiers: the rows of its table, and functions for its grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from recognizers.evidence.matching import Hit
from recognizers.evidence.prefilter import PREFILTER
from recognizers.evidence.rows import Row
from recognizers.evidence.seen import NEVER, Seen
from recognizers.text.normalized_text import NormalizedText

Search = Callable[[NormalizedText], Iterator[Hit]]


@dataclass(frozen=True)
class Rules:
    """Rows and functions; `name` is the source of what they find."""

    name: str
    rows: tuple[Row, ...] = ()
    functions: tuple[Search, ...] = ()

    def load(self) -> None:
        """Compile every expression, so that a fault shows at start."""
        for _ in self.hits(NormalizedText.of("")):
            pass

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """What is seen in a text, in offsets of the normalized text; spans may overlap."""
        absent = page.absent
        for row in self.rows:
            if not row.expressions <= absent:
                yield from row.hits(page)
        for function in self.functions:
            yield from function(page)

    def search(self, page: NormalizedText) -> list[Seen]:
        """The same in offsets of the text as read."""
        return [self.placed(hit, page) for hit in self.hits(page)]

    def placed(self, hit: Hit, page: NormalizedText) -> Seen:
        """A hit in offsets of the text as read."""
        start, end = page.normal.place(hit.start, hit.end)
        row = hit.rule if "/" in hit.rule else f"{self.name}/{hit.rule}"
        return Seen(start, end, hit.entity, min(max(hit.score, NEVER), 1.0), row)


def load_all(rules: Sequence[Rules]) -> None:
    """Compile every expression of all of them, and the prefilter with them."""
    for rule in rules:
        rule.load()
    PREFILTER.gather(least=1)


def prefilter(pages: Sequence[NormalizedText]) -> None:
    """Tell each text which expressions are not in it; it is then searched for the others alone."""
    PREFILTER.gather()
    PREFILTER.ask(pages)
