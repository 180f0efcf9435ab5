"""Random codes, 45 CFR 164.514(c): drawn, never derived.

The 23 symbols leave out vowels, so that codes spell no words. They also leave out 0 and 1, and the
letters Z, S, G and B, which look like 2, 5, 6 and 8. Because 23 is prime, the check character
detects every mistyped symbol and every swap of two adjacent symbols (weighted modulus, as in
ISBN-10).
"""

from __future__ import annotations

import re
from operator import mul

from deid.crosswalk.keys.vault import RandomBytes

CODE_SYMBOLS = "23456789CDFHJKMNPQRTVWX"
# 18 of 23 symbols hold 81.4 bits. The shape that codes must have costs less than one bit.
RANDOM_SYMBOLS = 18
LENGTH = RANDOM_SYMBOLS + 1

_SYMBOL_COUNT = len(CODE_SYMBOLS)
_FAIR = 256 - 256 % _SYMBOL_COUNT
_SYMBOL_OF_BYTE = bytes(byte % _SYMBOL_COUNT for byte in range(256))
_UNFAIR = bytes(range(_FAIR, 256))
_SYMBOLS = CODE_SYMBOLS.encode().ljust(256)
_DIGIT_SYMBOLS = sum(symbol.isdigit() for symbol in CODE_SYMBOLS)
# A code begins with a letter and never has four digits in a row, unlike record numbers, SSNs and
# telephone numbers.
_DIGITS_ON_END = re.compile(rb"[\x00-\x%02x]{4}" % (_DIGIT_SYMBOLS - 1))
_WEIGHTS = range(1, RANDOM_SYMBOLS + 1)


def draw_codes(count: int, chance: RandomBytes) -> list[str]:
    """`count` random codes, made only from the random bytes that `chance(n)` returns.

    Bytes that would make some symbols more frequent, and codes of the wrong shape, are discarded.
    """
    codes: list[str] = []
    while len(codes) < count:
        short = count - len(codes)
        drawn = chance(short * RANDOM_SYMBOLS * 2 + 64).translate(_SYMBOL_OF_BYTE, _UNFAIR)
        starts = range(0, len(drawn) - RANDOM_SYMBOLS + 1, RANDOM_SYMBOLS)
        bodies = (drawn[start : start + RANDOM_SYMBOLS] for start in starts)
        whole = [body + _check_symbol(body) for body in bodies if body[0] >= _DIGIT_SYMBOLS]
        codes += [
            code.translate(_SYMBOLS).decode() for code in whole if not _DIGITS_ON_END.search(code)
        ]
    return codes[:count]


def is_crosswalk_code(text: str) -> bool:
    """Whether `text` has the length, the symbols, the shape and the check character of a code."""
    if len(text) != LENGTH or not set(text) <= set(CODE_SYMBOLS):
        return False
    values = bytes(CODE_SYMBOLS.index(symbol) for symbol in text)
    shaped = values[0] >= _DIGIT_SYMBOLS and not _DIGITS_ON_END.search(values)
    return shaped and values[-1:] == _check_symbol(values[:-1])


def _check_symbol(body: bytes) -> bytes:
    return bytes((sum(map(mul, _WEIGHTS, body)) % _SYMBOL_COUNT,))
