"""Which decimals and whole numbers may be the latitudes and longitudes of a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import lcm

from recognizers.columns.cells.computed import (
    LARGEST_DIVISOR,
    antilogarithm,
    ratio_divisor,
    without_noise,
)
from recognizers.columns.headers import header_words

# Every mean of a table is seldom taken of one larger number.
MOST_OF_A_MEAN = 60
# A third decimal of a degree tells a place to some hundred meters.
_FINE_DEGREES = re.compile(r"-?(?:1[0-7]\d|\d{1,2})\.\d{3,}")
_AXES = (("x",), ("y",))
_WHOLE_DEGREES = re.compile(r"-?\d{1,3}(?:\.0)?")
# The latitudes and longitudes of the states and territories, in degrees.
_LATITUDES, _LONGITUDES = (13, 72), (64, 180)


def may_be_coordinates(seen: Sequence[str]) -> bool:
    """Whether some values look like degrees, and no calculation explains their decimals.

    Decimals of a value in single precision are noise (`3.90000009536743`), and those of a
    logarithm or a mean follow from numbers with few digits. But if all ratios have one fine
    divisor, they may be the points of a grid (`4648/111`).
    """
    if not look_like_degrees(seen):
        return False
    plain = [without_noise(value) for value in seen]
    divisors = {} if _are_of_a_grid(plain) else {v: ratio_divisor(v) for v in plain}
    return look_like_degrees(["" if antilogarithm(v) or divisors.get(v) else v for v in plain])


def _are_of_a_grid(decimals: Sequence[str]) -> bool:
    divisors = filter(None, map(ratio_divisor, decimals))
    return MOST_OF_A_MEAN < lcm(*divisors) <= LARGEST_DIVISOR


def look_like_degrees(seen: Sequence[str]) -> bool:
    """Whether some values are degrees with five decimals or more, or longitudes of the United
    States.

    Shares and probabilities may have as many decimals, but are below 1.
    """
    fine = sum(bool(re.fullmatch(r"-?(?:1[0-7]\d|[1-9]\d?)\.\d{5,}", v)) for v in seen)
    west = sum(bool(re.fullmatch(r"-(?:6[5-9]|[7-9]\d|1[0-7]\d)\.\d+", v)) for v in seen)
    return max(fine, west) >= 0.3 * len(seen) > 0


def may_be_axis(header: str, seen: Sequence[str]) -> bool:
    """Whether most values under a header such as `x` or `point_y` may be degrees of a place."""
    if header_words(header)[-1:] not in _AXES:
        return False
    told = sum(bool(_FINE_DEGREES.fullmatch(value)) for value in seen)
    return told >= 0.5 * len(seen) > 0


def are_no_degrees(header: str, seen: Sequence[str]) -> bool:
    """Whether the values are whole numbers, many outside the latitudes and longitudes of the
    states.
    """
    if not all(map(_WHOLE_DEGREES.fullmatch, seen)) or any(v[0] == "-" for v in seen):
        return False
    wide = (_LATITUDES,) if "latitude" in header_words(header) else (_LATITUDES, _LONGITUDES)
    figures = [float(value) for value in seen]
    # Some tables give tenths of a degree as whole numbers.
    return all(_are_beyond([f / n for f in figures], wide) for n in (1, 10))


def _are_beyond(figures: Sequence[float], ranges: Sequence[tuple[int, int]]) -> bool:
    without = [f for f in figures if not any(least <= f <= most for least, most in ranges)]
    return len(without) >= 0.3 * len(figures)
