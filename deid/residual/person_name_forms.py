"""The forms of names: full names and name parts of persons, and names of organizations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deid.residual.folding import letter_and_digit_runs
from deid.residual.forms import (
    ANYWHERE,
    INVERTED,
    OWN,
    PLAIN,
    RAISED,
    ValueForm,
    are_everyday,
    everyday_and_clinical_words,
    everyday_words,
    listed_words,
)
from recognizers import KnownValue
from safe_harbor import Identifier as I

_LEADING_TITLES = re.compile(r"(?i)^\s*(?:(?:mr|mrs|ms|miss|dr|prof|rev)\b\.?\s*)+")
_DEGREE = re.compile(
    r"(?i)[\s,]+(?:m\.?d|d\.?o|ph\.?d|r\.?n|n\.?p|pa-?c|esq|dds|lpn|lcsw|licsw|licensed|rd|aud|"
    r"rhit|cnm|aprn|crna|pharmd|jr|sr|ii|iii|iv)\b\.?"
)
_FIRM_KIND = frozenset(listed_words("firm"))
# Placeholders: `unknown`, `none`.
PLACEHOLDER_WORDS = frozenset(listed_words("nothing"))
# A numeral is not a form: `Stage III` is not evidence of `Smith III`.
_NUMERALS = frozenset(("ii", "iii", "iv"))


def person_forms(parts: dict[str, list[list[str]]]) -> Iterator[ValueForm]:
    """First and last name in both orders; each part alone if it is not an everyday word."""
    firsts = parts.get("first", []) + parts.get("preferred", [])
    lasts = parts.get("last", []) + parts.get("maiden", [])
    for first in firsts:
        for last in lasts:
            for middle in [[], *parts.get("middle", [])]:
                yield from _pair(first, last, middle)
    for words in (w for group in parts.values() for w in group):
        yield from _alone(words)


def _pair(first: list[str], last: list[str], middle: list[str]) -> Iterator[ValueForm]:
    if _lack_letters(first) or _lack_letters(last):
        return  # a code in place of a name, as in a message with shifted fields
    plain = are_everyday((*first, *last))
    initial = [word[0] for word in middle[:1]]
    scope = OWN if plain or len("".join(first + last)) < 8 else ANYWHERE
    for mid in {tuple(middle), tuple(initial), ()}:
        for order in ((*first, *mid, *last), (*last, *first, *mid)):
            inverted = order[0] != first[0]
            needs = (INVERTED if inverted else RAISED) if plain else PLAIN
            kind = "name in another order" if inverted else "name"
            yield ValueForm("".join(order), I.NAMES, scope, needs, kind)


def _lack_letters(words: list[str]) -> bool:
    return all(map(str.isdigit, words))


def _alone(words: list[str]) -> Iterator[ValueForm]:
    whole = "".join(words)
    if len(words) > 1 and not are_everyday(words):
        yield ValueForm(whole, I.NAMES, OWN, PLAIN, "part of a name")
    for word in {*words, whole} - _NUMERALS:
        if (
            len(word) > 2
            and not word.isdigit()
            and word not in everyday_words()
            and word not in PLACEHOLDER_WORDS
        ):
            needs = RAISED if len(word) < 4 else PLAIN
            yield ValueForm(word, I.NAMES, OWN, needs, "part of a name", whole=True)


def name_forms(value: KnownValue, text: str, words: list[str]) -> Iterator[ValueForm]:
    """Split a full name into first and last name, and yield its forms as in `person_forms`."""
    if value.part == "organization" or value.role == "employer":
        yield from organization_forms(words, I.NAMES)
        return
    text = _DEGREE.sub(" ", _LEADING_TITLES.sub("", text)).strip(" ,")
    if "," in text:
        last, _, first = (letter_and_digit_runs(side) for side in text.partition(","))
    else:
        tokens = text.split()
        cut = max(len(tokens) - 1, 0)
        first, last = (
            letter_and_digit_runs(" ".join(tokens[:cut])),
            letter_and_digit_runs(" ".join(tokens[cut:])),
        )
    if not first or not last:
        yield from _alone(first + last)
        return
    yield from _pair(first[:1], last, first[1:])
    if len(first) > 1:
        yield from _pair(first, last, [])
    if value.role != "provider":
        yield from _alone(last)
        for word in first:
            yield from _alone([word])


def organization_forms(words: list[str], word: I) -> Iterator[ValueForm]:
    """The name of an organization without the word for its kind (`Inc`, `Hospital`)."""
    while len(words) > 1 and words[-1] in _FIRM_KIND:
        words = words[:-1]
    key = "".join(words)
    if len(words) > 1:
        yield ValueForm(
            key, word, OWN, RAISED if are_everyday(words) else PLAIN, "name of a place or firm"
        )
    elif len(key) > 4 and key not in everyday_and_clinical_words():
        yield ValueForm(key, word, OWN, PLAIN, "name of a place or firm", whole=True)
