# ruff: noqa: E501 -- a pattern reads best on one line
"""Days without a year: in columns and calendars, beside their weekday, read badly, hyphened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from recognizers.evidence.context import Context, weigh
from recognizers.evidence.dates.day_pairs import apart, of_year
from recognizers.evidence.dates.number_evidence import NOT_AFTER, NOT_BEFORE, day_and_month
from recognizers.evidence.rules import Hit, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import WEEKDAY

DATE = "DATE_TIME"
SHORT_DAY = rf"{WEEKDAY}[.,]? \d"
DATED = r"(?i)(?:^|[\t|\n]|  )[ *_#]*(dates?|dos|seen|visit|when|given|drawn|collected|day)[ :*_]*(?:$|[\t|\n\r]|  )"
DATED_CELL = re.compile(r"[ _*]*(\d{1,2}[/-]\d{1,2})(?![\d/-])")


def column_dates(page: NormalizedText) -> Iterator[Hit]:
    """Pairs such as `8/5` under a header such as `Date`."""
    for start, end in matches(DATED, page):
        for left, right in page.below(start, end):
            cell = DATED_CELL.match(page.text, left, right)
            if cell and in_a_year(cell.group(1)):
                yield Hit(*cell.span(1), DATE, 0.9, "date column")


def in_a_year(pair: str) -> bool:
    """Can it be a day of some month, the month first?"""
    month, day = map(int, re.split("[/-]", pair))
    return 0 < month < 13 and 0 < day < 32


WEEK_HEAD = re.compile(
    r"(?<![A-Za-z0-9.])(?:Su|M|Mo|Tu?|W|We|Th|F|Fr|Sa?)\.? (\d{1,2})(?![A-Za-z0-9/.:%])"
)


def week_heads(page: NormalizedText) -> Iterator[Hit]:
    """`M 26   T 27   W 28`: three days in a row on one line are the head of a calendar."""
    heads = WEEK_HEAD.finditer(page.text)
    for _, row in groupby(heads, lambda match: page.row(match.start())):
        found = list(row)
        days = [int(m.group(1)) for m in found]
        steps = sum(later in {day + 1, 1} for day, later in pairwise(days))
        if len(found) > 2 and steps > 1 and max(days) < 32:
            for match in found:
                yield Hit(*match.span(), DATE, 0.92, "head of a calendar")


NAMED_DAY = re.compile(
    rf"(?<![A-Za-z])({WEEKDAY})[.,]? (\d{{1,2}})(?![\w/:%-]|[ ]?(?:-|to|\u2013)[ ]?\d|\.\d"
    r"|[ ]?(?:[ap]\.?m|noon|h|hrs?|hours?|d|days?|wks?|weeks?|mos?|months?|mg|ml|doses?|times|x|of)\b)"
)
WEEK = ("su", "mo", "tu", "we", "th", "fr", "sa")
SEMANA = {"do": 0, "lu": 1, "ma": 2, "mi": 3, "ju": 4, "vi": 5}
# Behind the day of a diary its entry begins.
ENTRY = re.compile(r"[.:](?:\s|$)|[ ]+-|[ ]{2}|[ ]*$", re.MULTILINE)


def short_days(page: NormalizedText) -> Iterator[re.Match[str]]:
    """Weekdays with a figure behind them that may be the day of a month."""
    for start, _ in matches(SHORT_DAY, page):
        if match := NAMED_DAY.match(page.text, start):
            yield match


def named_days(page: NormalizedText) -> Iterator[Hit]:
    """`Mon 24`: sure where others fall on their weekdays with it, or at the head of an entry."""
    found = [match for match in short_days(page) if 0 < int(match.group(2)) < 32]
    days = {day_in_week(m) for m in found}
    for match in found:
        others = days - {day_in_week(match)}
        fitting = sum((a - b) % 7 == 0 for a, b in steps(day_in_week(match), others))
        astray = len(others) - fitting
        heads = not page.left(match.start()).strip(" *>-") and ENTRY.match(page.text, match.end())
        if fitting > astray or (heads and not astray):
            yield Hit(*match.span(), DATE, 0.92, "weekday and day")


def day_in_week(match: re.Match[str]) -> tuple[int, int]:
    """The number of the weekday and that of the day in its month."""
    word = match.group(1)[:2].lower()
    return SEMANA[word] if word in SEMANA else WEEK.index(word), int(match.group(2))


def steps(day: tuple[int, int], others: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """From a day to each of the others: in the week, and in the month."""
    return ((other[0] - day[0], other[1] - day[1]) for other in others)


DAMAGED = r"(?:^|[^0-9A-Za-z/.])([0-9OlI]{1,2}/[0-9OlI]{1,2})(?:[^0-9A-Za-z/%.]|[.][^0-9]|\z)"
SHEET = re.compile(r"(?i)\b(?:p|pg|pag|pages?|pagina|sheet|bed|hoja)[ .:#-]*$")
MENDED = str.maketrans("OlI", "011")


def damaged_pairs(page: NormalizedText) -> Iterator[Hit]:
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


def hyphened_days(page: NormalizedText) -> Iterator[Hit]:
    """`03-20` where the text writes whole dates so, near in time."""
    spans = list(matches(LED, page))
    days = (
        sorted(filter(None, (hyphened(page, s) for s in matches(LED_WHOLE, page)))) if spans else []
    )
    for start, end in spans:
        day = hyphened(page, (start, end))
        if day and days and apart(day, days) < 46:
            yield Hit(start, end, DATE, 0.92, "hyphened as a date near in time")


def hyphened(page: NormalizedText, span: tuple[int, int]) -> int | None:
    month, day = map(int, page.text[slice(*span)].split("-")[:2])
    return of_year(month, day)


WHOLE = r"(?:^|[^0-9-])(\d{1,2}-\d{1,2}-(?:19|20)?\d\d)(?:[^0-9-]|\z)"


def hyphened_near(page: NormalizedText) -> Iterator[Hit]:
    """`6-4` and `5-27`, no ranges, where the text writes a whole date near in time so."""
    spans = [s for s in matches(HYPHENED, page) if rangeless(page.text[slice(*s)])]
    if not spans:
        return
    days = sorted(filter(None, (hyphened(page, s) for s in matches(WHOLE, page))))
    for start, end in spans:
        day = hyphened(page, (start, end))
        score = weigh(page, start, end, 0.92, UNMEASURED)
        if day and days and apart(day, days) < 46:
            yield Hit(start, end, DATE, score, "hyphened, no range, near in time")


def rangeless(pair: str) -> bool:
    """Falls it, as a range does not, or ends it beyond the months?"""
    first, second = map(int, pair.split("-"))
    return 0 < second < first or (second > 12 and second - first > 12)


SINCE = Context(
    left=r"\b(?:on|since|until|til|dated?|dob|admitted|adm|seen|appt|by|dos|lmp|edd|mon|tues?|wed|thurs?|fri|sat|sun|clinic|visit|onset|d/c|dc|"
    r"repeat|surgery|started|began|check|fu|f/u|rtc|due|through|thru|last|next|given|placed)[ :,]*$",
    width=16,
)
UNMEASURED = Context(not_left=NOT_BEFORE, not_right=NOT_AFTER)
HYPHENED = r"(?:^|[^0-9A-Za-z.-])(\d{1,2}-\d{1,2})(?:[^0-9A-Za-z%.-]|\.\s|\z)"


def hyphened_alike(page: NormalizedText) -> Iterator[Hit]:
    """`8-18` where the text writes other dates so: surer with each that must be one."""
    spans = [s for s in matches(HYPHENED, page) if day_and_month(page.text[slice(*s)]) > 0]
    telling = sum(weigh(page, *span, 0.0, SINCE) > 0 for span in spans)
    if telling < 2 or telling * 4 < len(spans):
        return
    for start, end in spans:
        score = weigh(page, start, end, 0.7, UNMEASURED)
        yield Hit(start, end, DATE, score, "hyphened as others are")
