# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Who wrote an entry of a log or a thread: the letters behind its date and time."""

from __future__ import annotations

from collections.abc import Iterator

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.word_evidence import NEVER, vocabulary
from recognizers.text.normalized_text import NormalizedText

DAY = r"\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?"
ENTRY_CLOCK = r"\[?(?:[01]?\d|2[0-3]):?[0-5]\d(?:[ ]?[AaPp][Mm]?)?\]?"
HEAD = rf"(?:^|\n)[ \t>*-]*(?:{DAY},?[ ]{{1,3}}{ENTRY_CLOCK}|{ENTRY_CLOCK})[ ,]{{1,3}}([A-Z]{{2,3}})(?:[ ]?[:,(>]|[ ]{{1,2}}(?:-|[^\x00-\x7f])|[ ]?$|[ ]?\n)"
# What heads the entry of a flow sheet: measures, parts of the body, services.
ENTRY_ABBREVIATIONS_LISTED = (
    "bp hr rr pt ot st rt gi gu cv ng iv po or id md rn sw cm ua ct mr us bm fs bs tf tx rx hx dx vs io cc hpi ros pe ap lab ekg ecg cxr abg cbc bmp dc fu re to "
    "am pm ed er ir ep ob ent icu pacu ems tpa np pa do lpn cna nsg map spo o2 wt ht"
)
ENTRY_ABBREVIATIONS = frozenset(ENTRY_ABBREVIATIONS_LISTED.split())


def writers(page: NormalizedText) -> Iterator[Hit]:
    """The writers of a log: at the head of two entries or more, whatever else the letters mean."""
    heads = [
        (start, end) for start, end in matches(HEAD, page) if writes(page.text[start:end].lower())
    ]
    if len(heads) > 1:
        for start, end in heads:
            yield Hit(start, end, PERSON, 0.92, "writer of an entry")


def writes(letters: str) -> bool:
    """May these be somebody's initials where an entry names its writer?"""
    if letters in ENTRY_ABBREVIATIONS or letters in NEVER:
        return False
    return len(letters) == 2 or not vocabulary(letters)
