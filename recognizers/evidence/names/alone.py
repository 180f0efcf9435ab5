# ruff: noqa: E501 -- a pattern reads best on one line
"""Given names standing alone where a person is spoken of, or where one speaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from recognizers.evidence.names.word_evidence import (
    SHORT_FORMS,
    STOPS,
    borne,
    clinical,
    ordinary,
    worded,
)
from recognizers.evidence.rules import Hit, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

PERSON = "PERSON"
WITH = r"(?:\bw/ ?|\b(?:with|told|called|asked|saw|met|thanked|texted|named|w) )"
TOWARD = r"(?:\b(?:from|and|for|per|by|to|after|of|calls?|about|at) |& ?)"
LONE = r"([A-Z][a-z]{2,})(?:'s)?(?:[^A-Za-z0-9'-]|\z)"
ACTING = r"(?:^|[\n.;:,(\"] ?)([A-Z][a-z]{2,}) (?:says|said|states|stated|reports|reported|called|calls|came|comes|brought|brings|took|takes|gave|asked|asks|wants|lives|works|drove|drives|left|died|phoned|texted|thinks|helps|cooks|worries)\b"
KIN_ALONE = r"(?:wife|husband|spouse|son|daughter|dtr|mother|mom|father|dad|sister|brother|aunt|uncle|niece|nephew|cousin|grandson|granddaughter|partner|neighbor|friend|aide|nurse|roommate|fianc[e]+|boyfriend|girlfriend|caregiver)"
BESIDE_KIN = rf"(?:^|[\n.;:,&(] ?|\band |\bw/ )([A-Z][a-z]{{2,}}) \((?:the |her |his |pt'?s |their )?{KIN_ALONE}\b"
OWNING = r"(?:^|[\n.;] ?)([A-Z][a-z]{2,})'s (?:[a-z]+ )?(?:wife|husband|mother|mom|father|dad|sister|brother|son|daughter|kids|room|meds|chart|appt|visit|house|car|phone|family|name|birthday|teacher|school|mood|labs)\b"
# `WILL'S BROTHER`, `will's wife`: whose kin it is is a person, whatever the case of the letters.
OWNED_KIN = r"(?:wife|husband|spouse|mother|mom|father|dad|sister|brother|son|daughter|dtr|kids|aunt|uncle|niece|nephew|cousin|grandson|granddaughter|grandmother|grandfather|grandma|grandpa|parents|fianc[e]+|boyfriend|girlfriend|roommate|family|birthday|stepmother|stepfather|stepson|stepdaughter)"
OWNING_LOUD = rf"(?:^|[^A-Za-z0-9'&/-])([A-Z]{{3,}})'S (?:[A-Z]+ )?(?:{OWNED_KIN.upper()}|APARTMENT|HOUSE|TRUCK|CAR|DOG|SCHOOL|TEACHER|BEDROOM|PHONE)\b"
OWNING_KIN = rf"(?:^|[^A-Za-z0-9'&/-])([A-Z]?[a-z]{{2,}})'s {OWNED_KIN}\b"
# `Will reports less pain`: the other `will` is followed by no verb of the third person.
WILL_ACTS = r"(?:^|[\n.;:] ?|\band )(Will) (?:says|reports|denies|states|feels|has|was|is|wants|lives|takes|came|comes|said|reported|denied|stated|asked|asks|agrees|agreed|works|worked|called|calls|went|brought|told|tells|thinks|needs|uses|sleeps|eats|drove|fell|did|does|got|had|and (?:his|her))"
# ... but the paper: `Will is on file`.
PAPER = re.compile(
    r" (?:has|was|is) (?:been|signed|(?:not )?on file|in (?:the )?(?:chart|file|place)|"
    r"complete|reviewed|notarized|executed|drafted|updated|current)\b"
)
# Given names that end other names as words of the form do.
NAMED_TOO = frozenset(["will", "june", "april", "august", "jan", "may"])
# Borne by some, but said of anybody.
ANYBODY_LISTED = "baby boy girl man woman lady king queen junior son sister brother case child friend cousin doc chief crew pet lord don honey lad major christ deacon judge miss doctor memaw nana princess"
POINTING = re.compile(r"(?i)\b(?:the|an?|this|that|some|other|another|each|every) $")
ANYBODY = frozenset(ANYBODY_LISTED.split())
CHILDREN = (
    r"\b[A-Z][a-z]+ \(?\d{1,2}\)?(?:,| &| and|, and|;) ([A-Z][a-z]{2,}) \(?\d{1,2}\)?(?:[ ,;.)]|\z)"
)
LISTED = r"(?:^|[\n,;:(] ?|\band )([A-Z][a-z]{2,}) \(?\d{1,2}\)?(?:,| &| and|, and|;) [A-Z][a-z]{2,} \(?\d{1,2}\)?(?:[ ,;.)]|\z)"
NEXT = re.compile(r" \(?\d{1,2}\)?(?:,| &| and|, and|;) ([A-Z][a-z]{2,})")
ALONE = (
    (BESIDE_KIN, 0.85),
    (OWNING, 0.85),
    (CHILDREN, 0.85),
    (WITH + LONE, 0.8),
    (TOWARD + LONE, 0.7),
    (ACTING, 0.8),
)


def given_alone(page: NormalizedText) -> Iterator[Hit]:
    """A given name that is nothing else, where a person is spoken of: `w/ Gideon`, `Teri called`."""
    for regex, score in ALONE:
        for start, end in matches(regex, page):
            word = page.text[start:end]
            known, common = gazetteers.first_name(word), gazetteers.common_word(word)
            if known > 8 and not ordinary(word) and not worded(word) and gazetteers.city(word) < 3:
                sure = 0.15 if not common else 0.1 if known > common else 0.0
                yield Hit(start, end, PERSON, score + sure, "given name alone")
            elif borne(word):
                yield Hit(start, end, PERSON, 0.45, "given name alone, a word")


def owners(page: NormalizedText) -> Iterator[Hit]:
    """A given name that is a word, where it owns kin or a house: `WILL'S BROTHER`."""
    for regex in (OWNING_LOUD, OWNING_KIN):
        for start, end in matches(regex, page):
            if owner(page.text[start:end].lower()) and not pointed(page, start):
                yield Hit(start, end, PERSON, 0.92, "whose kin it is")
    for start, end in matches(WILL_ACTS, page):
        if not PAPER.match(page.text, end):
            yield Hit(start, end, PERSON, 0.92, "will, a name")


def pointed(page: NormalizedText, start: int) -> bool:
    """`this guy's wife`, `the dean's wife`: a word of the language behind an article."""
    return page.text[start].islower() and bool(POINTING.search(page.left(start, 8)))


def owner(low: str) -> bool:
    """A given name that many bear, word though it is, and not what anybody is called."""
    if low in ANYBODY or gazetteers.eponym(low) or (low in STOPS and low not in NAMED_TOO):
        return False
    return gazetteers.first_name(low) > 12


def aged(page: NormalizedText) -> Iterator[Hit]:
    """`Remy 3, Landon 6`: two given names with their ages are two children."""
    for start, end in matches(LISTED, page):
        second = NEXT.match(page.text, end)
        if second and all(map(plain, (page.text[start:end], second.group(1)))):
            yield Hit(start, end, PERSON, 0.92, "names and ages")
            yield Hit(*second.span(1), PERSON, 0.92, "names and ages")


def plain(word: str) -> bool:
    """A given name and no word."""
    known = gazetteers.first_name(word)
    return known > 8 and not ordinary(word) and not worded(word) and not clinical(word)


SPEAKER = (
    r"(?:^|\n)[ >*]*\[?\d{1,2}[:.]\d\d(?::\d\d)? ?(?:[AaPp][Mm]?\b)?\]? ?-? ?<?([A-Z]?[a-z]{2,})>?:"
)


def speakers(page: NormalizedText) -> Iterator[Hit]:
    """Who speaks in a chat: the word between the time and the colon, twice or more."""
    spans = [s for s in matches(SPEAKER, page) if page.text[slice(*s)].lower() not in STOPS]
    words = [page.text[start:end] for start, end in spans]
    times = Counter(words)
    for (start, end), word in zip(spans, words, strict=True):
        if times[word] > 1 + word.islower() and speaks(word):
            yield Hit(start, end, PERSON, 0.9, "speaker")


def speaks(word: str) -> bool:
    """May a word between a time and a colon be who speaks there?"""
    low = word.lower()
    if low in SHORT_FORMS or (word.islower() and gazetteers.common_word(low) > 22):
        return False
    return bool(gazetteers.first_name(word)) or not worded(word)


TALKER = r"(?:^|\n)[ >*]*([a-z]{3,12}|[A-Z][a-z]{2,12}) ?: [^\n]"


def talkers(page: NormalizedText) -> Iterator[Hit]:
    """Who speaks in a thread without times: a given name before a colon, three lines or more."""
    spans = list(matches(TALKER, page))
    times = Counter(page.text[start:end] for start, end in spans)
    for start, end in spans:
        word = page.text[start:end]
        if times[word] < 3 or word.lower() in STOPS or clinical(word):
            continue
        if gazetteers.first_name(word) > 10 and gazetteers.common_word(word) < 23:
            yield Hit(start, end, PERSON, 0.9, "speaker of a thread")
