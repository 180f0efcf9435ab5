# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Dates in words: months, weekdays, holidays, ordinals and spoken dates."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Pattern, Rules
from recognizers.text.shapes import (
    DAY,
    MONTH,
    SHORT_YEAR,
    WEEKDAY,
    YEAR,
)

DATE, DAY_NAME = "DATE_TIME", "WEEKDAY"
FULL_MONTH = (
    r"(?i:january|february|march|april|june|july|august|september|october|november|december|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)


# Months that are neither a name often given nor another word.
ONLY_MONTH = (
    r"(?i:january|february|july|september|october|november|december|"
    r"enero|febrero|marzo|junio|agosto|sep?tiembre|octubre|noviembre|diciembre)"
)
OF_A_MONTH = "trips?|visits?|labs?|films?|chest|scans?|ct|mri|x-?rays?|echo|appointment|appt|note|letter|fall|surgery|admission|stay|clinic|dose|refill|report|study|biopsy|colonoscopy|mammogram|cultures?|results?|check|snows?|rains?|storms?|flood|draw|injection|infusion|cycle|meeting"
# Days by their letters; one that is no letter alone, or three of them, tell a week: `T/Th`, `M/W/F`.
LETTERED = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|TU|TH|SA|SU)"
LETTER = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|TU|TH|SA|SU|M|T|W|R|F|S)"
IN_WEEK = rf"(?:{LETTER}[/&]{LETTERED}|(?:Mo|Tu|We|Th|Fr|TU|TH)[/&]{LETTER}|[Mm]/[Ww]/[Ff]|M-W-F|T-Th-S|T/T/S|T/R/S|M/T/W|W/TH?/F)(?:[/&-]{LETTER})*"
# What a weekday in small letters follows, and what says that it is none.
ON_A_DAY = "on|next|last|this|every|each|by|until|till?|thru|since"
BESIDE_A_DAY = "or|and|not|again|yesterday|first"
NO_WEEKDAY = r" (?:phone|mail|email|up|down|in|on|with|w/|at|there|beside|for|tele|cour|probe|monitor|reading|goal|\d|[<>=%~])|, tele"

# Of the heart, before `sept`: `e' sept 5  lat 7`, `LV/RV/sept 1.2`.
SEPTUM = r"e/?e?'|lat \d{1,2},?|ivs|lv|rv"

NOT_DAYS_LISTED = "officer doctor nurse lawyer deputy judge mr mrs ms dr miss hospital post same next each every per rest study treatment cycle the this that last first second third one all mid off sick good bad present adult pod icu rehab chemo hd any whole full half day"
NOT_DAYS = frozenset(NOT_DAYS_LISTED.split())


def monthly(value: str) -> float:
    """A lower-case month that is also a word needs its neighbourhood."""
    last = value.split()[-1]
    if last.lower() in {"march", "mayo", "august"}:
        return 0.0 if last[0].isupper() else -0.4
    spanish = last.lower().endswith(("o", "bre", "il")) and last.lower() != "april"
    return 0.0 if last[0].isupper() or spanish else -0.2


def possible(value: str) -> float:
    """No day of the calendar: `sats 99/99`."""
    pair = re.search(r"(\d{1,2})/(\d{1,2})", value)
    return -2.0 if pair and min(map(int, pair.groups())) > 12 else 0.0


class DatesWords(Rules):
    word = "dates_words"
    patterns = (
        Pattern("year month day", rf"\b({YEAR} {MONTH} {DAY})\b", DATE, 0.95),
        Pattern("quarter", rf"\b(Q[1-4] ?(?:of )?{YEAR})\b", DATE, 0.9),
        Pattern(
            "day of a month",
            rf"\b((?:the )?{DAY}(?:st|nd|rd|th) day of {MONTH}(?:,? {YEAR})?)\b",
            DATE,
            0.95,
        ),
        Pattern(
            "named day",
            r"\b((?:[A-Z][a-z]+'?s? ){1,2}Day)\b",
            DATE,
            0.55,
            check=lambda v: -0.6 if v.split()[0].lower() in NOT_DAYS else 0.0,
        ),
        Pattern(
            "day month year",
            rf"({DAY}(?:st|nd|rd|th|ST|ND|RD|TH)?[ ]?(?:of |de )?[-./ ,]?[ ]?{MONTH}[ ]?[-./, ]{{0,2}}(?:de )?{SHORT_YEAR})",
            DATE,
            0.95,
            # `CABG x3 Nov 2009`
            before="0-9.x",
            after="0-9A-Za-z",
            # An hour, a duration, a year of its own: `Sun 30 Nov  22:40`, `1. NOV 12,2025`.
            context=Context(not_right=r":\d\d|,? ?(?:19|20)\d\d\b| ?(?:min|hrs?|hours?)\b"),
        ),
        Pattern(
            "day month",
            rf"\b((?:the (?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th) of |{DAY}(?:st|nd|rd|th)?[ ]?(?:of |de )?[-/ .]?){MONTH})",
            DATE,
            0.9,
            before="0-9.:",
            after="A-Za-z",
            context=Context(
                not_left=r"(?:dose|age|grade|type|stage|x|q|#) ?",
                not_right=r" (?:be|have|need|not|cause|repeat|take|also|use|try|want|start|go|see|consider|benefit|require|return|resume|get|come|stop|hold|ask|call|give|add|well)\b",
            ),
        ),
        Pattern(
            "day dash day month",
            rf"\b({DAY}[ ]?(?:-|to|and|&)[ ]?{DAY}[ ]?{MONTH}(?:[ ,]{{1,2}}{YEAR})?)\b",
            DATE,
            0.9,
        ),
        Pattern(
            "month day year",
            rf"({MONTH}[ ]?[-./]?[ ]{{0,3}}(?:the )?{DAY}(?:st|nd|rd|th|ST|ND|RD|TH)?[ ]?[-/, ]{{1,3}}[ ]?(?:of )?{YEAR})",
            DATE,
            0.97,
            before="A-Za-z",
            after="0-9",
        ),
        Pattern(
            "month day short year",
            rf"({MONTH}[ ]?[-/.]?[ ]?{DAY}(?:st|nd|rd|th)?[-/, ']{{1,3}}\d\d)\b",
            DATE,
            0.75,
            before="A-Za-z",
            after="0-9:/%.-",
            context=Context(not_right=r" ?(?:mg|ml|units|kg|year|yo|y/o|hours|hrs|days|min)"),
        ),
        Pattern(
            "month glued",
            rf"\b({MONTH}{DAY}(?:th|st|nd|rd)?(?:[,-]?{SHORT_YEAR})?)\b",
            DATE,
            0.6,
            before="A-Za-z",
        ),
        Pattern(
            "month day",
            rf"({MONTH}[ ]{{1,3}}(?:the )?{DAY}(?:st|nd|rd|th|ST|ND|RD|TH)?)\b",
            DATE,
            0.95,
            before="A-Za-z",
            after="/%0-9",
            context=Context(
                # An hour, a decimal: `26 de agosto 9:00`, `sept 1.2`.
                not_right=r" ?(?:mg|ml|units|kg|hours|hrs|weeks|minutes|cm|mm)\b|[:.]\d",
                not_left=rf"(?:{SEPTUM})[ /]|(?:\byou|\bhe|\bshe|\bit|\bthey|patient|\bwe|\bi|\band|\bwhich) ",
            ),
        ),
        Pattern(
            "month day over a line",
            rf"({FULL_MONTH}[ ]*\n[ \t>]*{DAY}(?:st|nd|rd|th)?(?:,?[ \n][ \t>]*{YEAR})?)\b",
            DATE,
            0.96,
            before="A-Za-z",
            context=Context(
                not_right=r" ?(?:mg|ml|units|kg|hours|hrs|weeks|days|months|cm|mm|of|patients)\b"
            ),
        ),
        Pattern(
            "month and day, year over a line",
            rf"({MONTH} {DAY}(?:st|nd|rd|th)?,[ ]*\n[ \t>]*{YEAR})\b",
            DATE,
            0.96,
            before="A-Za-z",
        ),
        Pattern(
            "day and month, year over a line",
            rf"\b({DAY}-{MONTH}-[ ]*\n[ ]*{YEAR})\b",
            DATE,
            0.95,
        ),
        Pattern(
            "week of a month",
            rf"((?i:(?:the )?(?:1st|2nd|3rd|4th|first|second|third|fourth|last) (?:week|weekend|part|half|days) (?:of|in) |(?:fines|finales|mediados|principios) de ){MONTH})",
            DATE,
            0.92,
            before="A-Za-z0-9",
            after="A-Za-z",
        ),
        Pattern(
            "month day range",
            rf"({MONTH}[ ]{DAY}(?:st|nd|rd|th)?[ ]?(?:-|to|through|and|&|,|/)[ ]?{DAY}(?:st|nd|rd|th)?(?:,? {YEAR})?)\b",
            DATE,
            0.85,
            before="A-Za-z",
            after="/0-9:",
        ),
        Pattern(
            "month year",
            rf"({MONTH}[ ]?[-/,.']?[ ]?(?:of |de |in )?(?:{YEAR}|'\d\d))\b",
            DATE,
            0.95,
            before="A-Za-z",
        ),
        Pattern(
            "month, two digits",
            r"\b((?i:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[-']\d\d)\b",
            DATE,
            0.9,
        ),
        Pattern(
            "month",
            rf"((?:(?i:mid|early|late)[- ])?{FULL_MONTH})\b",
            DATE,
            0.7,
            check=monthly,
            before="A-Za-z",
            context=Context(
                left=r"(?:\b(?:in|since|until|till|by|of|last|next|this|from|to|through|thru|for|before|after|late|early|mid|rtc|f/u|around|during|again)[ ]+)$",
                not_left=r"(?:on|the|a) ",
                width=16,
            ),
        ),
        Pattern("month, no other word", rf"\b({ONLY_MONTH})\b", DATE, 0.92),
        Pattern(
            "month after its word",
            r"\b(?i:in|since|last|next|this|until|till?|late|early|mid|during|before|after|by|through|thru) (May|March)\b",
            DATE,
            0.92,
            after="A-Za-z'-",
            context=Context(not_right=r" (?:of dimes|madness|fracture|h[a]?emoglobinuria)"),
        ),
        Pattern(
            "month of a thing",
            rf"\b(?i:a|his|her|their|my|the|our|your|that|this) (May|March|April|June) (?i:{OF_A_MONTH})\b",
            DATE,
            0.92,
        ),
        Pattern(
            "ordinal day",
            r"(?i)\b(?:on|by|until|since|before|after|from|of|til|till|for|see (?:him|her|you|me)|back|through|seen|due|is|to|rtc|f/u|fu|appt|return|again|mtg|meeting|recheck|visit|and|or|again on|last seen|called|starting|starts|ends|out) (the \d{1,2}(?:st|nd|rd|th))\b",
            DATE,
            0.8,
            context=Context(
                not_right=r" (?:percentile|floor|day|week|month|time|rib|toe|digit|finger|metatarsal|metacarpal|intercostal|cranial|nerve|visit|night|trip|try|attempt|pass|bottle|bag|dose|cycle|edition|degree|grade|ics|street|ave|postop|hospital|decile|ventricle)"
            ),
        ),
        Pattern(
            "ordinal days",
            r"\b(\d{1,2}(?:st|nd|rd|th) (?:to|thru|through|-|until|and) (?:the )?\d{1,2}(?:st|nd|rd|th))\b",
            DATE,
            0.75,
            context=Context(
                not_right=r" (?:percentile|floor|day|week|month|time|rib|toe|digit|finger|metatarsal|metacarpal|intercostal|cranial|nerve|visit|dose|cycle|degree|grade|ics|street|ave|ventricle|and|%|centile|mtp|mt|met|grader)"
            ),
        ),
        Pattern(
            "day, Roman month, year",
            r"\b(\d{1,2}[./ -](?:I{1,3}|IV|VI{0,3}|I?X|XI{1,2})[./ -](?:19|20)?\d\d)\b",
            DATE,
            0.6,
        ),
        Pattern(
            "date beside its weekday",
            rf"\b({WEEKDAY}[.,]?[ ](?:the )?(?:{MONTH}[. ]{{1,2}}{DAY}(?:st|nd|rd|th)?(?:,? {YEAR})?|\d{{1,2}}/\d{{1,2}}(?:/{SHORT_YEAR})?|{DAY}(?:st|nd|rd|th)|{DAY} {MONTH}(?: {YEAR})?))",
            DATE,
            0.96,
            before="A-Za-z",
            after="0-9/",
            check=possible,
        ),
        Pattern(
            "weekday after its date",
            rf"((?:{MONTH}[. ]{{1,2}}{DAY}|\d{{1,2}}/\d{{1,2}}(?:/{SHORT_YEAR})?)[ ,(]{{1,2}}{WEEKDAY})\b",
            DATE,
            0.8,
            before="A-Za-z0-9/",
        ),
        Pattern(
            "weekday",
            r"\b((?i:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|lunes|martes|mi[e]rcoles|jueves|viernes|sabado|domingo|mierc))\b",
            DAY_NAME,
            0.95,
        ),
        Pattern(
            "weekday, short",
            r"\b((?:Mon|Tue|Tues|Wed|Weds|Thu|Thur|Thurs|Fri|Sat|Sun|MON|TUE|TUES|WED|THU|THURS|FRI|tues|thurs|weds))\b",
            DAY_NAME,
            0.7,
            context=Context(
                not_right=r" ?(?:\d{2,3} ?%|(?:3[2-9]|[4-9]\d|100)(?:[^0-9:/]|$)|phone|burn|on ra|sens|>|<|exposure|protect|screen|up\b|down)",
                not_left=r"(?:o2|spo2|pulse ox|room air|ra|\bthe|he|she|patient|pt|who) ?",
            ),
        ),
        Pattern(
            "weekday, short and no other word",
            r"\b(Tue|Tues|Weds|Thu|Thur|Thurs|TUES|THURS)\b",
            DAY_NAME,
            0.92,
        ),
        Pattern(
            "weekdays by their letters",
            rf"\b({IN_WEEK})\b",
            DAY_NAME,
            0.75,
            before="A-Za-z0-9/.&-",
            after="A-Za-z0-9/&-",
        ),
        Pattern(
            "weekday, lower case",
            rf"\b(?:{ON_A_DAY}|{BESIDE_A_DAY}) (mon|tue|wed|thu|thur|fri)\b",
            DAY_NAME,
            0.92,
            context=Context(not_right=NO_WEEKDAY),
        ),
        # `heat and sun`, `stood and sat`: those two are words.
        Pattern(
            "end of the week, lower case",
            rf"\b(?:{ON_A_DAY}|first|(?:mon|tue|wed|thu|thur|fri|sat) (?:and|or)) (sat|sun)\b",
            DAY_NAME,
            0.92,
            context=Context(not_right=NO_WEEKDAY),
        ),
    )
