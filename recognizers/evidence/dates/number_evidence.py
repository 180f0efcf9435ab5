# ruff: noqa: E501 -- a pattern reads best on one line
"""Is it a day? What its numbers say, and the words that stand beside days and beside measures."""

from __future__ import annotations

import re

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


def calendar(value: str) -> float:
    """Evidence in a triple: is there an order in which it is a day of the calendar?"""
    first, second, third = (int(x) for x in re.findall(r"\d+", value)[:3])
    orders = ((first, second), (second, first), (second, third))
    if third < 100 and not re.search(r"\b0\d", value) and stepping(first, second, third):
        return -0.2
    return 0.0 if any(1 <= m <= 12 and 1 <= d <= 31 for m, d in orders) else -0.6


def stepping(first: int, second: int, third: int) -> bool:
    """Equal steps up, as of sizes and of days of a cycle: `7-9-11`, `5/10/15`, `1/8/15`."""
    return second > first and second - first == third - second


def month_word(value: str) -> float:
    """A lower-case month that is also a word needs its neighbourhood."""
    last = value.split()[-1]
    if last.lower() in {"march", "mayo", "august"}:
        return 0.0 if last[0].isupper() else -0.4
    spanish = last.lower().endswith(("o", "bre", "il")) and last.lower() != "april"
    return 0.0 if last[0].isupper() or spanish else -0.2


def small_pair(value: str) -> float:
    """Of two single figures (`on 2-3`, `repeat 1-2`) other evidence must say that they are a day."""
    return -0.3 if len(value) == len("2-3") else 0.0
