# ruff: noqa: E501 -- a pattern reads best on one line
"""Names under which somebody unknown was registered: `reg. as DOE, UNKNOWN 44`, `TRAUMA, ALPHA`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches, present
from recognizers.text.normalized_text import NormalizedText

# Hospitals draw them from lists: a kind, then a letter of the radio's alphabet, a sex, a number.
KIND = r"(?:DOE|TRAUMA|UNKNOWN|UNIDENTIFIED|UNID|UNK|UNKN|XXUNKNOWN|EMERGENCY|DISASTER|CONFIDENTIAL|PRIVACY|ANONYMOUS|Doe|Trauma|Unknown|Unidentified|Unk|Disaster)"
ALPHABET_LISTED = "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray x-ray yankee zulu"
ALPHABET = "|".join(w for x in ALPHABET_LISTED.split() for w in (x.upper(), x.title()))
LETTER = rf"(?:{ALPHABET})"
MORE = rf"(?:{KIND}|{LETTER}|PATIENT|MALE|FEMALE|MAN|WOMAN|BOY|GIRL|JOHN|JANE|BABY|ADULT|CHILD|Male|Female|Man|Woman|John|Jane|Baby)"
NUMBER = r"(?:[ ,-]{1,2}#?(?:[A-Z]-?)?\d{1,5}(?:-\d{1,3})?)"
VALUE = rf"{KIND}(?:,?[ ]?{MORE}\b){{1,3}}{NUMBER}?|{KIND}{NUMBER}"
AS = r"(?i:(?:reg(?:istered|'?d)?\.?|arrived|admitted|listed|charted|banded|entered|logged|triaged|checked in|brought in|known)(?: in)? (?:as|under)(?: the)?(?: name| alias)?|aka|a\.k\.a\.|alias|trauma name|alias name|temporary name|temp name|stat name|downtime name|(?:id ?band|wrist ?band|arm ?band)(?: says| reads)?|merged? (?:with|from|into))"
REGISTERED_NAME = (
    r"(?i:(?:patient(?:'s)? name|pt name|name|patient|pt|formerly|f/k/a|fka|was|now|previously))"
)
REGISTRATION_RULES = (
    # Said to be how somebody is registered.
    rf"\b{AS}[ :=]{{1,3}}[\"'(]?({VALUE})\b",
    # In the place of a name, with its comma and a letter of the alphabet or a number.
    rf"\b{REGISTERED_NAME}[ :=]{{1,3}}[\"'(]?({KIND}, ?(?:{KIND} ?)?(?:{LETTER}\b{NUMBER}?|{KIND}{NUMBER}|(?:MALE|FEMALE|JOHN|JANE|Male|Female|John|Jane){NUMBER}))",
    # Nothing else is written so.
    rf"(?:^|[^A-Za-z0-9-])((?:DOE|TRAUMA|UNKNOWN|UNIDENTIFIED|UNK), ?(?:UNKNOWN ?)?(?:{LETTER}|MALE|FEMALE|JOHN|JANE|UNKNOWN)[ -]\d{{1,4}})\b",
    rf"(?:^|[^A-Za-z0-9-])((?:TRAUMA|UNIDENTIFIED|UNKNOWN), ?{LETTER})\b",
)
# Says that nothing is known or how bad it is (`arrived as Trauma 2`), and is nobody's.
NOTHING = re.compile(
    r"(?i)(?:unknown|unk|unidentified|unid)(?:,? ?(?:unknown|unk|male|female))*"
    r"|(?:trauma|emergency|confidential|privacy)(?: (?:adult|patient|child))?(?: [1-3])?"
)
WORD_OR_FIGURE = re.compile(r"[A-Za-z]+(?:-ray)?|\d+")


def registered(page: NormalizedText) -> Iterator[Hit]:
    """The name given to somebody whom nobody knew yet."""
    for regex in present(REGISTRATION_RULES, page):
        for start, end in matches(regex, page):
            if NOTHING.fullmatch(page.text[start:end]):
                continue
            yield Hit(start, end, PERSON, 0.93, "registered as unknown")
            # Each part by itself, too: the model may know one and deny the others.
            for part in WORD_OR_FIGURE.finditer(page.text, start, end):
                yield Hit(*part.span(), PERSON, 0.92, "registered as unknown")
