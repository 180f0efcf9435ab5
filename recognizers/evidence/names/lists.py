# ruff: noqa: E501 -- a pattern reads best on one line
"""Names in bed lists and boards: rows that begin with a bed's number and then say who lies there.

One row tells little (`506 early, early sepsis`); rows beside it that spell out surname, given name
and age show what all of them are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recognizers.evidence.names.word_evidence import STOPS, clinical, ordinary, prefers_name
from recognizers.evidence.rules import Hit, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

ROW = r"(?i)(?:^|\n)[ \t]*(?:(?:rm|room|bed|ch|chair|pod)\.? ?|#)?\d{1,7}[A-Z]?(?:-\d)?[.):|]?[ |]{1,8}([A-Z][^\n]{2,90})"
WORD = r"[A-Za-z][A-Za-z'-]+"
LAST_FIRST = re.compile(
    rf"(?P<last>{WORD}(?: {WORD})?), ?(?P<first>[A-Za-z][A-Za-z'-]*)(?P<more>(?: (?:[A-Za-z]\.?|{WORD}))?)(?![A-Za-z'])"
)
AGED = re.compile(
    rf"(?P<name>{WORD}(?:,? (?:{WORD}|[A-Za-z]\.)){{0,3}}),? {{0,14}}~?\d{{1,3}}(?: ?(?:[MFmf]|y/?o|yrs?|y[MFmf]?|wks?|mos?)\b|,| {{1,3}}\|)"
)
BARE = re.compile(rf"(?P<name>{WORD})(?=, )")
COLUMN = re.compile(r"(?: {2,}|\t|[ ]?\|)[ ]*(?:~?\d|[A-Za-z])")
AGE_NEAR = re.compile(
    r"[ ,|]{1,15}(?:[a-z]\. ?)?~?\d{1,3}(?:[ ,|]|[MFmf]\b|yo)|[ ,|]+(?:b\.|DOB|dob) ?\d"
)
# What stands in a row where nobody lies.
NOBODY_LISTED = "empty clean dirty closed open hold held isolation blocked vacant ready swing lunch break walk walkin transfer xfer pending admit available reserved maintenance dialysis discharge discharged lwbs psych trauma code name alert baby same add total return new follow"
NOBODY = frozenset(NOBODY_LISTED.split())


@dataclass(frozen=True, slots=True)
class Row:
    """A row's rest behind its number, where it begins, and whether it proves the list."""

    start: int
    text: str
    name: tuple[int, int] | None
    proves: bool


def beds(page: NormalizedText) -> Iterator[Hit]:
    """The names in a list of which two rows spell out who lies there."""
    rows = [row_of(page.text, *span) for span in matches(ROW, page)]
    if sum(row.proves for row in rows) < 2:
        return
    for row in rows:
        span = row.name or alone(row.text)
        if span:
            start, end = row.start + span[0], row.start + span[1]
            yield Hit(start, end, "PERSON", 0.92, "bed list")
            # Each word by itself, too: the model may know one half and deny the other.
            for word in re.finditer(WORD, page.text[start:end]):
                yield Hit(start + word.start(), start + word.end(), "PERSON", 0.91, "bed list")


def row_of(text: str, start: int, end: int) -> Row:
    rest = text[start:end]
    for find in (surname_first, aged):
        found = find(rest)
        if found:
            return Row(start, rest, found[:2], found[2])
    return Row(start, rest, None, False)


def surname_first(rest: str) -> tuple[int, int, bool] | None:
    """`flowers, jerome`, `GRAVES, P`; it proves the list where an age or a column follows."""
    match = LAST_FIRST.match(rest)
    if not match or refused(match["last"]) or refused(match["first"]):
        return None
    first, more = match["first"], match["more"].strip()
    end = match.end("first")
    letter = len(first) == 1 and first.isupper() == match["last"].isupper()
    if not letter and not gazetteers.first_name(first):
        return None
    if not borne(match["last"]) or (not letter and clinical(first) and not prefers_name(first)):
        return None
    after = gazetteers.first_name(more) > 6 and not ordinary(more) and more.lower() not in STOPS
    if more and (len(more.rstrip(".")) == 1 or after) and more[0].isupper() == first[0].isupper():
        end = match.end("more")
    beside = AGE_NEAR.match(rest, end) or COLUMN.match(rest, end)
    return (0, end, bool(beside)) if beside or not letter else None


def aged(rest: str) -> tuple[int, int, bool] | None:
    """`cope 52f`, `begay harrison, 58,`: all the words before an age."""
    match = AGED.match(rest)
    if not match:
        return None
    words = re.findall(WORD, match["name"])
    if any(refused(w) for w in words) or not all(map(borne, words)):
        return None
    known = any(prefers_name(w) and not ordinary(w) for w in words)
    return 0, match.end("name"), known


def alone(rest: str) -> tuple[int, int] | None:
    """`early, early sepsis`: a surname and a comma, in a list proved by other rows."""
    match = BARE.match(rest)
    if not match or refused(match["name"]) or not gazetteers.surname(match["name"]):
        return None
    return match.span("name")


def refused(words: str) -> bool:
    return any(w.lower() in STOPS or w.lower() in NOBODY for w in re.findall(WORD, words))


def borne(words: str) -> bool:
    """Does somebody bear each word, or is it in no list at all?"""
    return all(
        gazetteers.surname(w) or gazetteers.first_name(w) or not known(w)
        for w in re.findall(WORD, words)
    )


def known(word: str) -> bool:
    return bool(gazetteers.common_word(word) or gazetteers.clinical_word(word))
