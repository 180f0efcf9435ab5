"""A component for spaCy pipelines: `nlp.add_pipe("safe_harbor_deid")`.

Findings become `doc.ents`, extended to whole tokens, with `span._.identifier` (the identifier of
164.514, such as "names"), `span._.deid_score` and `span._.deid_source`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from recognizers.finding import Finding
from recognizers.presidio import adapter as adapter  # imports spaCy without a socket
from recognizers.search import Finder

# isort: split
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans, minibatch

_ATTRIBUTES = {"identifier": "", "deid_score": 0.0, "deid_source": ""}


class FindingComponent:
    """Sets findings as the entities of each document; earlier entities stay unless they overlap."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        for name, default in _ATTRIBUTES.items():
            Span.set_extension(name, default=default, force=True)

    def __call__(self, doc: Doc) -> Doc:
        """Raises `RecognizerError` if the text could not be searched in full."""
        return self.annotated(doc, self.finder.find(doc.text))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 64) -> Iterator[Doc]:
        """The documents in order, searched in batches."""
        for docs in minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            founds = self.finder.find_all([doc.text for doc in docs])
            yield from map(self.annotated, docs, founds)

    def annotated(self, doc: Doc, found: Iterable[Finding]) -> Doc:
        """The document with these findings; two findings that share a token become one span."""
        spans: list[Span] = []
        for finding in found:
            span = doc.char_span(
                finding.start, finding.end, label=finding.entity, alignment_mode="expand"
            )
            if span is None:
                continue
            if spans and span.start < spans[-1].end:
                span = Span(doc, spans.pop().start, span.end, label=finding.entity)
            span._.identifier = finding.identifier.value
            span._.deid_score = finding.score
            span._.deid_source = finding.source
            spans.append(span)
        taken = {place for span in spans for place in range(span.start, span.end)}
        earlier = filter_spans(doc.ents)
        clear = [one for one in earlier if taken.isdisjoint(range(one.start, one.end))]
        doc.ents = (*spans, *clear)
        return doc


@Language.factory(
    "safe_harbor_deid",
    assigns=["doc.ents"],
    default_config={"fast": False, "reference_date": None},
)
def make_component(
    nlp: Any, name: str, fast: bool = False, reference_date: str | None = None
) -> FindingComponent:
    """The component; `reference_date` is YYYY-MM-DD, as in `Finder.load`."""
    day = None if reference_date is None else date.fromisoformat(reference_date)
    return FindingComponent(Finder.load(fast=fast, reference_date=day))
