# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Dates finer than the year, in prose, tables, speech and damaged print. A year alone stays."""

from __future__ import annotations

import re

from recognizers.context import Context
from recognizers.rules import Pattern, RuleRecognizer
from recognizers.shapes import (
    DAY,
    MONTH,
    MONTH_NUMBER,
    SHORT_YEAR,
    SPOKEN_NUMBER,
    SPOKEN_ORDINAL,
    SPOKEN_YEAR,
    WEEKDAY,
    YEAR,
)

DATE, DAY_NAME = "DATE_TIME", "WEEKDAY"
FULL_MONTH = (
    r"(?i:january|february|march|april|june|july|august|september|october|november|december|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
HOLIDAYS = (
    r"(?i:new year'?s(?: day| eve)?|mlk(?: jr\.?)? day|martin luther king(?: jr\.?)? day|groundhog day|ground hog day|valentine'?s(?: day)?|presidents'? day|mardi gras|"
    r"ash wednesday|st\.? patrick'?s(?: day)?|palm sunday|good friday|holy thursday|easter(?: sunday| monday)?|passover|april fool'?s(?: day)?|cinco de mayo|mother'?s day|memorial day|"
    r"father'?s day|juneteenth|(?:the )?fourth of july|(?:the )?4th of july|independence day|labor day|rosh hashanah?|yom kippur|sukkot|columbus day|indigenous peoples'? day|"
    r"halloween|all saints'? day|all souls'? day|veterans'? day|election day|thanksgiving|turkey day|tgiving|black friday|hanukkah|chanukah|christmas(?: day| eve)?|xmas(?: eve)?|boxing day|kwanzaa|"
    r"ramadan|eid(?: al-(?:fitr|adha))?|diwali|holi|lunar new year|chinese new year|tet|nowruz|purim|shavuot|pentecost|ascension day|super bowl sunday|nochebuena|dia de los muertos|"
    r"three kings day|epiphany|native american day|patriots'? day|pioneer day|kamehameha day|flag day|earth day|leap day|orthodox (?:easter|christmas))"
)
T = r"(?:[T ]{1,2}\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
ON = (
    r"(?:\b(?:on|by|since|until|till|til|thru|through|from|before|after|dated?|dob|d\.o\.b|born|admit(?:ted)?|adm|discharged?|d/c(?:'?d)?|dc|seen|visit|appt|"
    r"f/u|fu|follow[- ]?up|rtc|due|last|next|exp|surgery|onset|signed|sched(?:uled)?|mailed|faxed|started|began|stopped|drawn|collected|died|expired|dos|doi|"
    r"lmp|edd|edc|given|placed|removed|done|repeat|ct|mri|cxr|echo|labs?|note|called|stent|thru|rec'?d|received|reviewed|cx|bcx|ucx|as of|of|to|in|for|week of|wk of|w/o|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|d|t|dd|dt|td|entered|arriv\w*|transfer\w*)\.?|[(\[:;|>=@_*,-])[ ]*(?:the )?$"
)
NOT_BEFORE = (
    r"(?:strength|motor|power|reflex(?:es)?|dtrs?|pulses?|pain|score|scale|rated?|gcs|apgars?|grade|murmur|stage|visual acuity|va|od|os|ou|bp|hr|ratio|dose|size|fev1/fvc|"
    r"level|vertebra\w*|c|l|s|t|lobe|nodes?|positive|ln|fio2|peep|orientation|ef|phq-?9?|gad-?7?|moca|mmse|slums|sats?|oriented|quadriceps|grip|biceps|deltoid|hip flexion|le|ue|rle|lle|rue|lue|x|"
    r"days?|weeks?|every|q|times?|page|pg|p|section|chapter|part|item|version|form|type|class|grams?|mg|ml|weight|wt|ht|height|temp|room|rm|bed|apt|unit|suite|#|no|hgb|hct|wbc|glucose|bs|na|k|cr|bun|inr)"
    r"[ :=~<>/+-]{0,3}$"
)
NOT_AFTER = (
    r"[ ]?(?:mg|mcg|ml|cc|units?|u\b|g\b|gm|kg|lbs?|oz|tabs?|tablets?|caps?|pills?|puffs?|drops?|%|cm|mm|inch|in\b|ft|fr\b|gauge|ga\b|hours?|hrs?|h\b|min(?:utes)?|sec|"
    r"wks?\b|weeks?|mos?\b|months?|yrs?|years?|y/o|strength|motor|systolic|murmur|points?|pts\b|positive|negative|nodes?|lymph|times|per (?:day|week|min|hour)|weekly|daily|bilat\w*|throughout|"
    r"beats|criteria|questions|items|scale|on (?:the )?(?:pain|scale|right|left|r\b|l\b)|in (?:all|the|both|upper|lower)|quadrants?|correct|teeth|stairs|mmhg|"
    r"cores?|margins?|sites?|vessels?|doses?|packs?|ppd|percent|out of|children|siblings|intensity|intact|bpm|days?\b|nights?|x\b|r\b|l\b)"
)
PROSE = Context(
    left=ON,
    not_left=NOT_BEFORE,
    not_right=NOT_AFTER,
    right=r"[ ]?(?:@|at \d|\d{1,2}:\d\d|\d{4}\b(?!\d)|[ap]m\b|\d{1,2}[ap]\b|-[ ]?\d{1,2}/\d{1,2}|[:)|])",
    width=28,
)


def day_and_month(value: str) -> float:
    """Evidence in a pair such as 3/5: a score's usual denominator speaks against a date."""
    first, second = (int(x) for x in re.findall(r"\d+", value)[:2])
    if first > 12 or second > 31 or not first or not second:
        return -0.4
    if second in {5, 6, 10, 2, 3, 4} and first <= second:
        return -0.2
    return 0.05


def calendar(value: str) -> float:
    """Evidence in a triple: is there an order in which it is a day of the calendar?"""
    first, second, third = (int(x) for x in re.findall(r"\d+", value)[:3])
    orders = ((first, second), (second, first), (second, third))
    return 0.0 if any(1 <= m <= 12 and 1 <= d <= 31 for m, d in orders) else -0.6


def monthly(value: str) -> float:
    """A lower-case month that is also a word needs its neighbourhood."""
    last = value.split()[-1]
    if last.lower() in {"march", "mayo", "august"}:
        return 0.0 if last[0].isupper() else -0.4
    return 0.0 if last[0].isupper() else -0.2


def real(value: str) -> float:
    """Eight digits or a dotted triple: is it a day of the calendar?"""
    digits = re.sub(r"\D", "", value)
    if len(digits) != 8:
        return 0.0
    orders = ((digits[:4], digits[4:6], digits[6:]), (digits[4:], digits[:2], digits[2:4]))
    for year, month, day in orders:
        if 1900 <= int(year) <= 2035 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            return 0.35
    return -0.4


class Dates(RuleRecognizer):
    word = "dates"
    patterns = (
        Pattern(
            "month/day/year",
            rf"(\d{{1,2}}[ ]?[/][ ]?\d{{1,2}}[ ]?[/][ ]?{SHORT_YEAR})",
            DATE,
            0.95,
            before="0-9/.",
            after="0-9/",
            check=calendar,
        ),
        Pattern(
            "month-day-year",
            rf"(\d{{1,2}}[ ]?-[ ]?\d{{1,2}}[ ]?-[ ]?{SHORT_YEAR})",
            DATE,
            0.85,
            before="0-9-",
            after="0-9-",
            check=calendar,
        ),
        Pattern(
            "month.day.year",
            rf"({DAY}\.{DAY}\.{SHORT_YEAR})",
            DATE,
            0.8,
            before="0-9.",
            after="0-9.",
            context=Context(not_left=r"(?:version|ver|v|section|fw|sw)\.? ?"),
        ),
        Pattern(
            "mixed marks",
            rf"({DAY}[-/. ]{DAY}[-/.]{YEAR})",
            DATE,
            0.8,
            before="0-9-/.",
            after="0-9-/",
        ),
        Pattern(
            "blanks between",
            rf"({MONTH_NUMBER} {DAY} {YEAR})",
            DATE,
            0.8,
            before="0-9.-/",
            after="0-9-/",
        ),
        Pattern(
            "blanks between, short year",
            rf"({MONTH_NUMBER} {DAY} \d\d)",
            DATE,
            0.1,
            before="0-9.-/ ",
            after="0-9-/.",
            context=Context(left=r"dob|date|born|dos|seen|adm", width=16),
        ),
        Pattern(
            "iso",
            rf"({YEAR}[ ]?[-/.][ ]?{MONTH_NUMBER}[ ]?[-/.][ ]?{DAY}{T})",
            DATE,
            0.95,
            before="0-9-/.",
            after="0-9-/",
        ),
        Pattern(
            "iso, undashed",
            rf"({YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?\d{{4}}(?:\d\d)?)?(?:[+-]\d{{4}})?)",
            DATE,
            0.3,
            before="0-9A-Za-z.-",
            after="0-9A-Za-z-",
            check=lambda v: real(v[:8]),
            context=Context(left=r"date|dob|born|\bon\b|\||\^|=", width=16),
        ),
        Pattern(
            "eight digits",
            r"((?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d)",
            DATE,
            0.2,
            before="0-9A-Za-z.-",
            after="0-9A-Za-z-",
            check=real,
            context=Context(
                left=r"date|dob|born|\bon\b|/|seen|call|adm",
                not_left=r"(?:mrn|acct|account|no|number|#|id)[ :.#]*",
                width=24,
            ),
        ),
        Pattern(
            "eight digits, day first",
            r"\b((?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d)\b",
            DATE,
            0.3,
            context=Context(left=r"date|dob|born", width=16),
        ),
        Pattern(
            "six digits",
            r"\b(\d{6})\b",
            DATE,
            0.2,
            context=Context(left=r"\b(?:d|t|dob|date|dd|dt|born|dict|trans|td)[ :/]*$", width=12),
            check=lambda v: 0.1 if 1 <= int(v[:2]) <= 12 and 1 <= int(v[2:4]) <= 31 else -0.3,
        ),
        Pattern(
            "glued to its label",
            rf"(?i:dob|dos|adm|admit|dc|d/c|seen|on|date|born|since|exp|fu|til)(\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]{SHORT_YEAR})?)",
            DATE,
            0.9,
            after="0-9/",
        ),
        Pattern(
            "day month year",
            rf"({DAY}(?:st|nd|rd|th|ST|ND|RD|TH)?[ ]?(?:of |de )?[-./ ,]?[ ]?{MONTH}[ ]?[-./, ]{{0,2}}(?:de )?{SHORT_YEAR})",
            DATE,
            0.95,
            before="0-9.",
            after="0-9A-Za-z",
        ),
        Pattern(
            "day month",
            rf"\b({DAY}(?:st|nd|rd|th)?[ ]?(?:of |de )?[-/ .]?{MONTH})",
            DATE,
            0.7,
            before="0-9.:",
            after="A-Za-z",
            context=Context(
                not_left=r"(?:dose|age|grade|type|stage|x|q|#) ?",
                not_right=r" (?:be|have|need|not|cause|repeat|take|also|use)\b",
            ),
        ),
        Pattern(
            "day dash day month",
            rf"\b({DAY}[ ]?(?:-|to|and|&)[ ]?{DAY}[ ]?{MONTH}(?:[ ,]{{1,2}}{YEAR})?)\b",
            DATE,
            0.85,
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
            0.85,
            before="A-Za-z",
            after="/%0-9",
            context=Context(
                not_right=r" ?(?:mg|ml|units|kg|hours|hrs|weeks|minutes|cm|mm)\b",
                not_left=r"(?:\byou|\bhe|\bshe|\bit|\bthey|patient|\bwe|\bi|\band|\bwhich) ",
            ),
        ),
        Pattern(
            "month day over a line",
            rf"({FULL_MONTH}[ ]*\n[ \t]*{DAY}(?:st|nd|rd|th)?(?:,?[ \n][ \t]*{YEAR})?)\b",
            DATE,
            0.85,
            before="A-Za-z",
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
            0.9,
            before="A-Za-z",
        ),
        Pattern(
            "month, two digits",
            r"\b((?i:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[-']\d\d)\b",
            DATE,
            0.7,
        ),
        Pattern(
            "month",
            rf"((?:(?i:mid|early|late)[- ])?{FULL_MONTH})\b",
            DATE,
            0.5,
            check=monthly,
            before="A-Za-z",
            context=Context(
                left=r"(?:\b(?:in|since|until|till|by|of|last|next|this|from|to|through|thru|for|before|after|late|early|mid|rtc|f/u|around|during|again)[ ]+)$",
                not_left=r"(?:on|the|a) ",
                width=16,
            ),
        ),
        Pattern(
            "month, short",
            r"\b((?:(?i:mid|early|late)[- ])?(?:Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec|May|March|Jun|Jul)\.?)\b",
            DATE,
            0.2,
            before="A-Za-z",
            context=Context(
                left=r"(?:\b(?:in|since|until|till|last|next|this|from|through|thru|late|early|mid|rtc|f/u|around|during)[ ]+)$",
                width=16,
            ),
        ),
        Pattern(
            "month/year",
            rf"(\b{MONTH_NUMBER}[/-](?:19|20)\d\d)\b",
            DATE,
            0.85,
            before="0-9/.-",
            after="0-9/-",
        ),
        Pattern(
            "year/month",
            r"(\b(?:19|20)\d\d[/-](?:0[1-9]|1[0-2]))\b",
            DATE,
            0.6,
            before="0-9/.-",
            after="0-9/-",
        ),
        Pattern(
            "month/day",
            r"(\d{1,2}/\d{1,2})",
            DATE,
            0.5,
            before="0-9/.A-Z:",
            after="0-9/.%",
            check=day_and_month,
            context=PROSE,
        ),
        Pattern(
            "month/day after a range",
            r"\d{1,2}/\d{1,2} ?(?:-|to|thru|through|and|&|,|\+|;|or) ?(\d{1,2}/\d{1,2})",
            DATE,
            0.6,
            after="0-9/%",
            check=day_and_month,
            context=Context(not_right=NOT_AFTER),
        ),
        Pattern(
            "month-day",
            r"(\d{1,2}-\d{1,2})",
            DATE,
            -0.05,
            before="0-9/.A-Za-z:-",
            after="0-9/.%A-Za-z-",
            check=day_and_month,
            context=Context(
                left=r"(?:\b(?:on|since|until|til|dated?|dob|admitted|adm|seen|appt|by|dos|lmp|edd|thurs?|mon|tues?|wed|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|from|clinic|visit))[ :,]*$",
                not_left=NOT_BEFORE,
                not_right=NOT_AFTER,
                right=r" ?(?:@|at \d|\d{1,2}:\d\d|\d{4}\b)",
                width=20,
            ),
        ),
        Pattern(
            "month-day in front of a line",
            r"(?:^|\n)[ ]*(\d{1,2}-\d{1,2})(?: |:|\t)",
            DATE,
            0.35,
            check=day_and_month,
            context=Context(not_right=NOT_AFTER),
        ),
        Pattern(
            "month.day",
            r"\b(\d{1,2}\.\d{1,2})\b",
            DATE,
            -0.1,
            before="0-9/.A-Za-z:-",
            after="0-9/.%A-Za-z-",
            check=day_and_month,
            context=Context(
                left=r"(?:\b(?:on|since|until|dated|dob|admitted|seen|appt|thurs?|mon|tues?|wed|fri|sat|sun))[ :,]*$",
                not_right=NOT_AFTER,
                width=14,
            ),
        ),
        Pattern(
            "ordinal day",
            r"(?i)\b(?:on|by|until|since|before|after|from|of|til|till|for|see (?:him|her|you|me)|back|through|seen|due|is|to) (the \d{1,2}(?:st|nd|rd|th))\b",
            DATE,
            0.6,
            context=Context(
                not_right=r" (?:percentile|floor|day|week|month|time|rib|toe|digit|finger|metatarsal|metacarpal|intercostal|cranial|nerve|visit|dose|cycle|edition|degree|grade|ics|street|ave|postop|hospital|decile|ventricle)"
            ),
        ),
        Pattern(
            "date beside its weekday",
            rf"\b({WEEKDAY}[.,]?[ ](?:the )?(?:{MONTH}[. ]{{1,2}}{DAY}(?:st|nd|rd|th)?(?:,? {YEAR})?|\d{{1,2}}/\d{{1,2}}(?:/{SHORT_YEAR})?|{DAY}(?:st|nd|rd|th)|{DAY} {MONTH}(?: {YEAR})?))",
            DATE,
            0.96,
            before="A-Za-z",
            after="0-9/",
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
            r"\b((?i:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|lunes|martes|mi[e]rcoles|jueves|viernes|sabado|domingo))\b",
            DAY_NAME,
            0.9,
        ),
        Pattern(
            "weekday, short",
            r"\b((?:Mon|Tue|Tues|Wed|Weds|Thu|Thur|Thurs|Fri|Sat|Sun|MON|TUE|TUES|WED|THU|THURS|FRI|tues|thurs|weds))\b",
            DAY_NAME,
            0.55,
            context=Context(
                not_right=r" ?(?:\d{2,3} ?%|burn|on ra|sens|>|<|exposure|protect|screen|up\b|down)",
                not_left=r"(?:o2|spo2|pulse ox|room air|ra|\bthe|he|she|patient|pt|who) ?",
            ),
        ),
        Pattern(
            "weekday, lower case",
            r"\b((?:on |next |last |this |every |each |by |until |since )(?:mon|tue|wed|thu|thur|fri|sat|sun))\b",
            DAY_NAME,
            0.6,
        ),
        Pattern(
            "holiday",
            rf"\b({HOLIDAYS}(?:,? (?:of )?{YEAR})?)\b",
            DATE,
            0.8,
            context=Context(
                not_right=r" (?:egg|island|seal|lily|disease|tree (?:pattern|in)|palsy|cracker)"
            ),
        ),
        Pattern(
            "spoken month and day",
            rf"\b({FULL_MONTH}[ ,]+(?:the )?(?i:{SPOKEN_ORDINAL}|{SPOKEN_NUMBER})(?:[ ,]+(?i:{SPOKEN_YEAR}|{YEAR}))?)\b",
            DATE,
            0.9,
        ),
        Pattern(
            "spoken day of month",
            rf"\b((?i:(?:the )?{SPOKEN_ORDINAL}) (?:of )?{FULL_MONTH}(?:[ ,]+(?i:{SPOKEN_YEAR}|{YEAR}))?)\b",
            DATE,
            0.9,
        ),
        Pattern(
            "spoken slashes",
            rf"(?i)\b((?:\d{{1,2}}|{SPOKEN_NUMBER}) (?:slash|dash|stroke) (?:\d{{1,2}}|{SPOKEN_NUMBER})(?: (?:slash|dash|stroke) (?:\d{{2,4}}|{SPOKEN_YEAR}|{SPOKEN_NUMBER}))?)\b",
            DATE,
            0.95,
        ),
        Pattern(
            "spoken month and year", rf"\b({FULL_MONTH} (?:of )?(?i:{SPOKEN_YEAR}))\b", DATE, 0.85
        ),
        Pattern(
            "spoken, after its label",
            rf"(?i)\b(?:date of birth|dob|birth ?date|born)(?: is)?[ ,:]+((?:{SPOKEN_NUMBER})(?:[ ,-]+(?:oh )?(?:{SPOKEN_NUMBER}|nineteen|hundred|thousand)){{2,6}})\b",
            DATE,
            0.9,
        ),
        Pattern(
            "broken over a line",
            rf"(\d{{1,2}}[/-][ ]?\d{{1,2}}[/-][ ]*\n[ \t|]*{SHORT_YEAR})",
            DATE,
            0.8,
            before="0-9/",
            after="0-9/",
        ),
        Pattern(
            "after a label",
            r"(?i)\b(?:d\.?o\.?b\.?|date of birth|birth ?date|born|date|dos|doa|dod|f\.?nac\.?)[ _:=|.#*-]{1,20}(\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}\d{2,4})",
            DATE,
            0.95,
            after="0-9",
        ),
        Pattern(
            "masked in part",
            rf"(\?\?/\?\?/{SHORT_YEAR}|\d{{1,2}}/\?{{1,2}}/{SHORT_YEAR}|\d{{1,2}}/(?:xx|XX)/{SHORT_YEAR})",
            DATE,
            0.8,
        ),
    )
