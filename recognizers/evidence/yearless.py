# ruff: noqa: E501 -- a pattern reads best on one line
"""Dates without a year: beside a weekday, or with a hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from recognizers.evidence.day_pairs import apart, of_year
from recognizers.evidence.matching import STRENGTHS, Seen, matches
from recognizers.evidence.rows import Row, weigh
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import WEEKDAY

DATE = "DATE_TIME"
# Words that occur beside measures and not beside days.
NOT_BEFORE = (
    r"(?:pain[^\n]{0,24}|worst|best|average|strength|motor|power|reflex(?:es)?|dtrs?|pulses?|pain|score|scale|rated?|gcs|apgars?|tinetti|berg|braden|barthel|katz|norton|bishop|grade|murmur|stage|visual acuity|va|od|os|ou|bp|hr|ratio|dose|size|fev1/fvc|"
    r"level|vertebra\w*|c|l|s|t|lobe|nodes?|positive|ln|fio2|peep|orientation|ef|phq-?9?|gad-?7?|moca|mmse|slums|sats?|oriented|quadriceps|grip|biceps|deltoid|hip flexion|le|ue|rle|lle|rue|lue|x|"
    r"days?|weeks?|every|q|times?|page|pg|p|section|chapter|part|item|version|form|type|class|grams?|mg|ml|weight|wt|bw|ht|height|temp|room|rm|bed|apt|unit|suite|#|no|hgb|hct|wbc|glucose|bs|na|k|cr|bun|inr)"
    r"[ :=~<>/+-]{0,3}$"
)
NOT_AFTER = (
    r"[ ]?(?:mg|mcg|ml|cc|units?|u\b|g\b|gm|kg|lbs?|oz|tabs?|tablets?|caps?|pills?|puffs?|drops?|%|cm|mm|inch|in\b|ft|fr\b|gauge|ga\b|hours?|hrs?|h\b|min(?:utes)?|sec|"
    r"wks?\b|weeks?|mos?\b|months?|yrs?|years?|y/o|strength|motor|systolic|murmur|points?|pts\b|positive|negative|nodes?|lymph|times|per (?:day|week|min|hour)|weekly|daily|bilat\w*|throughout|"
    r"beats|criteria|questions|items|scale|on (?:the )?(?:pain|scale|right|left|r\b|l\b)|in (?:all|the|both|upper|lower)|quadrants?|correct|teeth|stairs|mmhg|"
    r"cores?|margins?|sites?|vessels?|doses?|packs?|ppd|percent|out of|children|siblings|intensity|intact|bpm|days?\b|nights?|x\b|r\b|l\b)"
)
SHORT_DAY = rf"{WEEKDAY}[.,]? \d"
NAMED_DAY = re.compile(
    rf"(?<![A-Za-z])({WEEKDAY})[.,]? (\d{{1,2}})(?![\w/:%-]|[ ]?(?:-|to|\u2013)[ ]?\d|\.\d"
    r"|[ ]?(?:[ap]\.?m|noon|h|hrs?|hours?|d|days?|wks?|weeks?|mos?|months?|mg|ml|doses?|times|x|of)\b)"
)
WEEK = ("su", "mo", "tu", "we", "th", "fr", "sa")
SEMANA = {"do": 0, "lu": 1, "ma": 2, "mi": 3, "ju": 4, "vi": 5}
# A diary entry begins after its day.
ENTRY = re.compile(r"[.:](?:\s|$)|[ ]+-|[ ]{2}|[ ]*$", re.MULTILINE)


def short_days(page: NormalizedText) -> Iterator[re.Match[str]]:
    """Weekdays followed by a number that may be the day of a month."""
    for start, _ in matches(SHORT_DAY, page):
        if match := NAMED_DAY.match(page.text, start):
            yield match


def named_days(page: NormalizedText) -> Iterator[Seen]:
    """`Mon 24`, if it fits the other weekdays with numbers in the text, or begins an entry."""
    found = [match for match in short_days(page) if 0 < int(match.group(2)) < 32]
    days = {day_in_week(m) for m in found}
    for match in found:
        others = days - {day_in_week(match)}
        fitting = sum((a - b) % 7 == 0 for a, b in steps(day_in_week(match), others))
        astray = len(others) - fitting
        heads = not page.left(match.start()).strip(" *>-") and ENTRY.match(page.text, match.end())
        if fitting > astray or (heads and not astray):
            yield Seen(*match.span(), DATE, STRENGTHS["weekday and day"], "weekday and day")


def day_in_week(match: re.Match[str]) -> tuple[int, int]:
    """The number of the weekday, and the day of the month."""
    word = match.group(1)[:2].lower()
    return SEMANA[word] if word in SEMANA else WEEK.index(word), int(match.group(2))


def steps(day: tuple[int, int], others: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The differences from a day to each other day: in weekdays, and in days of the month."""
    return ((other[0] - day[0], other[1] - day[1]) for other in others)


def hyphened(page: NormalizedText, span: tuple[int, int]) -> int | None:
    month, day = map(int, page.text[slice(*span)].split("-")[:2])
    return of_year(month, day)


WHOLE_DATE = r"(?:^|[^0-9-])(\d{1,2}-\d{1,2}-(?:19|20)?\d\d)(?:[^0-9-]|\z)"


def hyphened_near(page: NormalizedText) -> Iterator[Seen]:
    """`6-4` and `5-27`, which are not ranges, if the text has a hyphenated date near in time."""
    spans = [s for s in matches(HYPHENED, page) if rangeless(page.text[slice(*s)])]
    if not spans:
        return
    days = sorted(filter(None, (hyphened(page, s) for s in matches(WHOLE_DATE, page))))
    for start, end in spans:
        day = hyphened(page, (start, end))
        score = weigh(UNMEASURED, page, start, end, UNMEASURED.strength)
        if day and days and apart(day, days) < 46:
            yield Seen(start, end, DATE, score, UNMEASURED.id)


def rangeless(pair: str) -> bool:
    """Whether a pair cannot be a range because its second number is lower or is far above 12."""
    first, second = map(int, pair.split("-"))
    return 0 < second < first or (second > 12 and second - first > 12)


UNMEASURED = Row(
    "hyphened, no range, near in time",
    DATE,
    STRENGTHS["hyphened, no range, near in time"],
    lowered_by_left=NOT_BEFORE,
    lowered_by_right=NOT_AFTER,
)
HYPHENED = r"(?:^|[^0-9A-Za-z.-])(\d{1,2}-\d{1,2})(?:[^0-9A-Za-z%.-]|\.\s|\z)"
