"""Columns that no rule names, whose header is a word of the clinic or the number of a question.

`ampicillin` over `R` and `S`, `fibrinogen` over `212`, `Q7` over `4`: kept where the values could
be nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.shapes import is_lone_name, shape_of
from recognizers.columns.doubts import (
    are_initials,
    are_month_days,
    are_unknown_words,
    may_be_old_ages,
)
from recognizers.columns.headers import header_words
from recognizers.columns.values import (
    LEAST_SERIALS,
    are_decades_apart,
    are_parts_of_dates,
    are_recurrent,
    share_measured,
    share_of_names,
)
from recognizers.words.gazetteers import city, clinical_word, common_word, county

_SHORTEST, _OFTEN = 4, 20
_RATED = re.compile(r"\d")


def is_of_clinic(header: str) -> bool:
    """Is every word of the header one of the clinic, and none a person's?"""
    words = header_words(header)
    return bool(words) and all(map(_is_clinical, words))


def _is_clinical(word: str) -> bool:
    """A word of the clinic that is seldom one elsewhere: `fibrinogen`, but no `unexplained`."""
    rare = len(word) >= _SHORTEST and common_word(word) < _OFTEN
    return rare and clinical_word(word) and not is_lone_name(word, strict=False)


def are_rated(seen: Sequence[str]) -> bool:
    """One figure each, the same few in many rows: no age has so few, and no key."""
    return are_recurrent(seen) and all(map(_RATED.fullmatch, seen))


def are_results(seen: Sequence[str]) -> bool:
    """Few words or figures again and again, or measurements; no ages, years, days or keys."""
    if len(seen) < LEAST_SERIALS or not all(conforms("result", value) for value in seen):
        return False
    if are_month_days(seen) or are_decades_apart(seen) or share_of_names(seen) > 0:
        return False
    if are_initials(seen) or are_unknown_words(seen):
        return False
    if are_parts_of_dates(seen) or may_be_old_ages(seen):
        return False
    if any(city(v) or county(v) or shape_of(v) in ("time", "state", "date") for v in set(seen)):
        return False
    return share_measured(seen) >= 0.3 or are_recurrent(seen)
