"""Numbers in a name that may identify: a day, an age over 89, or a person's number.

45 CFR 164.514(b)(2)(i)(C) allows a year by itself and ages up to 89.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from deid.vocabularies.wording.readings import TextWord
from deid.vocabularies.wording.word_kinds import words_of_kind
from safe_harbor import OLDEST_AGE

# Date elements finer than the year, in any context.
_CALENDAR_WORDS = words_of_kind("calendar")
# Words that are date elements only next to a number.
_MAY_BE_CALENDAR = words_of_kind("calendar-with-year")
_ROMAN_MONTHS = words_of_kind("roman-month")
_TELLS_DAY = words_of_kind("calendar-with-number")
_BIRTH_WORDS = words_of_kind("birth")
_NUMBER_WORDS = words_of_kind("number-word")
_OVER_89_WORDS = words_of_kind("over-89")
_AGE_WORDS = words_of_kind("of-age")
_OR_MORE_WORDS = words_of_kind("or-more")
# Two small numbers after a word of the first list or before a word of the second are not a day but
# a range, a version or a question.
_BEFORE_RANGE = words_of_kind("before-range")
_AFTER_RANGE = words_of_kind("behind-range")
# After a word for a person, any number identifies; after a word for an account, two digits or more.
_PERSONS, _ACCOUNTS = words_of_kind("numbered-person"), words_of_kind("numbered-account")
_HOLIDAYS = re.compile(
    r"\b(?:new years?|(?:memorial|labou?r|independence|veterans?|presidents?|boxing) day)\b"
)
# Words that may stand between such a word and its number: `Paciente Número 12`.
_NUMBER_OF = frozenset(["number", "numero", "nummer", "num", "nro", "nr", "no"])
# Letters that, next to up to three digits, count days, hours, weeks, visits or questions.
_COUNTING = frozenset("dhtmwqvxn")
_NOT_DATE_SEPARATORS = (".", "^", "*")
_LONGEST, _LONGEST_TOGETHER = 3, 4
_FIRST_YEAR, _LAST_YEAR = 1950, 2049
_COUNTER = re.compile(r"00+[1-4]?\d{1,2}")
_OLDEST_EVER = 130
# `glucose_at_120` counts minutes.
_MINUTES = 120


def tells_number(parts: Sequence[TextWord]) -> bool:
    """Whether numbers and calendar words show a day, an age over 89 or a person's number."""
    texts = [part.text for part in parts]
    return (
        not _CALENDAR_WORDS.isdisjoint(texts)
        or _HOLIDAYS.search(" ".join(texts)) is not None
        or _tells_day(parts)
        or tells_age(parts)
        or _numbers_somebody(parts)
    )


def is_year(text: str) -> bool:
    """Whether the text is a year of birth of people who are at most 89."""
    return len(text) == 4 and text.isdigit() and _FIRST_YEAR <= int(text) <= _LAST_YEAR


def _tells_day(parts: Sequence[TextWord]) -> bool:
    words = {part.text for part in parts if not part.is_number}
    numbers = [part.text for part in parts if part.is_number]
    if numbers and not _TELLS_DAY.isdisjoint(words):
        return True
    if any(map(is_year, numbers)):
        return len(numbers) > 1 or not words.isdisjoint(_MAY_BE_CALENDAR | _BIRTH_WORDS)
    if any(
        one.is_number and two.text in _ROMAN_MONTHS and three.is_number
        for one, two, three in zip(parts, parts[1:], parts[2:], strict=False)
    ):
        return True
    return any(
        _is_month_and_day(parts, place)
        for place, (one, other) in enumerate(pairwise(parts))
        if one.is_number and other.is_number
    )


def _is_month_and_day(parts: Sequence[TextWord], place: int) -> bool:
    one, other = int(parts[place].text), int(parts[place + 1].text)
    if not (1 <= one <= 31 and 1 <= other <= 31 and min(one, other) <= 12):
        return False
    if parts[place + 1].between in _NOT_DATE_SEPARATORS:
        return False
    before = parts[place - 1].text if place else ""
    after = parts[place + 2].text if place + 2 < len(parts) else ""
    return before not in _BEFORE_RANGE and after not in _AFTER_RANGE


def tells_age(parts: Sequence[TextWord]) -> bool:
    """Whether one of the numbers is an age over 89, in digits or in words."""
    texts = [part.text for part in parts]
    if not _OVER_89_WORDS.isdisjoint(texts):
        return True
    if any(one in _NUMBER_WORDS and other in _NUMBER_WORDS for one, other in pairwise(texts)):
        return True
    if _is_bare_age(texts):
        return True
    return any(
        part.is_number
        and OLDEST_AGE < int(part.text) <= _OLDEST_EVER
        and not _AGE_WORDS.isdisjoint(
            texts[max(place - 2, 0) : place + 3] + _decade_parts(parts, place)
        )
        and not (int(part.text) == OLDEST_AGE + 1 and _is_open(parts, place))
        for place, part in enumerate(parts)
    )


def _is_bare_age(texts: Sequence[str]) -> bool:
    """Whether a name ends in a number that can only be an age: `bp_at_93`, `over_100`."""
    *before, last = texts or [""]
    if not last.isdigit() or not OLDEST_AGE + 1 < int(last) < _MINUTES:
        return False
    return before[-1:] == ["at"] or (bool(before) and _OR_MORE_WORDS.issuperset(before))


def _decade_parts(parts: Sequence[TextWord], place: int) -> list[str]:
    """Return the word `years` if `s` follows the number: `90s` is an age or a decade."""
    after = parts[place + 1 : place + 2]
    return ["years" for part in after if part.text == "s" and not part.between]


def _is_open(parts: Sequence[TextWord], place: int) -> bool:
    """Whether the age is in the category that the rule allows: `age_90_plus`, `age>=90`, `90+`."""
    around = [p.text for p in parts[max(place - 1, 0) : place + 2]]
    return not _OR_MORE_WORDS.isdisjoint(around) or any(
        sign in parts[place].between for sign in "<>≥"
    )


def _numbers_somebody(parts: Sequence[TextWord]) -> bool:
    run = 0
    for place, part in enumerate(parts):
        if not part.is_number:
            run = 0
            continue
        run += len(part.text)
        if not _is_short_number(part.text) or (run > _LONGEST_TOGETHER and run > len(part.text)):
            return True
        if _is_one_of_many(part.text, [p.text for p in parts[max(place - 2, 0) : place]]):
            return True
    return _are_three(parts)


def _is_one_of_many(number: str, before: Sequence[str]) -> bool:
    """Whether a number identifies a person or an account: `patient_3`, `acct_88`, `S04`."""
    last = before[-1] if before else ""
    lone = len(last) == 1 and last.isalpha()
    word = before[0] if (lone or last in _NUMBER_OF) and len(before) > 1 else last
    if word in _PERSONS or (word in _ACCOUNTS and len(number) > 1 and not is_year(number)):
        return True
    padded = len(number) > 1 and number[0] == "0"
    return lone and last not in _COUNTING and (padded or len(number) >= _LONGEST)


def _is_short_number(text: str) -> bool:
    """Whether a number has up to three digits, is a year, or counts files (padded with zeros)."""
    return len(text) <= _LONGEST or is_year(text) or _COUNTER.fullmatch(text) is not None


def _are_three(parts: Sequence[TextWord]) -> bool:
    """Whether the name has three numbers in a row that are not a version."""
    for place in range(len(parts) - 2):
        before = parts[place - 1].text if place else ""
        together = all(part.is_number for part in parts[place : place + 3])
        if together and before not in _BEFORE_RANGE:
            return True
    return False
