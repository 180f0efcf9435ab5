"""Decimals that a program computed from a number with few digits: `1.3862944` is the log of 4."""

from __future__ import annotations

import re
import struct
from fractions import Fraction
from math import e, floor, log, log10

from recognizers.columns.cells.memory import remembered

# Programs print this many digits only if they print all digits of a number in memory.
ALL_DIGITS = 12
# A number of six decimals has eight digits in single precision.
_MOST_PLACES = 8
_LOGARITHM_BASES = (e, 10.0, 2.0)
# For each base, this share of other decimals pass for the logarithm of a short number.
_CHANCE = 0.02
_MOST_TELLING = 1_000_000
# The steps between neighboring numbers in memory, relative to the number.
_SINGLE_STEP, _DOUBLE_STEP = 2.0**-24, 2.0**-51
# A larger power would need more digits than double precision has.
_DOUBLE_DIGITS = 15
# Towns are often given in minutes and seconds of arc.
_SECONDS_OF_DEGREE, LARGEST_DIVISOR = 3600, 1000
_FINE_DECIMAL = re.compile(r"-?(\d{1,4})\.(\d{5,})")


@remembered
def without_noise(value: str) -> str:
    """Return the decimal that was meant before it was stored in single precision, or added up.

    >>> without_noise("3.90000009536743"), without_noise("17.950000000000003")
    ('3.9', '17.95')
    >>> without_noise("41.8781136512756")
    '41.8781136512756'
    """
    if not _has_all_digits(value):
        return value
    figure, stored = float(value), _in_single_precision(float(value))
    in_single = abs(figure - stored) <= 10.0 ** -len(value.partition(".")[2])
    meant = (f"{figure:.{places}f}" for places in range(_MOST_PLACES))
    close = 4 * abs(figure) * _DOUBLE_STEP
    for text in meant:
        if abs(float(text) - figure) <= close or (
            in_single and _in_single_precision(float(text)) == stored
        ):
            return text
    return value


def _has_all_digits(value: str) -> bool:
    match = _FINE_DECIMAL.fullmatch(value)
    return match is not None and len((match[1] + match[2]).lstrip("0")) >= ALL_DIGITS


@remembered
def ratio_divisor(value: str) -> int | None:
    """Return the least divisor of a ratio of numbers with few digits, such as a mean, else None.

    A whole number of seconds of arc is no such ratio.

    >>> ratio_divisor("13.2307692307692"), ratio_divisor("41.8833333333333")
    (13, None)
    """
    if not _has_all_digits(value):
        return None
    figure, error = Fraction(value), Fraction(1, 10 ** len(value.partition(".")[2]))
    seconds = figure * _SECONDS_OF_DEGREE
    if abs(seconds - round(seconds)) <= error * _SECONDS_OF_DEGREE:
        return None
    near = figure.limit_denominator(LARGEST_DIVISOR)
    return near.denominator if abs(figure - near) <= error else None


@remembered
def antilogarithm(value: str) -> float | None:
    """Return the number with few digits of which the decimal is a logarithm, if there is one.

    The number must have so few digits that another decimal agrees with its logarithm in one case
    of fifteen at most. Bases are e, 10 and 2.

    >>> antilogarithm("6.6450910"), antilogarithm("41.8781136")
    (769.0, None)
    """
    match = _FINE_DECIMAL.fullmatch(value)
    if match is None:
        return None
    figure, places = float(value), len(match[2])
    step = max(0.5 * 10.0**-places, abs(figure) * _DOUBLE_STEP)
    # Of a number that was stored in single precision, fewer decimals are exact.
    steps = sorted({step, max(step, abs(figure) * _SINGLE_STEP)})
    found = (_short_power(base, figure, s) for base in _LOGARITHM_BASES for s in steps)
    powers = (power for power in found if power is not None)
    return min(powers, key=lambda power: len(f"{power:g}"), default=None)


def _short_power(base: float, figure: float, step: float) -> float | None:
    """Return `base` to the power of a number within `step` of `figure`, if it has few digits."""
    if abs(figure) * log10(base) > _DOUBLE_DIGITS:
        return None
    power = base**figure
    error = 1.2 * power * log(base) * step
    places = floor(min(log10(_CHANCE / 2 / error), log10(_MOST_TELLING / power)))
    scaled = power * 10.0**places
    if places < 0 or round(scaled) == 0 or abs(scaled - round(scaled)) > error * 10.0**places:
        return None
    return float(round(scaled) / 10.0**places)


def _in_single_precision(figure: float) -> float:
    stored: float = struct.unpack("f", struct.pack("f", figure))[0]
    return stored
