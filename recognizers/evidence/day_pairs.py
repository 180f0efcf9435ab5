# ruff: noqa: E501 -- a list of words reads best on one line
"""Pairs such as `3/5`: whether each is a day of the year, or a fraction or score.

Every pair that could be a day is weighed by its numbers, by the words beside it, and by the time to
the note's other dates. The weights come from a logistic regression over the 7,100 pairs of the
annotated training notes, rounded (`training/pairs.py`); the result is a probability.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from recognizers.constants import constant, constant_group
from recognizers.evidence.matching import Seen, adjoined, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import MONTH, WEEKDAY
from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

PAIR = r"(\d{1,2}/\d{1,2})"
BEFORE, AFTER = 40, 24

# Weights of the words beside a pair, of its shape, and of the text's other dates and pairs.
WEIGHTS = constant_group("evidence of day pairs")
BIAS = constant("day pairs", "bias")


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair: its span, its day of the year, the names of its evidence, and its log odds
    of a day.
    """

    start: int
    end: int
    day: int
    names: frozenset[str]
    odds: float


@cache
def words_beside_pairs() -> dict[str, frozenset[str]]:
    """The words of each list in `words/dates/beside_pairs.csv`."""
    return {
        row["list"]: frozenset(row["words"].split())
        for row in csv_rows(WORDS / "dates" / "beside_pairs.csv")
    }


NEXT_TO = re.compile(r"([A-Za-z0-9'&][A-Za-z0-9'/&-]*)[ .:=~*(\"-]{0,3}$")
CLAUSE = re.compile(r"[.;!?](?=[ ]|$)|\|")
WORD_BESIDE = re.compile(r"[A-Za-z&][A-Za-z0-9'/-]*")
FIRST_WORD = re.compile(r"[ -]?([A-Za-z][A-Za-z0-9/]*)")
LEFTS = {
    "weekday before": re.compile(rf"(?<![A-Za-z])(?:{WEEKDAY})[ .:,(]{{0,3}}$"),
    "week of": re.compile(r"\b(?:week|wk|night|nite|morning|afternoon|evening|weekend|as) of $"),
    "number before": re.compile(r"(?:^|[^\d:/.-])\d{1,2}[ -]$"),
    "bracket": re.compile(r"[(\[][ ]?$"),
    "line's start": re.compile(r"^[ \t*#>_-]*$"),
    "clause": re.compile(r"[.;:][ ]{1,2}$"),
    "comma": re.compile(r",[ ]$"),
    "after a pair": re.compile(r"\d/\d{1,2}[ ]?(?:-|to|thru|through|and|&|,|\+|;|or|->|>)[ ]?$"),
    "mark": re.compile(r"[=<>#$\"][ ]?$"),
}
RIGHTS = {
    "clock": re.compile(r"[ ,]{1,2}(?:@|at \d|\d{1,2}:\d\d|[012]\d[0-5]\d\b|\d{1,2} ?[ap]m?\b|[ap]m\b)"),
    "colon": re.compile(r"[ ]?:"),
    "range": re.compile(r"[ ]?(?:-|to|thru|through|till?|until|or)[ ]?\d{1,2}\b"),
    "mark after": re.compile(r"[+?\"#]"),
    "turned": re.compile(r"[ ](?:in (?:all|both|the|upper|lower|flexion|extension)|on (?:the )?(?:right|left|r|l|pain|scale)|out of)\b"),
}  # fmt: skip
SHAPES: dict[str, Callable[[int, int], bool]] = {
    "of ten": lambda a, b: b == 10 and a <= b,
    "of five": lambda a, b: b == 5 and a <= b,
    "of four or six": lambda a, b: b in {4, 6} and a <= b,
    "of two or three": lambda a, b: b in {2, 3} and a <= b,
    "of seven": lambda a, b: b == 7 and a < b,
    "of another score": lambda a, b: b in {8, 9, 11, 12, 14, 15, 24, 28, 30} and a <= b,
    "of a drug": lambda a, b: (a, b) in {(8, 2), (4, 2), (4, 1), (2, 1), (12, 3)},
    "alike": lambda a, b: a == b,
    "past the scores": lambda a, b: b > 12 and b not in {14, 15, 18, 24, 28, 30},
    "falling": lambda a, b: a > b,
}


def beside(left: str, right: str, a: int, b: int) -> set[str]:
    """Return the names of the evidence in the shape of a pair and in the text beside the pair."""
    word = NEXT_TO.search(left)
    last = word.group(1).lower() if word else ""
    found = {name for name in BEFORE_IT if last in words_beside_pairs()[name]}
    near = {w.lower() for w in WORD_BESIDE.findall(CLAUSE.split(left)[-1])[-4:]}
    found |= {f"{name}, near" for name in ("score", "study") if near & words_beside_pairs()[name]}
    after = FIRST_WORD.match(right)
    if after:
        found |= {name for name in AFTER_IT if after.group(1).lower() in words_beside_pairs()[name]}
    found |= {name for name, form in LEFTS.items() if form.search(left)}
    found |= {name for name, form in RIGHTS.items() if form.match(right)}
    return found | {name for name, test in SHAPES.items() if test(a, b)}


BEFORE_IT = ("score", "muscle", "sheet", "share", "cue", "link", "study")
AFTER_IT = ("unit", "whole", "finding", "often")
MONTHS_LISTED = "jan feb mar apr may jun jul aug sep oct nov dec"
MONTHS = {month: number for number, month in enumerate(MONTHS_LISTED.split(), 1)}
FORMS = (
    r"(\d{1,2}[/.-]\d{1,2}[/-](?:19|20)?\d\d)(?:[^0-9/]|\z)",
    r"((?:19|20)\d\d-\d\d-\d\d)",
    rf"\b({MONTH}[ .-]{{1,2}}\d{{1,2}})(?:[^0-9/:%.]|[.,]|\z)",
    rf"\b(\d{{1,2}}[ -]?{MONTH})\b",
)


# A full date, which shows the order of day and month if its day is above 12.
WHOLE = r"(\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)?\d\d)(?:[^0-9/]|\z)"
# `24/7` is July 24 if the text writes days first, otherwise all hours of the week.
ALL_HOURS = "24/7"


@dataclass(frozen=True, slots=True)
class DayOrder:
    """How many full dates in a text put the day first, and how many the month."""

    day_first: int
    month_first: int

    @classmethod
    def of(cls, page: NormalizedText) -> DayOrder:
        """Count, over the full dates of a text, which of day and month comes first."""
        spans = (page.text[slice(*span)] for span in matches(WHOLE, page))
        both = [tuple(map(int, re.findall(r"\d+", value)[:2])) for value in spans]
        return cls(sum(b < 13 <= a < 32 for a, b in both), sum(a < 13 <= b < 32 for a, b in both))

    def of_year(self, first: int, second: int) -> int | None:
        """The day's number in its year, in the text's order or, if that is no day, in the other."""
        month_first = of_year(first, second)
        if self.is_day_first:
            return of_year(second, first) or month_first
        return month_first or (None if self.month_first else of_year(second, first))

    @property
    def is_day_first(self) -> bool:
        """Whether more dates have the day first than the month."""
        return self.day_first > self.month_first


def of_year(month: int, day: int) -> int | None:
    """Return the day's number in a year of months of 30.4 days; None if month and day are
    no day.
    """
    return round((month - 1) * 30.4 + day) if 0 < month < 13 and 0 < day < 32 else None


def anchors(page: NormalizedText, order: DayOrder) -> list[int]:
    """The days, without their year, that the text names unambiguously, sorted."""
    spans = (span for form in FORMS for span in matches(form, page))
    days = (day_of(page.text[slice(*span)], order) for span in spans)
    return sorted({day for day in days if day is not None})


def day_of(value: str, order: DayOrder) -> int | None:
    numbers = [int(x) for x in re.findall(r"\d+", value)]
    named = re.search(r"[A-Za-z]{3}", value)
    if named:
        return of_year(MONTHS.get(named.group().lower(), 0), numbers[0])
    if len(numbers) == 3 and numbers[0] > 31:
        return of_year(numbers[1], numbers[2])
    return order.of_year(numbers[0], numbers[1]) or of_year(numbers[1], numbers[0])


def apart(day: int, days: Sequence[int]) -> int:
    """Return the days from `day` to the nearest of the sorted `days`, also across New
    Year, or 365.
    """
    if not days:
        return 365
    place = bisect_left(days, day)
    near = (days[place % len(days)], days[place - 1])
    return min(min(abs(day - other), 365 - abs(day - other)) for other in near)


STEPS = ((8, "within a week"), (31, "within a month"), (92, "within a season"), (364, "far"))


def timely(day: int, days: Sequence[int]) -> str:
    """The class of the distance in time to the nearest unambiguous date of the text."""
    gap = apart(day, days)
    return next((name for most, name in STEPS if gap <= most), "no dates")


def glued(text: str, start: int) -> bool:
    """Whether a pair is the end of a longer value, such as `120/80`, `d4/7`, `L-3/4` or `x:1/2`."""
    first, second = (text[max(start - n, 0) : max(start - n + 1, 0)] for n in (1, 2))
    if first in {"-", ":", "+"}:
        return (
            second.isupper()
            or second in {".", "/", ":", "+"}
            or (first != "-" and second.isalnum())
        )
    return first.isalnum() or first in {".", "/"}


def pairs(page: NormalizedText, spans: Iterable[tuple[int, int]]) -> list[Pair]:
    """Every pair that may be a day, with the evidence in the pair and beside it."""
    found = []
    days: list[int] | None = None
    order: DayOrder | None = None
    for start, end in spans:
        a, b = map(int, page.text[start:end].split("/"))
        order = DayOrder.of(page) if order is None else order
        day = order.of_year(a, b)
        if day is None or adjoined(page.text, end, "0-9/.%") or glued(page.text, start):
            continue
        days = anchors(page, order) if days is None else days
        names = beside(page.left(start, BEFORE), page.right(end, AFTER), a, b)
        names.add(timely(day, days))
        found.append(Pair(start, end, day, frozenset(names), BIAS + weight(names)))
    return found


EIGHTHS = frozenset(f"{a}/{b}" for b in (2, 4, 8) for a in range(1, b))
THIRDS = EIGHTHS | {"1/3", "2/3"}
MIXED = re.compile(r"(?:^|[ (~])\d{1,2} $")
OF_SEVEN = re.compile(r"(?:^|[ (~@])(?:[4-9]|[1-3]\d|4[0-3])(?: |, | & | and )$")
SUMMED = re.compile(r"\d ?\)? ?= ?$")
NODES = re.compile(r"\by?p?T\w{1,4} ?N\d\w{0,3}(?: ?M\w)? ?\($")
SCORES_TOLD = re.compile(
    r"\b(?i:bpp|tender|swollen|tjc|sjc|scat ?\d?:? sx|mbess|nottingham)[ :=]{0,2}$"
)
# `GAD-7 2-2-1-3-0-1-2 = 11/21`: the sum of the items; `bup/nx 8/2`: a strength.
ADDED = re.compile(r"\d(?: ?[-+,] ?\d{1,2}){2,}\)? ?= ?$")
FILMS = re.compile(
    r"(?i)\bbup(?:renorphine)?[/-](?:nx|nal(?:oxone)?)(?: (?:films?|sl|tabs?|strips?))? $"
)
FILM_STRENGTHS = frozenset({"8/2", "4/1", "12/3"})
# `3340 g, AP 8/9`: Apgar scores at one and five minutes.
NEWBORN = re.compile(r"(?:\d ?g(?:m|rams)?,? |# ?\d{1,2} {1,2})(?:AP|Ap|ap|Apgs?|APG)s?[:.]? ?$")
NEWBORN_SCORES = frozenset(f"{a}/{b}" for a in range(1, 11) for b in range(a, 11))
INCHES = re.compile(r"\"|''| ?(?:inch|in(?:[.,;)]|$| (?:x|long|wide|deep|needle)\b))")


def part(text: str, start: int, end: int) -> bool:
    """Whether the text beside a pair shows that the pair is a fraction or a score."""
    value = text[start:end]
    left = text[max(text.rfind("\n", 0, start) + 1, start - 24) : start]
    if value in EIGHTHS and INCHES.match(text, end) and left.count('"') % 2 == 0:
        return True
    if value in THIRDS and MIXED.search(left):
        return not RIGHTS["colon"].match(text, end)
    if value.endswith("/7") and value[0] < "7" and OF_SEVEN.search(left):
        return not RIGHTS["clock"].match(text, end)
    if text[end : end + 2] == "/-" or (left.endswith("(") and NODES.search(left)):
        return True
    if value.endswith("/9") and SUMMED.search(left):
        return True
    if ("=" in left[-2:] and ADDED.search(left)) or (
        value in FILM_STRENGTHS and FILMS.search(left)
    ):
        return True
    if value in NEWBORN_SCORES and NEWBORN.search(left):
        return True
    return (
        SCORES_TOLD.search(left) is not None
        or halved(text, start, end)
        or in_row_of_pairs(text, start, end)
    )


ROW_BEFORE = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?:, [A-Za-z]{1,8} |\), \d{1,2} \()$")
ROW_AFTER = re.compile(r"(?:, [A-Za-z]{1,8} |\), \d{1,2} \()(\d{1,2})/(\d{1,2})(?![\d/%])")


def in_row_of_pairs(text: str, start: int, end: int) -> bool:
    """Whether the pair is in a row with a pair that cannot be a day: `DP 9/30, RW 12/41`."""
    near = (ROW_BEFORE.search(text[max(0, start - 24) : start]), ROW_AFTER.match(text, end))
    return any(m is not None and of_year(*map(int, m.groups())) is None for m in near)


def halved(text: str, start: int, end: int) -> bool:
    """Whether the pair is one of two fractions that add up to 1, in adjacent columns: `1/4
    3/4`.
    """
    value = text[start:end]
    if value not in EIGHTHS:
        return False
    first, whole = map(int, value.split("/"))
    rest = f"{whole - first}/{whole}"
    after = re.compile(rf"[ \t]{{2,}}{rest}(?![\d/])")
    before = re.compile(rf"(?<![\d/]){rest}[ \t]{{2,}}$")
    return bool(after.match(text, end) or before.search(text[max(0, start - 24) : start]))


def all_hours(page: NormalizedText, start: int, end: int) -> bool:
    """Whether the pair is `24/7` in the sense of all hours."""
    return page.text[start:end] == ALL_HOURS and not DayOrder.of(page).is_day_first


def weight(names: Iterable[str]) -> float:
    return math.fsum(WEIGHTS.get(name, 0.0) for name in names)  # whatever their order


SURE, LIKELY = constant("day pairs", "sure"), constant("day pairs", "likely")
UNLIKELY = constant("day pairs", "unlikely")
TO = frozenset(["-", "to", "thru", "->", "till", "til"])
# If the probability is between these two, no hit is reported, so the model decides.
RULED_OUT = constant("day pairs", "ruled out")
RULED_IN = constant("day pairs", "ruled in")


def company(
    page: NormalizedText, number: int, found: Sequence[Pair], sure: Sequence[int]
) -> set[str]:
    """Return evidence for a pair from other pairs.

    They may be days or fractions beside it, or days near it in time.
    """
    here = found[number]
    names = set()
    for other in found[max(number - 1, 0) : number + 2]:
        if other is here or abs(other.start - here.start) >= 80:
            continue
        if other.odds > LIKELY and other.day != here.day and apart(here.day, (other.day,)) < 46:
            names.add("beside a day")
        if other.odds < UNLIKELY and abs(other.start - here.start) < 40:
            names.add("beside a part")
    if number and found[number - 1].odds > UNLIKELY:
        between = page.text[found[number - 1].end : here.start]
        names |= {"the range's end"} if between.strip() in TO else set()
    gap = apart(here.day, sure)
    if gap <= 45:
        names.add("near a sure day" if gap <= 10 else "in the month of a sure day")
    return names


def sure_days(found: Sequence[Pair]) -> Iterator[list[int]]:
    """For each pair, the sorted distinct days of other pairs that are almost certainly days."""
    often = Counter(pair.day for pair in found if pair.odds > SURE)
    days = sorted(often)
    for pair in found:
        alone = pair.odds > SURE and often[pair.day] == 1
        yield [day for day in days if day != pair.day] if alone else days


def pair_hits(page: NormalizedText) -> Iterator[Seen]:
    """Each pair with its probability of being a day; a score of 0 is evidence against a day."""
    spans = list(matches(PAIR, page))
    parts = {span: part(page.text, *span) or all_hours(page, *span) for span in spans}
    found = pairs(page, [span for span in spans if not parts[span]])
    for number, (pair, sure) in enumerate(zip(found, sure_days(found), strict=True)):
        odds = pair.odds + weight(company(page, number, found, sure))
        chance = 1 / (1 + math.exp(-odds))
        if not RULED_OUT < chance < RULED_IN:
            score = 0.0 if chance < RULED_IN else chance
            end = pair.end if chance < RULED_IN else reaching(page.text, pair)
            yield Seen(pair.start, end, "DATE_TIME", score, "day of the year")
    for span in spans:
        if parts[span]:
            yield Seen(*span, "DATE_TIME", 0.0, "part of a whole")


LAST_DAY = re.compile(
    r"(?:-| ?(?:or|&) ?)(\d{1,2})(?![\w/:%-]|\.\d|[ ]?(?:mg|ml|x|of|days?|wks?|weeks?|hrs?|hours?)\b)"
)


def reaching(text: str, pair: Pair) -> int:
    """Return the end of the pair with a second day that has no month: `11/3-4`, `3/14 or 15`."""
    match = LAST_DAY.match(text, pair.end)
    first = int(text[pair.start : pair.end].split("/")[1])
    return match.end() if match and first < int(match.group(1)) < min(first + 15, 32) else pair.end
