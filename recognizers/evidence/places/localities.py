"""(B) What is smaller than a state: streets, roads, towns and counties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recognizers.evidence.places.birthplaces import origins
from recognizers.evidence.places.highways import HIGHWAYS
from recognizers.evidence.places.streets import STREETS, addresses
from recognizers.evidence.places.towns import ANNOUNCED, TOWNS, cities, counties
from recognizers.evidence.rules import Hit, Rules
from recognizers.text.normalized_text import NormalizedText


class Places(Rules):
    word = "places"
    patterns = (*STREETS, *HIGHWAYS, *TOWNS)
    labels = ANNOUNCED

    def entities(self) -> Sequence[str]:
        return ("LOCATION",)

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        yield from counties(page)
        yield from cities(page)
        yield from addresses(page)
        yield from origins(page)
