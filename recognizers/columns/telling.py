"""Whether a cell of an `unsure` column may be a person's name or number."""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.shapes import (
    CELL_WORD,
    RAREWORD,
    is_borne,
    is_code,
    is_last_first,
    is_lone_name,
    is_person,
)
from recognizers.columns.genomic import is_genomic
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    common_word,
    county,
    first_name,
    surname,
)
from safe_harbor import Identifier

MOST_WORDS, LONGEST = 5, 60
# Shorter words that are on no list count as abbreviations.
LEAST_LETTERS = 4
# Shorter numbers are counts, codes and results, which are common everywhere.
LEAST_DIGITS = 7
_LETTERS_ALONE = re.compile(r"[^\W\d_][^\d_]*")
_PARTS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_KEY = re.compile(r"[A-Za-z]{0,5}[-. #]?\d[\dA-Za-z-]*")


@remembered
def identifier_told_by(cell: str) -> Identifier | None:
    """The identifier that a cell alone may be: a name or a number; None for other cells.

    A name is up to five words of letters; one must be a name or a rare word that is not clinical,
    or all together must be a town. In a phrase without capitals, one word must be on a list of
    names. A number has seven digits or more and is not a code of a terminology.
    """
    text = cell.strip()
    if len(text) > LONGEST or is_genomic(text):
        return None
    if _LETTERS_ALONE.fullmatch(text):
        return Identifier.NAMES if _may_be_name(text) else None
    long = sum(map(str.isdigit, text)) >= LEAST_DIGITS
    return Identifier.OTHERS if long and _KEY.fullmatch(text) and not is_code(text) else None


def _may_be_name(text: str) -> bool:
    words = CELL_WORD.findall(text)
    if not 1 <= len(words) <= MOST_WORDS:
        return False
    if is_person(text) or is_last_first(text) or city(text) or county(text):
        return True
    parts = _PARTS.findall(text)
    found = [part for part in parts if _may_be_of_somebody(part)]
    if text.islower() and not all(part in found or is_borne(part) for part in parts):
        return any(first_name(part) or surname(part) for part in found)
    return bool(found)


def _may_be_of_somebody(word: str) -> bool:
    rare = len(word) >= LEAST_LETTERS and common_word(word) < RAREWORD
    return (rare and not clinical_word(word)) or is_lone_name(word, strict=False)
