"""Figures: pairs such as `3/5` and `6-4`, which may be days of the year, and amounts with units.

Every pair with a slash that could be a day is weighed by its numbers, by the words beside it, and
by the time to the note's other dates. The weights come from a logistic regression over the 7,100
pairs of the annotated training notes, rounded (`training/pairs.py`); the result is a probability.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import starmap

from recognizers.constants import constant, constant_group
from recognizers.evidence.matching import (
    AGAINST,
    NEVER,
    STRENGTHS,
    Search,
    Seen,
    adjoined,
    matches,
    matches_of,
)
from recognizers.evidence.rows import Row, weigh
from recognizers.text.measures import FIGURE, MEASURING, TIME, unit_after
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import patterns
from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

PAIRING = patterns("day_pairs")
DATE = "DATE_TIME"
BEFORE, AFTER = 40, 24
# Weights of the words beside a pair, of its shape, and of the text's other dates and pairs.
WEIGHTS = constant_group("evidence of day pairs")
BIAS = constant("day pairs", "bias")
SURE, LIKELY = constant("day pairs", "sure"), constant("day pairs", "likely")
UNLIKELY = constant("day pairs", "unlikely")
# If the probability is between these two, no hit is reported, so the model decides.
RULED_OUT, RULED_IN = constant("day pairs", "ruled out"), constant("day pairs", "ruled in")


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair: its span, its day of the year, the names of its evidence, and its log odds."""

    start: int
    end: int
    day: int
    names: frozenset[str]
    odds: float


@cache
def words_beside_pairs() -> dict[tuple[str, str], frozenset[str]]:
    """The words of each side and list in `words/dates/beside_pairs.csv`."""
    rows = csv_rows(WORDS / "dates" / "beside_pairs.csv")
    return {(row["side"], row["list"]): frozenset(row["words"].split()) for row in rows}


LEFTS, RIGHTS, SHAPES, PARTS = (
    {name: re.compile(text) for name, text in PAIRING.groups[group].items()}
    for group in ("LEFTS", "RIGHTS", "SHAPES", "PARTS")
)


def beside(left: str, right: str, a: int, b: int) -> set[str]:
    """The names of the evidence in the shape of a pair and in the text beside the pair."""
    lists = words_beside_pairs()
    told = {"before": PAIRING["NEXT_TO"].search(left), "after": PAIRING["FIRST_WORD"].match(right)}
    said = {side: match[1].lower() if match else "" for side, match in told.items()}
    clause = PAIRING["CLAUSE"].split(left)[-1]
    near = {w.lower() for w in PAIRING["WORD_BESIDE"].findall(clause)[-4:]}
    found = {name for (side, name), words in lists.items() if said[side] in words}
    found |= {f"{name}, near" for name in ("score", "study") if near & lists["before", name]}
    found |= {name for name, form in LEFTS.items() if form.search(left)}
    found |= {name for name, form in RIGHTS.items() if form.match(right)}
    found |= {name for name, form in SHAPES.items() if form.fullmatch(f"{a}/{b}")}
    return found | {"falling"} if a > b else found


MONTHS_LISTED = "jan feb mar apr may jun jul aug sep oct nov dec"
MONTHS = {month: number for number, month in enumerate(MONTHS_LISTED.split(), 1)}


@dataclass(frozen=True, slots=True)
class DayOrder:
    """How many full dates in a text put the day first, and how many the month."""

    day_first: int
    month_first: int

    @classmethod
    def of(cls, page: NormalizedText) -> DayOrder:
        both = [numbers_in(page, span) for span in matches(PAIRING.texts["WHOLE"], page)]
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
    """The day's number in a year of months of 30.4 days; None if the two are no day."""
    return round((month - 1) * 30.4 + day) if 0 < month < 13 and 0 < day < 32 else None


def anchors(page: NormalizedText, order: DayOrder) -> list[int]:
    """The days, without their year, that the text names unambiguously, sorted."""
    spans = matches_of(PAIRING.groups["FORMS"].values(), page)
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
    """The days to the nearest of the sorted `days`, also across New Year; 365 without one."""
    if not days:
        return 365
    place = bisect_left(days, day)
    near = (days[place % len(days)], days[place - 1])
    return min(min(abs(day - other), 365 - abs(day - other)) for other in near)


# Classes of the distance in time to the nearest unambiguous date of the text.
STEPS = ((8, "within a week"), (31, "within a month"), (92, "within a season"), (364, "far"))


def glued(text: str, start: int) -> bool:
    """Whether a pair is the end of a longer value, such as `120/80`, `d4/7`, `L-3/4` or `x:1/2`."""
    first, second = (text[max(start - n, 0) : max(start - n + 1, 0)] for n in (1, 2))
    if first not in {"-", ":", "+"}:
        return first.isalnum() or first in {".", "/"}
    marked = second.isupper() or second in {".", "/", ":", "+"}
    return marked or (first != "-" and second.isalnum())


def weight_of(names: Iterable[str]) -> float:
    return math.fsum(WEIGHTS.get(name, 0.0) for name in names)  # whatever their order


def pairs(page: NormalizedText, spans: Iterable[tuple[int, int]]) -> list[Pair]:
    """Every pair that may be a day, with the evidence in the pair and beside it."""
    found = []
    days: list[int] | None = None
    order: DayOrder | None = None
    for start, end in spans:
        a, b = numbers_in(page, (start, end))
        order = DayOrder.of(page) if order is None else order
        day = order.of_year(a, b)
        if day is None or adjoined(page.text, end, "0-9/.%") or glued(page.text, start):
            continue
        days = anchors(page, order) if days is None else days
        names = beside(page.left(start, BEFORE), page.right(end, AFTER), a, b)
        gap = apart(day, days)
        names.add(next((name for most, name in STEPS if gap <= most), "no dates"))
        found.append(Pair(start, end, day, frozenset(names), BIAS + weight_of(names)))
    return found


def part(page: NormalizedText, start: int, end: int) -> bool:
    """Whether the text beside a pair shows that the pair is a fraction, a sum or all hours."""
    text, value = page.text, page.text[start:end]
    left = text[max(text.rfind("\n", 0, start) + 1, start - 24) : start]
    # `24/7` is July 24 if the text writes days first, otherwise all hours of the week.
    if value == "24/7" and not DayOrder.of(page).is_day_first:
        return True
    marked = f"{left}{value}\0{text[end : end + 24]}"
    return any(form.search(marked) for form in PARTS.values())


def company(
    page: NormalizedText, number: int, found: Sequence[Pair], sure: Sequence[int]
) -> set[str]:
    """The evidence in other pairs: days or fractions beside a pair, or days near it in time."""
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
        names |= {"the range's end"} if PAIRING["RANGE"].fullmatch(between.strip()) else set()
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
    spans = list(matches(PAIRING.texts["PAIR"], page))
    parts = {span: part(page, *span) for span in spans}
    found = pairs(page, [span for span in spans if not parts[span]])
    for number, (pair, sure) in enumerate(zip(found, sure_days(found), strict=True)):
        odds = pair.odds + weight_of(company(page, number, found, sure))
        chance = 1 / (1 + math.exp(-odds))
        if chance >= RULED_IN:
            end = reaching(page.text, pair)
            yield Seen(pair.start, end, DATE, chance, "day of the year")
        elif chance <= RULED_OUT:
            yield Seen(pair.start, pair.end, DATE, 0.0, "day of the year")
    for span in spans:
        if parts[span]:
            yield Seen(*span, DATE, 0.0, "part of a whole")


def reaching(text: str, pair: Pair) -> int:
    """The end of the pair with a second day that has no month: `11/3-4`, `3/14 or 15`."""
    match = PAIRING["LAST_DAY"].match(text, pair.end)
    first = int(text[pair.start : pair.end].split("/")[1])
    return match.end() if match and first < int(match[1]) < min(first + 15, 32) else pair.end


UNMEASURED = Row(
    "hyphened, no range, near in time",
    DATE,
    STRENGTHS["hyphened, no range, near in time"],
    lowered_by_left=PAIRING.texts["NOT_BEFORE"],
    lowered_by_right=PAIRING.texts["NOT_AFTER"],
)


def numbers_in(page: NormalizedText, span: tuple[int, int]) -> tuple[int, int]:
    """The first two numbers of a span."""
    first, second, *_ = map(int, re.findall(r"\d+", page.text[slice(*span)]))
    return first, second


def hyphened_near(page: NormalizedText) -> Iterator[Seen]:
    """`6-4` and `5-27`, which are not ranges, if the text has a hyphenated date near in time."""
    seen = [(span, *numbers_in(page, span)) for span in matches(PAIRING.texts["HYPHENED"], page)]
    # No range has a lower second number, or one far above 12.
    found = [one for one in seen if 0 < one[2] < one[1] or one[2] > max(12, one[1] + 12)]
    if not found:
        return
    whole = (numbers_in(page, span) for span in matches(PAIRING.texts["WHOLE_DATE"], page))
    days = sorted(filter(None, starmap(of_year, whole)))
    for (start, end), *numbers in found:
        day = of_year(*numbers)
        if day and days and apart(day, days) < 46:
            score = weigh(UNMEASURED, page, start, end, UNMEASURED.strength)
            yield Seen(start, end, DATE, score, UNMEASURED.id)


# The first two letters of the weekdays, in English and Spanish; Saturday is the same in both.
WEEK = {"su": 0, "mo": 1, "tu": 2, "we": 3, "th": 4, "fr": 5, "sa": 6}
WEEK |= {"do": 0, "lu": 1, "ma": 2, "mi": 3, "ju": 4, "vi": 5}


def named_days(page: NormalizedText) -> Iterator[Seen]:
    """`Mon 24`, if it fits more of the text's other weekdays with numbers than it does not fit."""
    starts = (start for start, _ in matches(PAIRING.texts["SHORT_DAY"], page))
    told = [match for at in starts if (match := PAIRING["NAMED_DAY"].match(page.text, at))]
    both = {match.span(): (WEEK[match[1][:2].lower()], int(match[2])) for match in told}
    found = {span: day for span, day in both.items() if 0 < day[1] < 32}
    # Days of one month fit if they have the same distance from their weekday.
    offsets = Counter((day - weekday) % 7 for weekday, day in set(found.values()))
    for (start, end), (weekday, day) in found.items():
        fitting = offsets[(day - weekday) % 7]
        if fitting - 1 > offsets.total() - fitting:
            yield Seen(start, end, DATE, STRENGTHS["weekday and day"], "weekday and day")


def measured_figures(page: NormalizedText) -> Iterator[Seen]:
    """The amount and the unit of each result; a unit of several parts is unambiguous."""
    text = page.text
    if (alone := MEASURING["ALONE"].fullmatch(text)) is not None:
        yield Seen(*alone.span("figures"), "OTHER_ID", NEVER, "amount")
        return
    for figure in FIGURE.finditer(text):
        if MEASURING["ORDINAL"].match(text, figure.end()):
            continue
        amount = figure.group().strip("<>~=+-")
        unit = unit_after(text, figure.end(), amount)
        if unit is not None and not TIME.fullmatch(amount):
            yield Seen(*figure.span(), "OTHER_ID", AGAINST, "amount")
            parted = "/" in text[slice(*unit)].strip("/")
            yield Seen(*unit, "PERSON", NEVER if parted else AGAINST, "unit")


# The functions, each with the expressions without which it sees nothing.
OF_DATES: dict[Search, Sequence[str]] = {
    pair_hits: (PAIRING.texts["PAIR"],),
    hyphened_near: (PAIRING.texts["HYPHENED"],),
    named_days: (PAIRING.texts["SHORT_DAY"],),
}
