# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Initials that name a person, by where they stand: signatures, dictation footers, logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.word_evidence import (
    DOTTED_FORMS,
    NEVER,
    SHORT_FORMS,
    vocabulary,
)
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

ACTS = (
    r"wit\.?|witness(?:ed)?|signed|initiall?ed|closed|prepared|entered|coded|logged|typed|keyed|checked|updated|recorder|scorer|screener|sonog|sonographer|coder|circ|scrub|"
    r"cosign(?:ed)?|rcvd|rec'?d|rev'?d|reviewed|minutes|opr|operator|phleb|drawn|read back|rb|wasted|recount|counted|poured|uploaded|charted|scribed|att'?d|faxed|phoned|mailed|sig"
)


DOERS = (
    r"tech(?:nologist|nician)?|sonographer|rad tech|operator|opr|nurse|rn|therapist|phleb(?:otomist)?|scanned|performed|perf|imaged|staff|reader|scan tech|"
    r"drawn|collected|perfusionist|hygienist|assistant|asst|author|scribe|read"
)
REGISTERED = r"R\.?T\.?|ARRT|RDMS|RVT|RDCS|CNMT|NMTCB|RRT|CRT|R\.?N\.?|LPN|LVN|CNA|RPSGT|REEGT|R\. ?EEG ?T\.?|CPT|MLT|MLS|CCP|RDH|COA|COT|CST|CMA|RMA|EMT|R\.?T\.?\(R\)|MD|DO|NP|PA-C"


@dataclass(frozen=True, slots=True)
class Sign:
    """Where initials stand; the group marks them.

    `plain`: a short form of the clinic counts. `acted`: a service or a route does not.
    `service`: no short form does. `pair`: two letters are surer. `rare`: letters of no word are.
    `closing`: three letters or capitals that make a word or a short form do not count.
    """

    name: str
    regex: str
    score: float
    plain: bool = False
    acted: bool = False
    service: bool = False
    pair: bool = False
    rare: bool = False
    closing: bool = False


SIGNS: tuple[Sign, ...] = (
    Sign(
        "role, letters, credential in brackets",
        rf"(?i:\b(?:{DOERS})(?: by)?)[ ]?[:.]?[ ]{{1,14}}([A-Z]{{2,3}}|[a-z]{{2,3}}),? ?[(\[](?:{REGISTERED})[)\],( ]",
        0.92,
        plain=True,
        acted=True,
    ),
    Sign(
        "closed by letters at the end",
        r"(?:^|[.;:)\n] {0,2}|\d )(?i:closed|signed|signed off|charted|filed|done|completed|finished|finalized|locked|entered|reviewed)(?: by)? ([a-z]{2,3}|[A-Z]{2,3})\.?[ ]*(?:\n[ ]*\n|\n*\z)",
        0.92,
        plain=True,
        acted=True,
        closing=True,
    ),
    Sign(
        "said to be initials",
        r"(?i:\binitials?)[ :]{1,3}([A-Z]{2,3}|[A-Z]\.[A-Z]\.|[A-Z]-[A-Z])(?:[^A-Za-z0-9]|\z)",
        0.9,
        plain=True,
    ),
    Sign(
        "middle initial",
        r"\b(?:MI|M\.I\.|[Mm]iddle [Ii]nitial)[ _]*[:=][ _]*([A-Z])\b",
        0.9,
        plain=True,
    ),
    Sign(
        "before a comma and their credential",
        r"(?:^|\n|[ ]{2}|--|- )[ ]*([A-Z]{2,3}|[a-z]{2,3})[ ]?, ?(?:RN|LPN|LVN|NP|FNP|MD|DO|PA-C|LMSW|LCSW|MSW|APRN|ARNP|CRNA|CNM|IBCLC|PharmD|RPh|RRT|RD|DPT|PsyD|PhD)\b",
        0.92,
        plain=True,
    ),
    Sign(
        "before their rank",
        r"\b(?:by|w/|with|per) ([A-Z]{2,3}) \((?:R[1-5]|PGY-?\d|RN|NP|PA|MD|MS[34]|tech|fellow|resident|attending)\)",
        0.95,
        plain=True,
    ),
    Sign(
        "letter of a writer",
        r"(?i:\b(?:thx|thanks|thank you|ty|xo+|love|best|cheers)|\n[ ]*\n)[,.!]*[ ]*\n*[ ]*([A-Z])\.?[ ]*(?:\z|\n[ ]*\n>)",
        0.92,
        plain=True,
    ),
    Sign("signed at the end", r"\n[ ]*([A-Z]{2,3})[ ]*\n*\z", 0.9, plain=True),
    Sign(
        "who did it, small letters",
        rf"(?i:\b(?:{ACTS})(?: by)?)[ :]{{1,2}}([a-z]{{2,3}})(?:[ ]*\n|[ ,.;:)/|]|\z)",
        0.82,
        acted=True,
        pair=True,
        rare=True,
    ),
)
ROUTES_LISTED = "ip nl po iv im sq sl pr ng gt pt ot st rn md np pa hr wk mo kg lb cm mm ml dl bp ex qd qh hs ok rx tx dx hx fx bx sx yr hd hh ph am pm no to so up on at in of it is be us we he me my go do or as an if la el en de et al ya"
ROUTES = frozenset(ROUTES_LISTED.split())
# What answers a page without being a person.
SERVICES_LISTED = "mr xr pet dx ir ep hf nh hh mh cv id gi gu er ed or ct us nm gs vs hr bh cc cm sw ic ac it bc um cd dc pd fd da dot"
SIGNING_SERVICES = frozenset(SERVICES_LISTED.split())


def signed(page: NormalizedText) -> Iterator[Hit]:
    """The letters at each sign of the table that may be a person's."""
    for sign in SIGNS:
        if sign.regex not in page.absent:
            yield from at_sign(sign, page)


def at_sign(sign: Sign, page: NormalizedText) -> Iterator[Hit]:
    """The letters at this sign that may be a person's."""
    for start, end in matches(sign.regex, page):
        value = page.text[start:end]
        if attributed(page.text, start) or TRACE.search(page.left(start, 16)):
            continue
        if " " in value and GENUS.match(page.text, end):
            continue
        letters = re.sub(r"[^A-Za-z]", "", value).lower()
        if not is_other_sign(sign, value, letters):
            yield Hit(start, end, PERSON, sign_score(sign, page, start, end), sign.name)


# What somebody walks, drinks or is bound with: in the place of initials the model must agree.
THINGS = frozenset(["rw", "oj", "tq"])
TRACE = re.compile(
    r"(?i)\b(?:prot(?:ein)?|ket(?:ones?)?|bld|blood|glu(?:cose)?|leuks?|bili|edema|alb) tr[. ]+$"
)
# What follows the letter of a germ: `grade B. H. pylori`.
GENUS = re.compile(
    r" (?:pylori|influenzae?|flu|coli|diff(?:icile)?|aureus|epi|aeruginosa|pneumo\w*)\b"
)


def attributed(text: str, start: int) -> bool:
    """Is it the value of an attribute of a markup: `nullFlavor="NI"`?"""
    return text[max(0, start - 2) : start] == '="'


def is_other_sign(sign: Sign, value: str, letters: str) -> bool:
    """Do the letters stand for something else at this sign?"""
    if letters in NEVER or (not sign.plain and vocabulary(letters)):
        return True
    if "." in value and letters in DOTTED_FORMS:
        return True
    if sign.acted and letters in SIGNING_SERVICES | ROUTES:
        return True
    if sign.closing and (len(letters) > 2 or value.isupper()) and is_clinic_word(letters):
        return True
    return sign.service and letters in SHORT_FORMS


def is_clinic_word(letters: str) -> bool:
    """A word, a short form or a drug: `Closed pds`, `Done now`, `Completed RT`."""
    return letters in SHORT_FORMS or vocabulary(letters) or gazetteers.common_word(letters) > 15


def sign_score(sign: Sign, page: NormalizedText, start: int, end: int) -> float:
    parts = re.findall(r"[A-Za-z]+", page.text[start:end])
    if sign.rare and parts[0].lower() in THINGS:
        return min(sign.score, 0.5)
    if sign.rare and not any(gazetteers.common_word(p) or p.lower() in SHORT_FORMS for p in parts):
        return 0.92
    return 0.9 if sign.pair and sum(map(len, parts)) == 2 else sign.score
