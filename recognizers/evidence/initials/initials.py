# ruff: noqa: E501 -- a pattern reads best on one line
"""(A) Initials that name a person: signatures, dictation footers, scribes, log entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers.evidence.initials.legends import explained
from recognizers.evidence.initials.log_entries import entries
from recognizers.evidence.initials.rows import columns, initial_rows, paired, recurring
from recognizers.evidence.initials.signs import SIGNS, Sign
from recognizers.evidence.names.word_evidence import DOTTED_FORMS, NEVER, SHORT_FORMS, vocabulary
from recognizers.evidence.rules import Hit, Rules, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

PERSON = "PERSON"
ROUTES_LISTED = "ip nl po iv im sq sl pr ng gt pt ot st rn md np pa hr wk mo kg lb cm mm ml dl bp ex qd qh hs ok rx tx dx hx fx bx sx yr hd hh ph am pm no to so up on at in of it is be us we he me my go do or as an if la el en de et al ya"
ROUTES = frozenset(ROUTES_LISTED.split())
# What answers a page without being a person.
SERVICES_LISTED = "mr xr pet dx ir ep hf nh hh mh cv id gi gu er ed or ct us nm gs vs hr bh cc cm sw ic ac it bc um cd dc pd fd da dot"
SERVICES = frozenset(SERVICES_LISTED.split())


class NamesInitials(Rules):
    word = "names_initials"

    def entities(self) -> Sequence[str]:
        return (PERSON,)

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        for sign in SIGNS:
            if sign.regex not in page.absent:
                yield from signed(sign, page)
        yield from columns(page)
        yield from initial_rows(page)
        yield from paired(page)
        yield from recurring(page)
        yield from explained(page)
        yield from entries(page)


def signed(sign: Sign, page: NormalizedText) -> Iterator[Hit]:
    """The letters at this sign that may be a person's."""
    for start, end in matches(sign.regex, page):
        value = page.text[start:end]
        if attributed(page.text, start) or TRACE.search(page.left(start, 16)):
            continue
        if " " in value and GENUS.match(page.text, end):
            continue
        letters = re.sub(r"[^A-Za-z]", "", value).lower()
        if not denied(sign, value, letters):
            yield Hit(start, end, PERSON, scored(sign, page, start, end), sign.name)


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


def denied(sign: Sign, value: str, letters: str) -> bool:
    """Do the letters stand for something else at this sign?"""
    if letters in NEVER or (not sign.plain and vocabulary(letters)):
        return True
    if "." in value and letters in DOTTED_FORMS:
        return True
    if sign.acted and letters in SERVICES | ROUTES:
        return True
    if sign.closing and (len(letters) > 2 or value.isupper()) and worded(letters):
        return True
    return sign.service and letters in SHORT_FORMS


def worded(letters: str) -> bool:
    """A word, a short form or a drug: `Closed pds`, `Done now`, `Completed RT`."""
    return letters in SHORT_FORMS or vocabulary(letters) or gazetteers.common_word(letters) > 15


def scored(sign: Sign, page: NormalizedText, start: int, end: int) -> float:
    parts = re.findall(r"[A-Za-z]+", page.text[start:end])
    if sign.rare and parts[0].lower() in THINGS:
        return min(sign.score, 0.5)
    if sign.rare and not any(gazetteers.common_word(p) or p.lower() in SHORT_FORMS for p in parts):
        return 0.92
    return 0.9 if sign.pair and sum(map(len, parts)) == 2 else sign.score
