# ruff: noqa: E501 -- a pattern reads best on one line
"""The score that the model needs for a value: more for the vocabulary of the clinic than for a name.

It is weighed by the words of the value, by what stands beside it, and by the guards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.decide.guards import NEVER, applying, of
from recognizers.evidence.names.word_evidence import (
    DOTTED_FORMS,
    NOBODY,
    SHORT_FORMS,
    STOPS,
    clinical,
    derived,
    ordinary,
)
from recognizers.evidence.places.facilities import named
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

PEOPLE = of("PERSON", "FACILITY", "EMPLOYER", "CITY", "STREET_ADDRESS", "COUNTY")
PEOPLES = plain_list("names/peoples")
# Bare, but the proper name of many a house.
HOUSE = re.compile(
    r"(?:General|Children's|University|Central|County|Community|Regional|Memorial|Veterans|City|State|Women's)"
    r"(?: Health| Medical| Care)? (?:Hospitals?|Clinics?|Health|Center|Pediatrics|Pharmacy|Health and Hospitals)"
)
WORD = re.compile(r"[A-Za-z][A-Za-z']*")
INITIAL_SURNAME = re.compile(r"(?:[A-Z]\. ?){1,2}[A-Z][A-Za-z'-]{2,}")
# What the vocabulary of the clinic needs to be taken for a person.
SHORTHAND = 0.97


# What a word of the language needs that the Census knows nobody by: `Groomer`, `Unhoused`.
UNBORNE = 0.85


def needed(value: str, entity: str, left: str, right: str) -> float:
    """The score the model needs for this value here, 0..1, or `NEVER`."""
    if entity in PEOPLE and SCORED.match(right) and eponymous(value) and not owned(value, right):
        return NEVER
    if entity == "PERSON" and (unnamed(value) or dotted_form(value)):
        return NEVER
    least = base(value, entity, left)
    if entity == "PERSON" and 0.9 < least < 0.98:
        least = eased(value, least, left, right)
    found = [least]
    found += [g.needed for g in applying(value, entity, left, right)]
    return max(found)


def eased(value: str, least: float, left: str, right: str) -> float:
    """What a person's name needs that the clinic or the language uses for something else, too."""
    if spoken_of(value, left, right):
        return 0.5
    if given(value):
        return 0.7 if value.isupper() else 0.55
    if least == SHORTHAND and not peoples(value):
        return min(least, written_need(value))
    return least


def written_need(value: str) -> float:
    """By how it is written: short forms stand in capitals, things of the clinic with one."""
    if re.fullmatch(r"[A-Za-z]{2}", value):
        return 0.6 if value.isupper() else 0.5
    if INITIAL_SURNAME.fullmatch(value) and gazetteers.surname(WORD.findall(value)[-1]) > 8:
        return 0.6
    return 0.8 if value.islower() or " " in value else SHORTHAND


# What follows the name of a score, a sign or a part: its kind or its figure.
SCORED = re.compile(
    r"(?:['\u2019]s)?(?:[ :=]{1,3}[<>~]?\d{1,3}(?![\dMFmfy/.-])(?! ?(?:[MFmf]\b|y))|[ -](?:score|scale|index|criteria|class|classification|grade|stage|type [IV\d]|sign|test|reflex|maneuver|procedure|repair|disease|syndrome|fracture|clamps?|forceps|scissors|retractor|catheter|drain|tube|protocol|rules?|stain|nodes?|cyst|hernia|lesion|fissures?|foram(?:en|ina)|fossa|ligaments?|ducts?|glands?|canal|nerves?|fascia|lines?|sulcus|tubercles?|ganglion|plexus|sphincter|valves?|membrane|space|pouch|triangle|ring|rings|patch(?:es)?|crypts?|islets?|bodies|I{1,3} fracture|I{1,3}\b)\b)"
)


# What a patient has, too: `Wilson's ring` is of somebody of that name.
OWNED = re.compile(
    r"['\u2019]s (?:lines?|rings?|patch(?:es)?|valves?|drain|tube|catheter|space|nerves?|clamps?)\b"
)
COMMON_SURNAME = 14


def owned(value: str, right: str) -> bool:
    """Is it a surname that many bear, and a thing of its bearer?"""
    return bool(OWNED.match(right)) and gazetteers.surname(value) >= COMMON_SURNAME


QUOTES = frozenset('"\u201c\u201d')


def eponymous(value: str) -> bool:
    """Is it, whole or word by word, what medicine calls something after?"""
    return gazetteers.eponym(value) or all(gazetteers.eponym(w) for w in WORD.findall(value))


ACTS = re.compile(
    r"(?:,? (?:who|he|she|his|her|my|their)\b|['\u2019]s\b| (?:says?|said|states?|stated|reports|never|left|called|calls|came|will|was|is|has|had|lives|works|took|gave|wants|asked|drove|brought|agrees|can|cannot|looks|looked|feels|felt|denies)\b)"
)
PERSON_LEFT = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Miss|Mister|named|wife|husband|son|daughter|sister|brother|mother|father|friend|partner|roommate|neighbor|nurse|aide|cousin|aunt|uncle|niece|nephew)\.?,? ?[(\"]?)$"
)


MARKS = str.maketrans("", "", ".,:;'\u2019\" ")


def unnamed(value: str) -> bool:
    """Is it a word of kin, a head of a form, or short forms alone, and no name?"""
    low = value.strip(" .,:;'\"\u2019").lower()
    if low in NOBODY:
        return True
    words = [w.strip(",.") for w in value.split()]
    repeated = len(words) > 1 and len(set(words)) == 1 and len(words[0]) < 4
    if repeated and not words[0].istitle():
        return True  # `ND, ND`
    short = all(not w.istitle() and w.lower() in SHORT_FORMS for w in words)
    return short and any(len(w) > 2 for w in words)


DOTTED = re.compile(r"(?:[A-Za-z]\. ?){1,5}[A-Za-z]?\.?")


def dotted_form(value: str) -> bool:
    """`B.R.B.P.R`, `e.g`, `P.M.H. C`: a short form written with full stops, not initials."""
    if not DOTTED.fullmatch(value):
        return False
    groups = [g.translate(MARKS).lower() for g in value.split(" ")]
    return any(g in DOTTED_FORMS or (len(g) > 2 and g in SHORT_FORMS) for g in groups)


TITLE_LEFT = re.compile(r"(?i)\b(?:drs?|mrs?|ms|doctor|miss)\.? $")
TOLD_LEFT = re.compile(r"(?i)\b(?:told|asked|texted|thanked) $")
ROLE_LEFT = re.compile(
    r"\b(?:PA(?:-C)?|RN|NP|MD|DO|CRNA|OT|RT|PT|SW|CM|LPN|CNA|PharmD|RPh|DON|ADON|EMT|LCSW|CNM|[Ss]upv?|[Ff]loat|[Mm]edic|[Ss]urg|[Tt]ech|[Aa]ide|[Ff]ellow|[Rr]esident|[Ii]ntern|[Aa]tt(?:ending|g)|[Cc]haplain|[Dd]eputy|[Oo]ff?c|[Tt]old|[Aa]sked|[Tt]exted|[Pp]aged|[Pp]er)\.? $"
)


def titled(word: str, left: str) -> bool:
    """Does a title or a role stand before a word that many bear as a surname?"""
    if word.lower() in STOPS:
        return False
    if TOLD_LEFT.search(left) and gazetteers.first_name(word) > 12:
        return True
    if gazetteers.surname(word) < 9:
        return False
    return bool(TITLE_LEFT.search(left) or (word[0].isupper() and ROLE_LEFT.search(left)))


def given(value: str) -> bool:
    """Does it begin with a given name that many bear?"""
    word = WORD.match(value)
    return word is not None and value[0].isupper() and gazetteers.first_name(word.group()) > 8


def spoken_of(value: str, left: str, right: str) -> bool:
    """Is a name that is a word of the clinic, too, used of a person here?"""
    words = WORD.findall(value)
    if words and len(words) < 3 and titled(words[-1], left):
        return True
    if not value[0].isupper() or not words:
        return False
    if len(words) == 1 and left[-1:] in QUOTES and right[:1] in QUOTES and value[1:].islower():
        return True
    if gazetteers.first_name(words[0]) <= (12 if gazetteers.eponym(words[0]) else 6):
        return False
    if len(words) > 1 and words[0][1:].islower():
        return len(words[-1]) == 1 or bool(gazetteers.surname(words[-1]))
    return bool(ACTS.match(right) or PERSON_LEFT.search(left))


def peoples(value: str) -> bool:
    """Are all its words names of peoples and tongues?"""
    return all(w.lower() in PEOPLES for w in WORD.findall(value) if len(w) > 1)


def shorthand(word: str) -> bool:
    """A word of the clinic, or three letters and more that charts use for one."""
    return clinical(word) or (len(word) > 2 and word.lower() in SHORT_FORMS)


IN_SENTENCE = re.compile(r"(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bour)(?<=[a-z,;(]) $")


def housed_in(words: Sequence[str], left: str) -> bool:
    """Two words and more, or one with its owner's ending, written as a name within a sentence."""
    if not IN_SENTENCE.search(left):
        return False
    owned = len(words) == 1 and words[0].endswith("'s")
    return (owned or len(words) > 1) and all(w[0].isupper() and w[1:].islower() for w in words)


def unborne(word: str) -> bool:
    """Is it a word of the language, or made of one, that no person of the Census bears?"""
    low = word.lower().removesuffix("'s")
    if len(low) < 5 or gazetteers.surname(low) > 7 or gazetteers.first_name(low):
        return False
    return derived(low)


# Whence and whither patients go.
SENT_LEFT = re.compile(
    r"(?i)\b(?:(?:re)?admitted|transfer(?:red|ring)?|discharged?|d/?c'?d?|xfer(?:red)?|accepted|declined|denied|hospitali[sz]ed"
    r"|dialy[sz]es|enrolled|rehabbed|boarded) (?:to|from|at|by|in|thru|through|@)(?: the)? $"
)


IMPROPER = (plain_list("places/common"), STOPS, SHORT_FORMS, plain_list("clinical/more_drugs"))


def proper(words: Sequence[str]) -> bool:
    """Capitalised words none of which is a part of a house, a short form or a drug."""
    telling = [w for w in words if w not in {"for", "of", "and", "the"}]
    return bool(telling) and all(
        w.istitle() and len(w) > 3 and not any(w.lower() in other for other in IMPROPER)
        for w in telling
    )


def base(value: str, entity: str, left: str = "") -> float:
    """By the kind of words: figures and the vocabulary of the clinic need more than names."""
    if entity in {"EMAIL_ADDRESS", "URL", "IP_ADDRESS", "PHONE_NUMBER", "FAX_NUMBER"}:
        return 0.4
    words = [w for w in WORD.findall(value) if len(w) > 1]
    if entity == "FACILITY" and not named(value) and not HOUSE.fullmatch(value):
        if SENT_LEFT.search(left) and proper(words):
            return 0.6
        return 0.9 if housed_in(words, left) else 0.999
    if entity == "FACILITY" and len(words) > 1 and value[0].isupper():
        return 0.5
    if entity in PEOPLE and words:
        if all(w.lower() in STOPS for w in words):
            return 0.95
        if any(w.lower() in gazetteers.plain_list("clinical/more_drugs") for w in words):
            return 0.99
        if peoples(value) and entity not in {"STREET_ADDRESS", "COUNTY"}:
            return SHORTHAND if entity == "PERSON" else 0.9
        if all(shorthand(w) for w in words):
            if entity in {"STREET_ADDRESS", "EMPLOYER"}:
                return 0.6
            return 0.9 if entity in {"FACILITY", "CITY"} and housed_in(words, left) else SHORTHAND
        if entity == "PERSON" and len(words) == 1 and unborne(words[0]):
            return UNBORNE
        return 0.45 if all(ordinary(w) for w in words) else 0.25
    return 0.55 if any(c.isdigit() for c in value) else 0.45
