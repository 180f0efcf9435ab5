"""Columns that no rule names, whose header ends in a unit or counts something.

`Carbs g`, `fluoro_s`, `Vol_uL` over numbers; `# oocytes` and `n_stents` over small whole numbers.
Some units mean something else as often (`Deed pg`, `Trial pts`, `Kit_s`): they count behind a
word for what is measured alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.cells.scores import nearly_all_differ
from recognizers.columns.cells.shapes import is_listed
from recognizers.columns.profiles import ColumnProfile, kept_profile
from recognizers.columns.values import LEAST_SERIALS, are_long_numbers
from recognizers.words.gazetteers import clinical_word, common_word

_HEADER_PARTS = re.compile(r"[A-Za-zµ%]+\d?[A-Za-z]*")
_HUMP_LAST = re.compile(r"(?<=[a-z])[A-Z][A-Za-z]*$")
# `Kid's` and `Locker(s)` tell of no seconds.
_OF_MANY = re.compile(r"(?i)['’]s\b|\(e?s\)")
_RUN_ON_UNIT = re.compile(r"(?i)(?:grams|hours|minutes|seconds|percent)$")
# `# bus`, `no. census`; `ages` are no counts.
_NO_PLURAL = ("ss", "us", "is")
_COUNT_OF = re.compile(r"(?i)\s*(?:#|no\.?|n|num|number)(?:[\s_]+of)?[\s_]*([a-z][a-z _]*s)\s*")
_COUNTED_LAST = re.compile(r"(?i)(?:.*[\s_])?(?:cnts?|counts?|episodes|events|attempts)")
_MEASURED_VALUE = re.compile(
    r"[<>]?\s?[-+]?(?:0|[1-9]\d{0,3}|[1-9]\d{0,4}(?=\.\d*[1-9]))?(?:\.\d{1,4})?\s?%?"
)
_COUNTED_VALUE = re.compile(r"0|[1-9]\d?")
_LATE_YEAR_VALUE = re.compile(r"(?:19|20)\d{2}")
_MOST_YEARS = 0.5
_LEAST_COMMON = 4


def judged_by_unit(header: str, seen: Sequence[str]) -> ColumnProfile | None:
    """The profile of numbers under a header that tells their unit or that they are a count."""
    if len(seen) < LEAST_SERIALS:
        return None
    bare = _OF_MANY.sub("", header)
    if _tells_unit(bare) and _are_measured(bare, seen):
        return kept_profile("number", 0.8, "the header ends in a unit, the values are numbers")
    if _tells_count(header) and all(map(_COUNTED_VALUE.fullmatch, seen)):
        return kept_profile("number", 0.8, "the header counts, the values are small numbers")
    return None


def _tells_unit(header: str) -> bool:
    """Is the last of several words a unit of measure, or does a long one end in it?"""
    words = _HEADER_PARTS.findall(header)
    if not words:
        return False
    last, hump = words[-1], _HUMP_LAST.search(words[-1])
    units = [last] if len(words) > 1 else []
    units += [hump[0]] if hump else []
    if any(map(_is_told_unit, units)):
        return True
    doubtful = any(is_listed("doubtful_unit", unit) for unit in units)
    return (doubtful or bool(_RUN_ON_UNIT.search(last))) and _tells_measured(header)


def _is_told_unit(word: str) -> bool:
    """A unit as headers write it; of single letters small ones alone, others tell left or length.

    Years and days, which may tell an age, are on no list.
    """
    return is_listed("header_unit", word) and (len(word) > 1 or not word.isupper())


def _tells_measured(header: str) -> bool:
    """Does a word for what is measured stand before the unit (`Exposure hrs`, `BWgrams`)?"""
    words = _HEADER_PARTS.findall(header)
    hump = _HUMP_LAST.search(words[-1])
    before = [*words[:-1], words[-1][: hump.start()] if hump else ""]
    before.append(_RUN_ON_UNIT.sub("", words[-1]))
    return any(is_listed("measured", word) for word in before)


def _tells_count(header: str) -> bool:
    """`# oocytes`, `n_stents`: a number before a plural counts. `# bed`, `# bus` are of one."""
    if _COUNTED_LAST.fullmatch(header):
        return True
    match = _COUNT_OF.fullmatch(header)
    if match is None:
        return False
    counted = re.findall(r"[a-z]+", match[1].casefold())[-1]
    if counted == "ages" or counted.endswith(_NO_PLURAL):
        return False
    return bool(clinical_word(counted)) or common_word(counted) >= _LEAST_COMMON


def _are_measured(header: str, seen: Sequence[str]) -> bool:
    """Numbers of at most four digits before the point (five with decimals), no years and no keys.

    Nearly all of them may differ only where the header says what is measured.
    """
    if not all(map(_MEASURED_VALUE.fullmatch, seen)) or are_long_numbers(seen):
        return False
    if nearly_all_differ(seen) and not _tells_measured(header):
        return False
    years = sum(bool(_LATE_YEAR_VALUE.fullmatch(value)) for value in seen)
    return years < _MOST_YEARS * len(seen)
