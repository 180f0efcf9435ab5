"""Decimals that a program computed from a number with few digits: `1.3862944` is the log of 4."""

from __future__ import annotations

import re
import struct
from math import e, floor, log, log10

from recognizers.columns.cells.memory import remembered

# Programs print this many digits only if they print all that a number in memory has.
ALL_DIGITS = 12
# A number of six decimals has eight digits in single precision.
_MOST_PLACES = 8
_BASES = (e, 10.0, 2.0)
# For each base, this share of other decimals pass for the logarithm of a short number.
_CHANCE = 0.02
_SHORT_NUMBER = 1_000_000
# The steps between neighboring numbers in memory, relative to the number.
_SINGLE_STEP, _DOUBLE_STEP = 2.0**-24, 2.0**-51
# A larger power would need more digits than double precision has.
_DOUBLE_DIGITS = 15
_DECIMAL_FIGURE = re.compile(r"-?(\d{1,4})\.(\d{5,})")


@remembered
def without_noise(value: str) -> str:
    """Return the decimal that was meant where it was stored in single precision.

    >>> without_noise("3.90000009536743"), without_noise("41.8781136512756")
    ('3.9', '41.8781136512756')
    """
    match = _DECIMAL_FIGURE.fullmatch(value)
    if match is None or len((match[1] + match[2]).lstrip("0")) < ALL_DIGITS:
        return value
    figure, stored = float(value), _single(float(value))
    if abs(figure - stored) > 10.0 ** -len(match[2]):
        return value
    meant = (f"{figure:.{places}f}" for places in range(_MOST_PLACES))
    return next((text for text in meant if _single(float(text)) == stored), value)


@remembered
def antilogarithm(value: str) -> float | None:
    """Return the number with few digits of which the decimal is a logarithm, if there is one.

    The number must have so few digits that another decimal agrees with its logarithm in one case
    of fifteen at most. Bases are e, 10 and 2.

    >>> antilogarithm("6.6450910"), antilogarithm("41.8781136")
    (769.0, None)
    """
    match = _DECIMAL_FIGURE.fullmatch(value)
    if match is None:
        return None
    figure, places = float(value), len(match[2])
    step = max(0.5 * 10.0**-places, abs(figure) * _DOUBLE_STEP)
    # Of a number that was stored in single precision, fewer decimals are exact.
    steps = sorted({step, max(step, abs(figure) * _SINGLE_STEP)})
    found = (_short_power(base, figure, s) for base in _BASES for s in steps)
    powers = (power for power in found if power is not None)
    return min(powers, key=lambda power: len(f"{power:g}"), default=None)


def _short_power(base: float, figure: float, step: float) -> float | None:
    """Return `base` to the power of a number within `step` of `figure`, if it has few digits."""
    if abs(figure) * log10(base) > _DOUBLE_DIGITS:
        return None
    power = base**figure
    error = 1.2 * power * log(base) * step
    places = floor(min(log10(_CHANCE / 2 / error), log10(_SHORT_NUMBER / power)))
    scaled = power * 10.0**places
    if places < 0 or round(scaled) == 0 or abs(scaled - round(scaled)) > error * 10.0**places:
        return None
    return float(round(scaled) / 10.0**places)


def _single(figure: float) -> float:
    stored: float = struct.unpack("f", struct.pack("f", figure))[0]
    return stored
