"""(A) Names of persons: what the rooms of cues, of given names alone and of spellings find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recognizers.names_alone import aged, given_alone, owners, speakers, talkers
from recognizers.names_announced import cued, doctors, present
from recognizers.names_cues import CUES
from recognizers.names_lists import beds
from recognizers.names_nicknames import first_of_kin, nicknames
from recognizers.names_registered import registered
from recognizers.names_spelled import spelled
from recognizers.names_written import (
    babies,
    given_initial,
    initialled,
    last_first,
    last_initial,
    nicknamed,
    runs,
    signatures,
)
from recognizers.page import Page
from recognizers.rules import Hit, Rules


class Names(Rules):
    word = "names"

    def entities(self) -> Sequence[str]:
        return ("PERSON",)

    def more(self, page: Page) -> Iterator[Hit]:
        for cue in CUES:
            if cue.regex not in page.absent:
                yield from cued(cue, page)
        yield from last_first(page)
        yield from babies(page)
        yield from nicknamed(page)
        yield from last_initial(page)
        yield from runs(page)
        yield from initialled(page)
        yield from signatures(page)
        yield from given_alone(page)
        yield from owners(page)
        yield from aged(page)
        yield from speakers(page)
        yield from present(page)
        yield from given_initial(page)
        yield from beds(page)
        yield from doctors(page)
        yield from spelled(page)
        yield from talkers(page)
        yield from nicknames(page)
        yield from first_of_kin(page)
        yield from registered(page)
