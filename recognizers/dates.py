# ruff: noqa: E501 -- a pattern reads best on one line
"""(C) Dates finer than the year, in prose, tables, speech and damaged print. A year alone stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from recognizers.context import Context, weigh
from recognizers.dates_pairs import apart, of_year, pair_hits
from recognizers.page import Page
from recognizers.rules import Hit, Pattern, RuleRecognizer, matches
from recognizers.shapes import (
    DAY,
    MONTH_NUMBER,
    SHORT_YEAR,
    YEAR,
)

DATE, DAY_NAME = "DATE_TIME", "WEEKDAY"
T = r"(?:[T ]{1,2}\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
ON = (
    r"(?:\b(?:on|by|since|until|till|til|thru|through|from|before|after|dated?|dob|d\.o\.b|born|admit(?:ted)?|adm|discharged?|d/c(?:'?d)?|dc|seen|visit|appt|"
    r"f/u|fu|follow[- ]?up|rtc|due|last|next|exp|surgery|onset|signed|sched(?:uled)?|mailed|faxed|started|began|stopped|drawn|collected|died|expired|dos|doi|"
    r"lmp|edd|edc|given|placed|removed|done|repeat|ct|mri|cxr|echo|labs?|note|called|stent|thru|rec'?d|received|reviewed|cx|bcx|ucx|as of|of|to|in|for|week of|wk of|w/o|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|d|t|dd|dt|td|entered|arriv\w*|transfer\w*)\.?|[(\[:;|>=@_*,~-])[ ]*(?:the )?$"
)
NOT_BEFORE = (
    r"(?:pain[^\n]{0,24}|worst|best|average|strength|motor|power|reflex(?:es)?|dtrs?|pulses?|pain|score|scale|rated?|gcs|apgars?|tinetti|berg|braden|barthel|katz|norton|bishop|grade|murmur|stage|visual acuity|va|od|os|ou|bp|hr|ratio|dose|size|fev1/fvc|"
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
    if first > 12 and second > 12:
        return -2.0
    if first > 12 or second > 31 or not first or not second:
        return -0.4
    if second in {5, 10} and first <= second:
        return -0.3
    if second in {2, 3, 4, 6} and first <= second:
        return -0.2
    return 0.05


def in_a_year(value: str) -> float:
    """Is a pair a day of some month, and no part of five or ten?"""
    first, second = (int(x) for x in re.findall(r"\d+", value)[:2])
    if not 0 < first < 13 or not 0 < second < 32:
        return -2.0
    return -0.3 if second in {2, 3, 4, 5} and first <= second else 0.2


def calendar(value: str) -> float:
    """Evidence in a triple: is there an order in which it is a day of the calendar?"""
    first, second, third = (int(x) for x in re.findall(r"\d+", value)[:3])
    orders = ((first, second), (second, first), (second, third))
    return 0.0 if any(1 <= m <= 12 and 1 <= d <= 31 for m, d in orders) else -0.6


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


SINCE = Context(
    left=r"\b(?:on|since|until|til|dated?|dob|admitted|adm|seen|appt|by|dos|lmp|edd|mon|tues?|wed|thurs?|fri|sat|sun|clinic|visit|onset|d/c|dc|"
    r"repeat|surgery|started|began|check|fu|f/u|rtc|due|through|thru|last|next|given|placed)[ :,]*$",
    width=16,
)
HYPHENED = r"(?:^|[^0-9A-Za-z.-])(\d{1,2}-\d{1,2})(?:[^0-9A-Za-z%.-]|\.\s|\z)"


class Dates(RuleRecognizer):
    word = "dates"
    patterns = (
        Pattern(
            "spaced digits",
            r"(\d ?\d? ?/ ?\d ?\d? ?/ ?\d \d(?: \d \d)?)",
            DATE,
            0.95,
            before="0-9/",
            after="0-9/",
        ),
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
            0.9,
            before="0-9-",
            after="0-9-",
            check=calendar,
        ),
        Pattern(
            "month.day.year",
            rf"({DAY}\.{DAY}\.{SHORT_YEAR})",
            DATE,
            0.9,
            before="0-9.",
            after="0-9.",
            context=Context(not_left=r"(?:version|ver|v|section|fw|sw)\.? ?"),
        ),
        Pattern(
            "mixed marks",
            rf"({DAY}[-/. ]{DAY}[-/.]{YEAR})",
            DATE,
            0.9,
            before="0-9-/.",
            after="0-9-/",
        ),
        Pattern(
            "blanks between",
            rf"({MONTH_NUMBER} {DAY} {YEAR})",
            DATE,
            0.9,
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
            rf"(?i:dob|dos|adm|admit|dc|d/c|seen|on|date|born|since|exp|fu|til|egd|mri|cxr|tte|echo|cath|surg|sx|cta|colo|lhc|bronch|appt|clinic|rtc|dx|lmp|edd|edc|post)(\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]{SHORT_YEAR})?)",
            DATE,
            0.9,
            after="0-9/",
        ),
        Pattern(
            "month, short",
            r"\b((?:(?i:mid|early|late)[- ])?(?:Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec|Jun|Jul)\.?)\b",
            DATE,
            0.55,
            before="A-Za-z",
            after="A-Za-z",
        ),
        Pattern(
            "month, short and a word",
            r"\b((?:(?i:mid|early|late)[- ])?(?:May|March|Mar)\.?)\b",
            DATE,
            0.25,
            before="A-Za-z",
            context=Context(
                left=r"(?:\b(?:in|since|until|till|last|next|this|from|through|thru|late|early|mid|rtc|f/u|around|during|of|by)[ ]+)$",
                width=16,
            ),
        ),
        Pattern(
            "month/year",
            rf"(\b{MONTH_NUMBER}[/-](?:19|20)\d\d)\b",
            DATE,
            0.9,
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
            context=Context(left=r"\b(?:exp|expires?|use by|caduca|venc)[ .:]*$", width=12),
        ),
        Pattern(
            "day/month",
            r"((?:1[3-9]|2\d|3[01])/(?:1[0-2]|0?[1-9]))",
            DATE,
            0.15,
            before="0-9/.A-Z:",
            after="0-9/.%",
            context=PROSE,
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
            "broken over a line",
            rf"(\d{{1,2}}[/-][ ]?\d{{1,2}}[/-][ ]*\n[ \t|]*{SHORT_YEAR})",
            DATE,
            0.9,
            before="0-9/",
            after="0-9/",
        ),
        Pattern(
            "after a label",
            r"(?i)\b(?:d\.?o\.?b\.?|b\.|date of birth|birth ?date|born|date|dos|doa|dod|f\.?nac\.?)[ _:=|.#*-]{1,20}(\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}\d{2,4})",
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

    def more(self, page: Page) -> Iterator[Hit]:
        """`8-18` where the text writes other dates so: surer with each that must be one."""
        yield from column_dates(page)
        yield from pair_hits(page)
        yield from week_heads(page)
        yield from damaged_pairs(page)
        yield from hyphened_days(page)
        spans = [s for s in matches(HYPHENED, page) if day_and_month(page.text[slice(*s)]) > 0]
        telling = sum(weigh(page, *span, 0.0, SINCE) > 0 for span in spans)
        if telling < 2 or telling * 4 < len(spans):
            return
        for start, end in spans:
            score = weigh(page, start, end, 0.7, Context(not_left=NOT_BEFORE, not_right=NOT_AFTER))
            yield Hit(start, end, DATE, score, "hyphened as others are")


DATED = r"(?i)(?:^|[\t|\n]|  )[ *_#]*(dates?|dos|seen|visit|when|given|drawn|collected|day)[ :*_]*(?:$|[\t|\n\r]|  )"
DATED_CELL = re.compile(r"[ _*]*(\d{1,2}[/-]\d{1,2})(?![\d/-])")


def column_dates(page: Page) -> Iterator[Hit]:
    """Pairs such as `8/5` under a header such as `Date`."""
    for start, end in matches(DATED, page):
        for left, right in page.below(start, end):
            cell = DATED_CELL.match(page.text, left, right)
            if cell and in_a_year(cell.group(1).replace("-", "/")) > -2:
                yield Hit(*cell.span(1), DATE, 0.9, "date column")


WEEK_HEAD = re.compile(
    r"(?<![A-Za-z0-9.])(?:Su|M|Mo|Tu?|W|We|Th|F|Fr|Sa?)\.? (\d{1,2})(?![A-Za-z0-9/.:%])"
)


def week_heads(page: Page) -> Iterator[Hit]:
    """`M 26   T 27   W 28`: three days in a row on one line are the head of a calendar."""
    for row in range(len(page.starts)):
        found = list(WEEK_HEAD.finditer(page.text, *page.line(row)))
        days = [int(m.group(1)) for m in found]
        steps = sum(later in {day + 1, 1} for day, later in pairwise(days))
        if len(found) > 2 and steps > 1 and max(days) < 32:
            for match in found:
                yield Hit(*match.span(), DATE, 0.92, "head of a calendar")


DAMAGED = r"(?:^|[^0-9A-Za-z/.])([0-9OlI]{1,2}/[0-9OlI]{1,2})(?:[^0-9A-Za-z/%.]|[.][^0-9]|\z)"
SHEET = re.compile(r"(?i)\b(?:p|pg|pag|pages?|pagina|sheet|bed|hoja)[ .:#-]*$")
MENDED = str.maketrans("OlI", "011")


def damaged_pairs(page: Page) -> Iterator[Hit]:
    """`ll/6` and `lO/2O`, read badly: a letter among the digits, five characters with the stroke."""
    for start, end in matches(DAMAGED, page):
        value = page.text[start:end]
        a, b = map(int, value.translate(MENDED).split("/"))
        letters = sum(c.isalpha() for c in value)
        sheet = SHEET.search(page.left(start, 12))
        if letters and len(value) > 3 and letters < len(value) - 1 and of_year(a, b) and not sheet:
            yield Hit(start, end, DATE, 0.92, "day read badly")


LED = r"(?:^|[^0-9A-Za-z./-])((?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[^0-9A-Za-z/%-]|\z)"
LED_WHOLE = r"(?:^|[^0-9-])((?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])-(?:19|20)?\d\d)(?:[^0-9-]|\z)"


def hyphened_days(page: Page) -> Iterator[Hit]:
    """`03-20` where the text writes whole dates so, near in time."""
    spans = list(matches(LED, page))
    days = (
        sorted(filter(None, (hyphened(page, s) for s in matches(LED_WHOLE, page)))) if spans else []
    )
    for start, end in spans:
        day = hyphened(page, (start, end))
        if day and days and apart(day, days) < 46:
            yield Hit(start, end, DATE, 0.92, "hyphened as a date near in time")


def hyphened(page: Page, span: tuple[int, int]) -> int | None:
    month, day = map(int, page.text[slice(*span)].split("-")[:2])
    return of_year(month, day)
