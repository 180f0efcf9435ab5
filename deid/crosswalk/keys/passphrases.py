"""Estimates the strength of a passphrase: common words, repeats and sequences count as one
character.

Someone who steals a crosswalk can try guesses without limit. So a passphrase needs 15 characters,
as does a password that is the only authenticator (NIST SP 800-63B-4, section 3.1.1.1). Characters
that guessing programs try first do not count.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

WEAKEST = 15
_FEWEST_DISTINCT = 8
_LONGEST_WORD = 40
_LONGEST = 200
# Characters that replace letters in passwords.
_LEET = str.maketrans("013457$@!|", "oieastsaii")
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_REPEATED = re.compile(r"(.+?)\1+")


def counted_characters(passphrase: str) -> int:
    """The number of characters that count; a common word, repeat or sequence counts as one."""
    text = unicodedata.normalize("NFKC", passphrase).casefold()
    text = _without_words("".join(text.split())[:_LONGEST])
    text = _REPEATED.sub(r"\1", text)
    counted = sum(
        not _in_sequence(before, after) for before, after in zip(" " + text, text, strict=False)
    )
    # A passphrase of few different characters is weak however long it is.
    return min(counted, len(set(text)) * WEAKEST // _FEWEST_DISTINCT)


def _without_words(text: str) -> str:
    """The text with one character in place of each common word, even of one spelled with digits."""
    plain, kept, at = text.translate(_LEET), [], 0
    while at < len(text):
        longest = min(_LONGEST_WORD, len(text) - at)
        size = next((n for n in range(longest, 3, -1) if _common(text, plain, at, n)), 1)
        kept.append(text[at])
        at += size
    return "".join(kept)


def _common(text: str, plain: str, at: int, size: int) -> bool:
    words = _weak_words()
    return text[at : at + size] in words or plain[at : at + size] in words


def _in_sequence(before: str, after: str) -> bool:
    pair = before + after
    return any(pair in row or pair in row[::-1] for row in _ROWS)


@cache
def _weak_words() -> frozenset[str]:
    lines = (files("deid.crosswalk.keys") / "weak_passphrases.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
