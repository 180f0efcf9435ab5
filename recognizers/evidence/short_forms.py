# ruff: noqa: E501 -- a pattern reads best on one line
"""Short forms of a name that the text explains: nicknames and initials, and where they recur."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.announced import KIN_PATTERN
from recognizers.evidence.matching import STRENGTHS, Seen, matches, matches_of
from recognizers.evidence.word_evidence import (
    FREQUENCIES,
    NEVER_NAMES,
    NOBODY,
    STOPS,
    clinical,
    ordinary,
    vocabulary,
)
from recognizers.finding import PERSON
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

NICKNAME = r"[A-Z][a-z]{1,11}"
# Words that introduce the nickname of a person, not the name of a disease (`called Shingles`).
TELLING = (
    r"nick-?names?(?: is| was|:)?|nicknamed(?: as)?|goes by(?: the (?:nick)?name(?: of)?)?|went by|answers to|street name(?: is|:)?|"
    r"(?:prefers|likes|wants|asks|asked) (?:to be called|to go by)|"
    r"(?:calls?|called|call) (?:him|her|himself|herself|the pt|the patient|pt)|"
    r"(?:he|she|pt|patient) (?:is|was) (?:also )?(?:called|known)(?: (?:to|at|in|by) (?:[a-z]+ ){1,2})?(?: as)?|"
    r"(?:patient|pt|man|woman|resident|client),? (?:alias|aka|a\.k\.a\.|known (?:[a-z]+ ){0,3}as)"
)
NICKNAME_TOLD = rf"(?i:\b(?:{TELLING}))[ ,:]{{1,3}}(?:(?i:the|just|only|simply) )?[\"'](?:Big |Little |Old |Mr |Miss |Ms )?({NICKNAME})[.,]?[\"']"
TOLD_AT_HEAD = rf"(?:^|[.;\n(] ?)(?:[Kk]nown|[Aa]ka|AKA|[Aa]lias|[Cc]alled) (?:(?:as|to|at|in|by|on) (?:[a-z]+ ){{0,3}})?[\"']({NICKNAME})[.,]?[\"']"
TOLD_BARE = rf"(?i:\b(?:nick-?name:|nick-?name is|nicknamed|goes by|went by|answers to|street name:?|prefers to be called|likes to be called|calls (?:him|her)self)) ({NICKNAME})(?:[.,;:)\n(]| (?:and|but|since|at|in|on|by|to|or|is|who|\()|\z)"
TOLD = (NICKNAME_TOLD, TOLD_AT_HEAD, TOLD_BARE)
# Words that end a name elsewhere (`STOPS`) but may be nicknames.
NICKS = plain_list("names/nicknames_that_are_words")
# Means of travel, which are not nicknames: `goes by Bus to dialysis`.
RIDES = plain_list("names/rides")
VERBS = r"says?|said|states?|stated|reports?|reported|denies|denied|called|calls|came|comes|wants|wanted|asks|asked|tells|told|thinks|feels|felt|is|was|has|had|will|would|can|does|did|went|goes|lives|lived|works|worked|drove|drives|brought|brings|took|takes|gave|gives|agrees|agreed|refuses|refused|declines|declined|left|needs|knows|smokes|drinks|walked|walks|fell|slept|ate|remembers|prefers|likes|loves|hates|and (?:his|her|wife|husband|I)"
ACTS_AFTER = re.compile(rf"(?: \([^()\n]{{1,60}}\))?,? (?:{VERBS})\b|'s\b|, (?:who|his|her)\b")
# Words before a person's name inside a sentence.
SPOKEN_TO = re.compile(
    r"\b(?:told|asked|per|by|with|w/|called|texted|paged|saw|met|and|thanks|tell|ask|for|to|from|of|about) $"
)
NO_ARTICLE = re.compile(r"\b(?:the|a|an|this|that|our|every|each|no|any)$")


CAPITALIZED_WORD = re.compile(rf"(?<![\w'-]){NICKNAME}(?![\w-])")


def nicknames(page: NormalizedText) -> Iterator[Seen]:
    """Find nicknames: `goes by "Doc"`, and then each `Doc says` in the same text."""
    told: set[str] = set()
    for regex in TOLD:
        for start, end in matches(regex, page):
            word = page.text[start:end]
            if nameable(word) and not (regex == TOLD_AT_HEAD and clinical(word)):
                told.add(word)
                yield Seen(start, end, PERSON, STRENGTHS["nickname"], "nickname")
    for match in CAPITALIZED_WORD.finditer(page.text) if told else ():
        if match.group() in told and bare(page.text, *match.span()):
            yield Seen(*match.span(), PERSON, STRENGTHS["nickname, again"], "nickname, again")


def nameable(word: str) -> bool:
    """Whether the word may be a nickname: not a pronoun, a kinship or a vehicle."""
    low = word.lower()
    return low not in NOBODY and low not in RIDES and (low not in STOPS or low in NICKS)


def bare(text: str, start: int, end: int) -> bool:
    """Whether the nickname is used as a person's name: acting, owning or addressed."""
    if ACTS_AFTER.match(text, end):
        return not NO_ARTICLE.search(text[max(0, start - 6) : start].rstrip().lower())
    spoken_to = SPOKEN_TO.search(text[max(0, start - 8) : start]) is not None
    return spoken_to and not NEXT_WORD.match(text, end)


NEXT_WORD = re.compile(r"[ -][A-Za-z]")

# `6/25: Boy, hanai daughter Pua Cabral, and grandson`: the first person present.
FIRST_OF_KIN = rf"(?:^|\n|[:.-] )[ ]*({NICKNAME}), (?:[a-z]+ )?(?i:{KIN_PATTERN}),? [A-Z][a-z]+(?: [A-Z][a-z'-]+)?,? (?:and|&) (?:[a-z]+ )?(?i:{KIN_PATTERN})\b"
AT_MEETING = rf"(?i:\b(?:meeting|mtg|conference|attendees|attended by|visitors|in attendance))[^\n:]{{0,30}}:[ \n]{{1,3}}({NICKNAME}), (?:[a-z]+ )?(?i:{KIN_PATTERN})\b"
FIRST_NAMED = (FIRST_OF_KIN, AT_MEETING)


def first_of_kin(page: NormalizedText) -> Iterator[Seen]:
    """Find the one-word name of the family member who is listed first."""
    for start, end in matches_of(FIRST_NAMED, page):
        word = page.text[start:end]
        known = gazetteers.first_name(word) > FREQUENCIES["first of the family"]
        known = known or not gazetteers.common_word(word)
        # `Extubated, daughter Kim and son`
        done = word.endswith(("ed", "ing", "ly", "able", "ful"))
        if known and not done and nameable(word) and not clinical(word):
            yield Seen(start, end, PERSON, STRENGTHS["first of the family"], "first of the family")


CAPITALS = r"\b([A-Z]{2,3})\b"
LEGEND_NAME = r"[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){1,2}"
LEGENDS = (
    rf"(?:^|\n|[ ]{{2}}|\t|[|;,] ?)([A-Z]{{2,3}}|[a-z]{{2,3}})(?:[ ]{{1,4}}|[ ]?[=:-][ ]?){LEGEND_NAME}",
    rf"\b([A-Z]{{2,3}}|[a-z]{{2,3}})\"? {{0,3}}(?:\(|= ?|\(= ?|\(?i\.e\. |\(?that'?s |\(?that is |\((?:really|for|is),? |: (?:she|he) is |for |is )(?:Dr\.? )?{LEGEND_NAME}",
)
AFTER_NAME = rf"({LEGEND_NAME}) ?\(=? ?\"?(?:[A-Z]{{2,3}}|[a-z]{{2,3}})\"?\)"
EXPLAINED = (*LEGENDS, AFTER_NAME)
LEGEND_TOLD = re.compile(
    rf"[\" =:(-]*(?:i\.e\. |that'?s |that is |really,? |(?:she|he) is |for |is )?(?:Dr\.? )?({LEGEND_NAME})"
)
BRACKETED = re.compile(r" ?\(=? ?\"?([A-Za-z]{2,3})\"?\)")


def explained(page: NormalizedText) -> Iterator[Seen]:
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
                yield Seen(
                    start, end, PERSON, STRENGTHS["initials explained"], "initials explained"
                )
    for start, end in matches(AFTER_NAME, page):
        row = BRACKETED.match(text, end)
        if row and stand_for(row.group(1), text[start:end]):
            if not vocabulary(row.group(1).lower()):
                told.add(row.group(1))
            yield Seen(*row.span(1), PERSON, STRENGTHS["initials explained"], "initials explained")
    for start, end in matches(CAPITALS, page) if told else ():
        if text[start:end] in told:
            yield Seen(start, end, PERSON, STRENGTHS["initials explained"], "initials explained")


def stand_for(letters: str, name: str) -> bool:
    """Whether `name` is a person's name whose words begin with these letters."""
    told = re.findall(r"[A-Z][A-Za-z'-]*", name)
    rows = (told[: len(letters)], told[-len(letters) :])
    words = next((r for r in rows if [w[0] for w in r] == list(letters.upper())), None)
    if words is None or letters.lower() in NEVER_NAMES - {"pt"}:
        return False
    return bool(gazetteers.surname(words[-1])) and not (ordinary(words[0]) and ordinary(words[-1]))
