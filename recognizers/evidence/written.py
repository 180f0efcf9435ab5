# ruff: noqa: E501 -- a pattern reads best on one line
"""Names recognized by how they are written: side by side, a given name alone, spelled out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from recognizers.evidence.announced import CAPITAL_WORD
from recognizers.evidence.matching import STRENGTHS, Seen, matches, matches_of
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    NAME_PARTICLES,
    NEVER_NAMES,
    SHORT_FORMS,
    STOPS,
    borne,
    called_after,
    clinical,
    is_worded,
    ordinary,
    personal,
)
from recognizers.finding import PERSON
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

NAME_RUN = (
    rf"\b({CAPITAL_WORD}(?: (?:{CAPITAL_WORD}|[A-Z]\.?|"
    r"(?:de|la|van|von|der|del|bin|al|dos|da)\b)){1,4})"
)


def side_by_side(page: NormalizedText) -> Iterator[Seen]:
    """Capitalized names side by side, in mixed case, none of them a clinical word."""
    for start, end in matches(NAME_RUN, page):
        value = page.text[start:end]
        words = [w.strip(".") for w in value.split()]
        if value.isupper() or any(w.lower() in STOPS for w in words) or len(words[-1]) < 2:
            continue
        telling = [w for w in words if len(w) > 1 and w.lower() not in NAME_PARTICLES]
        if len(telling) < 2 or any(clinical(w) or is_worded(w) or lettered(w) for w in telling):
            continue
        if personal(telling[0], telling[-1]):
            kind = kind_of_pair(page.text, telling, end)
            yield Seen(start, end, PERSON, STRENGTHS[f"side by side: {kind}"], "names side by side")


def kind_of_pair(text: str, words: Sequence[str], end: int) -> str:
    """How sure it is that names side by side are a person's: the name of their strength."""
    if widespread(text, words, end):
        return "frequent names"
    given = gazetteers.first_name(words[0]) > FREQUENCIES["given name beside a surname"]
    return "given name and surname" if given else "two names"


def lettered(word: str) -> bool:
    """Whether the word is an abbreviation, as in `MRx OD`, rather than a name."""
    return not word[1:].islower() and len(word) < 4


THING = re.compile(r"[ -]([A-Za-z]+)")


def widespread(text: str, words: Sequence[str], end: int) -> bool:
    """Whether the words are a very frequent given name and surname, and not part of an eponym.

    `Robert Smith` in `Robert Smith, whose tests` is such a name; `Jackson Pratt drain` is not.
    """
    first, last = words[0], words[-1]
    if len(words) > 3 or gazetteers.first_name(first) < FREQUENCIES["very frequent given name"]:
        return False
    if gazetteers.surname(last) < FREQUENCIES["very frequent surname"]:
        return False
    thing = THING.match(text, end)
    return not thing or not (thing.group(1)[0].isupper() or called_after(thing.group(1)))


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


def given_alone(page: NormalizedText) -> Iterator[Seen]:
    """A given name that is also a word, where the text mentions a person: `w/ Grace`."""
    for start, end in matches_of(ALONE_RULES, page):
        word = page.text[start:end]
        in_few_cities = gazetteers.city(word) < FREQUENCIES["given name of a city"]
        if borne(word) and not (is_plain_given_name(word) and in_few_cities):
            yield Seen(
                start,
                end,
                PERSON,
                STRENGTHS["given name alone, a word"],
                "given name alone, a word",
            )


def will(page: NormalizedText) -> Iterator[Seen]:
    """`Will reports less pain`: no verb in the third person follows the verb `will`."""
    for start, end in matches(WILL_ACTS, page):
        if not PAPER.match(page.text, end):
            yield Seen(start, end, PERSON, STRENGTHS["will, a name"], "will, a name")


def aged(page: NormalizedText) -> Iterator[Seen]:
    """`Remy 3, Landon 6`: two given names with their ages are two children."""
    for start, end in matches(ALONE_IN_LIST, page):
        second = NEXT_IN_LIST.match(page.text, end)
        if second and all(map(is_plain_given_name, (page.text[start:end], second.group(1)))):
            yield Seen(start, end, PERSON, STRENGTHS["names and ages"], "names and ages")
            yield Seen(*second.span(1), PERSON, STRENGTHS["names and ages"], "names and ages")


def is_plain_given_name(word: str) -> bool:
    """Whether the word is a given name and not also an ordinary word."""
    known = gazetteers.first_name(word)
    return known > FREQUENCIES["plain given name"] and not ordinary(word) and not is_worded(word)


SPELLED_LETTERS = (
    r"(?:^|[^A-Za-z0-9'.-])"
    r"((?:[A-Z] ){3,14}[A-Z]|(?:[A-Z]-){3,14}[A-Z]|(?:[a-z] ){3,14}[a-z]|(?:[a-z]-){3,14}[a-z])"
    r"(?:[^A-Za-z0-9'-]|\z)"
)
SAID = re.compile(
    r"(?i)(?:\bspell(?:s|ed|ing|ings)?\b|\b(?:last|first|middle|sur|maiden) ?name\b|\bthat'?s?(?: is)?\b|\bname is\b|\bas in\b|\bdr\b|\bmr\b|\bmrs\b|\bms\b)[^\n]{0,24}$"
)

SAID_AFTER = re.compile(r"(?i)[,.]? ?(?:(?:first|last) name\b|[^\n]{0,16}\bspell)")


def spelled(page: NormalizedText) -> Iterator[Seen]:
    """Single letters that the text announces as a spelling, or that together make a name."""
    words: list[str] | None = None
    for start, end in matches(SPELLED_LETTERS, page):
        whole = re.sub(r"[ -]", "", page.text[start:end]).lower()
        if whole in STOPS or whole in NEVER_NAMES or whole in SHORT_FORMS:
            continue
        if words is None:
            words = sorted(set(re.findall(r"[a-z]{4,}", page.text.lower())))
        said = SAID.search(page.left(start)) or SAID_AFTER.match(page.right(end))
        if said or is_known_spelling(whole, words):
            yield Seen(start, end, PERSON, STRENGTHS["spelled out"], "spelled out")


def is_known_spelling(whole: str, words: Sequence[str]) -> bool:
    """Whether `whole` is a name and not a word, or the start of a name among the sorted `words`."""
    is_name = gazetteers.surname(whole) or gazetteers.first_name(whole)
    if is_name and gazetteers.common_word(whole) < FREQUENCIES["spelled word"]:
        return True
    begun = words[bisect_left(words, whole) : bisect_left(words, whole + "~")]
    others = (word for word in begun if word != whole or is_name)
    return any(gazetteers.surname(w) or not gazetteers.common_word(w) for w in others)
