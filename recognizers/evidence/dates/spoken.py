# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Dates as they are said: months, ordinals and numbers in words, `the fourth`, `el 4`."""

from __future__ import annotations

from recognizers.evidence.context import Context
from recognizers.evidence.dates.written import FULL_MONTH
from recognizers.evidence.rules import Pattern, Rules
from recognizers.text.shapes import SPOKEN_NUMBER, SPOKEN_ORDINAL, SPOKEN_YEAR, UNITS, WEEKDAY, YEAR

DATE = "DATE_TIME"
ORDINAL = rf"(?:the )?(?:{SPOKEN_ORDINAL})"
TO = r"(?:to|thru|through|until|till|and|or)"
ASKED = r"(?:date of birth|d\.?o\.?b\.?|birth ?date|birth ?day|born|fecha de nacimiento)"
SAID_MONTH = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
SAID_DAY = rf"(?:(?:twenty|thirty)[ -](?:{UNITS})|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|(?:oh )?(?:{UNITS}))"
SAID_YEAR = rf"(?:{SPOKEN_YEAR}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:{UNITS}))?|oh (?:{UNITS}))"
SAID = rf"{SAID_MONTH}[ ,-]{{1,2}}{SAID_DAY}[ ,-]{{1,2}}{SAID_YEAR}"
# Where a day of the month stands after `the`, with nothing that it would be the first of.
ENDS = r"(?:[.,;:!?)]|\n|\z|[ ](?:at|so|which|and|or|to|he|she|i|we|they|then|but|because|with|w/|if|when|yest\w*|in the (?:morning|afternoon|visitors)|in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)(?:[^A-Za-z]|\z))"
NO_DAY = r"(?: (?:percentile|floor|day|week|month|time|rib|toe|digit|finger|metatarsal|metacarpal|intercostal|cranial|nerve|visit|dose|cycle|edition|degree|grade|ics|street|st|ave|avenue|postop|hospital|decile|ventricle|trimester|stage|attempt|line|case|ward|child|generation)|,? (?:and |or )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth) (?:rib|toe|digit|finger|meta))"


def ordinals(cues: str, which: str, score: float, name: str, ends: str = ENDS) -> Pattern:
    """`by the seventh.`: the cue, then the ordinals that count with it."""
    return Pattern(
        name,
        rf"(?i)\b(?:{cues}) (the (?:{which})){ends}",
        DATE,
        score,
        context=Context(not_right=NO_DAY),
    )


LATE = r"(?:(?:twenty|thirty)[ -])(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|(?:eleven|twelf|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twentie|thirtie)th"
MIDDLE = r"fourth|fifth|sixth|seventh|eighth|ninth|tenth"
EARLY = r"first|second|third"
CUES = r"on|by|until|till|til|since|before|after|through|thru|for|due|says?|said|to|from|around|about|moved to|starting|starts|ends|seen|back|again|was|is|and|or|than"
DONE = r"given|drawn|placed|removed|died|came|left|fell|extubated|intubated|discharged|admitted|transferred|(?:night|morning|evening|afternoon) of"
SPANISH_DAY = r"(?:3[01]|[12]\d|[1-9])"


class DatesSpoken(Rules):
    word = "dates_spoken"
    patterns = (
        Pattern(
            "month and day",
            rf"\b({FULL_MONTH}(?:[ ,]+(?i:{ORDINAL})|[ ](?i:{SPOKEN_NUMBER}))(?: (?i:{TO}) (?i:{ORDINAL}))?(?:[ ,]+(?i:{SPOKEN_YEAR}|{YEAR}))?)\b",
            DATE,
            0.95,
        ),
        Pattern(
            "day of month",
            rf"\b((?i:{ORDINAL}(?: {TO} {ORDINAL})?) (?:of )?{FULL_MONTH}(?:[ ,]+(?i:{SPOKEN_YEAR}|{YEAR}))?)\b",
            DATE,
            0.9,
        ),
        Pattern(
            "slashes",
            rf"(?i)\b((?:\d{{1,2}}|{SPOKEN_NUMBER}) (?:slash|dash|stroke) (?:\d{{1,2}}|{SPOKEN_NUMBER})(?: (?:slash|dash|stroke) (?:\d{{2,4}}|{SPOKEN_YEAR}|{SPOKEN_NUMBER}))?)\b",
            DATE,
            0.95,
        ),
        Pattern("month and year", rf"\b({FULL_MONTH} (?:of )?(?i:{SPOKEN_YEAR}))\b", DATE, 0.85),
        Pattern(
            "after its label",
            rf"(?i)\b{ASKED}(?: is| was|'s)?[ ,:?]+((?:{SPOKEN_NUMBER})(?:[ ,-]+(?:oh )?(?:{SPOKEN_NUMBER}|nineteen|hundred|thousand)){{2,6}})\b",
            DATE,
            0.9,
        ),
        Pattern(
            "answer to its question",
            rf"(?i)\b{ASKED}\b[^\n]{{0,40}}\n[^\n]{{0,40}}?[:>\]-][ ]*(?:it's |it is |yeah,? |uh,? |um,? )?({SAID})\b",
            DATE,
            0.92,
        ),
        Pattern(
            "month, day and year in numbers",
            rf"(?i)\b({SAID_MONTH} {SAID_DAY} (?:nineteen (?:hundred(?: and)? )?{SPOKEN_NUMBER}|two thousand(?: and)? {SPOKEN_NUMBER}|twenty (?:twenty|thirty)(?:[ -](?:{UNITS}))?))\b",
            DATE,
            0.9,
        ),
        Pattern(
            "weekday and day",
            rf"\b({WEEKDAY},? the (?i:{SPOKEN_ORDINAL}))\b",
            DATE,
            0.9,
            before="A-Za-z",
        ),
        ordinals(CUES, LATE, 0.9, "ordinal, late"),
        ordinals(DONE, LATE, 0.92, "ordinal, late, after what was done", r"\b"),
        ordinals(CUES, MIDDLE, 0.6, "ordinal, middle"),
        ordinals("since|says?|moved to", EARLY, 0.6, "ordinal, early"),
        ordinals("by|until|till?|due", EARLY, 0.92, "ordinal, early, to come"),
        Pattern(
            "second of two ordinals",
            rf"(?i)\b{FULL_MONTH} (?:the )?(?:{SPOKEN_ORDINAL})(?:,| and| or) (?:and )?(the (?:{SPOKEN_ORDINAL}))\b",
            DATE,
            0.92,
        ),
        Pattern(
            "ordinal in figures",
            rf"(?i)\b(the (?:3[01]|[12]?\d)(?:st|nd|rd|th)){ENDS}",
            DATE,
            0.6,
            context=Context(not_right=NO_DAY, not_left=r"(?:\bin|\bof|\bat|rib|nerve|through|between|toes?|digits?) "),
        ),
        Pattern(
            "ordinal after a day",
            rf"(?i)\b{FULL_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,|,? and|,? or|;) (?:then )?(the (?:3[01]|[12]?\d)(?:st|nd|rd|th))\b",
            DATE,
            0.92,
            context=Context(not_right=NO_DAY),
        ),
        Pattern(
            "el and a day",
            rf"(?i)\b(?:desde|since|hasta|until|del?|para|el dia|vino|fue|ayer|hoy)(?: el)? (el {SPANISH_DAY}|(?:lunes|martes|mi[e]rcoles|jueves|viernes|sabado|domingo),? {SPANISH_DAY})\b",
            DATE,
            0.9,
            after="0-9:/%.",
            context=Context(not_right=r" (?:mg|ml|anos|dias|horas|semanas|meses|veces|%)"),
        ),
    )  # fmt: skip
