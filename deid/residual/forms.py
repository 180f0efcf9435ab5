"""The forms of known values: a form found in the output shows that the value was left there.

This code is independent of the recognizers on purpose: it shares no code, no normalization and no
word list with the code that removes the values. A form holds folded letters and digits only, so
punctuation, case, accents and spacing do not matter (`deid.residual.folding`).
`deid.residual.value_forms` defines the forms of each value.
"""

from __future__ import annotations

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
