"""Features of a column's cells as numbers: how many differ, their lengths, their patterns.

No feature reveals a cell: they are shares, counts and lengths over at most `SAMPLE_CELLS` cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import log2
from statistics import fmean, median

from recognizers.columns.categories import are_categories
from recognizers.columns.cells.phrases import is_published_phrase
from recognizers.columns.cells.shapes import (
    CELL_WORD,
    is_code,
    is_listed,
    is_lone_name,
    is_person,
    shape_of,
)
from recognizers.columns.coordinates import look_like_degrees
from recognizers.columns.doubts import are_initials, are_month_days, are_unknown_words
from recognizers.columns.values import (
    are_decades_apart,
    are_in_pieces,
    are_long_numbers,
    are_organizations,
    are_parts_of_dates,
    are_serials,
    are_towns,
)
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    common_word,
    county,
    first_name,
    is_listed_word,
    surname,
)

#: The most cells of one sample, in the order of the rows; null cells are counted but left out.
SAMPLE_CELLS = 60
UNASKED = -1.0
_WHOLE = re.compile(r"[-+]?\d{1,15}(?:\.0+)?")
_FIGURE_CELL = re.compile(r"[<>=~]{0,2}\s?[-+]?\$?(?:\d{1,3}(?:,\d{3})+|\d{0,15})(?:\.\d+)?\s?%?")
_TRUE_FRACTION = re.compile(r"[^.]*\d*\.\d*[1-9]\d*[^.]*")
_ZERO_FRACTION_END = re.compile(r"(?<=\d)\.0+$")
_FRACTION_DIGITS = re.compile(r"\.(\d+)")
_LETTER_RUN, _DIGIT_RUN, _BLANK_RUN = (
    re.compile(r"[^\W\d_]+"),
    re.compile(r"\d+"),
    re.compile(r"\s+"),
)
_DAY_WITH_MONTH = re.compile(r"(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])")
_CALENDAR_WORD = re.compile(
    r"(?i)(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|"
    r"spring|summer|fall|autumn|winter|lun|mier|jue|vie|dom|ene|abr|ago|dic|q[1-4])"
)
_CELL_SHAPES = (
    *("date", "time", "age", "code", "state", "person", "prose", "token", "words", "mixed"),
    *("number", "decimal", "fine_decimal", "long_number"),
)
_ANSWER_LISTS = ("flag", "sex", "race", "marital", "language", "country", "relation", "region")
ColumnFeatures = dict[str, float]
# The checks of the rules that judge all cells together.
_DOUBTS: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "parts_of_dates": are_parts_of_dates,
    "month_days": are_month_days,
    "births": are_decades_apart,
    "initials": are_initials,
    "unknown_words": are_unknown_words,
    "coordinates": look_like_degrees,
    "serials": are_serials,
    "pieces": are_in_pieces,
    "zips_or_keys": are_long_numbers,
    "categories": are_categories,
    "organizations": are_organizations,
    "towns": are_towns,
}


def cell_features(seen: Sequence[str], filled: float) -> ColumnFeatures:
    """Features of at most `SAMPLE_CELLS` non-null cells; `filled` is the share of non-nulls."""
    if not seen:
        return {}
    seen = without_zero_fractions(seen)
    found: ColumnFeatures = {"rows": len(seen), "filled": filled}
    found |= _of_order(seen)
    found |= _of_numbers([value for value in seen if _is_written_number(value)], len(seen))
    found |= _of_build(seen)
    found |= _of_shapes(seen)
    found |= _of_words(seen)
    return found | {f"may_be_{name}": float(ask(seen)) for name, ask in _DOUBTS.items()}


def without_zero_fractions(seen: Sequence[str]) -> Sequence[str]:
    """The cells, without the `.0` that a program added to whole numbers (`17.0`)."""
    if any(_TRUE_FRACTION.fullmatch(value) for value in seen):
        return seen
    return [_ZERO_FRACTION_END.sub("", value) for value in seen]


def _is_written_number(value: str) -> bool:
    return any(map(str.isdigit, value)) and _FIGURE_CELL.fullmatch(value) is not None


def _of_order(seen: Sequence[str]) -> ColumnFeatures:
    """Count distinct cells; give the shares of the commonest, and how often neighbors are equal."""
    times = Counter(seen)
    pairs = list(pairwise(seen))
    counts = sorted(times.values(), reverse=True)
    return {
        "different": len(times),
        "different_share": len(times) / len(seen),
        "once_share": sum(n == 1 for n in counts) / len(seen),
        "most_share": counts[0] / len(seen),
        "three_share": sum(counts[:3]) / len(seen),
        "middle_times": median(counts),
        "same_as_last": _share(left == right for left, right in pairs),
        # Equal patient keys are in adjacent rows; equal answers are scattered.
        "together": _together(seen, len(times)),
    }


def _together(seen: Sequence[str], different: int) -> float:
    """Return 1 if the copies of each cell are all adjacent, 0 if no two equal cells are
    adjacent.
    """
    if different in (1, len(seen)):
        return UNASKED
    runs = 1 + sum(left != right for left, right in pairwise(seen))
    return (len(seen) - runs) / (len(seen) - different)


def _share(told: object) -> float:
    answers = list(told)  # type: ignore[call-overload]
    return sum(answers) / len(answers) if answers else UNASKED


def _of_numbers(numbers: Sequence[str], rows: int) -> ColumnFeatures:
    whole = [value for value in numbers if _WHOLE.fullmatch(value)]
    found: ColumnFeatures = {
        "number_share": len(numbers) / rows,
        "whole_share": len(whole) / rows,
        "point_share": sum("." in value for value in numbers) / rows,
    }
    if len(numbers) < 0.5 * rows:
        return found
    figures = [float(re.sub(r"[<>=~$,%\s]", "", value)) for value in numbers]
    points = [len(m[1]) for value in numbers if (m := _FRACTION_DIGITS.search(value))]
    found |= {
        "below_zero": _share(f < 0 for f in figures),
        "zero": _share(f == 0 for f in figures),
        "least": _log_scaled(min(figures)),
        "most": _log_scaled(max(figures)),
        "middle": _log_scaled(median(figures)),
        "mean_over_middle": fmean(figures) / median(figures) if median(figures) else UNASKED,
        "places": fmean(points) if points else 0.0,
        "places_differ": float(len(set(points))),
        "signed": _share(value[0] in "<>=~" for value in numbers),
        "percent": _share(value.endswith("%") for value in numbers),
        "money": _share("$" in value for value in numbers),
        "climbing": _share(left < right for left, right in pairwise(figures)),
        "not_falling": _share(left <= right for left, right in pairwise(figures)),
        "next": _share(right - left == 1 for left, right in pairwise(figures)),
    }
    return found | (_of_whole(whole) if len(whole) >= 0.5 * rows else {})


def _log_scaled(figure: float) -> float:
    """Return log2 of 1 plus the absolute number, with the sign of the number."""
    return log2(1 + abs(figure)) * (-1 if figure < 0 else 1)


def _of_whole(whole: Sequence[str]) -> ColumnFeatures:
    """The lengths and density of the numbers, and the shares that may be ages, days or years."""
    bare = [value.lstrip("+-").split(".")[0] for value in whole]
    figures = [int(value) for value in bare]
    lengths = Counter(map(len, bare))
    wide = max(figures) - min(figures) + 1
    several = [value for value in bare if len(value) > 1]
    return {
        "digits_least": min(lengths),
        "digits_most": max(lengths),
        "digits_same": lengths.most_common(1)[0][1] / len(bare),
        "zero_first": _share(value[0] == "0" for value in several),
        "up_to_7": _share(1 <= f <= 7 for f in figures),
        "up_to_12": _share(1 <= f <= 12 for f in figures),
        "up_to_31": _share(1 <= f <= 31 for f in figures),
        "up_to_10": _share(0 <= f <= 10 for f in figures),
        "grown_age": _share(18 <= f <= 110 for f in figures),
        "old_age": _share(90 <= f <= 110 for f in figures),
        "years": _share(1900 <= f <= 2040 for f in figures),
        "late_years": _share(1995 <= f <= 2040 for f in figures),
        "clock": _share(f < 2400 and f % 100 < 60 for f in figures),
        "round_10": _share(f % 10 == 0 for f in figures),
        "round_5": _share(f % 5 == 0 for f in figures),
        "round_100": _share(f % 100 == 0 for f in figures),
        "dense": len(set(figures)) / wide,
        "wide": log2(wide),
        "first_digits": len({value[0] for value in several}) if several else UNASKED,
        "same_start": _same_start(bare),
    }


def _same_start(bare: Sequence[str]) -> float:
    """Return how many leading digits nearly all long numbers share."""
    long = [value for value in bare if len(value) >= 5]
    if len(long) < 0.5 * len(bare):
        return UNASKED
    starts = (Counter(v[:n] for v in long).most_common(1)[0][1] for n in range(1, 5))
    return float(sum(most >= 0.9 * len(long) for most in starts))


def _of_build(seen: Sequence[str]) -> ColumnFeatures:
    lengths = [len(value) for value in seen]
    builds = Counter(_DIGIT_RUN.sub("9", _LETTER_RUN.sub("A", value)) for value in seen)
    exact = Counter(re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "A", value)) for value in seen)
    joined = "".join(seen)
    return {
        "length_least": min(lengths),
        "length_most": max(lengths),
        "length": fmean(lengths),
        "length_same": Counter(lengths).most_common(1)[0][1] / len(seen),
        "builds": len(builds) / len(seen),
        "build_most": builds.most_common(1)[0][1] / len(seen),
        "exact_build_most": exact.most_common(1)[0][1] / len(seen),
        "letters": sum(map(str.isalpha, joined)) / len(joined),
        "figures": sum(map(str.isdigit, joined)) / len(joined),
        "blanks": sum(map(str.isspace, joined)) / len(joined),
        **{
            f"has_{name}": _share(mark in value for value in seen)
            for name, mark in _MARKS_BY_NAME.items()
        },
        "mixed_alnum": _share(_mixes_letters_and_digits(value) for value in seen),
        "different_letters": len(set(filter(str.isalpha, joined.casefold()))),
        "vowels": _vowels(joined),
        "day_and_month": _share(_DAY_WITH_MONTH.fullmatch(value) is not None for value in seen),
        "calendar": _share(_CALENDAR_WORD.search(value) is not None for value in seen),
    }


_MARKS_BY_NAME: Mapping[str, str] = {
    "dash": "-",
    "slash": "/",
    "point": ".",
    "comma": ",",
    "colon": ":",
    "underscore": "_",
    "number_sign": "#",
    "bracket": "(",
    "at": "@",
    "caret": "^",
}


def _mixes_letters_and_digits(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _vowels(joined: str) -> float:
    letters = [letter for letter in joined.casefold() if letter.isalpha()]
    return _share(letter in "aeiouy" for letter in letters)


def _of_shapes(seen: Sequence[str]) -> ColumnFeatures:
    shapes = Counter(map(shape_of, seen))
    told = {f"shape_{name}": shapes[name] / len(seen) for name in _CELL_SHAPES}
    other = sum(times for name, times in shapes.items() if name not in _CELL_SHAPES)
    listed = {f"list_{name}": _share(is_listed(name, v) for v in seen) for name in _ANSWER_LISTS}
    return told | listed | {"shape_other": other / len(seen)}


def _of_words(seen: Sequence[str]) -> ColumnFeatures:
    """Features of cells with letters: case, number of words, and which lists have the words."""
    worded = [value for value in seen if any(map(str.isalpha, value))]
    found: ColumnFeatures = {"worded": len(worded) / len(seen)}
    if len(worded) < 0.3 * len(seen):
        return found
    words = [word for value in worded for word in CELL_WORD.findall(value)]
    long = [word for word in words if len(word) > 2]
    counts = [len(_BLANK_RUN.split(value)) for value in worded]
    asked: Mapping[str, Callable[[str], float]] = {
        "common": common_word,
        "clinical": lambda word: float(clinical_word(word)),
        "first_name": first_name,
        "surname": surname,
        "lone_name": lambda word: float(is_lone_name(word)),
        "known": lambda word: float(is_listed_word(word)),
        "rather_name": lambda w: max(first_name(w), surname(w)) - common_word(w),
    }
    found |= {f"word_{name}": _mean_answer(map(ask, long)) for name, ask in asked.items()}
    return found | {
        "words": fmean(counts),
        "words_most": max(counts),
        "upper": _share(value.isupper() for value in worded),
        "lower": _share(value.islower() for value in worded),
        "title": _share(value.istitle() for value in worded),
        "short_words": _share(len(word) <= 2 for word in words),
        "up_to_3_letters": _share(len(value) <= 3 and value.isalpha() for value in worded),
        "cell_person": _share(is_person(value) for value in worded),
        "cell_name": _share(is_lone_name(value, strict=False) for value in worded),
        "cell_town": _share(bool(city(value) or county(value)) for value in worded),
        "cell_published": _share(is_published_phrase(value) for value in worded),
        "cell_code": _share(is_code(value) for value in worded),
    }


def _mean_answer(told: object) -> float:
    answers = [float(answer) for answer in told]  # type: ignore[attr-defined]
    return fmean(answers) if answers else UNASKED
