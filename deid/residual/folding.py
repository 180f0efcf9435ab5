"""Folding: the normalization that makes the spellings of a value equal for the search.

Accents, invisible characters, digits of other scripts and, where a form is looked up, case do not
matter. The recognizers have a normalization of their own.
"""

from __future__ import annotations

import re
import unicodedata

_DROPPED = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_COMBINING_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
# The digit zero of other scripts. In Unicode, each is followed by the digits 1 to 9.
_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐"
_ASCII_DIGITS = {chr(ord(zero) + digit): str(digit) for zero in _ZEROS for digit in range(10)}
_ODD = str.maketrans(
    dict(zip("øØłŁđĐıðÐ", "oOlLdDidD", strict=True))
    | {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"}
    | _ASCII_DIGITS
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_ASCII_RUN = re.compile(r"[a-z]+|[0-9]+")


def fold_text(text: str) -> str:
    """The text without accents and invisible characters; case is kept."""
    return text if text.isascii() else _NOT_ASCII.sub(_folded_run, text)


def _folded_run(run: re.Match[str]) -> str:
    """A run of non-ASCII characters, folded: no fold joins such a run with the text beside it."""
    text = _DROPPED.sub("", run[0].translate(_ODD))
    return _COMBINING_MARKS.sub("", unicodedata.normalize("NFKD", text))


def cased_and_folded(text: str) -> tuple[str, str]:
    """The text without accents twice, as cased and in lower case, both of the same length."""
    cased = fold_text(text)
    folded = cased.lower()
    return (cased, folded) if len(folded) == len(cased) else (folded, folded)


def letter_and_digit_runs(value: str) -> list[str]:
    """The runs of letters and the runs of digits in a value, folded to lower case."""
    return _ASCII_RUN.findall(fold_text(value).lower())
