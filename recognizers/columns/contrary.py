"""Values that rule out what their header names, such as durations under a header for dates.

The functions here only say that the header is wrong. Other modules judge what the values are; a
column that stays unclear is withheld.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recognizers.columns.ages import are_ages_over_89
from recognizers.columns.categories import are_categories, are_doubtful, are_mostly_sites
from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.shapes import is_borne
from recognizers.columns.coordinates import are_no_degrees
from recognizers.columns.headers import Rule, header_pieces, header_words, is_timed
from recognizers.columns.values import (
    LEAST_SERIALS,
    MOST,
    are_recurrent,
    has_digit,
    share_measured,
)
from safe_harbor import OLDEST_AGE

YEARS, DOUBTED, ELAPSED = "years", "doubted", "elapsed"
_BARE_FIGURE = re.compile(r"-?(?:\d{1,4}(?:\.\d+)?|\.\d+)")
# `years_of_experience`: more years than this may be calendar years of two digits.
_PLURAL_YEARS, _LONGEST_SPAN = frozenset({"years", "yrs"}), 60
# `time_to_event` holds spans; `time_of_death` and `time_at_diagnosis` may hold ages.
_WORDS_OF_SPANS = frozenset({"to", "since", "until", "wait", "waiting", "duration", "elapsed"})
_WORDS_OF_LIVES = frozenset({"death", "birth", "life", "lifetime", "age", "survival"})
_WHOLE_YEAR = re.compile(r"(?:18[5-9]|19\d|20[0-7])\d(?:\.0+)?")
_ZERO_FRACTION = re.compile(r"\.0+$")
# `12.03` and `3.5` may be a day and a month, `14.30` an hour and its minutes.
_DAY_OR_HOUR = re.compile(r"(\d{1,2})\.(\d{1,2})")
_MOSTLY_DATED = 0.7
# At least this share of the durations must be neither a day and month nor a month and year.
_LEAST_UNDATED = 0.3
_LONGEST_UNTIMED, _CLOCK_DIGITS = 3, 4
# As a time of day, `100` is one o'clock; smaller numbers have no hour.
_FIRST_HOUR_AND_MINUTES, _DAY_END = 100, 2400
_YEAR_AND_PART = re.compile(r"(?:1[89]|20)\d\d\.\d+")
# `24h`, `30 min`; but French writes times of day like `14h`.
_LASTING = re.compile(
    r"(?i)(\d{1,4}(?:\.\d{1,2})?) ?(?:(h|hrs?|hours?)|m|mins?|minutes?|s|secs?|seconds?|"
    r"d|days?|wks?|weeks?)"
)
_HOURS = 24
# Headers that name parts of dates: small numbers may be the day of a month or of a year.
_WORDS_OF_DAYS = frozenset(
    {"date", "timestamp", "day", "month", "week", "quarter", "weekday", "holiday", "year", "birth"}
)
_MONTHS, _LAST_MONTH_DAY, _LAST_YEAR_DAY = 12, 31, 366
# The last weekday and the last month, if they are numbered from 0.
_LAST_FROM_ZERO = {"day": 6, "week": 0, "month": 11}
_NUMBERED_SHAPES = ("patient_key", "key", "account", "plan", "license", "device", "vehicle")
# Short forms (`GA`) may be initials; more distinct words than this may be names of persons.
_LONGEST_SHORT, _MOST_ANSWERS = 3, 8
_DIALED = re.compile(r"(?i)(?:x|ext\.?)?\s?[+(]?\d[\d ().x-]{2,}")
_ONE_DECIMAL = re.compile(r"-?\d{1,2}\.\d")
_DOSED = re.compile(
    r"(?i)\d{1,5}(?:\.\d{1,3})? ?(?:mg|mcg|ug|g|gm|ml|meq|units?|iu|%)(?:/\d{0,3} ?ml)?"
)
_LEAST_PAST_FLOORS = 10
# For each shape of identifier, the kinds of cells that are no piece of it, however short.
_NO_PIECES = {
    "phone": ("yes_no", "digit", "percent", "time_point"),
    "ssn": ("yes_no", "digit", "percent", "time_point"),
    "ip": ("yes_no", "digit", "time_point"),
    "account": ("yes_no", "percent", "time_point"),
    "plan": ("yes_no", "time_point"),
    "license": ("yes_no",),
    "facility": ("yes_no", "sequence"),
    "name": ("yes_no",),
    "key": ("yes_no", "time_point"),
    "patient_key": ("yes_no", "percent", "time_point"),
}
# Last words of headers under which a small number may be the number of a person or a thing.
_ENDS_OF_KEYS = frozenset(
    ["id", "uid", "key", "mrn", "identifier", "number", "numero", "nummer", "num", "nr", "no",
     "code", "codigo", "kode", "index", "idx", "sequence", "seq", "reference", "ref", "record",
     "label", "barcode", "rank", "list", "age", "extension", "area", "part", "last"]
)  # fmt: skip
# REDCap adds `<form>_complete` to each form: 0 incomplete, 1 unverified, 2 complete.
_OF_FORMS, _FORM_STATUSES = frozenset({"complete", "confirmed"}), frozenset({"0", "1", "2"})
_YES_WORDS = frozenset({"yes", "true", "false"})
_SAYS_YES = {
    "facility": _YES_WORDS,
    **dict.fromkeys(("phone", "ssn", "ip", "account", "plan", "license"), _YES_WORDS | {"y"}),
}
# `num_women`, `count_of_arrivals`: people and things are counted, but `bed_number` is a number.
_COUNTED_WITHIN = re.compile(
    r"\b(?:n|num|nbr|count|total)(?: of)? (?!(?:class|status|address|plus|ids)\b)"
    r"(?:women|men|people|children|[a-z]{3,}s)\b"
)
_PLAIN_COUNT = re.compile(r"(?:0|[1-9]\d{0,4})(?:\.0)?")
LEAST_COUNTED, _FIRST_TEN, _FIRST_HUNDRED = 20, 10, 100
_SAY_UNKNOWN, _YES_AND_NO = frozenset({8.0, 9.0}), frozenset({1.0, 2.0})
_FIVES, _FULL_PERCENT, _MOST_IN_FIVES, _OFTEN, _FAR_MORE = 5, 100, 0.9, 0.1, 3
_SHORT_POINT = re.compile(r"(?i)[a-z]{1,2}[ -]?\d.*|eo[ts]|bl")
_HOUR_OF_DAY = re.compile(r"(?i)(?:1?\d|2[0-3])(?:\.\d+)? ?(?:hr|hour)s?|(?:hr|hour)s?[ _-]*\d+")
_DAY_OF_MONTH = re.compile(r"(?i)days?[ _-]*(?:[12]?\d|3[01])")
_SHORT_VISIT = re.compile(r"(?i)[vcd][ -]?\d.*|eo[ts]|bl")


def time_figures(rule: Rule, header: str, seen: Sequence[str]) -> str | None:
    """Judge the plain numbers under a header of dates: `YEARS`, `ELAPSED`, `DOUBTED` or None.

    They are `DOUBTED` if some look like years but may be times of day or counts. The result is None
    if the numbers may be days or months, or if not all values are plain numbers.
    """
    words = set(header_words(header))
    if len(seen) < LEAST_SERIALS or "birth" in words:
        return None
    if _are_lasting(seen):
        return ELAPSED
    if not all(map(_BARE_FIGURE.fullmatch, seen)):
        return None
    bare = [_ZERO_FRACTION.sub("", value) for value in seen]
    timed = is_timed(header)
    pieces = frozenset(header_pieces(header))
    if pieces & _PLURAL_YEARS:
        return ELAPSED if all(0 <= float(value) <= _LONGEST_SPAN for value in bare) else None
    if sum(map(is_bare_year, bare)) >= MOST * len(bare):
        return YEARS if timed else None
    measured = share_measured(bare) >= 0.3
    spans = measured and timed and bool(pieces & _WORDS_OF_SPANS) and not pieces & _WORDS_OF_LIVES
    if not spans and are_ages_over_89([float(value) for value in bare]):
        return None
    if measured:
        within_day_or_year = timed or rule.shape == "year"
        undated = sum(not _may_tell_date(value, within_day_or_year) for value in bare)
        return ELAPSED if undated >= _LEAST_UNDATED * len(bare) else None
    if any("." in value for value in bare):
        return None
    if timed:
        return _of_time(bare)
    figures = [int(value) for value in bare]
    if _have_long(bare):
        return None if rule.shape == "year" else DOUBTED
    if _are_study_points(words, figures):
        return ELAPSED
    if rule.shape != "date" or words & _WORDS_OF_DAYS:
        return None
    return ELAPSED if _are_no_days(figures) else None


def _are_lasting(seen: Sequence[str]) -> bool:
    """Whether all values are numbers with time units; if all are hours, one must be 24 or more."""
    found = [match for value in seen if (match := _LASTING.fullmatch(value))]
    in_hours = all(match[2] for match in found)
    past = any(float(match[1]) >= _HOURS for match in found)
    return len(found) == len(seen) and (past or not in_hours)


def are_bare_years(seen: Sequence[str]) -> bool:
    return len(seen) >= LEAST_SERIALS and sum(map(is_bare_year, seen)) >= MOST * len(seen)


def is_bare_year(value: str) -> bool:
    """Whether the value is only a number that may be a year."""
    return _WHOLE_YEAR.fullmatch(value) is not None


def _may_tell_date(value: str, timed: bool) -> bool:
    """Whether the value may be a day and month, an hour and minutes, or a fraction of a day or
    year.
    """
    if timed and 0 <= float(value) < 1:
        return True
    if _YEAR_AND_PART.fullmatch(value):
        return True
    if (match := _DAY_OR_HOUR.fullmatch(value)) is None:
        return False
    left, right, both = int(match[1]), int(match[2]), len(match[2]) > 1
    if both and (1 <= left <= _MONTHS or (1 <= right <= _MONTHS and len(match[1]) > 1)):
        return True
    if timed:
        return both and left < 24 and right < 60
    return 1 <= min(left, right) <= _MONTHS and max(left, right) <= _LAST_MONTH_DAY


def _have_long(bare: Sequence[str]) -> bool:
    return any(len(value.lstrip("-").split(".")[0]) > _LONGEST_UNTIMED for value in bare)


def _of_time(bare: Sequence[str]) -> str | None:
    """Judge numbers under a header of times: times of day (`0830`) or elapsed (`95`).

    Returns `ELAPSED`, or `DOUBTED` if they may be times of day, or None if they may be hours or
    days. Durations are not padded with zeros to four digits.
    """
    figures = [int(value) for value in bare]
    if max(figures) <= _LAST_MONTH_DAY:
        return None
    if max(figures) < _FIRST_HOUR_AND_MINUTES and not any(v[0] == "0" < v for v in bare):
        return ELAPSED
    if sum(map(_are_day_and_month, figures)) >= _MOSTLY_DATED * len(figures):
        return DOUBTED
    padded = any(v[0] == "0" for v in bare) and all(len(v) == _CLOCK_DIGITS for v in bare)
    clock = sum(0 <= figure < _DAY_END and figure % 100 < 60 for figure in figures)
    return DOUBTED if padded or clock >= MOST * len(figures) else ELAPSED


def _are_day_and_month(figure: int) -> bool:
    """Whether a number may be a day and a month: `1705`, or `417` for `0417`."""
    left, right = divmod(figure, 100)
    if not 1 <= min(left, right) <= _MONTHS:
        return False
    return max(left, right) <= _LAST_MONTH_DAY


def _are_study_points(words: set[str], figures: Sequence[int]) -> bool:
    """Whether the numbers are few days, weeks or months since a start, with gaps: 0, 1, 3, 6.

    Days of a month begin with 1, weekdays and months end with 6 and 11, and weeks of a year that
    begin with 0 are many.
    """
    times, unit = Counter(figures), words & _LAST_FROM_ZERO.keys()
    if len(unit) != 1 or len(figures) < LEAST_COUNTED or min(times) != 0:
        return False
    last = max(times)
    few = len(times) <= _FIRST_TEN and times[0] >= _OFTEN * len(figures)
    return few and last >= len(times) > 1 and last > _LAST_FROM_ZERO[unit.pop()]


def _are_no_days(figures: Sequence[int]) -> bool:
    """Whether some numbers cannot be days of a month or a year: negative, zero, or over 366.

    Numbers that are all different are not judged, as they may be row numbers.
    """
    if len(set(figures)) == len(figures):
        return False
    if max(figures) <= _LAST_MONTH_DAY and min(figures) >= 0:
        return False
    months = sum(1 <= f // 100 <= 12 and 1 <= f % 100 <= _LAST_MONTH_DAY for f in figures)
    if months >= 0.5 * len(figures):
        return False
    if 0 in figures and max(figures) <= OLDEST_AGE:
        return True
    return any(figure > _LAST_YEAR_DAY or figure < 0 for figure in figures)


def cannot_be(rule: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the values rule out the identifier that the header's abbreviation may mean."""
    if len(seen) < LEAST_SERIALS:
        return False
    if rule.shape in _NUMBERED_SHAPES:
        return are_answers(seen) and not any(map(has_digit, set(seen)))
    if rule.shape in ("name", "street", "biometric"):
        return are_answers(seen) or (rule.shape == "street" and all(map(_DOSED.fullmatch, seen)))
    if rule.shape == "state":
        return share_measured(seen) >= 0.3
    if rule.shape == "phone":
        return not any(map(_DIALED.fullmatch, seen))
    if rule.shape == "facility":
        return _are_tenths(seen) or are_mostly_sites(seen)
    return rule.shape == "coordinates" and are_no_degrees(header, seen)


def _are_tenths(seen: Sequence[str]) -> bool:
    """Whether the values are measurements with one decimal, and not rooms such as `4.1`."""
    tenths = [float(value) for value in seen if _ONE_DECIMAL.fullmatch(value)]
    often = len(tenths) >= 0.5 * len(seen) and are_recurrent(seen)
    return often and (max(tenths) >= _LEAST_PAST_FLOORS or min(tenths) < 1)


def harmless_kind(rule: Rule, header: str, seen: Sequence[str]) -> str | None:
    """The kind of all values, if no such value is a piece of what the header names; else None.

    Pieces of identifiers stay what the header names: the last four digits, an area code, initials,
    or a short record number. The kind is the shape that each cell must have to be released.
    """
    said = [value for value in seen if any(map(str.isalnum, value))]
    for kind in _NO_PIECES.get(rule.shape, ()) if said else ():
        if all(conforms(kind, value) for value in said) and _NO_PIECE[kind](rule, header, said):
            return kind
    return None


def _are_yes_or_no(rule: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the values are answers: `Y` under the header of a number, `0` under that of a name.

    A letter alone may be an initial or a wing, `1` the number of a person, and `No` a surname.
    """
    different = {value.casefold().removesuffix(".0") for value in seen}
    if are_form_statuses(header, seen):
        return True
    if rule.shape == "name":
        return different <= {"0", "1"} and "0" in different
    worded = not any(map(has_digit, different))
    return worded and not different.isdisjoint(_SAYS_YES.get(rule.shape, ()))


def are_form_statuses(header: str, seen: Sequence[str]) -> bool:
    """Whether the header says `complete`, and the values are REDCap's three numbers for that."""
    statuses = {value.removesuffix(".0") for value in seen} <= _FORM_STATUSES
    return bool(seen) and statuses and not _OF_FORMS.isdisjoint(header_words(header)[-1:])


def _are_digits(_: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the values are coded answers: 9 or 8 for unknown, and a gap below; or 0, 0.5 and 1.

    Short numbers of persons have no such gap, and the octets of an address have more digits.
    """
    figures = {float(value) for value in seen}
    alone = len(header_words(header)) < 2 or header[-1:].isdigit()
    if alone or not are_recurrent(seen):
        return False
    if not all(map(float.is_integer, figures)):
        return max(figures) <= 1
    gap = bool(figures & _SAY_UNKNOWN) and len(figures) <= max(figures) - min(figures)
    return gap and (0 in figures or _YES_AND_NO <= figures <= _YES_AND_NO | _SAY_UNKNOWN)


def _are_counts_within(_: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the header counts persons or things at a place, and most numbers are small."""
    if not _COUNTED_WITHIN.search(" ".join(header_pieces(header))) or len(seen) < LEAST_COUNTED:
        return False
    if not all(map(_PLAIN_COUNT.fullmatch, seen)) or len(set(seen)) >= 0.7 * len(seen):
        return False
    figures = sorted(map(float, seen))
    return figures[0] < _FIRST_TEN and figures[len(figures) // 2] < _FIRST_HUNDRED


def _are_percents(rule: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the values are percentages in steps of five, as the header does not only name a key.

    Unlike numbers of persons, some are far more frequent; unlike ages, many are over 89.
    """
    words = header_words(header)
    told = "percent" in words and words[-1] not in _ENDS_OF_KEYS
    if not (told or _describes_other(rule, header)) or not are_recurrent(seen):
        return False
    times = Counter(float(value) for value in seen)
    in_fives = sum(times[figure] for figure in times if figure % _FIVES == 0)
    full = times[0] + times[_FULL_PERCENT]
    old = sum(times[figure] for figure in times if figure > OLDEST_AGE)
    uneven = max(times.values()) >= _FAR_MORE * min(times.values())
    shares = in_fives >= _MOST_IN_FIVES * len(seen) and min(full, old) >= _OFTEN * len(seen)
    return shares and uneven and len(times) >= _FIVES


def _are_time_points(_: Rule, header: str, seen: Sequence[str]) -> bool:
    """Whether the values are times from the start of a study, spelled out (`Day 57`), not `D2`.

    Hours alone may be times of day. Short forms may be numbers of persons, and days alone those of
    a month, unless the header names visits.
    """
    if len(seen) < LEAST_SERIALS or len(set(seen)) < 2:
        return False
    others = [value for value in seen if not _HOUR_OF_DAY.fullmatch(value)]
    if not others:
        return False
    short = [value for value in seen if _SHORT_POINT.fullmatch(value)]
    if header_words(header)[-1:] != ("visit",):
        return not short and not all(map(_DAY_OF_MONTH.fullmatch, others))
    return len(short) <= 0.5 * len(seen) or all(map(_SHORT_VISIT.fullmatch, short))


def _describes_other(rule: Rule, header: str) -> bool:
    """Whether the header goes on after the words for an identifier: `pat.karno`, not `pat_code`."""
    last = header_words(header)[-1]
    return last not in _ENDS_OF_KEYS and not any(last in slot for slot in rule.slots)


_NO_PIECE = {
    "yes_no": _are_yes_or_no,
    "digit": _are_digits,
    "sequence": _are_counts_within,
    "percent": _are_percents,
    "time_point": _are_time_points,
}


def are_answers(seen: Sequence[str]) -> bool:
    """Whether the values are a few clinical words and no names: grades, techniques, answers."""
    different = set(seen)
    named = any(are_doubtful([value]) for value in different if len(value) > _LONGEST_SHORT)
    named = named or any(map(is_borne, different))
    return len(different) <= _MOST_ANSWERS and are_categories(seen) and not named
