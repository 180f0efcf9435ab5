"""The forms of known values: a form found in the output shows that the value was left there.

This code is independent of the recognizers on purpose: it shares no code, no normalization and no
word list with the code that removes the values. A form holds folded letters and digits only, so
punctuation, case, accents and spacing do not matter. `deid.residual.value_forms` defines the forms
of each value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from safe_harbor import Identifier as I

ANYWHERE, OWN = "anywhere", "own"
"""Where a form counts as a hit: in every record, or only in the records of its own patient."""
PLAIN, RAISED, SPLIT, LABELED, DATED = "", "raised", "split", "labeled", "dated"
INVERTED, POSTAL, TITLED = "inverted", "postal", "titled"
"""The evidence that a form needs, besides its letters and digits, to count as a hit.

PLAIN: none. RAISED: capitals. SPLIT: separators inside. LABELED: a label before it. DATED: three
parts of a date that are not part of a longer row of numbers. INVERTED: capitals, and a comma if all
letters are capitals. POSTAL: five digits that are not part of a longer number, a count, a charge or
a procedure code. TITLED: a capital, with a title before it (`Mrs.`).
"""
CODE = "code"
"""The kind of the forms of codes and other numbers that have letters."""

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
_ASCII_RUN = re.compile(r"[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class ValueForm:
    """Folded letters and digits to look for, where they count, and the evidence that they need.

    `whole` marks a value of one word: two everyday words that together spell it do not count.
    """

    key: str = field(repr=False)
    word: I
    scope: str
    needs: str
    kind: str
    whole: bool = False


def word_groups(kind: str) -> tuple[tuple[str, ...], ...]:
    """The lines of `words.txt` that begin with the word `kind`, without that word."""
    lines = map(str.split, (files("deid.residual") / "words.txt").read_text("utf-8").splitlines())
    return tuple(tuple(words) for first, *words in lines if first == kind)


def listed_words(kind: str) -> tuple[str, ...]:
    """All words of `word_groups(kind)` in one tuple."""
    return tuple(word for group in word_groups(kind) for word in group)


def fold_text(text: str) -> str:
    """The text without accents and invisible characters; case is kept."""
    if text.isascii():
        return text
    text = _DROPPED.sub("", text.translate(_ODD))
    return _COMBINING_MARKS.sub("", unicodedata.normalize("NFKD", text))


def cased_and_folded(text: str) -> tuple[str, str]:
    """Return the text without accents twice, as cased and in lower case, both of the same
    length.
    """
    cased = fold_text(text)
    folded = cased.lower()
    return (cased, folded) if len(folded) == len(cased) else (folded, folded)


def letter_and_digit_runs(value: str) -> list[str]:
    """The runs of letters and the runs of digits in a value, folded to lower case."""
    return _ASCII_RUN.findall(fold_text(value).lower())


@cache
def everyday_words() -> frozenset[str]:
    """Everyday words and eponyms, which do not identify a person by themselves."""
    eponyms = files("deid.residual") / "lists" / "eponyms.txt"
    return frozenset((*_unpacked_lines("everyday"), *eponyms.read_text("ascii").split()))


@cache
def everyday_and_clinical_words() -> frozenset[str]:
    """The everyday words and the words of diagnoses and drugs."""
    return everyday_words().union(_unpacked_lines("clinical"))


def _unpacked_lines(name: str) -> list[str]:
    import gzip

    packed = files("deid.residual") / "lists" / f"{name}.txt.gz"
    return gzip.decompress(packed.read_bytes()).decode("ascii").split()


def are_everyday(words: Iterable[str]) -> bool:
    """Whether every word is an everyday word or too short to identify anybody."""
    return all(word in everyday_words() or len(word) < 3 for word in words)
