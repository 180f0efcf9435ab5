# ruff: noqa: E501 -- a pattern reads best on one line
"""The edges of names: what beside a found part belongs to the person."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from recognizers import gazetteers
from recognizers.finding import Finding
from recognizers.names_evidence import STOPS, clinical, namely, ordinary

Step = Callable[[str, Finding], Finding]
WINDOW = 40

GIVEN_BEFORE = re.compile(r"(?:^|[\s\"(/|,;:])([A-Z][a-z]+|[A-Z]{3,}) $")
INITIAL_BEFORE = re.compile(r"(?:^|[\s\"(/|,;:])((?:[A-Z]\. ?){1,2})$")
INITIAL_AFTER = re.compile(
    r" [A-Z]\.(?=[\s,;:)\]'\u2019-]|$)|(?: (?!I\b)[A-Z])(?=[,;:)\]|]|  |[ ]?\n|$| \d| (?:MD|RN|NP|PA|DO|MA)\b)"
)
LOW_COMMA_INITIAL = re.compile(r", ?[b-hj-z](?=[ ]*$|[ ]*\n|[;,)]| \d| from\b)")
DOTTED_COMMA_INITIAL = re.compile(r", ?[A-Z]\.(?: ?[A-Z]\.)?(?= [a-z])")
COMMA_INITIAL = re.compile(
    r",(?:[A-Z](?=\d\d[MF]\b|/)| ?(?!(?:M\.? ?D|D\.? ?[OC]|R\.? ?N|P\.? ?A|N\.? ?P|O\.? ?D)\b)(?:[A-Z]\.(?: ?[A-Z]\.)?|[A-Z])(?![\w.'\u2019/-])(?! [a-z]|(?<=[AI]) [A-Z]))"
)
LOW_INITIAL = re.compile(r" [b-hj-z](?=[,;.)]|[ ]?\n|$| \d| (?i:md|rn|np|pa|do|ma)\b)")
SHORTENED_BEFORE = re.compile(
    r"(?:^|[\s(/|,;:])((?:Wm|Chas|Geo|Jos|Thos|Jas|Robt|Benj|Saml|Edw|Danl|Eliz|Fredk|Theo|Patk|Richd|Ma|Fco|Gpe)\.? (?:\(?[\"'\u201c]?|[A-Z]\.? ))$"
)
SURNAME_AFTER = re.compile(r" ([A-Z][a-z]{2,}|[A-Z]{3,})(?![\w-])")
CALLED = frozenset(["junior", "mama", "papa", "mami", "papi", "tata"])
# Borne by some, but said of others.
SAID_LISTED = "baby aide mister don crew ame lou case lady prince princess king queen major deacon judge dean page son love dear sir madam miss honey patient early young long little white black brown green gray may june april august mon sunday client male female"
SAID = frozenset(SAID_LISTED.split())
NEVER_GIVEN = STOPS | SAID


def left_of(text: str, finding: Finding) -> str:
    """What stands before a finding, on its line."""
    first = max(0, finding.start - WINDOW)
    return text[max(first, text.rfind("\n", first, finding.start) + 1) : finding.start]


def given_name(text: str, finding: Finding) -> Finding:
    """`Kit` of `Kit Loftis`, `R.` of `R. Ocampo`."""
    if not text[finding.start].isupper():
        return finding
    left = left_of(text, finding)
    match = SHORTENED_BEFORE.search(left)
    if match:
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    match = GIVEN_BEFORE.search(left)
    if match and named_so(match.group(1)):
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    match = INITIAL_BEFORE.search(left)
    if match and text[finding.start : finding.end].isalpha() and finding.end - finding.start > 2:
        return replace(finding, start=finding.start - (len(left) - match.start(1)))
    return finding


def named_so(word: str) -> bool:
    low = word.lower()
    known = gazetteers.first_name(low)
    return low in CALLED or (
        low not in NEVER_GIVEN and ((known > 6 and namely(low) and not clinical(low)) or known > 10)
    )


PARTED = re.compile(r"[\s,]")


def initial_after(text: str, finding: Finding) -> Finding:
    """`A.` of `Ximena A.`, `,D` of `Abdi,D`, `m` of `lety m`."""
    value = text[finding.start : finding.end]
    if not value[-1:].isalpha() or len(value) < 2:
        return finding
    right = text[finding.end : finding.end + WINDOW]
    lone = not PARTED.search(value)
    forms = [INITIAL_AFTER] if lone else []
    if value[0].isupper() and "," not in value and len(value) > 2:
        forms += [COMMA_INITIAL, DOTTED_COMMA_INITIAL]
    if lone and value.islower():
        forms.append(LOW_INITIAL)
    if value.islower() and "," not in value and len(value) > 2:
        forms.append(LOW_COMMA_INITIAL)
    for form in forms:
        match = form.match(right)
        if match:
            return replace(finding, end=finding.end + match.end())
    return finding


def surname_after(text: str, finding: Finding) -> Finding:
    """`Faleafa` of `Junior Faleafa`, where only the given name was found."""
    value = text[finding.start : finding.end]
    match = SURNAME_AFTER.match(text, finding.end)
    if not match or not value.isalpha() or not gazetteers.first_name(value):
        return finding
    word = match.group(1)
    if not gazetteers.surname(word) or word.isupper() != value.isupper():
        return finding
    if ordinary(word) and not (ENDED.match(text, match.end()) and surely(value, word)):
        return finding
    return replace(finding, end=match.end())


# What ends a name that stands by itself: a word after it would make its last a word.
ENDED = re.compile(r"[ ]*(?:[\n,;)|]|$)|[ ]{2}|,? \(?\d{1,3}\b")


def surely(given: str, last: str) -> bool:
    """May a surname that is a word follow this given name?"""
    if last.lower() in STOPS or clinical(given) or not namely(given):
        return False
    return gazetteers.first_name(given) > 8 and gazetteers.surname(last) > 10


LISTED_BEFORE = re.compile(
    r"(?:^[ \t>*-]*|\d[.):]?[ ]{1,4}|\|[ ]?|[ ]{2,})([A-Za-z][A-Za-z'-]+), ?$"
)


FIRST = re.compile(r"[A-Za-z'-]+")


def surname_before(text: str, finding: Finding) -> Finding:
    """`stent, ` of `2230  stent, harold`, where the given name alone was found."""
    left = left_of(text, finding)
    value = text[finding.start : finding.end]
    match = LISTED_BEFORE.search(left)
    first = FIRST.match(value) if match else None
    if not match or not first or "," in value or gazetteers.first_name(first.group()) < 9:
        return finding
    last = match.group(1)
    cased = last.islower() == value.islower() and last.isupper() == value.isupper()
    if not cased or last.lower() in STOPS or gazetteers.surname(last) < 9:
        return finding
    head = not left[: match.start(1)].strip(" \t>*-")
    if head and ordinary(last) and gazetteers.common_word(last) > 24:
        return finding
    return replace(finding, start=finding.start - (len(left) - match.start(1)))


MIDDLE_AFTER = re.compile(r" ([A-Z][a-z]+|[A-Z]{2,})(?: [A-Z]\.?(?![\w'-]))?(?![\w'-])")
LETTER_AFTER = re.compile(r" [A-Z]\.?(?=[ ]{2}|[ ]*[\n,;|)\]]|[ ]*$|[ ]\d)")
AFTER_LAST = re.compile(r"[A-Z][A-Za-z'-]+, ?$")
GIVEN_AFTER = re.compile(r", ?([A-Z][a-z]{2,}|[A-Z]{3,})(?![\w'-])(?: [A-Z]\b\.?)?")
SHORT_AFTER = re.compile(r", ?(?:Wm|Chas|Geo|Jos|Thos|Jas|Robt|Benj|Edw|Danl|Eliz)\b\.?")


def rest_of_last_first(text: str, finding: Finding) -> Finding:
    """`Ann B` of `Moreno, Lucia Ann B`; `, OTTO` of `MORENO, OTTO` where the surname alone was found."""
    value = text[finding.start : finding.end]
    if "," in value or AFTER_LAST.search(left_of(text, finding)):
        match = MIDDLE_AFTER.match(text, finding.end)
        if match and not middle(match):
            match = None
        match = match or LETTER_AFTER.match(text, finding.end)
        return replace(finding, end=match.end()) if match else finding
    match = SHORT_AFTER.match(text, finding.end)
    if match and value.isalpha():
        return replace(finding, end=match.end())
    match = GIVEN_AFTER.match(text, finding.end)
    if not match or not value.isalpha() or value.isupper() != match.group(1).isupper():
        return finding
    given = match.group(1)
    if gazetteers.first_name(given) > 8 and gazetteers.surname(value) and plainly(given):
        return replace(finding, end=match.end())
    return finding


def middle(match: re.Match[str]) -> bool:
    """A given name, or any capitalised word that an initial follows."""
    word = match.group(1)
    if word.lower() in STOPS or clinical(word):
        return False
    return match.group().rstrip(".")[-2] == " " or (
        gazetteers.first_name(word) > 0 and plainly(word)
    )


def plainly(word: str) -> bool:
    """A name and no word of the language or the clinic."""
    return not ordinary(word) and not clinical(word) and word.lower() not in STOPS


NAMES: Sequence[Step] = (
    given_name,
    surname_after,
    surname_before,
    rest_of_last_first,
    initial_after,
)
