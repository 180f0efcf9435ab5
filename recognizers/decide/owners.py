# ruff: noqa: E501 -- a pattern reads best on one line
"""Houses and employers of whose name a person, a town or nothing but the end was found."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from recognizers.entities import ENTITIES
from recognizers.evidence.names.word_evidence import DOTTED_FORMS, SHORT_FORMS, STOPS
from recognizers.finding import Finding
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.word_lists import common_words

Step = Callable[[str, Finding], Finding]
WINDOW = 40
TITLES = frozenset(["dr", "mr", "mrs", "ms", "drs", "miss", "rev", "fr", "sr", "nurse", "coach"])
OWNED = re.compile(r"['\u2019]s\b")
FRESH_BEFORE = re.compile(r"(?:^|[.;!?:][ ]|\d[ ])([A-Z][a-z]{3,}) $")
SMALL_BEFORE = re.compile(r"(?:^|[ (,])([a-z]{4,}) $")
DOTTED_BEFORE = re.compile(r"(?:^|[ (])((?:[A-Z]\.[ ]?){2,5}) ?$")
# A brand as health systems write theirs: `MultiCare` of `MultiCare Odum Memorial`.
CAMEL_BEFORE = re.compile(r"(?:^|[\s(,/;:])([A-Z][a-z]{2,}[A-Z][a-z]{2,} )$")
DOTLESS = str.maketrans("", "", ". ")
ARTICLE_BEFORE = re.compile(r"[a-z,;:(]( ?The )$")


def left_of(text: str, finding: Finding) -> str:
    """What stands before a finding, on its line."""
    first = max(0, finding.start - WINDOW)
    return text[max(first, text.rfind("\n", first, finding.start) + 1) : finding.start]


def name_before(text: str, finding: Finding) -> Finding:
    """`Tolland` of `. Tolland Memorial`, `houston` of `houston Methodist`, `A.C.` of `A.C. Mills`."""
    if not text[finding.start].isupper():
        return finding
    left = left_of(text, finding)
    match = ARTICLE_BEFORE.search(left)
    if match:
        return replace(finding, start=finding.start - len("The "))
    match = CAMEL_BEFORE.search(left)
    if match:
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    match = DOTTED_BEFORE.search(left)
    if match and match.group(1).translate(DOTLESS).lower() not in DOTTED_FORMS - {"us"}:
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    for form in (FRESH_BEFORE, SMALL_BEFORE):
        match = form.search(left)
        if match and only_a_name(match.group(1)):
            return replace(finding, start=finding.start - (len(left) - match.start(1)))
    return finding


def only_a_name(word: str) -> bool:
    """A surname or a town, and no word of the language, the clinic or a title."""
    low = word.lower()
    if low in common_words() or low in SHORT_FORMS or not housed(word):
        return False
    if gazetteers.clinical_word(low) or gazetteers.eponym(low):
        return False
    return gazetteers.surname(low) > 7 or bool(gazetteers.city(low))


def housed(word: str) -> bool:
    """May a capitalised word stand before the found part of a house's name?"""
    low = word.lower()
    return low not in TITLES and low not in STOPS and low not in plain_list("places/common")


SAINT = re.compile(r"(?:St\.?|Saint|ST\.?|SAINT) ")
# At a person's one stays and sleeps; elsewhere one is at a house called by its owner.
THERE_LEFT = re.compile(
    r"(?i)(?<!stay)(?<!stayed)(?<!stays)(?<!staying)(?<!lives)(?<!living)(?<!lived)(?<!live)(?<!sleeps)(?<!slept)(?<!sleeping)(?<!dinner)(?<!party) (?:at|from|via|thru|(?:go|goes|going|drives?|driving|shops?) to)(?: the)? $"
)
THERE_ENDS = re.compile(
    r"['\u2019]s(?=[.,;)]|\n|$| (?:for|on|in|by|and|only|where|when|today|yesterday|with|last|x|ED|ER|ICU|OR|records?|hosp\w*|clinic|rehab)\b)"
)


def house_of_person(text: str, finding: Finding) -> Finding:
    """`'s` of `St. Odum's` and of `seen at Odum's`, where the network saw a person."""
    match = OWNED.match(text, finding.end)
    if not match:
        return finding
    if not SAINT.match(text, finding.start):
        there = THERE_LEFT.search(left_of(text, finding))
        match = THERE_ENDS.match(text, finding.end) if there else None
    if not match:
        return finding
    return replace(finding, end=match.end(), entity="FACILITY", identifier=ENTITIES["FACILITY"])


CALLED_LEFT = re.compile(r"(?i)\b(?:by|from|with|w/|called|per|via|to|and)(?: the)? $")
TOWNS_LETTERS = re.compile(
    r" (?:PD|FD|VFD|SO|SD|EMS|ISD|USD|CSD|DPW|FCU|PUD)\b(?! ?(?:\d|cath|exchange|fluid|dialysate))"
)
FIRE_LETTERS = re.compile(r" (?:FD|VFD)\b")
LETTERS_AFTER = re.compile(r" [A-Z]{2}")


def letters_of_town(text: str, finding: Finding) -> Finding:
    """`PD` of `Odum PD`, where the town or county alone was found."""
    if not LETTERS_AFTER.match(text, finding.end):
        return finding
    called = finding.entity != "PERSON" or CALLED_LEFT.search(left_of(text, finding))
    match = (TOWNS_LETTERS if called else FIRE_LETTERS).match(text, finding.end)
    if not match or (" " in text[finding.start : finding.end] and finding.entity == "PERSON"):
        return finding
    return replace(finding, end=match.end(), entity="EMPLOYER", identifier=ENTITIES["EMPLOYER"])
