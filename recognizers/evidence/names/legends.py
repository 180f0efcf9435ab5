# ruff: noqa: E501 -- a pattern reads best on one line
"""Initials beside the name that they abbreviate, in legends and in brackets after the name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.word_evidence import NEVER_NAMES, ordinary, vocabulary
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

CAPITALS = r"\b([A-Z]{2,3})\b"
LEGEND_NAME = r"[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){1,2}"
LEGENDS = (
    rf"(?:^|\n|[ ]{{2}}|\t|[|;,] ?)([A-Z]{{2,3}}|[a-z]{{2,3}})(?:[ ]{{1,4}}|[ ]?[=:-][ ]?){LEGEND_NAME}",
    rf"\b([A-Z]{{2,3}}|[a-z]{{2,3}})\"? {{0,3}}(?:\(|= ?|\(= ?|\(?i\.e\. |\(?that'?s |\(?that is |\((?:really|for|is),? |: (?:she|he) is |for |is )(?:Dr\.? )?{LEGEND_NAME}",
)
AFTER_NAME = rf"({LEGEND_NAME}) ?\(=? ?\"?(?:[A-Z]{{2,3}}|[a-z]{{2,3}})\"?\)"
LEGEND_TOLD = re.compile(
    rf"[\" =:(-]*(?:i\.e\. |that'?s |that is |really,? |(?:she|he) is |for |is )?(?:Dr\.? )?({LEGEND_NAME})"
)
BRACKETED = re.compile(r" ?\(=? ?\"?([A-Za-z]{2,3})\"?\)")


def explained(page: NormalizedText) -> Iterator[Hit]:
    """Find initials beside the name that they abbreviate; in capitals, also wherever else they
    occur.
    """
    text = page.text
    told: set[str] = set()
    for number, regex in enumerate(LEGENDS):
        for start, end in matches(regex, page):
            name, letters = LEGEND_TOLD.match(text, end), text[start:end]
            if name and stand_for(letters, name.group(1)):
                if number == 0 or not vocabulary(letters.lower()):
                    told.add(letters)
                yield Hit(start, end, PERSON, 0.9, "initials explained")
    for start, end in matches(AFTER_NAME, page):
        row = BRACKETED.match(text, end)
        if row and stand_for(row.group(1), text[start:end]):
            if not vocabulary(row.group(1).lower()):
                told.add(row.group(1))
            yield Hit(*row.span(1), PERSON, 0.9, "initials explained")
    for start, end in matches(CAPITALS, page) if told else ():
        if text[start:end] in told:
            yield Hit(start, end, PERSON, 0.9, "initials explained")


def stand_for(letters: str, name: str) -> bool:
    """Whether `name` is a person's name whose words begin with these letters."""
    told = re.findall(r"[A-Z][A-Za-z'-]*", name)
    rows = (told[: len(letters)], told[-len(letters) :])
    words = next((r for r in rows if [w[0] for w in r] == list(letters.upper())), None)
    if words is None or letters.lower() in NEVER_NAMES - {"pt"}:
        return False
    return bool(gazetteers.surname(words[-1])) and not (ordinary(words[0]) and ordinary(words[-1]))
