"""Normalizes written numbers: words, line breaks, and letters misread for digits."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from safe_harbor.tables import read_rows

_DASHES = {ord(dash): "-" for dash in "‐‑‒–—―−"}
_LETTERS_AS_DIGITS = str.maketrans("oil", "011")
_BROKEN = re.compile(r"-\s*[\r\n]\s*")
_MISREAD_NUMBER = re.compile(r"(?=.*\d)[\doil/.,\s-]+")


def plain_line(value: object) -> str:
    """The value as one line: compatibility characters folded, dashes unified, spaces collapsed."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, float):
        value = f"{value:.0f}" if value == value and value.is_integer() else f"{value:.10g}"
    text = str(value)
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return " ".join(text.split())


def spellings(value: object) -> Iterator[str]:
    """The value as one lower-case line, then with line-break and scanner errors repaired.

    Words split at a hyphen are joined; o, i and l among digits become 0 and 1.
    """
    text = plain_line(value).casefold()
    yield text
    if isinstance(value, str) and _BROKEN.search(value):
        yield plain_line(_BROKEN.sub("", value)).casefold()
    if _MISREAD_NUMBER.fullmatch(text) and not text.replace(" ", "").isdigit():
        yield text.translate(_LETTERS_AS_DIGITS)


def digits_for_words(text: str) -> str:
    """Lower-case text whose leading number words, up to 999, are turned into digits.

    >>> digits_for_words("ninety-two years"), digits_for_words("one hundred and four")
    ('92 years', '104')
    """
    words = re.match(r"[^\W\d_]+(?:[\s-]+[^\W\d_]+)*", text)
    total, used = None, 0
    for token in re.finditer(r"[^\W\d_]+", words[0]) if words else ():
        if token[0] in _CONNECTORS and total is not None and total >= 20:
            continue
        step = _add_word(total, token[0])
        if step is None:
            break
        total, used = step, token.end()
    return text if total is None else f"{total}{text[used:]}"


_CONNECTORS = frozenset({"and", "y"})


@lru_cache
def _word_values() -> dict[str, int]:
    return {row["word"]: int(row["value"]) for row in read_rows("number_words.csv")}


def _add_word(total: int | None, word: str) -> int | None:
    """The total after one more number word; None if the word does not continue the number."""
    if word in {"hundred", "hundredth"}:
        return (total or 1) * 100 if (total or 1) < 10 else None
    value = _word_values().get(word)
    if value is None or total is None:
        return value
    room = total % 100
    fits = (room == 0 and total >= 100) or (room >= 20 and room % 10 == 0 and 0 < value < 10)
    return total + value if fits else None
