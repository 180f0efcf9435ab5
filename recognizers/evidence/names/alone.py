# ruff: noqa: E501 -- a pattern reads best on one line
"""Given names without a surname, where the text mentions or quotes a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches, present
from recognizers.evidence.names.word_evidence import (
    borne,
    is_worded,
    ordinary,
)
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

WITH = r"(?:\bw/ ?|\b(?:with|told|called|asked|saw|met|thanked|texted|named|w) )"
TOWARD = r"(?:\b(?:from|and|for|per|by|to|after|of|calls?|about|at) |& ?)"
ALONE_NAME = r"([A-Z][a-z]{2,})(?:'s)?(?:[^A-Za-z0-9'-]|\z)"
ALONE_ACTING = r"(?:^|[\n.;:,(\"] ?)([A-Z][a-z]{2,}) (?:says|said|states|stated|reports|reported|called|calls|came|comes|brought|brings|took|takes|gave|asked|asks|wants|lives|works|drove|drives|left|died|phoned|texted|thinks|helps|cooks|worries)\b"
KIN_ALONE = r"(?:wife|husband|spouse|son|daughter|dtr|mother|mom|father|dad|sister|brother|aunt|uncle|niece|nephew|cousin|grandson|granddaughter|partner|neighbor|friend|aide|nurse|roommate|fianc[e]+|boyfriend|girlfriend|caregiver)"
BESIDE_KIN = rf"(?:^|[\n.;:,&(] ?|\band |\bw/ )([A-Z][a-z]{{2,}}) \((?:the |her |his |pt'?s |their )?{KIN_ALONE}\b"
OWNING = r"(?:^|[\n.;] ?)([A-Z][a-z]{2,})'s (?:[a-z]+ )?(?:wife|husband|mother|mom|father|dad|sister|brother|son|daughter|kids|room|meds|chart|appt|visit|house|car|phone|family|name|birthday|teacher|school|mood|labs)\b"
# `Will reports less pain`: no verb in the third person follows the verb `will`.
WILL_ACTS = r"(?:^|[\n.;:] ?|\band )(Will) (?:says|reports|denies|states|feels|has|was|is|wants|lives|takes|came|comes|said|reported|denied|stated|asked|asks|agrees|agreed|works|worked|called|calls|went|brought|told|tells|thinks|needs|uses|sleeps|eats|drove|fell|did|does|got|had|and (?:his|her))"
# A will, not a name: `Will is on file`.
PAPER = re.compile(
    r" (?:has|was|is) (?:been|signed|(?:not )?on file|in (?:the )?(?:chart|file|place)|"
    r"complete|reviewed|notarized|executed|drafted|updated|current)\b"
)
CHILDREN = (
    r"\b[A-Z][a-z]+ \(?\d{1,2}\)?(?:,| &| and|, and|;) ([A-Z][a-z]{2,}) \(?\d{1,2}\)?(?:[ ,;.)]|\z)"
)
ALONE_IN_LIST = r"(?:^|[\n,;:(] ?|\band )([A-Z][a-z]{2,}) \(?\d{1,2}\)?(?:,| &| and|, and|;) [A-Z][a-z]{2,} \(?\d{1,2}\)?(?:[ ,;.)]|\z)"
NEXT_IN_LIST = re.compile(r" \(?\d{1,2}\)?(?:,| &| and|, and|;) ([A-Z][a-z]{2,})")
ALONE_RULES = (
    BESIDE_KIN,
    OWNING,
    CHILDREN,
    WITH + ALONE_NAME,
    TOWARD + ALONE_NAME,
    ALONE_ACTING,
)


def given_alone(page: NormalizedText) -> Iterator[Hit]:
    """A given name that is also a word, where the text mentions a person: `w/ Grace`."""
    for regex in present(ALONE_RULES, page):
        for start, end in matches(regex, page):
            word = page.text[start:end]
            if borne(word) and not (is_plain_given_name(word) and gazetteers.city(word) < 3):
                yield Hit(start, end, PERSON, 0.45, "given name alone, a word")


def will(page: NormalizedText) -> Iterator[Hit]:
    """`Will reports less pain`: no verb in the third person follows the verb `will`."""
    for start, end in matches(WILL_ACTS, page):
        if not PAPER.match(page.text, end):
            yield Hit(start, end, PERSON, 0.92, "will, a name")


def aged(page: NormalizedText) -> Iterator[Hit]:
    """`Remy 3, Landon 6`: two given names with their ages are two children."""
    for start, end in matches(ALONE_IN_LIST, page):
        second = NEXT_IN_LIST.match(page.text, end)
        if second and all(map(is_plain_given_name, (page.text[start:end], second.group(1)))):
            yield Hit(start, end, PERSON, 0.92, "names and ages")
            yield Hit(*second.span(1), PERSON, 0.92, "names and ages")


def is_plain_given_name(word: str) -> bool:
    """Whether the word is a given name and not also an ordinary word."""
    known = gazetteers.first_name(word)
    return known > 8 and not ordinary(word) and not is_worded(word)
