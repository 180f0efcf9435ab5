"""What the values of a column have in common: serial numbers, published codes, names, few words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.organizations import is_firm, is_organization, is_proper_noun
from recognizers.columns.cells.pieces import is_in_pieces
from recognizers.columns.cells.shapes import (
    ANY_DAY,
    is_borne,
    is_code,
    is_last_first,
    is_listed,
    is_loinc,
    is_lone_name,
    is_person,
)
from recognizers.columns.coordinates import may_be_coordinates
from recognizers.words.gazetteers import city, clinical_word, county, is_listed_word
from safe_harbor import read_date

MOST = 0.9
LEAST_SERIALS = 5
# Under a header of names, this many clinical terms, and this share of the values, show terms.
MANY_TERMS, MOSTLY_CLINICAL = 10, 0.8
# About half of the serial numbers written in two parts look like ranges by chance.
SOME_IN_PIECES = 0.3
MANY_ORGANIZATIONS = 0.4
MANY_ROWS = 20
# In a range, the upper limit is at most this many times the lower limit.
WIDEST_RANGE = 5
FEW_TOWNS, SEVERAL_TOWNS = 3, 0.6
# In years; recorded visits span fewer years than this, and births of adults span more.
GENERATION = 30
# Of so many values that differ only by their numbers, each is the number of somebody.
MOST_ALIKE = 0.3
WORD_LISTS = ("relation", "sex", "race", "marital", "language", "country", "employment")
# `Pacific` and `Mexico` are also names of towns.
NO_TOWNS = ("flag", "region", "color", *WORD_LISTS)
_CALLED_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?"
_CALLED = re.compile(rf"{_CALLED_WORD}(?:(?:,? |[,^]){_CALLED_WORD}){{1,3}}")
_FRACTION = re.compile(r"[<>=~≤≥]{0,2}\s*[-+]?\$?\d{0,4}\.\d+\s*%?")
_ZERO_FRACTION_CELL = re.compile(r"[^.]*\d\.0+ ?%?")
_NEVER_NUMBERED = re.compile(r"-\d{1,4}\.\d+|-?0?\.\d+|\d{1,4}\.\d{11,}")
_LOCAL_PHONE = re.compile(r"[2-9]\d{2}\.\d{4}")
SOME_READINGS, FEW_PHONES = 0.3, 0.05
_CALENDAR = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|spring|"
    r"summer|fall|autumn|winter|q[1-4]\b)"
)
_WHOLE_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
_DRAWN = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z\d]{7,}")
_LONG_NUMBER_CELL = re.compile(r"\d{5,}(?:-\d{4})?(?:\.0+)?")
_BY_YEAR = re.compile(r"(20\d\d(?=[.])|(?:20)?\d\d(?=[-/_ ])).\d{2,6}")
_TWO_FIGURES = re.compile(r"(?=(?:\D?\d){4})(\d{1,4})-(\d{1,4})")
_AMOUNT = re.compile(r"-?\$?(?:\d{1,5}|\d{1,3},\d{3})(?:\.\d{1,2})?")
_NUMBER_WITHIN = re.compile(r"\d+")
_ICD = re.compile(r"[A-TV-Z]\d[0-9AB]\.[0-9A-Z]{1,4}")


def most_of(shapes: Counter[str], share: float = MOST) -> str:
    """Return the shape that at least `share` of the values have; "" if there is none."""
    total = sum(shapes.values())
    if not total:
        return ""
    shape, count = shapes.most_common(1)[0]
    return shape if count >= share * total else ""


def mostly_prose(shapes: Counter[str], share: float = 0.5) -> bool:
    total = sum(shapes.values())
    return total > 0 and shapes["prose"] >= share * total


def are_serials(seen: Sequence[str]) -> bool:
    """Whether nearly all values differ and have one pattern with many digits: likely keys."""
    if len(seen) < LEAST_SERIALS or len(set(seen)) < MOST * len(seen):
        return False
    if _are_drawn(seen) or are_in_pieces(seen):
        return True
    builds = Counter(
        re.sub(r"[A-Za-z]", "A", re.sub(r"\d", "9", re.sub(r"\.0+$", "", v))) for v in seen
    )
    build, same = builds.most_common(1)[0]
    long = re.fullmatch(r"9{6,}|(?=.*A)[A9/_#:.-]*", build) and build.count("9") >= 4
    return bool(long) and same >= MOST * len(seen) and sum(map(is_code, seen)) < 0.5 * len(seen)


def are_in_pieces(seen: Sequence[str]) -> bool:
    """Whether nearly all values differ and many are numbers in pieces, not ranges or codes:
    `24-958433`.
    """
    if len(seen) < LEAST_SERIALS or len(set(seen)) < MOST * len(seen):
        return False
    if sum(map(is_in_pieces, seen)) >= SOME_IN_PIECES * len(seen):
        return True
    return len(seen) >= MANY_ROWS and (_are_numbered_by_year(seen) or _are_no_ranges(seen))


def _are_no_ranges(seen: Sequence[str]) -> bool:
    """Whether the values are pairs of numbers, many of which cannot be ranges: `82-417`,
    `314-88`.
    """
    pairs = [match for value in seen if (match := _TWO_FIGURES.fullmatch(value))]
    if len(pairs) < MOST * len(seen) or sum(map(is_code, seen)) >= 0.5 * len(seen):
        return False
    ends = [(int(match[1]), int(match[2])) for match in pairs]
    unlike = sum(low > high or (low > 1 and high > WIDEST_RANGE * low) for low, high in ends)
    return unlike >= SOME_IN_PIECES * len(seen)


def _are_numbered_by_year(seen: Sequence[str]) -> bool:
    """Whether nearly all values begin with one of two numbers, likely years: `24-017`, `24-318`."""
    firsts = Counter(match[1] for value in seen if (match := _BY_YEAR.fullmatch(value)))
    return sum(n for _, n in firsts.most_common(2)) >= MOST * len(seen)


def _are_drawn(seen: Sequence[str]) -> bool:
    """Whether the values mix letters and digits at random and nearly all have one length:
    `SAVU9GBW3`.
    """
    drawn = [v for v in seen if _DRAWN.fullmatch(v) and not is_code(v)]
    if len(drawn) < MOST * len(seen):
        return False
    same = Counter(map(len, drawn)).most_common(1)[0][1]
    builds = {re.sub(r"[A-Za-z]", "A", re.sub(r"\d", "9", v)) for v in drawn}
    return same >= MOST * len(drawn) and len(builds) >= 0.3 * len(drawn)


def are_small_amounts(seen: Sequence[str]) -> bool:
    """Whether the values are numbers, at least half with one or two decimals: `7.21`, `1953.83`.

    If every fraction is zero, they were whole numbers: `82607.0` is a ZIP code.
    """
    if len(seen) < LEAST_SERIALS or may_be_coordinates(seen):
        return False
    whole = all(_AMOUNT.fullmatch(value) for value in seen)
    with_fraction = [value for value in seen if "." in value]
    if not whole or _are_whole(with_fraction):
        return False
    return len(with_fraction) >= 0.5 * len(seen)


def are_long_numbers(seen: Sequence[str]) -> bool:
    """Whether the values are whole numbers of five digits or more, most of them different and few
    round.

    Counts of blood cells and amounts of money often end in zeros and repeat more often.
    """
    if len(seen) < LEAST_SERIALS or not all(_LONG_NUMBER_CELL.fullmatch(value) for value in seen):
        return False
    bare = [re.sub(r"\.0+$", "", value) for value in seen]
    rough = sum(value.endswith("00") for value in bare)
    return len(set(seen)) > 0.5 * len(seen) and rough < 0.3 * len(seen)


def are_zeros_and_ones(seen: Sequence[str]) -> bool:
    """Whether the values are only 0 and 1, both of them, in many rows: flags."""
    return are_recurrent(seen) and set(seen) == {"0", "1"}


def share_measured(seen: Sequence[str]) -> float:
    """Return the share of numbers with a fraction and at most four digits before the point: `4.50`.

    Longer numbers may be keys in a column of decimals (`700333.0`) or days: FileMan
    (`3231116.1930`), Excel (`45123.5`), seconds since 1970. If every fraction is zero, they were
    whole numbers, and the share is 0.
    """
    if _are_whole(filter(_FRACTION.fullmatch, seen)):
        return 0.0
    return sum(bool(_FRACTION.fullmatch(v)) for v in seen) / max(len(seen), 1)


def are_readings(seen: Sequence[str]) -> bool:
    """Whether the values are decimals as no identifying number is: some are negative, below one, or
    have all digits that a program computed.
    """
    if len(seen) < LEAST_SERIALS or share_measured(seen) < MOST:
        return False
    phones = sum(bool(_LOCAL_PHONE.fullmatch(value)) for value in seen)
    if phones > FEW_PHONES * len(seen):
        return False
    told = sum(bool(_NEVER_NUMBERED.fullmatch(value)) for value in seen)
    return told >= SOME_READINGS * len(seen)


def _are_whole(decimals: Iterable[str]) -> bool:
    """Whether every fraction is zero, so that a program wrote whole numbers as decimals."""
    return all(map(_ZERO_FRACTION_CELL.fullmatch, decimals))


def is_undated(value: str) -> bool:
    """Whether the value has no digit and names no month, day of the week or season."""
    return not any(c.isdigit() for c in value) and not _CALENDAR.search(value)


def are_decades_apart(seen: Sequence[str]) -> bool:
    """Whether the dates span a generation, without the first and last tenth: likely births."""
    found = (read_date(value, ANY_DAY, birth=True) for value in seen)
    years = sorted(day.year for day in found if day is not None)
    least, most = len(years) // 10, len(years) - len(years) // 10 - 1
    return len(years) >= LEAST_SERIALS and years[most] - years[least] >= GENERATION


def are_published(seen: Sequence[str]) -> bool:
    """Whether all values are LOINC codes or ICD codes with a point."""
    return len(seen) >= LEAST_SERIALS and all(is_loinc(v) or _ICD.fullmatch(v) for v in seen)


def is_plain_words(value: str) -> bool:
    """Whether the value is only everyday words and is not a town or county."""
    words = re.findall(r"[^\W\d_]+", value)
    return (
        conforms("flag", value)
        and all(len(w) > 1 for w in words)
        and not (city(value) or county(value))
    )


def are_clinical(seen: Sequence[str]) -> bool:
    """Whether nearly all distinct values have a clinical word, and none has a name or town.

    Examples are `Hemoglobin A1c` and `lisinopril 20 MG Oral Tablet`. A few terms must repeat; of
    many terms, none needs to.
    """
    different = set(seen)
    clinical = sum(map(_is_clinical_value, different))
    enough = clinical >= MANY_TERMS or (are_recurrent(seen) and len(different) > 1)
    return (
        enough
        and clinical >= MOSTLY_CLINICAL * len(different)
        and not are_numbered_alike(different)
        and not any(map(_may_call, different))
    )


def are_numbered_alike(different: Set[str]) -> bool:
    """Whether several values differ only by their numbers, as persons do: `Patient_12`."""
    alike = {_NUMBER_WITHIN.sub("", value) for value in different}
    return len(different) >= LEAST_SERIALS and len(alike) <= MOST_ALIKE * len(different)


def _is_clinical_value(value: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", value)
    return any(map(clinical_word, words)) and conforms("term", value)


def _may_call(value: str) -> bool:
    """Whether the value may be the name of a person or a town."""
    words = re.findall(r"[^\W\d_]{3,}", value)
    if any(is_borne(word) or is_lone_name(word, strict=False) for word in words):
        return True
    return bool(city(value) or county(value)) or is_last_first(value)


def are_organizations(seen: Sequence[str]) -> bool:
    """Whether many distinct values name schools, practices, congregations or firms.

    Answers among them (`Retired`, `Unknown`) are ignored.
    """
    called = [value for value in seen if not is_listed("employment", value)]
    different = {value for value in called if not is_listed("flag", value)}
    named = set(filter(is_organization, different))
    if named:
        named |= set(filter(is_firm, different))
    told = sum(value in named for value in called)
    return (
        len(named) >= MANY_ORGANIZATIONS * len(different)
        and told >= MANY_ORGANIZATIONS * len(called) > 0
    )


def are_towns(seen: Sequence[str], least: float = 0.7) -> bool:
    """Whether most distinct values are towns or counties, even if the names are also words.

    Names like `Mobile` and `Hope` count among several towns; a lone `Normal` is an answer.
    """
    different = {v for v in seen if not any(is_listed(name, v) for name in NO_TOWNS)}
    named = [value for value in different if city(value) or county(value)]
    strange = [value for value in named if not any(map(clinical_word, value.split()))]
    if len(different) >= FEW_TOWNS and len(strange) >= least * len(different):
        return True
    if len(different) < FEW_TOWNS:
        return 0 < len(different) == len(named) == sum(map(is_proper_noun, named))
    return len(different) >= LEAST_SERIALS and len(named) >= SEVERAL_TOWNS * len(different)


def of_list(seen: Sequence[str]) -> str | None:
    """Return the list that has all values; None if no list does, or if a value is so short that it
    may be initials.
    """
    if len(seen) < LEAST_SERIALS or any(len(value) < 3 for value in seen):
        return None
    return next((shape for shape in WORD_LISTS if all(is_listed(shape, v) for v in seen)), None)


def are_coded(seen: Sequence[str]) -> bool:
    """Whether the values are short whole numbers that repeat, like codes from a hospital's own
    table.
    """
    return all(v.isdigit() and len(v) <= 8 for v in seen) and len(set(seen)) <= 0.7 * len(seen)


PARTS_OF_DATES = re.compile(
    r"(?i)(?:mon|tue|wed|thu|fri|sat|sun|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)(?:s|nes|rs|ur)?(?:day)?s?|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)


def are_parts_of_dates(seen: Sequence[str]) -> bool:
    """Whether at least half of the values are months or days of the week."""
    return sum(bool(PARTS_OF_DATES.fullmatch(v)) for v in seen) >= 0.5 * len(seen) > 0


def are_terms(seen: Sequence[str]) -> bool:
    """Whether a few plain words repeat; single words that may be names must be few and clinical."""
    if not are_recurrent(seen, 6) or not all(is_plain_words(v) for v in seen):
        return False
    if any(PARTS_OF_DATES.fullmatch(v) for v in seen):
        return False
    lone = {v for v in seen if is_lone_name(v, strict=False)}
    clinical = all(clinical_word(v) for v in lone)
    return share_of_names(seen) == 0 or (clinical and len(lone) <= 0.4 * len(set(seen)))


def are_bare_numbers(seen: Sequence[str]) -> bool:
    """Whether some values are whole numbers other than 0 and 1, which may be ages or parts of
    dates.
    """
    return any(value.isdigit() and value not in ("0", "1") for value in seen)


def are_recurrent(seen: Sequence[str], least: int = 20) -> bool:
    """Whether a few values repeat, as labels of codes do and free text does not."""
    return len(seen) >= least and len(set(seen)) <= 0.3 * len(seen)


def are_called(seen: Sequence[str]) -> bool:
    """Whether most values have two to four words, as names do; for headers that name persons."""
    different = set(seen)
    called = sum(_CALLED.fullmatch(value) is not None for value in different)
    return called > 0.8 * len(different) and not are_clinical(seen)


def are_called_strangely(seen: Sequence[str]) -> bool:
    """Whether most of several values are two to four words, at least one of which is on no list."""
    different = set(seen)
    strange = [value for value in different if not all(map(is_listed_word, _words_in_value(value)))]
    return len(strange) > max(0.8 * len(different), LEAST_SERIALS) and are_called(strange)


def _words_in_value(value: str) -> list[str]:
    """The words that are only letters; the letters in `5d41402abc4b` are not words."""
    return _WHOLE_WORD.findall(value)


def are_worded(seen: Sequence[str]) -> bool:
    """Whether most distinct values have three words or more, not all capitalized."""
    different = set(seen)
    worded = sum(
        len(_words_in_value(v)) > 2 and not v.isupper() and not v.istitle() for v in different
    )
    return worded > 0.8 * len(different)


def share_of_names(seen: Sequence[str]) -> float:
    """The share of the distinct values that look like names of persons."""
    different = set(seen)
    if not different:
        return 0.0
    named = sum(
        is_person(v) or is_lone_name(v, strict=False) or is_last_first(v) for v in different
    )
    return named / len(different)


def has_digit(value: str) -> bool:
    """Whether one of the characters is a digit."""
    return any(map(str.isdigit, value))
