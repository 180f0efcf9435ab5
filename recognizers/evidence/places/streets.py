# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Streets by number and name, boxes, units, corners; and what follows `lives at`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.context import Context
from recognizers.evidence.names.word_evidence import SHORT_FORMS
from recognizers.evidence.rules import Hit, Pattern, matches
from recognizers.text.normalized_text import NormalizedText

STREET = "STREET_ADDRESS"
SUFFIX = (
    r"(?i:street|st|str|avenue|ave?|av|road|rd|drive|dr|lane|ln|la|boulevard|blvd|blv|court|ct|place|pl|plz|plaza|way|wy|terrace|terr?|circle|cir|trail|trl|tr|"
    r"parkway|pkwy|pky|highway|hwy|pike|turnpike|tpke|square|sq|loop|alley|aly|row|run|path|crossing|xing|cove|cv|point|pt|ridge|rdg|hollow|holw|"
    r"bend|crescent|cres|close|commons|common|expressway|expy|freeway|fwy|extension|ext|walk|wlk|bypass|landing|lndg|heights|hts|grove|grv|creek|crk|"
    r"view|vista|park|mews|green|gardens|causeway|route|rte|spur|fork|branch|hill|knoll|manor|meadow|mill|springs|valley|village)"
)
SURE = r"(?i:street|st|avenue|ave|road|rd|drive|lane|ln|boulevard|blvd|court|terrace|terr|circle|cir|trail|trl|parkway|pkwy|highway|hwy|pike|turnpike|tpke|crescent|loop|alley|way|place|pl|dr|ct)"
UNIT = r"(?:,?[ ](?i:back house|rear house|front house|garden level|lower level|upper level|back unit|altos|bajos)\b|,?[ ](?i:bunk|cabin|bay)[ ]?\d{1,3}|,?[ ]*(?i:apt|apartment|unit|ste|suite|fl|floor|flr|rm|room|lot|bldg|building|trlr|trailer|space|spc|sp|no|box|#|rear|upper|lower|apto|int)\.?[ ]?#?[ ]?[A-Za-z0-9-]{0,6}|,? ?#[ ]?[A-Za-z0-9-]+|,? \d{1,3}(?:st|nd|rd|th) (?i:fl|floor|flr)|,[ ]?\d{1,2}[A-Z]\b)?"
NUMBER = r"\d{1,6}(?:-\d{1,4})?(?:[ ]?1/2)?[A-Za-z]?"
WORD = r"(?:[A-Z0-9][A-Za-z0-9'.-]*|de|la|del|los|las|the|of)"
NAME = rf"{WORD}(?:[ ]{WORD}){{0,4}}"
CAP = r"[A-Z][A-Za-z'.-]*"
CLOCK = Context(not_left=r"\d{1,2}:")

SENTENCE_END = re.compile(r"[A-Za-z]{3,}\.$|^[a-z]\.$")
MEASURES_LISTED = "lb lbs mg ml mcg cc kg cm mm min sec hr hrs wk wks mo am pm yo yr yrs"
MEASURES = frozenset(MEASURES_LISTED.split())
COLUMNED = re.compile(r"\d {2,}[A-Z]")
LOTTED = re.compile(r"(?i)\b(?:tdap|td|mmr|flu|ppd|hep ?[ab]|pcv\d*|hpv|covid|vax|vaccine) lot\b")
PREPOSITIONS = frozenset(["per", "by", "with", "from", "to", "and", "via", "for", "fr", "in"])
SELDOM_STREETS = frozenset(["PT", "CT", "DR"])


def addressed(value: str) -> float:
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
    measured = words[1].strip(".").lower() in MEASURES
    if measured or any(SENTENCE_END.search(w) for w in words[1:-1]):
        score -= 0.5
    return score - 0.3 if words[-1].strip(".") in SELDOM_STREETS else score


STREETS = (
    Pattern(
        "number, name, suffix",
        rf"\b({NUMBER}[ ]+(?:(?i:[NSEW]|north|south|east|west|n\.?[ew]|s\.?[ew])\.?[ ]+)?{NAME}[ ]{SUFFIX}\b\.?(?:[ ](?:[NSEW]{{1,2}}|North|South|East|West)\b)?{UNIT})",
        STREET,
        0.9,
        before="0-9/.-",
        check=addressed,
        context=CLOCK,
    ),
    Pattern(
        "number, name, suffix, lower case",
        rf"\b(\d{{1,6}} (?:[nsew] )?[a-z0-9']+(?: [a-z0-9']+){{0,2}} (?:street|st|avenue|ave|road|rd|drive|lane|ln|boulevard|blvd|court|ct|terrace|circle|pkwy|hwy|highway|dr|pl){UNIT})\b",
        STREET,
        0.55,
        before="0-9/.-",
    ),
    Pattern(
        "number, name, suffix over a line",
        rf"\b({NUMBER} (?:[NSEW]\.? )?{CAP}(?: {CAP})?[ ]*\n[ \t]*(?:Street|St|Avenue|Ave|Road|Rd|Drive|Lane|Ln|Blvd|Court|Ct|Place|Way|Terrace|Circle)\b\.?)",
        STREET,
        0.75,
        before="0-9/.-",
    ),
    Pattern(
        "number, direction, ordinal",
        r"\b(\d{1,6} (?:[NSEW]\.?|North|South|East|West) \d{1,3}(?:st|nd|rd|th)(?: (?:St|Ave|Street|Avenue|Pl|Rd)\b\.?)?)",
        STREET,
        0.9,
        before="0-9/.-",
    ),
    Pattern(
        "number, direction, name",
        rf"\b(\d{{2,6}} (?:[NSEW]\.?|NE|NW|SE|SW) {CAP}(?: {CAP})?(?:,? (?:#|Apt|Unit|Ste) ?[A-Za-z0-9-]+)?)",
        STREET,
        0.85,
        before="0-9/.-",
    ),
    Pattern(
        "numbered street",
        r"\b((?:[NSEW]\.? )?\d{1,3}(?:st|nd|rd|th) (?:Street|St|Avenue|Ave|Road|Rd|Place|Pl)\b\.?(?: [NSEW]{1,2}\b)?)",
        STREET,
        0.9,
    ),
    Pattern(
        "box",
        r"\b((?i:p\.? ?o\.? ?(?:box|bx)|pob|rfd|post office box|apartado(?: postal)?|apdo\.?(?: postal)?|hc ?\d* box|psc \d+,? box|unit \d+ box)[ #.]{0,3}[A-Z]?\d+-?\d*|(?i:gen(?:eral|\.)? delivery)(?:[ #.]{0,3}\d+)?)",
        STREET,
        0.93,
    ),
    Pattern(
        "rural route",
        r"\b((?i:r\.?r\.?|rural (?:route|rt)|rt\.?|rte|route|hc|star route|h\.?c\.?r\.?)[ .#]{0,2}\d{1,3}[ ,]{1,3}(?i:box|bx)[ #]{0,2}\d+[A-Z]?(?:-?[A-Z0-9]+)?)",
        STREET,
        0.93,
    ),
    Pattern(
        "house of a camp",
        r"\b(?i:home|house|address|addr|loc|lives|lives at|lives in|stays at|stays in)[:;,]? ((?i:cabin|house|lot|space|trailer|slip|bunkhouse|hogan) #?\d{1,4}[A-Z]?)\b",
        STREET,
        0.92,
    ),
    Pattern(
        "block of a street",
        rf"\b(\d{{2,5}}[- ]block of (?:[NSEW]\.? )?{CAP}(?: {SURE})?)\b",
        STREET,
        0.9,
    ),
)


ADDRESS = (
    r"(?i:\b(?:(?:home |mailing |street |residence )?addr(?:ess)?|residence|street|direccion|domicilio|lives at|resides at|moved to|staying at|lives on))\b[ \t]{0,3}[:=#>~*_\"|.-]{0,3}[ \t_]{0,12}"
    r"(\d{1,6}[A-Za-z]?(?:[ -]{1,2}(?:(?:St|Ave|Rd|Dr|Ln|Ct|Blvd|Apt|Ft|Mt|[NSEW])\.|[A-Za-z0-9'#-]+)){1,7})"
)
ENDS_LISTED = "with and primary who has is in since for from until but he she they his her their phone ph tel cell city state zip x rx"
ENDS = re.compile(rf"[ ](?:{'|'.join(ENDS_LISTED.split())})\b.*", re.IGNORECASE)
NOT_STREETS = re.compile(
    r"\d+ ?(?:mg|ml|hours?|hrs?|days?|weeks?|wks?|months?|years?|yrs?|miles?|people|children|kids|steps?|of)\b",
    re.IGNORECASE,
)


def addresses(page: NormalizedText) -> Iterator[Hit]:
    """A number and words after `lives at`, `Address:` up to a word that goes on with the story."""
    for start, end in matches(ADDRESS, page):
        value = ENDS.sub("", page.text[start:end])
        if re.search(r"[A-Za-z]{2}", value) and not NOT_STREETS.match(value):
            yield Hit(start, start + len(value), STREET, 0.9, "address")
