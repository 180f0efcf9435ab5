"""Amounts with their units: `4.1 mmol/L`, `7.2 x10E3/uL (H)`, `0.08 mcg/kg/min`.

A unit's letters are not initials, and its amount is not an identifier. Two letters after a number
that may be a time of day are left to the model and the rules.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from string import ascii_letters, digits
from typing import NamedTuple

from recognizers.finding import NUMBERED, Finding
from recognizers.words.expressions import SHARED
from recognizers.words.gazetteers import listed

# What precedes a unit: a number, a range, or a result in words.
RESULT_WORDS = r"neg(?:ative)?|pos(?:itive)?|trace|none|few|rare|many|mod(?:erate)?|large|small"
FIGURE = re.compile(
    r"(?<![A-Za-z\d/.,-])(?:[<>~=+-]{0,2}\d[\d,]*(?:\.\d+)?(?:[-/]\d+(?:\.\d+)?)?"
    rf"|(?i:{RESULT_WORDS})\b)"
)
# A unit in one piece, or in two: `1.73 m2`, `mm Hg`, `log IU/mL`.
UNIT_RUN = re.compile(
    r"[A-Za-z%/*^\u00b5\u03bc][A-Za-z\d\u00b5\u03bc%/.*^\u00b2\u00b3_-]*(?<=[A-Za-z%\u00b2\u00b3\d])"
)
SECOND = re.compile(r" (?=(?:m2|m\u00b2|hg|h2o|iu|feu|ddu|hl|creat)(?![a-z]))", re.IGNORECASE)
FLAG = re.compile(r"[ \t]{0,3}[(\[]?(?:H|L|A|N|HH|LL)(?=[)\]]|[ \t]*(?:$|\n|[,;|]))", re.MULTILINE)
UNIT_PART_BREAK = re.compile(r"[/*.-]+")
POWER = re.compile(r"(?:x?10?)?(?:[*^e_]*\d{1,2})?|24|100", re.IGNORECASE)
WITHIN = frozenset(ascii_letters + digits + "/*.^_-%\u00b5\u03bc\u00b2\u00b3")
UNIT_LETTERS = frozenset(ascii_letters + "%\u00b5\u03bc")
ROW = re.compile(r"\)[ \t:|]{1,12}[<>]?\d")
LETTERED_ENTITIES = frozenset({"PERSON"})
MEASURABLE = NUMBERED | LETTERED_ENTITIES
TIME = re.compile(SHARED.texts["CLOCK"])
# In characters: how far before a value its amount may begin, and how far past it a unit may reach.
BEFORE, AFTER = 40, 24
GAP_TO_UNIT = re.compile(r"[ \t|]{0,16}")
# The most blanks between an amount and a unit of one part; further away it may be initials.
CLOSE = 3


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
PLAIN_SIGNS = str.maketrans("₀₁₂₃₄₅₆₇₈₉µμ×·", "0123456789uux.")
RAISED_POWER = re.compile(r"(?<=\d)[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")


@lru_cache(maxsize=1 << 12)
def plain_unit(unit: str) -> str:
    """A unit as UCUM writes it: superscripts as powers, `u` for micro.

    >>> plain_unit("10³/µL"), plain_unit("mL/min/1.73m²")
    ('10*3/uL', 'mL/min/1.73m2')
    """
    powers = RAISED_POWER.sub(lambda match: f"*{match[0].translate(RAISED)}", unit)
    return powers.translate(RAISED).translate(PLAIN_SIGNS)


@cache
def printed() -> frozenset[str]:
    return frozenset(listed("clinical/units"))


@cache
def lowered() -> frozenset[str]:
    return frozenset(unit.lower() for unit in printed())


@lru_cache(maxsize=1 << 12)
def is_unit(run: str) -> bool:
    """Whether every part of `run` is a unit or a power, and at least one is a unit."""
    plain = run.replace("\u00b5", "u").replace("\u03bc", "u").replace("1.73", "")
    parts = [p for p in UNIT_PART_BREAK.split(plain) if p]
    return any(map(_named, parts)) and all(_named(p) or POWER.fullmatch(p) for p in parts)


def _named(part: str) -> bool:
    bare = part.rstrip("\u00b2\u00b3").lower()
    return bare in lowered() or re.sub(r"\^-?\d$", "", bare) in lowered() or part == "%"


def is_sure(run: str) -> bool:
    """Whether the run is an unambiguous unit of several parts: `mmol/L`, `mg/dL`."""
    if "/" not in run.strip("/") or not is_unit(run):
        return False
    parts = [p for p in UNIT_PART_BREAK.split(run) if p.isalpha()]
    if any(len(p) > 2 for p in parts):
        return True
    return as_printed(run) and any(not p.islower() for p in parts)


def as_printed(run: str) -> bool:
    """Whether each part of `run` has the capitals and small letters of a printed unit."""
    return all(part in printed() for part in UNIT_PART_BREAK.split(run) if part.isalpha())


def is_clock(figure: str) -> bool:
    """Whether the number is a time of day rather than an amount."""
    return TIME.fullmatch(figure) is not None and not figure.endswith(("00", "50"))


def may_follow(figure: str, run: str) -> bool:
    """Whether `run` may be the unit of the amount `figure` rather than initials."""
    if not is_unit(run):
        return False
    common = run.islower() or as_printed(run)
    if "/" in run.strip("/"):
        return common or any(len(p) > 1 for p in UNIT_PART_BREAK.split(run))
    if len(run) < 2 or is_clock(figure) or not figure[-1].isdigit():
        return run[0] == "/" and len(run) > 2
    return common or len(run) > 3 or (run.isupper() and len(run) == 3)


class Measure(NamedTuple):
    """Half-open offsets of a unit. `figure` is where its amount starts; `start` if it has none."""

    figure: int
    start: int
    end: int
    timed: bool


# A word that is not part of a longer run; beside an amount it may also be a result or a flag.
LONE_WORD = re.compile(
    r"(?<![A-Za-z\d%^_\u00b2\u00b3\u00b5\u03bc])[A-Za-z]++(?![\d%^_\u00b2\u00b3\u00b5\u03bc])"
)
RESULTS = re.compile(RESULT_WORDS, re.IGNORECASE)
FLAGS = frozenset({"H", "L", "A", "N", "HH", "LL"})


def begins_word(text: str, start: int) -> bool:
    """Whether a whole word begins here that is not a unit, a result or a flag."""
    match = LONE_WORD.match(text, start)
    if match is None or text[start - 1 : start] == "(":
        return False
    word = match.group()
    return word not in FLAGS and word.lower() not in lowered() and not RESULTS.fullmatch(word)


def measure_around(text: str, start: int, end: int) -> Measure | None:
    """The amount with its unit, or the unambiguous unit, in which text[start:end] begins."""
    if begins_word(text, start):
        return None
    first = max(start - BEFORE, 0)
    first = max(text.rfind("\n", first, start) + 1, first)
    for figure in FIGURE.finditer(text, first, min(end + AFTER, len(text))):
        if figure.start() > start:
            break
        amount = figure.group().strip("<>~=+-")
        unit = unit_after(text, figure.end(), amount)
        if unit is not None and start < flagged(text, unit[1]):
            return Measure(figure.start(), *unit, TIME.fullmatch(amount) is not None)
    return headed(text, start, end) or sure_around(text, start)


def headed(text: str, start: int, end: int) -> Measure | None:
    """The unit in brackets before a row of amounts: `Wt (kg)   108.9   103.6`."""
    run = text[start:end]
    if len(run) < 2 or text[start - 1 : start] != "(" or not ROW.match(text, end):
        return None
    return Measure(start, start, end, False) if as_printed(run) and is_unit(run) else None


def flagged(text: str, at: int) -> int:
    """The end of the flag after a result that ends at `at`: `4.1 mmol/L (H)`."""
    flag = FLAG.match(text, at)
    return flag.end() if flag else at


def unit_after(text: str, at: int, figure: str) -> tuple[int, int] | None:
    """Half-open offsets of the unit of an amount that ends at `at`, or in the next column."""
    gap = GAP_TO_UNIT.match(text, at)
    start = gap.end() if gap else at
    run = UNIT_RUN.match(text, start, start + AFTER)
    if run is None or (start - at > CLOSE and "/" not in run.group()):
        return None
    second = SECOND.match(text, run.end())
    more = UNIT_RUN.match(text, second.end(), second.end() + AFTER) if second else None
    if more is not None and may_follow(figure, f"{run.group()}/{more.group()}"):
        return start, more.end()
    return run.span() if may_follow(figure, run.group()) else None


def sure_around(text: str, start: int) -> Measure | None:
    """The unambiguous unit that contains the character at `start`."""
    if "/" not in text[max(0, start - AFTER) : start + AFTER]:
        return None
    first = start
    while first > max(0, start - AFTER) and text[first - 1] in WITHIN:
        first -= 1
    while first < start and text[first] not in UNIT_LETTERS:
        first += 1
    run = UNIT_RUN.match(text, first, start + AFTER)
    return Measure(first, *run.span(), False) if run and is_sure(run.group()) else None


def measured(text: str, finding: Finding) -> bool:
    """Whether a rule's finding is only a unit, or an amount with its unit, not a time of day."""
    if finding.entity not in MEASURABLE:
        return False
    measure = measure_around(text, finding.start, finding.end)
    if measure is None or measure.timed:
        return False
    first = measure.start if finding.entity in LETTERED_ENTITIES else measure.figure
    return first <= finding.start and finding.end <= measure.end
