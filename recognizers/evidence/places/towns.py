# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Towns and counties: before a state, behind a label or a preposition, with `County` or `Co`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.context import Context
from recognizers.evidence.names.cues import CREDENTIALS
from recognizers.evidence.names.word_evidence import SHORT_FORMS, clinical
from recognizers.evidence.places.streets import CAP
from recognizers.evidence.rules import Hit, Label, Pattern, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import STATES
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

CITY, COUNTY = "CITY", "COUNTY"
# A car and its plate: `gray Tundra, Montana 8-44102B`.
PAINTED = r"(?:gray|grey|white|black|silver|blue|red|green|tan|maroon|beige) "
FIELDS = plain_list("places/fields")


def townish(value: str) -> float:
    """Evidence that the words before a state's code name a town and not a form's field."""
    words = value.lower().split()
    last = value.split()[-1]
    if re.fullmatch(CREDENTIALS, last) or (last.isupper() and words[-1] in SHORT_FORMS):
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


TOWNS = (
    Pattern(
        "city before a state",
        rf"((?:(?:St|Ft|Mt|Pt|Ste)\.? )?{CAP}(?:[ -](?:{CAP}|of|de|la|del|on|the)){{0,3}})(?:,[ ]*|[ ]+)(?:{STATES})[ ,.]*\d{{5}}(?:[^0-9]|\z)",
        CITY,
        0.93,
        check=townish,
    ),
    Pattern(
        "city after its street, before a code",
        r"\b(?i:st|street|ave|avenue|rd|road|drive|ln|lane|blvd|court|terrace|pkwy|hwy)\b\.?(?:[ ][NSEW]{1,2}\b)?(?:,? (?i:apt|unit|ste|suite|lot|#|rm|no)\.? ?#?[A-Z0-9-]{1,6})?, ([A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+){0,2}),? \d{5}\b",
        CITY,
        0.92,
        check=townish,
    ),
    Pattern(
        "city, state code",
        r"\b((?:(?:St|Ft|Mt|Pt|Ste)\.? )?[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z'-]+){0,2}), ?(?:A[KLRZ]|C[AOT]|D\.?C|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(?:[^A-Za-z0-9'-]|\z)",
        CITY,
        0.9,
        check=townish,
        # The PR interval, prior authorisation and the like have a number that is no ZIP code.
        context=Context(
            not_right=r", ?[A-Z.]{2,4} (?:\d{1,3}(?:[^0-9]|$)|plate|tmp|temp|tag|lic|dl\b)|, ?ID (?:[A-Z]{1,4} ?\d|\d{6}|none\b|no\b|#)",
            not_left=PAINTED,
        ),
    ),
    Pattern(
        "city, state in words",
        r"\b((?:(?:St|Ft|Mt)\.? )?[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}), (?i:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawai'?i|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|puerto rico)\b",
        CITY,
        0.85,
        context=Context(not_left=PAINTED),
    ),
    Pattern(
        "county",
        rf"\b((?:(?:St|Ste|San|Santa|El|La|Los|Las|De|Du|Mc|Prince|King|New|Santa) ?\.? ?)?{CAP}(?: {CAP})?) (?:County|Parish|COUNTY|PARISH|Borough|Cty|CTY|county|parish)\b",
        COUNTY,
        0.85,
    ),
    Pattern("county of", r"\b(?i:county of) ([A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)", COUNTY, 0.9),
    Pattern("county, damaged", r"\b(?:C[O0]UNTY [O0]F) +([A-Z][A-Za-z0-9]+)", COUNTY, 0.9),
    Pattern(
        "tract of the census",
        r"(?i)\b(?:census )?tract(?: (?:no\.?|number))?[ #.:]{1,6}(\d{3,4}\.\d\d)\b",
        COUNTY,
        0.92,
        after="0-9%",
    ),
    Pattern(
        "precinct",
        r"(?i)\bprecinct(?: (?:no\.?|number))?[ #.:]{1,6}(\d{1,4}(?:-?[A-Za-z])?)\b",
        COUNTY,
        0.92,
    ),
)
ANNOUNCED = (
    Label(
        "city",
        r"city(?:/town)?|town|city/state|ciudad|pueblo|birth ?place|place of birth|born in",
        CITY,
        0.75,
        value=r"[A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+){0,2}",
        keep=lambda v: v.lower().split()[0] not in {"state", "zip", "the", "of"},
    ),
    Label(
        "county",
        r"county|parish|co\. of residence",
        COUNTY,
        0.8,
        value=r"[A-Z][A-Za-z.'-]+(?: [A-Z][A-Za-z'-]+)?",
        keep=lambda v: bool(gazetteers.county(v)),
    ),
)


MOVING = (
    r"\b(?:in|from|to|near|nr|above|below|outside|around|lives in|born in|moved to|resides in|travel(?:ed|ing)? to|drove to|flight to|flew to|visiting|via|toward|back to|raised in|grew up in|"
    r"drives? in from|resident of|native of|north of|south of|east of|west of|outside of|hospital in|clinic in|facility in|went to|shelter in|church in) ((?:(?:St|Ft|Mt|San|Santa|Los|Las|El|La|New|North|South|East|West|Fort|Port|Lake|Mount|Saint|Palm|Del|Grand|Little|Big|Cape|Old|Green|Great)\.? )?[A-Z][a-z]+(?:[ -][A-Z][a-z]+){0,2})"
)


def cities(page: NormalizedText) -> Iterator[Hit]:
    """A name of a US place after a word of place; a common word or a clinical one is not enough."""
    for start, end in matches(MOVING, page):
        words = page.text[start:end].split()
        for size in range(len(words), 0, -1):
            name = " ".join(words[:size])
            low = name.lower()
            if (
                gazetteers.city(low)
                and not clinical(low)
                and (size > 1 or gazetteers.common_word(low) < 23)
            ):
                yield Hit(start, start + len(name), CITY, 0.7, "place after its preposition")
                break


def counties(page: NormalizedText) -> Iterator[Hit]:
    """`Union Co`, `NAVAJO Co.`: the abbreviation counts where the Census has such a county."""
    regex = r"\b([A-Za-z.]+(?: [A-Z][A-Za-z]+)?) (?i:co|cty|county|parish)\b"
    for start, end in matches(regex, page):
        name = re.sub(r"[.]", "", page.text[start:end]).lower()
        last = name.split()[-1] if name else ""
        if gazetteers.county(name):
            score = 0.9 if page.text[start].isupper() else 0.8
            yield Hit(start, end, COUNTY, score, "county and abbreviation")
        elif gazetteers.county(last):
            yield Hit(end - len(last), end, COUNTY, 0.8, "county and abbreviation")
