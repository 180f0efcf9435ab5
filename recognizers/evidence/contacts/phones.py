# ruff: noqa: E501 -- a pattern reads best on one line
"""(D) Telephone numbers: pagers, extensions, spoken numbers too."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.text.shapes import SPOKEN_DIGIT

TEL = "PHONE_NUMBER"
EXTENSION = r"(?:,? ?(?i:x|ext?n?\.?|extension)[ .:]?\d{1,6})?"
WORDS = (
    r"ph(?:one)?s?\b|\btel(?:e(?:phone|fono))?\b|cell(?:ular|ph)?\b|mobile|\bcall|pager|page\b|pgr|beeper|contact|"
    r"\btext|home\b|work\b|\bh\b|\bw\b|\bc\b|reach|voicemail|\bvm\b|number|\bnum\b|hotline|after hours|direct|office|"
    r"dispatch|desk|\bline\b|nurse|daughter|son\b|wife|husband|mother|father|sister|brother|niece|nephew|spouse"
)
NOT = r"(?:mrn|acct|account|member|claim|policy|serial|sn|lot|udi|npi|dea|ssn|case|ref|accession|icd|cpt|rx)[ #:.no]*"

# The joints whose `ext` is an extension of another kind.
JOINTS = r"(?:knee|hip|wrist|elbow|shoulder|cerv\w*|c-?spine|lumbar|trunk|back|neck|toe|finger|thumb|ankle|flex\w*|leg|arm|[LR]|rot\w*|rom|strength|range|abd|add)[ :,./]*(?:\d{1,3}(?: ?deg(?:rees)?\b)?[ ,;/.]*)?(?:ext\.? ?)?"


def dialled(value: str) -> bool:
    """Seven digits at least, and no day with its hour: `callback 10/3 1600`."""
    if re.match(r"\d{1,2}[/-]\d{1,2} +\d{4}$|\d{1,2}/\d{1,2} ", value):
        return False
    return 7 <= sum(c.isdigit() for c in value) <= 18


# What is counted, not dialled: `x 10 days`.
TIMES = r"[ ]?(?:days?|d\b|wks?|weeks?|mos?\b|months?|yrs?|years?|h\b|hrs?|hours?|min|doses?|times|mg|mcg|ml|cc|cm|mm|tabs?|units?|sets?|reps?|nights?|visits?|feet|ft|steps|cells|power|mag|field|x\b|[*^])"


PARTS = re.compile(r"(?:\+?1[-. ]{0,2})?\(?(\d{3})(\)?[-./ ]*)(\d{3})([-./ ]+)(\d{4})")


def hung(value: str) -> float:
    """Evidence against columns and doses: `250   500   1000`, `150/400/2400`, `1150 140 / 1345`."""
    parts = PARTS.match(value)
    if parts is None:
        return 0.0
    area, first, exchange, second, line = parts.groups()
    bare = first.strip()
    if "   " in first + second or ("/" in second and "/" not in first):
        return -0.55
    round_sum = area[2] + exchange[2] + line[2:] == "0000"
    if round_sum and bare in {"", "/"}:
        return -0.55
    # No area code nor exchange begins so.
    unissued = area[0] in "01" or exchange[0] in "01"
    return -0.35 if unissued and bare in {"", "/"} and first else 0.0


def no_clock(value: str) -> float:
    """Evidence against `called 1405`, which is a time of the day."""
    clock = len(value) == 4 and int(value[:2]) < 24 and int(value[2:]) < 60
    return -0.92 if clock or value[:2] in {"19", "20"} else 0.0


class Phones(Rules):
    word = "phones"
    around = Context(left=WORDS, not_left=NOT)
    patterns = (
        Pattern(
            "spaced digits",
            r"(\(?\d \d \d\)?[ -]{1,3}\d \d \d[ -]{1,3}\d \d \d \d)",
            TEL,
            0.95,
            before="0-9",
            after="0-9",
        ),
        Pattern("x and four digits", r"\b(x ?(?:\d{4,5}|\d-\d{3,4}))\b", TEL, 0.75, after="0-9-/"),
        Pattern(
            "extension of somebody",
            r"\b(?:RN|LPN|MD|DO|NP|PA|PA-C|CNA|MA|MSW|LCSW|HR|IP|SW|(?i:desk|cell|callback|call|called|calls|back|phone|phone out|reach|operator for|operator|chambers|office|ring|dial|pager|at|her|him|me)),? (x ?(?:\d{2,6}|\d-\d{3,4}))\b",
            TEL,
            0.9,
            after="0-9./%^-",
            context=Context(not_right=TIMES),
        ),
        Pattern(
            "extension after a name",
            r"(?:\b[A-Z][a-z]+,?|[(;]) (x ?(?:\d{4,6}|[2-9]\d\d|\d-\d{3,4}))\b|\((x ?\d{3,6})\)",
            TEL,
            0.9,
            after="0-9./%^-",
            context=Context(not_right=TIMES),
        ),
        Pattern(
            "dialled inside the house",
            r"(?i)\b(?:paged|page|rang|ring|dial|dialed|dialled|texted|call|called|beeped|number|extension|spectra) (\d{4,5})\b",
            TEL,
            0.92,
            after="0-9:/.-",
            check=no_clock,
        ),
        # With what came of it the figure is whom one paged, though it could be an hour.
        Pattern(
            "paged in vain",
            r"(?i)\b(?:paged|paging|page to|re-?paged|beeped) (\d{4,5})(?:[,;]| -+)? ?(?:again )?(?:no (?:cb|call ?back|c/b|answer|response|reply|resp)\b|x ?[2-9]\b(?:,? (?:no|w/o|without|awaiting)\b|[,;.]? no\b|[ ]*(?:\n|\z))|(?:twice|awaiting|await|w/o|without) (?:cb|call ?back|c/b|answer|response|reply|resp)\b|twice,? (?:no|without|w/o)\b)",
            TEL,
            0.92,
            after="0-9:/-",
        ),
        Pattern(
            "number of the house",
            r"(?i)\b(?:called|call|paged|page|dial|from|at|the|to|on) (\d{4,5}) (?:number|line|extension|pager|beeper)\b",
            TEL,
            0.92,
            before="0-9",
        ),
        Pattern(
            "extension after a name or number",
            r"(?:\d{4}|[A-Z][a-z]+|\b(?i:call|ring|me|desk|at|reach|phone|office|clinic)),? {1,3}(?i:ext|extn|extension)\.? {0,2}(\d{2,6})\b",
            TEL,
            0.92,
            after="0-9/.%-",
            context=Context(not_left=JOINTS),
        ),
        Pattern(
            "glued to its label",
            r"(?i:cell|tel|phone|ph|wrk#|work|home|call)[#:]?(\d{10})\b",
            TEL,
            0.9,
        ),
        Pattern(
            "pager after a pause",
            r"(?:[,(;]|\b(?:[Pp]aged|[Pp]age|[Bb]eep|RN|MD|DO|NP|PA|PGY-?\d)) (p ?\d{4,5})\b",
            TEL,
            0.92,
            after="/0-9",
        ),
        Pattern(
            "extension of nobody",
            r"(?:^|\n|[.;,] )(?:Ext|ext|EXT)\.? (\d{3,5})\b",
            TEL,
            0.92,
            after="/0-9",
        ),
        Pattern("pager number", r"\bp(?:gr)? ?(\d{4,5})\b", TEL, 0.5),
        Pattern(
            "phone's last four",
            r"(?i)last (?:4|four) of (?:phone|cell|tel)[ :#]*(\d{4})\b",
            TEL,
            0.9,
        ),
        Pattern(
            "north american",
            rf"((?:\+?1[-. ]{{0,2}})?\(?\d{{3}}\)?[ ]?[-./ ]{{0,2}}[ ]?\d{{3}}[ ]?[-./ ][ ]?\d{{4}}{EXTENSION})",
            TEL,
            0.95,
            before="0-9A-Za-z-",
            after="0-9-",
            check=hung,
        ),
        Pattern(
            "area code in brackets",
            rf"(\(\d{{3}}\)[- ]{{0,2}}\d{{3}}[ ]?[-. ]?[ ]?\d{{4}}{EXTENSION})",
            TEL,
            0.9,
            after="0-9",
        ),
        Pattern(
            "broken in its last part",
            r"(\(?\d{3}\)?[-./ ]\d{3}[-.]\d[ ]\d{3})",
            TEL,
            0.7,
            before="0-9-",
            after="0-9-",
        ),
        Pattern(
            "broken over a line",
            r"(\(?\d{3}\)?[-. ]\d{3}[-.][ ]*\n[ \t]*\d{4})",
            TEL,
            0.85,
            before="0-9-",
            after="0-9-",
        ),
        Pattern(
            "broken after the area code",
            r"(\(?\d{3}\)?[-. ]?[ ]*\n[ \t|]*\d{3}[-. ]\d{4})",
            TEL,
            0.6,
            before="0-9-",
            after="0-9-",
        ),
        Pattern(
            "international",
            r"(\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4})",
            TEL,
            0.85,
            after="0-9",
            # The power of a lens: `+21.5 D`.
            check=lambda v: -0.5 if re.match(r"\+\d{1,2}\.\d{1,2} ", v) else 0.0,
        ),
        Pattern(
            "foreign, 00", r"(\b00\d{1,3}[ .-]\d{1,4}(?:[ .-]\d{2,4}){2,4})", TEL, 0.6, after="0-9"
        ),
        Pattern(
            "seven digits",
            rf"(\b\d{{3}}[-.]\d{{4}}\b{EXTENSION})",
            TEL,
            0.75,
            before="0-9A-Za-z/.-",
            after="0-9-",
            context=Context(
                left=WORDS,
                not_left=NOT,
                not_right=r"[ ]?(?:ml|mg|mcg|cc|units?|cells|/|kcal|cal|steps|feet|ft|k\b)",
            ),
        ),
        Pattern(
            "seven digits, space",
            r"(\b555[ ]\d{4}\b)",
            TEL,
            0.6,
            before="0-9A-Za-z/.-",
            after="0-9-",
        ),
        Pattern(
            "ten digits",
            r"(\b[2-9]\d{2}[2-9]\d{6}\b)",
            TEL,
            0.6,
            before="0-9A-Za-z/.-",
            after="0-9A-Za-z-",
        ),
        Pattern(
            "spoken",
            rf"(?i)\b({SPOKEN_DIGIT}(?:[ ,-]+(?:(?:area code|dash|comma|hyphen|pause|then)[ ,-]+)?{SPOKEN_DIGIT}){{6,}})\b",
            TEL,
            0.9,
        ),
        Pattern(
            "letters for digits",
            r"\b(1[-. ]8(?:00|33|44|55|66|77|88)[-. ]\d{0,3}[-. ]?[A-Z]{3,8}(?:[-. ][A-Z0-9]{2,5})?)\b",
            TEL,
            0.7,
        ),
        Pattern(
            "area code cut off",
            r"\(?\d{3}\)?[-./ ]\d{3}[-. ]\d{4} ?(?:or|/|,|and) ?(?i:-)?(\d{4})\b",
            TEL,
            0.7,
            after="0-9/-",
            check=lambda v: no_clock(v) / 3,
        ),
    )
    labels = (
        Label(
            "telephone",
            r"tel(?:ephone|efono|\.)?|ph(?:one|\.)?(?: ?\((?:h|w|c|home|work|cell)\))?|cell(?:ular|phone)?|mobile|"
            r"home phone|work phone|phone (?:no|number)|contact(?: number| #)?|callback",
            TEL,
            0.85,
            value=rf"\(?\+?\d[\d()./ -]{{5,16}}\d{EXTENSION}",
            keep=dialled,
        ),
        Label(
            "extension",
            r"ext?n?\.?|extension|xtn|vocera(?: ext)?|ascom|spectra(?:link)?|zone phone",
            TEL,
            0.85,
            value=r"\d{3,6}\b",
            column=False,
        ),
        Label("mailbox", r"(?:voice ?)?mail ?box|vmbx", TEL, 0.9, value=r"\d{3,6}\b", column=False),
        Label(
            "spoken extension",
            r"extension|ext",
            TEL,
            0.8,
            value=rf"(?i:{SPOKEN_DIGIT}(?: {SPOKEN_DIGIT}){{1,5}})",
            column=False,
        ),
        Label(
            "pager",
            r"pager|pgr|beeper|bpr|page(?: me| him| her)?(?: at)?|pg",
            TEL,
            0.9,
            value=r"#?(?:\d{4,7}|\d{1,3}-\d{3,4})\b",
            column=False,
        ),
    )
