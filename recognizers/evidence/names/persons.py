"""(A) Names of persons: what the rooms of cues, of given names alone and of spellings find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recognizers.evidence.names.alone import aged, given_alone, owners, speakers, talkers
from recognizers.evidence.names.announced import cued, doctors, present
from recognizers.evidence.names.cues import CUES
from recognizers.evidence.names.lists import beds
from recognizers.evidence.names.nicknamed import first_of_kin, nicknames
from recognizers.evidence.names.registration import registered
from recognizers.evidence.names.spelling import spelled
from recognizers.evidence.names.written import (
    babies,
    given_initial,
    initialled,
    last_first,
    last_initial,
    nicknamed,
    runs,
    signatures,
)
from recognizers.evidence.rules import Hit, Rules
from recognizers.text.normalized_text import NormalizedText


class Names(Rules):
    word = "names"

    def entities(self) -> Sequence[str]:
        return ("PERSON",)

    def more(self, page: NormalizedText) -> Iterator[Hit]:
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
