"""The forms of dates in extracts of health records: each form is a pattern and a reader.

A reading is the year as written, a month and a day. In `03/04/2023` the month comes first, as in
the United States; in `03.04.2023` the day does. The other order is the second reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from safe_harbor.numerals import digits_for_words
from safe_harbor.tables import read_rows

WrittenDate = tuple[str, int | None, int | None]
Reader = Callable[[re.Match[str]], Iterator[WrittenDate]]

_MONTH_OF_WORD = {row["word"]: row["month"] for row in read_rows("date_words.csv")}


def readings(text: str) -> Iterator[WrittenDate]:
    """All readings of one lower-case line as a date, the likeliest first.

    A reading may be an invalid date, so the caller tries the readings in order.
    """
    for pattern, read in _DATE_FORMS:
        if match := pattern.fullmatch(text):
            yield from read(match)
    yield from _among_words(text)
    yield from _told_in_words(text)


def _among_words(text: str) -> Iterator[WrittenDate]:
    """The single year among words that occur in dates: `Christmas Eve 2023`."""
    tokens = re.findall(r"[^\W\d_]+|\d+", re.sub(r"['’]s\b", "", text))
    words = [token for token in tokens if not token.isdigit()]
    years = [token for token in tokens if re.fullmatch(r"[12]\d{3}", token)]
    days = [token for token in tokens if re.fullmatch(r"\d\d?", token)]
    whole = len(words) + len(years) + len(days) == len(tokens)
    if (
        whole
        and words
        and len(years) == 1
        and len(days) <= 1
        and set(words) <= _MONTH_OF_WORD.keys()
    ):
        yield years[0], None, None


def _told_in_words(text: str) -> Iterator[WrittenDate]:
    """A year in words: `nineteen thirty-two`, `nineteen oh five`, `two thousand and three`."""
    told = _YEAR_IN_WORDS.fullmatch(text)
    rest = digits_for_words(told["rest"]) if told else ""
    if told and re.fullmatch(r"\d\d?" if told["small"] else r"[1-9]\d", rest):
        century = "19" if told["century"] == "nineteen" else "20"
        yield f"{century}{int(rest):02}", None, None


def _parts(match: re.Match[str]) -> Iterator[WrittenDate]:
    """The year, month and day of the named groups that matched."""
    found = match.groupdict()
    yield match["year"], _nonzero(found.get("m")), _nonzero(found.get("d"))


def _nonzero(digits: str | None) -> int | None:
    return int(digits) if digits and digits.isdigit() and int(digits) else None


def _month_first(match: re.Match[str]) -> Iterator[WrittenDate]:
    first, second = int(match["a"]), int(match["b"])
    yield match["year"], first, second
    yield match["year"], second, first


def _day_first(match: re.Match[str]) -> Iterator[WrittenDate]:
    first, second = int(match["a"]), int(match["b"])
    yield match["year"], second, first
    yield match["year"], first, second


def _month_by_name(match: re.Match[str]) -> Iterator[WrittenDate]:
    """The reading of a date with a month name, or none if the word is not a month."""
    month, day = _MONTH_OF_WORD.get(match["month"]), match.groupdict().get("day")
    if month:
        yield match["year"].lstrip("'’"), int(month), _nonzero(day)


def _year_only(match: re.Match[str]) -> Iterator[WrittenDate]:
    yield match["year"].lstrip("'’"), None, None


def _day_of_year(match: re.Match[str]) -> Iterator[WrittenDate]:
    if 1 <= int(match["n"]) <= 366 and int(match["year"]) > 0:
        found = date(int(match["year"]), 1, 1) + timedelta(days=int(match["n"]) - 1)
        yield match["year"], found.month, found.day


_YEAR_IN_WORDS = re.compile(
    r"(?:born )?(?:in )?(?P<century>nineteen|twenty|two thousand)[\s-]+"
    r"(?P<small>(?:hundred[\s-]+)?oh?[\s-]+|(?<=thousand )(?:and )?)?(?:hundred[\s-]+)?"
    r"(?:and[\s-]+)?(?P<rest>.+)"
)
_DATE_LABEL = r"(?:(?:born|b\.|dob|d\.o\.b\.|birth ?date|date of birth|died|on|in|the)[\s:]+)*"
_APPROXIMATELY = r"(?:about|around|circa|ca?\.|approximately|approx\.?|est\.?|~|\?)?\s*"
_WEEKDAY_BEFORE = (
    r"(?:(?:mon|tu(?:es?)?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
)
_CLOCK_AFTER_DATE = (
    r"(?:[t\s,:@]\s*(?:at\s+|@\s*)?\d{1,2}(?:[:.h]?\d{2})?(?:[:.]\d{2})?(?:[.,]\d{1,9})?"
    r"\s*(?:[ap]\.?m?\.?)?\s*(?:z|[+-]\d{2}:?\d{0,2}|[a-z]{2,4}|[+-]\d{2}:\d{2}\[[\w/]+\])?)?"
)
_MONTH_WORD = r"(?P<month>[^\W\d_]{3,10})\.?"
_DAY_PATTERN = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FOUR_DIGIT_YEAR = r"(?P<year>\d{4})"
_YEAR_OR_SHORT = r"(?P<year>\d{4}|['’]?\d{2})"
_PLAIN_YEAR = r"(?P<year>\d{4}|\d{2})"
_UNKNOWN = r"(?:\?+|x+|u+n*k*n*|0{1,2}|-{1,2}|_+|\*+)"
_LEFT_OUT = r"(?:\?+|x+|un|unk|unknown)"
_KNOWN_OR_NOT = rf"(?:\d{{1,2}}|{_UNKNOWN})"


def _form(pattern: str, read: Reader, clock: bool = True) -> tuple[re.Pattern[str], Reader]:
    return re.compile(
        _DATE_LABEL
        + _APPROXIMATELY
        + _WEEKDAY_BEFORE
        + pattern
        + (_CLOCK_AFTER_DATE if clock else "")
    ), read


_DATE_FORMS = (
    # Digits without separators: YYYYMMDD, HL7 timestamps of any precision, and MMDDYYYY.
    _form(
        _FOUR_DIGIT_YEAR + r"(?P<m>\d{2})(?:(?P<d>\d{2})(?:\d{2}|\d{4}|\d{6})?)?(?:\.\d{1,9})?"
        r"(?:[+-]\d{4}|z)?",
        _parts,
        clock=False,
    ),
    _form(_FOUR_DIGIT_YEAR + r"(?P<m>\d{2})(?P<d>\d{2})", _parts),
    # Registries write 99 for an unknown part.
    _form(_FOUR_DIGIT_YEAR + r"(?:99(?:99)?|(?P<m>\d{2})99)", _parts, clock=False),
    _form(r"(?P<a>\d{2})(?P<b>\d{2})" + _PLAIN_YEAR, _month_first, clock=False),
    # ISO 8601 and similar forms with slashes or points; CDISC writes missing parts as dashes.
    _form(_FOUR_DIGIT_YEAR + r"[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})", _parts),
    _form(_FOUR_DIGIT_YEAR + r"-(?P<m>\d{1,2}|-)(?:-(?P<d>\d{1,2}|-))?", _parts, clock=False),
    _form(_FOUR_DIGIT_YEAR + rf"[-/]{_KNOWN_OR_NOT}[-/]{_UNKNOWN}", _year_only, clock=False),
    _form(_FOUR_DIGIT_YEAR + r"[/.](?P<m>\d{1,2})", _parts, clock=False),
    _form(_FOUR_DIGIT_YEAR + r"-(?P<n>\d{3})", _day_of_year),
    # Month, day, year.
    _form(r"(?P<a>\d{1,2})\s?[/-]\s?(?P<b>\d{1,2})\s?[/-]\s?" + _PLAIN_YEAR, _month_first),
    _form(r"(?P<a>\d{1,2}) (?P<b>\d{1,2}) " + _FOUR_DIGIT_YEAR, _month_first),
    _form(r"(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.\s?" + _PLAIN_YEAR, _day_first),
    _form(
        rf"(?:{_KNOWN_OR_NOT}[/-]{_UNKNOWN}|{_UNKNOWN}[/-]{_KNOWN_OR_NOT})[/-]" + _PLAIN_YEAR,
        _year_only,
    ),
    _form(r"(?P<m>\d{1,2})\s?[/.-]\s?" + _FOUR_DIGIT_YEAR, _parts, clock=False),
    # Months by name.
    _form(
        _DAY_PATTERN
        + r"(?:\s?[-/.]\s?|\s+(?:day\s+)?(?:of\s+|de\s+)?|)"
        + _MONTH_WORD
        + r"(?:\s?[-/,.]\s?|\s+(?:de\s+)?|)"
        + _YEAR_OR_SHORT,
        _month_by_name,
    ),
    _form(
        _MONTH_WORD
        + r"(?:\s?[-/.]\s?|\s+(?:the\s+)?|)"
        + _DAY_PATTERN
        + r"(?:\s?[-/,.]\s*|\s+(?:of\s+)?)"
        + _YEAR_OR_SHORT,
        _month_by_name,
    ),
    _form(
        _MONTH_WORD + r"(?:\s?[-/,.]\s?|\s+(?:of\s+|de\s+)?|)(?P<year>\d{4}|['’]\d{2})",
        _month_by_name,
    ),
    _form(
        _MONTH_WORD
        + r"\s+"
        + _DAY_PATTERN
        + r"\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s+[a-z]{2,4})?\s+"
        + _FOUR_DIGIT_YEAR,
        _month_by_name,
    ),
    _form(
        _FOUR_DIGIT_YEAR + r"[\s/.,-]*" + _MONTH_WORD + r"(?:[\s/.,-]*" + _DAY_PATTERN + r")?",
        _month_by_name,
    ),
    _form(
        rf"{_LEFT_OUT}[\s/-]?" + _MONTH_WORD + r"[\s/-]?" + _FOUR_DIGIT_YEAR,
        _month_by_name,
        clock=False,
    ),
    _form(
        rf"(?:\d{{1,2}}|{_LEFT_OUT})[\s/-]{_LEFT_OUT}[\s/-]" + _FOUR_DIGIT_YEAR,
        _year_only,
        clock=False,
    ),
    # Parts of a year, and years alone.
    _form(
        r"(?:q[1-4]|[1-4]q|w(?:ee)?k?\s?\d{1,2})[\s/-]*" + _FOUR_DIGIT_YEAR, _year_only, clock=False
    ),
    _form(_FOUR_DIGIT_YEAR + r"[\s/-]*(?:q[1-4]|[1-4]q|w\d{2}(?:-?\d)?)", _year_only, clock=False),
    _form(r"(?P<year>\d{4}|['’]\d{2})", _year_only, clock=False),
)
