"""Amounts with their units: `4.1 mmol/L`, `7.2 x10E3/uL`, `0.08 mcg/kg/min`.

A unit's letters are not initials, and its amount is not an identifier. Two letters after a number
that may be a time of day are left to the model and the rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recognizers.words.expressions import patterns
from recognizers.words.gazetteers import listed, plain_list

MEASURING = patterns("measures")
FIGURE, TIME = MEASURING["FIGURE"], MEASURING["CLOCK"]
UNIT_RUN, SECOND = MEASURING["UNIT_RUN"], MEASURING["SECOND"]
# Units in the capitals and small letters in which they are printed.
PRINTED = frozenset(listed("clinical/units"))
# In characters: how far past an amount a unit may reach.
AFTER = 24
# The most blanks between an amount and a unit of one part; further away it may be initials.
CLOSE = 3
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
PLAIN_SIGNS = str.maketrans("₀₁₂₃₄₅₆₇₈₉µμ×·", "0123456789uux.")


@lru_cache(maxsize=1 << 12)
def plain_unit(unit: str) -> str:
    """A unit as UCUM writes it: superscripts as powers, `u` for micro.

    >>> plain_unit("10³/µL"), plain_unit("mL/min/1.73m²")
    ('10*3/uL', 'mL/min/1.73m2')
    """
    powers = MEASURING["RAISED_POWER"].sub(lambda match: f"*{match[0].translate(RAISED)}", unit)
    return powers.translate(RAISED).translate(PLAIN_SIGNS)


@lru_cache(maxsize=1 << 12)
def is_unit(run: str) -> bool:
    """Whether every part of `run` is a unit or a power, and at least one is a unit."""
    plain = run.replace("\u00b5", "u").replace("\u03bc", "u").replace("1.73", "")
    parts = [p for p in MEASURING["PART_BREAK"].split(plain) if p]
    power = MEASURING["POWER"].fullmatch
    return any(map(_named, parts)) and all(_named(p) or power(p) for p in parts)


def _named(part: str) -> bool:
    bare = part.rstrip("\u00b2\u00b3").lower()
    units = plain_list("clinical/units")
    return bare in units or re.sub(r"\^-?\d$", "", bare) in units or part == "%"


def may_follow(figure: str, run: str) -> bool:
    """Whether `run` may be the unit of the amount `figure` rather than initials."""
    if not is_unit(run):
        return False
    parts = MEASURING["PART_BREAK"].split(run)
    common = run.islower() or all(part in PRINTED for part in parts if part.isalpha())
    if "/" in run.strip("/"):
        return common or any(len(part) > 1 for part in parts)
    clock = TIME.fullmatch(figure) and not figure.endswith(("00", "50"))
    if len(run) < 2 or clock or not figure[-1].isdigit():
        return run[0] == "/" and len(run) > 2
    return common or len(run) > 3 or (run.isupper() and len(run) == 3)


def unit_after(text: str, at: int, figure: str) -> tuple[int, int] | None:
    """Half-open offsets of the unit of an amount that ends at `at`, or in the next column."""
    gap = MEASURING["GAP_TO_UNIT"].match(text, at)
    start = gap.end() if gap else at
    run = UNIT_RUN.match(text, start, start + AFTER)
    if run is None or (start - at > CLOSE and "/" not in run.group()):
        return None
    second = SECOND.match(text, run.end())
    more = UNIT_RUN.match(text, second.end(), second.end() + AFTER) if second else None
    if more is not None and may_follow(figure, f"{run.group()}/{more.group()}"):
        return start, more.end()
    return run.span() if may_follow(figure, run.group()) else None
