"""Why a column with a harmless header may still hold identifiers.

Examples: record numbers under `score`, telephone numbers under `result`, staff names under `type`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from math import sqrt

from recognizers.columns.ages import may_be_old_ages, tell_old_ages
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.phrases import is_published_phrase
from recognizers.columns.cells.scores import is_score, score_name
from recognizers.columns.cells.shapes import (
    CELL_WORD,
    is_code,
    is_listed,
    is_lone_name,
    shape_of,
)
from recognizers.columns.coordinates import may_be_coordinates
from recognizers.columns.headers import Rule, header_words, names_only_values, names_readings
from recognizers.columns.values import (
    LEAST_SERIALS,
    are_long_numbers,
    are_parts_of_dates,
)
from recognizers.text.measures import is_unit
from recognizers.words.gazetteers import clinical_word, common_word, surname

LEAST_ROWS, LEAST_WORDS, LEAST_REMARKS = 20, 4, 3
_OPEN_SHAPES = ("number", "measure", "term", "sequence", "result")
_WORDY_SHAPES = ("term", "measure", "result")
# A year, also with a month or a fraction: `1955.04`, `1955.0`.
_YEAR_FIGURE = re.compile(r"(?:19[0-9]|20[0-3])\d(?:\.\d+)?")
_FRACTION_OR_DAY = re.compile(r"(?:0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])")
_LOCAL = re.compile(r"[2-9]\d{2}[-. ]\d{4}")
_WHOLE_FIGURE = re.compile(r"\d{3,}(?:\.0+)?")
_LONG_FIGURE = re.compile(r"\d{5,}(?:\.0+)?")
_FIVE, _FOUR = re.compile(r"\d{5}"), re.compile(r"\d{4}")
_ROOM = re.compile(r"\d{1,2}[A-Z]{1,2}-\d{1,3}[A-Z]?")
_SHORT_CAPITALS = re.compile(r"[A-Z]{2,3}")
_DAY_OR_CLOCK = re.compile(r"(?:0?[1-9]|1[0-2])[-/](?:[12]\d|3[01]|0?[1-9]|\d\d)|\d{1,2}:\d\d")
# Day numbers of Excel (`45123.5`) and FileMan (`3231116.1930`).
_COUNTED_DAY = re.compile(r"(?:3[2-9]|4[0-8])\d{3}\.\d+|[23]\d{6}\.\d+")
# From this share of dates on, a column may hold dates of which most are cut to the year.
_SOME_DATES = 0.05
_WEEKDAYS = (frozenset("0123456"), frozenset("1234567"))
# In fewer rows, even answers are often equally frequent by chance.
_LEAST_DAYS, _UNEVEN = 100, 0.25
_LEAST_EVEN = 5
_WHOLE_CELL = re.compile(r"\d{1,4}(?:\.0)?")
_TWO_NUMBERS = re.compile(r"(\d{1,3})([.-])(\d{1,4})")
_MINUTES, _MONTHS, _LAST_DAY = 60, 12, 31
# `H` and `L` mark results as high and low.
_BED, _STAGES = re.compile(r"(\d{1,4})([A-GI-KM-Z])"), 4
_COMPOUND = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
# A surname with more bearers than this (binary logarithm) may be half of a double surname.
_BORNE = 6
# Header words that do not show what a number means.
_BARE_HEADERS = frozenset({"result", "value", "reading", "number", "type", "category", "other"})
_RANKED = frozenset({"score", "scale", "index", "grade", "rank", "position", "line"})
# Quantities that may have five digits and differ from row to row.
_COUNTED_HEADERS = frozenset(
    {"count", "amount", "charge", "cost", "price", "payment", "steps", "volume", "weight", "dose"}
)
# `cases`, `samples` and `beds` may also be numbers of cases, samples and beds, and `deaths` ages.
_COUNTED_OR_NUMBERED = frozenset(
    {"case", "sample", "bed", "test", "confirmed", "suspected", "death", "recovered", "admit"}
    | {"active"}
)
# `time_in_hospital` is no number of days if it has as many digits.
_STAYED = frozenset({"hospital", "icu"})
_LEAST_KEY_DIGITS = 4
_MODELLED = frozenset({"model", "dialyzer", "firmware"})
# Procedure codes have five digits.
_CODED_HEADERS = frozenset({"procedure", "cpt", "hcpcs"})


def doubt(rule: Rule, header: str, seen: Sequence[str]) -> str | None:
    """Return the reason to distrust a harmless header; None if there is no reason."""
    if rule.shape == "unit" and are_initials(seen):
        return "the values may be initials"
    words = set(header_words(header))
    if (
        rule.shape == "number"
        and _may_number(words)
        and (_may_be_keys(seen) or may_be_old_ages(seen))
    ):
        return "the values may be numbers of the things that the header counts"
    if names_only_values(header):
        readings = names_readings(header)
        why = _doubt_beside_ages(seen) if readings else doubt_of_numbers(seen)
        if why is not None:
            return why
    if rule.shape not in _OPEN_SHAPES or len(seen) < LEAST_SERIALS:
        return None
    if _share_of_matches(_YEAR_FIGURE, seen) >= 0.9 and len(set(seen)) > LEAST_SERIALS:
        return "the values may be years of birth"
    if are_month_days(seen):
        return "the values may be days of a year"
    if are_parts_of_dates(seen):
        return "the values may be months or weekdays"
    if _share_of_matches(_LOCAL, seen) >= 0.5 and len(set(seen)) > LEAST_SERIALS:
        return "the values may be telephone numbers"
    if (
        rule.shape in ("number", "sequence")
        and not words & _COUNTED_HEADERS
        and are_long_numbers(seen)
    ):
        return "the values may be ZIP codes or keys"
    if words & _RANKED and (_share_of_matches(_LONG_FIGURE, seen) >= 0.3 or _are_counted_out(seen)):
        return "the numbers are too large or too varied for a score"
    if not words & (_COUNTED_HEADERS | _CODED_HEADERS) and _are_of_length(_FIVE, seen):
        return "the values may be ZIP codes"
    told_little = words & _BARE_HEADERS or score_name(header) is not None
    if told_little and _are_of_length(_FOUR, seen) and len(set(seen)) >= 0.9 * len(seen):
        return "the values may be numbers that identify a person"
    if _share_of_matches(_ROOM, seen) >= 0.5 and len(set(seen)) > LEAST_SERIALS:
        return "the values may be rooms and beds"
    if are_initials(seen):
        return "the values may be initials"
    if rule.shape in _WORDY_SHAPES and are_unknown_words(seen) and not _are_models(words, seen):
        return "the values are words that are on no list"
    return None


def suspicion(seen: Sequence[str], *, named: bool) -> str | None:
    """The identifiers that the values may be, regardless of the header; None if nothing suggests
    any.

    `named` is true if the header has a word that the trees were trained on.
    """
    if _share_of_matches(_YEAR_FIGURE, seen) >= 0.9:
        return "the values may be years of birth"
    if not named and (why := doubt_of_numbers(seen)) is not None:
        return why
    if len(set(seen)) == 1 and not _says_nothing_of_whose(seen[0]):
        return "the only value in the column may name a facility or a clerk"
    if sum(shape_of(value) == "date" for value in seen) >= _SOME_DATES * len(seen):
        return "some values are dates"
    if _share_of_matches(_DAY_OR_CLOCK, seen) >= 0.5:
        return "the values may be days or times"
    if _share_of_matches(_COUNTED_DAY, seen) >= 0.9:
        return "the values may be serial day numbers"
    if may_be_coordinates(seen):
        return "the values may be coordinates"
    if tell_old_ages(set(seen)):
        return "some values may be ages over 89"
    return "the values may be initials" if _are_answers_and_initials(seen) else None


def doubt_of_numbers(seen: Sequence[str]) -> str | None:
    """The numbers of persons, places and days that the values may be if no header says what they
    are; None if nothing suggests any.
    """
    return "some values may be ages over 89" if may_be_old_ages(seen) else _doubt_beside_ages(seen)


def _doubt_beside_ages(seen: Sequence[str]) -> str | None:
    """The same, except ages: heart rates and saturations look like ages over 89."""
    if _share_of_matches(_YEAR_FIGURE, seen) >= 0.9:
        return "the values may be years of birth"
    if may_be_weekdays(seen):
        return "the values may be days of the week"
    if _are_equally_frequent(seen):
        return "numbers of sites, beds or persons are as equally frequent as the values"
    if _are_pairs(seen):
        return "the values may be rooms, days and months, or numbers of sites and persons"
    return "the values may be rooms and beds" if _are_beds(seen) else None


def _are_equally_frequent(seen: Sequence[str]) -> bool:
    """Whether a few whole numbers are about equally frequent, as answers and readings never are.

    Pearson's chi-squared must be at most three standard deviations over its mean.
    """
    times = Counter(seen)
    if len(seen) < _LEAST_DAYS or not _LEAST_EVEN <= len(times) <= len(seen) / _LEAST_EVEN:
        return False
    if "0" in times:
        return False
    mean, freedom = len(seen) / len(times), len(times) - 1
    uneven = sum((many - mean) ** 2 for many in times.values()) / mean
    even = uneven <= freedom + 3 * sqrt(2 * freedom)
    return even and all(map(_WHOLE_CELL.fullmatch, times))


def _are_pairs(seen: Sequence[str]) -> bool:
    """Whether nearly all values are two whole numbers with a sign between: bed `12-2`, room `4.12`,
    day and month `31.08`, site and person `12.0345`.
    """
    found = [match for value in seen if (match := _TWO_NUMBERS.fullmatch(value))]
    if len(seen) < LEAST_SERIALS or len(found) < 0.9 * len(seen):
        return False
    pairs = [(int(match[1]), int(match[3])) for match in found]
    signs = {match[2] for match in found}
    if signs == {"-"}:
        # The second number of a range is not smaller.
        return sum(left > right > 0 for left, right in pairs) >= 0.3 * len(found)
    return signs == {"."} and _are_no_decimals(pairs, [match[3] for match in found])


def _are_no_decimals(pairs: Sequence[tuple[int, int]], decimals: Sequence[str]) -> bool:
    """Whether numbers with a point are pairs of numbers, as no first number is 0, and the decimals
    are not spread over all digits as those of readings are.
    """
    firsts, seconds = {left for left, _ in pairs}, {right for _, right in pairs}
    if 0 in firsts or min(len(firsts), len(seconds)) < 2:
        return False
    least, most = min(map(len, decimals)), max(map(len, decimals))
    if least > 2:
        return sum(text[0] == "0" for text in decimals) >= 0.5 * len(decimals)
    if least == 2:
        return most == 2 and max(seconds) < _MINUTES
    return most == 2 and max(firsts) <= _LAST_DAY and 1 <= min(seconds) <= max(seconds) <= _MONTHS


def _are_beds(seen: Sequence[str]) -> bool:
    """Whether half of the values are a number and a letter, as beds are: some numbers are over the
    four stages, and the letters differ as those of a unit do not.
    """
    found = [match for value in seen if (match := _BED.fullmatch(value))]
    letters = {match[2] for match in found}
    beyond = any(int(match[1]) > _STAGES for match in found)
    return len(found) >= 0.5 * len(seen) and beyond and len(letters) > 1


def _says_nothing_of_whose(value: str) -> bool:
    return is_listed("flag", value) or is_published_phrase(value) or bool(_is_short_form(value))


def may_be_weekdays(seen: Sequence[str]) -> bool:
    """Whether the values are seven numbers from 0 or 1 on: five workdays, which are about equally
    frequent, and two other days, which are not more frequent.
    """
    times = Counter(seen)
    if len(seen) < _LEAST_DAYS or times.keys() not in _WEEKDAYS:
        return False
    counts = [times[day] for day in sorted(times)]
    weeks = (counts[first:] + counts[:first] for first in range(7))
    return any(_are_workdays(week[:5]) and max(week[5:]) <= max(week[:5]) for week in weeks)


def _are_workdays(times: Sequence[int]) -> bool:
    """Whether the days are about equally frequent, given the deviations that occur by chance."""
    mean = sum(times) / len(times)
    return max(times) - min(times) <= _UNEVEN * mean + 3 * sqrt(mean)


def _are_answers_and_initials(seen: Sequence[str]) -> bool:
    """Whether some values besides yes and no are two or three capitals and not short forms."""
    different = set(seen)
    answers = {value for value in different if is_listed("flag", value)}
    others = different - answers
    called = any(_SHORT_CAPITALS.fullmatch(v) and not _is_short_form(v) for v in others)
    return bool(answers) and len(others) <= LEAST_WORDS and called


def are_initials(seen: Sequence[str]) -> bool:
    """Whether all values are two or three capitals, and few are clinical or listed short forms."""
    different = set(seen)
    if len(different) < LEAST_WORDS or not all(map(_SHORT_CAPITALS.fullmatch, different)):
        return False
    known = sum(map(_is_short_form, different))
    return known < 0.3 * len(different)


def _is_short_form(value: str) -> bool:
    listed_form = is_listed("flag", value) or is_score(value) or is_unit(value)
    return listed_form or bool(clinical_word(value))


def _are_of_length(length: re.Pattern[str], seen: Sequence[str]) -> bool:
    """Whether nearly all values have the given length and few of them are round numbers."""
    return len(seen) >= LEAST_ROWS and (
        _share_of_matches(length, seen) >= 0.9
        and sum(v.endswith("00") for v in seen) < 0.3 * len(seen)
    )


def are_month_days(seen: Sequence[str]) -> bool:
    """Whether half of the values are a month and day (`3/14`), more varied than fractions are."""
    found = [match for value in seen if (match := _FRACTION_OR_DAY.fullmatch(value))]
    days = {match[1] for match in found}
    return len(found) >= 0.5 * len(seen) and len(days) > LEAST_SERIALS


def are_unknown_words(seen: Sequence[str]) -> bool:
    """Whether half of the distinct values have a word that is neither English nor clinical."""
    wordy = {value for value in seen if any(map(str.isalpha, value))}
    unknown = sum(_holds_unknown(value) for value in wordy)
    least = LEAST_REMARKS if any(value.count(" ") > 1 for value in wordy) else LEAST_WORDS
    return len(wordy) >= least and unknown >= 0.5 * len(set(seen))


@remembered
def _holds_unknown(value: str) -> bool:
    if is_code(value):
        return False
    told = _COMPOUND.sub(
        lambda match: "" if _has_common_part(match.group()) else match.group(), value
    )
    words = [word for word in CELL_WORD.findall(told) if len(word) > 3 and not word.isupper()]
    return any(map(is_unknown_word, words))


def _are_models(words: set[str], seen: Sequence[str]) -> bool:
    """Whether the values are device models (`Dexcom G6`): half have a digit, and none has a
    name.
    """
    different = set(seen)
    figured = sum(any(map(str.isdigit, value)) for value in different)
    named = any(
        is_lone_name(w, strict=False) for value in different for w in CELL_WORD.findall(value)
    )
    return not words.isdisjoint(_MODELLED) and figured >= 0.5 * len(different) and not named


def _has_common_part(compound: str) -> bool:
    """Whether part of the compound is a word and not a surname: `State-gov`, `Adm-clerical`."""
    parts = (part for part in compound.split("-") if len(part) > 3)
    return any(common_word(part) >= 4 and surname(part) <= _BORNE for part in parts)


@remembered
def is_unknown_word(word: str) -> bool:
    """Whether the word is neither English nor clinical, like a rare name or an abbreviation."""
    return not (common_word(word) >= 4 or clinical_word(word))


def _may_number(words: Set[str]) -> bool:
    return bool(words & _COUNTED_OR_NUMBERED) or ("time" in words and bool(words & _STAYED))


def _may_be_keys(seen: Sequence[str]) -> bool:
    """Whether the whole numbers are as counts rarely are: some begin with 0, all are long
    and of one length, or most are long and nearly all differ.
    """
    if has_padded_number(seen):
        return True
    long = sum(len(value) >= _LEAST_KEY_DIGITS for value in seen)
    even = long == len(seen) and len(set(map(len, seen))) == 1
    return even or (long >= 0.8 * len(seen) and len(set(seen)) >= 0.9 * len(seen))


def has_padded_number(seen: Sequence[str]) -> bool:
    """Whether one of the whole numbers begins with 0, as codes do and counts do not."""
    return any(len(value) > 1 and value[0] == "0" for value in seen)


def _are_counted_out(seen: Sequence[str]) -> bool:
    """Whether half of the values are whole numbers of three digits or more, and nearly all
    differ.
    """
    return (
        len(seen) >= LEAST_ROWS
        and _share_of_matches(_WHOLE_FIGURE, seen) >= 0.5
        and len(set(seen)) >= 0.9 * len(seen)
    )


def _share_of_matches(pattern: re.Pattern[str], seen: Sequence[str]) -> float:
    return sum(bool(pattern.fullmatch(value)) for value in seen) / max(1, len(seen))
