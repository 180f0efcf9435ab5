"""Random codes, 45 CFR 164.514(c): drawn, never derived.

Twenty-three symbols: no vowels, so no words; none of 0 and 1, and of 2 Z, 5 S, 6 G, 8 B the digit
alone, so none is taken for another. Twenty-three is a prime, so the check character finds every
single mistyped symbol and every swap of two neighbours (the weighted modulus of ISBN-10).
"""

from __future__ import annotations

import re

from deid.vault import Chance

ALPHABET = "23456789CDFHJKMNPQRTVWX"
RANDOM_SYMBOLS = 18
LENGTH = RANDOM_SYMBOLS + 1
BITS = 80
"""At least: 18 symbols of 23 are 81.4 bits, and the shape asked for below costs less than one."""

_FAIR = 256 - 256 % len(ALPHABET)
_SYMBOLS = bytes(ord(ALPHABET[byte % len(ALPHABET)]) for byte in range(_FAIR))
_TABLE = _SYMBOLS + bytes(256 - _FAIR)
_UNFAIR = bytes(range(_FAIR, 256))
_VALUE = {symbol: value for value, symbol in enumerate(ALPHABET)}
# A letter first and never four digits on end: no record number, SSN or telephone looks like that.
_SHAPE = re.compile(r"(?=[A-Z])(?!.*\d{4})[A-Z2-9]+")


def draw(count: int, chance: Chance) -> list[str]:
    """`count` codes, a function of chance alone: nothing about anyone goes in.

    Bytes that would favour a symbol are thrown away, and so is a candidate of a wrong shape.
    """
    codes: list[str] = []
    while len(codes) < count:
        short = count - len(codes)
        symbols = chance(short * RANDOM_SYMBOLS * 2 + 64).translate(_TABLE, _UNFAIR).decode("ascii")
        starts = range(0, len(symbols) - RANDOM_SYMBOLS + 1, RANDOM_SYMBOLS)
        bodies = (symbols[start : start + RANDOM_SYMBOLS] for start in starts)
        checked = (body + _check(body) for body in bodies if body[0] > "9")
        codes.extend(code for code in checked if _SHAPE.fullmatch(code))
    return codes[:count]


def is_code(text: str) -> bool:
    """Whether `text` has the length, the symbols and the check character of a code."""
    return (
        len(text) == LENGTH
        and all(symbol in _VALUE for symbol in text)
        and _SHAPE.fullmatch(text) is not None
        and text[-1] == _check(text[:-1])
    )


def _check(body: str) -> str:
    weighed = sum(place * _VALUE[symbol] for place, symbol in enumerate(body, start=1))
    return ALPHABET[weighed % len(ALPHABET)]
