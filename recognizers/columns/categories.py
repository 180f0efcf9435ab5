"""Columns that repeat a few phrases that no list has: `Cold snare`, `Technically difficult`.

Most distinct values must be English or clinical words that are rare as names. Names of persons,
towns and facilities that are also words (`Long`, `Price`, `Eagle`) count as doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.organizations import is_organization
from recognizers.columns.cells.phrases import (
    is_published_phrase,
    is_published_value,
    is_told_of_somebody,
    may_be_somebody,
    names_house,
)
from recognizers.columns.cells.scores import is_short_form
from recognizers.columns.cells.shapes import (
    LEAST_BEARERS,
    is_last_first,
    is_listed,
    shape_of,
)
from recognizers.columns.values import are_parts_of_dates, are_recurrent, has_digit
from recognizers.words.gazetteers import city, clinical_word, common_word, county, surname

# `MOST_DOUBTFUL` and `LEAST_SURE` are shares of the distinct values; `WRITTEN` is log2 of a word's
# count in running text.
MOST_DOUBTFUL, LEAST_SURE, WRITTEN = 0.34, 0.5, 12
_CATEGORY_WORD = re.compile(r"[^\W\d_]+")
_SIDE = re.compile(
    r"(?i)\b(?:l|r|lt|rt|lft|rgt|left|right|bilateral|upper|lower|outer|inner|mid|anterior|ant|"
    r"posterior|post|lateral|lat|medial|med|ventral|dorsal|of|the)\b\.?|[,;/()]"
)
# The shares of the values that must be body parts, and that may be something else.
_MOSTLY_SITES, _FEW_OTHERS = 0.4, 0.34
_LONG_FIGURE_WITHIN = re.compile(r"\d{4}")
# Words in the names of wards, campuses and employers.
_OF_HOUSE = re.compile(
    r"(?i)\b(?:campus|tower|wing|floor|ward|suite|building|north|south|east|west|main|office|shop|"
    r"store|farm|dairy|market|school|church|company|county|city|department|plant|mill|ranch|"
    r"(?:st|ave|rd|dr|ln|lane|blvd|street|avenue|road)\.?$|services?|solutions|systems|associates|partners|bank|hotel|grill|cafe|restaurant)\b"
)
_OTHER_SHAPES = ("date", "time", "person", "age", "prose", "token", "file", "number", "decimal")


def are_categories(seen: Sequence[str]) -> bool:
    """Whether the values are few and repeat, and most are words that name no person or place."""
    different = set(seen)
    if not are_recurrent(seen) or len(different) < 2 or are_parts_of_dates(seen):
        return False
    if not all(conforms("term", value) and _is_worded(value) for value in different):
        return False
    sure = sum(map(_is_sure_category, different))
    return not are_doubtful(seen) and sure >= LEAST_SURE * len(different)


def are_doubtful(seen: Sequence[str]) -> bool:
    """Whether more than a third of the distinct values may name a person, a town or a facility."""
    different = set(seen)
    return sum(map(_is_doubtful, different)) > MOST_DOUBTFUL * len(different)


@remembered
def _is_worded(value: str) -> bool:
    """Whether the value is words with few digits, and not a date, a number, a person or prose."""
    letters = any(map(str.isalpha, value))
    return (
        letters and not _LONG_FIGURE_WITHIN.search(value) and shape_of(value) not in _OTHER_SHAPES
    )


@remembered
def _is_doubtful(value: str) -> bool:
    """Whether the value may be a person, a town, a facility or a person's initials."""
    if is_listed("flag", value) or is_published_value(value):
        return False
    if may_be_somebody(value) or is_last_first(value) or is_organization(value):
        return True
    if is_told_of_somebody(value) or names_house(value) or _OF_HOUSE.search(value):
        return True
    if city(value) or county(value):
        return True
    words = _CATEGORY_WORD.findall(value)
    if 2 <= len(words) <= 3 and all(map(str.istitle, words)) and not is_published_phrase(value):
        return surname(words[-1]) >= LEAST_BEARERS
    short = len(words) == 1 and len(words[0]) <= 3
    return short and not (clinical_word(words[0]) or is_short_form(value))


@remembered
def _is_sure_category(value: str) -> bool:
    """Whether the value is published vocabulary, or English words with a clinical one."""
    if _is_doubtful(value):
        return False
    if is_published_phrase(value):
        return True
    words = [word for word in _CATEGORY_WORD.findall(value) if len(word) > 2]
    known = all(common_word(w) >= WRITTEN or clinical_word(w) for w in words)
    return known and any(map(clinical_word, words))


def are_sites(seen: Sequence[str]) -> bool:
    """Whether all values are body parts, possibly with a side or direction: `L thigh`, `LA`."""
    if len(set(seen)) > 1 and all(is_listed("body_site_code", value) for value in seen):
        return True
    return len(seen) >= 1 and all(
        words and all(is_listed("body_site", w) for w in words)
        for words in (_SIDE.sub(" ", value).split() for value in seen)
    )


def are_mostly_sites(seen: Sequence[str]) -> bool:
    """Whether many values are body parts (`L cheek`, `scalp vertex`), and none can be a
    facility.
    """
    different = sorted(set(seen))
    sites = sum(are_sites([value]) for value in different)
    named = sum(not _tells_of_body(value) for value in different)
    if sites < _MOSTLY_SITES * len(different) or named > _FEW_OTHERS * len(different):
        return False
    numbered = any(map(has_digit, different))
    doubted = any(are_doubtful([value]) for value in different)
    return len(different) > 1 and not numbered and not doubted


@remembered
def _tells_of_body(value: str) -> bool:
    return any(is_listed("body_site", word) for word in _CATEGORY_WORD.findall(value))
