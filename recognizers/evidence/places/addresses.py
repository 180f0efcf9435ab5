"""Is it an address? What the words of a street or of a town before its state say."""

from __future__ import annotations

import re

from recognizers.evidence.names.cues import CREDENTIALS_PATTERN
from recognizers.evidence.names.word_evidence import SHORT_FORMS
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

SENTENCE_END = re.compile(r"[A-Za-z]{3,}\.$|^[a-z]\.$")
ADDRESS_UNITS_LISTED = "lb lbs mg ml mcg cc kg cm mm min sec hr hrs wk wks mo am pm yo yr yrs"
ADDRESS_UNITS = frozenset(ADDRESS_UNITS_LISTED.split())
COLUMNED = re.compile(r"\d {2,}[A-Z]")
LOTTED = re.compile(r"(?i)\b(?:tdap|td|mmr|flu|ppd|hep ?[ab]|pcv\d*|hpv|covid|vax|vaccine) lot\b")
PREPOSITIONS = frozenset(["per", "by", "with", "from", "to", "and", "via", "for", "fr", "in"])
SELDOM_STREETS = frozenset(["PT", "CT", "DR"])


def street(value: str) -> float:
    """Evidence against an hour, a measure, a sentence's end and `PT` the patient in an address."""
    words = value.split()
    # No house's number begins with a nought, as `0755 Dr` and `0018 CT` do.
    score = -0.6 if words[0][0] == "0" else 0.0
    if COLUMNED.search(value) or words[1].lower() in PREPOSITIONS:
        score -= 0.5  # `TLC 50  FRC pl 4.0`, `1826 Per Dr. Kaplowitz`
    # `6 LE tr`: capitals, then a short suffix in small letters.
    if len(words[-1]) < 3 and words[-1].islower() and words[-2].isupper():
        score -= 0.5 if words[-2].lower() in SHORT_FORMS else 0.2
    if LOTTED.search(value):
        score -= 0.5  # `1633 Tdap lot 5KL92`
    measured = words[1].strip(".").lower() in ADDRESS_UNITS
    if measured or any(SENTENCE_END.search(w) for w in words[1:-1]):
        score -= 0.5
    return score - 0.3 if words[-1].strip(".") in SELDOM_STREETS else score


FIELDS = plain_list("places/fields")


def town_evidence(value: str) -> float:
    """Evidence that the words before a state's code name a town and not a form's field."""
    words = value.lower().split()
    last = value.split()[-1]
    if re.fullmatch(CREDENTIALS_PATTERN, last) or (last.isupper() and words[-1] in SHORT_FORMS):
        return -0.9  # `GERD, LA grade B`, `Dispo PACU, CT head`
    first = value.split()[0]
    if first.isupper() and 1 < len(first) < 5 and words[0] in SHORT_FORMS and not value.isupper():
        return -0.9  # `PI Ludmila Hrabovsky, MD`
    if re.fullmatch(r"I{1,3}[abc]?|I?V[abc]?", last):
        return -0.9  # `Forrest IIa, LA grade B`
    if words[-1].strip(".") in FIELDS or len(words[-1]) < 3:
        return -0.9
    known = gazetteers.city(value) or any(not gazetteers.common_word(w.strip(".")) for w in words)
    return 0.0 if known else -0.4
