"""(B) What is smaller than a state: streets, roads, towns and counties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recognizers.page import Page
from recognizers.places_highways import HIGHWAYS
from recognizers.places_origins import origins
from recognizers.places_streets import STREETS, addresses
from recognizers.places_towns import ANNOUNCED, TOWNS, cities, counties
from recognizers.rules import Hit, Rules


class Places(Rules):
    word = "places"
    patterns = (*STREETS, *HIGHWAYS, *TOWNS)
    labels = ANNOUNCED

    def entities(self) -> Sequence[str]:
        return ("LOCATION",)

    def more(self, page: Page) -> Iterator[Hit]:
        yield from counties(page)
        yield from cities(page)
        yield from addresses(page)
        yield from origins(page)
