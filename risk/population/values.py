"""How the values of a record correspond to the values of a population.

For each pair of columns, `value_shares` gives the share of each population value that corresponds
to a record's value. For example, age 41 corresponds to one fifth of the people counted as 40-44,
and to all people counted as 41. In 2000, the birth year 1959 is age 41. ZIP code 02139 lies in ZIP3
021. `OT` stands for every race except `WH` and `AA`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from risk.population.national_ages import OLDEST_SINGLE_AGE, people_by_age
from risk.population.places import STATE_CODES
from risk.spellings.days import parse_birth
from risk.spellings.spans import parse_age_span
from risk.spellings.words import canonical, parse_race, parse_sex, races_of, says_nothing

#: ZIP3 areas of at most this many people are all released as 000.
SMALL_ZIP3 = 20_000
#: The range of ZIP codes that have three digits without their leading zeros: 00501 to 00988.
_LOW_ZIPS = ("501", "988")
_TWO_KEPT = re.compile(r"0[1-9]")
#: Numbers of at least this are years, smaller numbers are ages.
_FIRST_YEAR = 1000

ZIP_COLUMNS = ("zip3", "zip5", "zip", "zcta5")

Shares = list[list[tuple[int, float]]]


@dataclass(frozen=True)
class AgeRange:
    """Whole years of age, both ends included.

    `part` is the share of the people of these ages if a birthday or month is known.
    """

    low: int
    high: int
    part: float = 1.0

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    def share_of(self, other: AgeRange) -> float:
        """Return the share of `other` that lies in this range.

        The people of `other` are spread evenly over its years or, if it is open-ended, like the
        nation's people of those ages.
        """
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            return 0.0
        if other.high < OLDEST_SINGLE_AGE or other.low >= OLDEST_SINGLE_AGE:
            return self.part * (high - low + 1) / other.width
        people = people_by_age().sum(axis=0)
        return self.part * float(people[low : high + 1].sum() / people[other.low :].sum())


def value_shares(
    column: str,
    mine: Sequence[object],
    theirs: Sequence[object],
    reference_year: int | None = None,
    people: Sequence[float] = (),
) -> Shares:
    """For each value of the table, the population values it corresponds to, with the share of each.

    `column` is the population's column and decides what kind of value is compared. A value of the
    table that is missing, suppressed or unknown matches everyone, unless the population itself
    counts such values. `people` is the number of people of each population value; it shows which
    ZIP3 areas are released as 000.
    """
    kinds: dict[str, Callable[..., Shares]] = {
        "age": _age_shares,
        "sex": _sex_shares,
        "gender": _sex_shares,
        "race": _race_shares,
        "ethnicity": _ethnicity_shares,
        "state": _state_shares,
    }
    compare = kinds.get(column.lower())
    if compare is _age_shares:
        found = _age_shares(mine, theirs, reference_year)
    elif column.lower() in ZIP_COLUMNS:
        found = _zip_shares(mine, theirs, people)
    elif compare is not None:
        found = compare(mine, theirs)
    else:
        found = _equal_shares(mine, theirs, canonical)
    return _with_missing(found, mine, theirs)


def parse_ages(value: object, reference_year: int | None = None) -> AgeRange | None:
    """Read years of age.

    The value may be an age, an age range, an open-ended group or (with a reference year) a year of
    birth, a range of such years or a date. The result is None for any other value.
    """
    text = canonical(value)
    if text is None:
        return None
    if (birth := parse_birth(text)) is not None:
        known = _from_years(birth[0], birth[0], reference_year)
        return None if known is None else AgeRange(known.low, known.high, 1 / birth[1])
    span = parse_age_span(text)
    if span is None:
        return None
    low, high = span.whole()
    if max(x for x in (low, high, 0) if x is not None) >= _FIRST_YEAR:
        return _from_years(low, high, reference_year)
    first = max(0, low or 0)
    last = max(OLDEST_SINGLE_AGE, first) if high is None else high
    return AgeRange(first, last) if first <= last else None


def _from_years(first: int | None, last: int | None, reference_year: int | None) -> AgeRange | None:
    if reference_year is None or (first is not None and first > reference_year):
        return None
    if first is not None and first < _FIRST_YEAR:
        return None
    youngest = 0 if last is None else max(0, reference_year - last)
    oldest = OLDEST_SINGLE_AGE if first is None else reference_year - first
    return AgeRange(min(youngest, OLDEST_SINGLE_AGE), max(0, min(OLDEST_SINGLE_AGE, oldest)))


def _age_shares(
    mine: Sequence[object], theirs: Sequence[object], reference_year: int | None
) -> Shares:
    parsed = [parse_ages(value, reference_year) for value in theirs]
    plain = _equal_shares(mine, theirs, canonical)
    found: Shares = []
    for value, equal in zip(mine, plain, strict=True):
        span = parse_ages(value, reference_year)
        if span is None or equal:
            found.append(equal)
            continue
        parts = ((i, span.share_of(other)) for i, other in enumerate(parsed) if other is not None)
        found.append([(i, share) for i, share in parts if share > 0])
    return found


def _sex_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equal_shares(mine, theirs, parse_sex)


def _race_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    known = [parse_race(value) or canonical(value) for value in theirs]
    found = _equal_shares(mine, theirs, lambda value: parse_race(value) or canonical(value))
    joint = [i for i, value in enumerate(theirs) if canonical(value) == "other_or_multi"]
    for position, value in enumerate(mine):
        group = races_of(value)
        if group is not None and not found[position]:
            found[position] = [(i, 1.0) for i, r in enumerate(known) if r in group]
        if not found[position] and parse_race(value) in ("other", "multi"):
            found[position] = [(i, 1.0) for i in joint]
    return found


def _ethnicity_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equal_shares(mine, theirs, _ethnicity)


def _ethnicity(value: object) -> str | None:
    """Return `hispanic` or `not hispanic` for a word that means one of them.

    Any other word is returned as text.
    """
    group = races_of(value)
    if group is not None and "hispanic" not in group:
        return "not hispanic"
    return parse_race(value) or canonical(value)


def _state_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equal_shares(mine, theirs, _state)


def _state(value: object) -> str | None:
    text = canonical(value)
    return None if text is None else STATE_CODES.get(text.lower(), text)


def zip_prefix(value: object) -> str:
    """Return the released digits of a ZIP code: 02139-1234 gives 02139, and 021** gives 021.

    Unless a star shows that digits were cut, a number that lost its leading zeros gets them back:
    2139 is 02139, 21 is 021, 0 is 000.
    """
    text = (canonical(value) or "").split("-")[0]
    digits = text.rstrip("*xX")
    if digits != text or not digits.isdigit():
        return digits
    return digits.zfill(5) if len(digits) == 4 else digits.zfill(3)


def zip_prefixes(values: Sequence[object]) -> list[str]:
    """Return `zip_prefix` for a whole column.

    In a column of five-digit codes, 601 is 00601 (Puerto Rico). If a code such as `02` shows that
    zeros were kept, and no code is longer, then no code lost a zero, and `21` is the beginning of
    21xxx.
    """
    texts = [canonical(value) or "" for value in values]
    if any(map(_TWO_KEPT.fullmatch, texts)) and max(map(len, texts)) == 2:
        return texts
    found = [zip_prefix(value) for value in values]
    if not any(len(prefix) == 5 for prefix in found):
        return found
    low, high = _LOW_ZIPS
    return [
        prefix.zfill(5)
        if len(prefix) == 3 and canonical(value) == prefix and low <= prefix <= high
        else prefix
        for prefix, value in zip(found, values, strict=True)
    ]


def zip_width(values: Sequence[object]) -> int:
    """The largest number of digits in a column of ZIP codes."""
    return max(map(len, zip_prefixes(values)), default=0)


def _zip_shares(
    mine: Sequence[object], theirs: Sequence[object], people: Sequence[float]
) -> Shares:
    """Match ZIP codes by their common prefix.

    02139 lies in 021, and 021 covers every 021xx; 000 stands for every area of at most 20,000
    people.
    """
    width = zip_width(theirs) or 5
    codes = [prefix.zfill(width) for prefix in zip_prefixes(theirs)]
    prefixes = [prefix[:width] for prefix in zip_prefixes(mine)]
    where: dict[str, list[int]] = {}
    for length in {len(prefix) for prefix in prefixes}:
        for position, code in enumerate(codes):
            where.setdefault(code[:length], []).append(position)
    if width == 3 and "000" not in where:
        where["000"] = [i for i, count in enumerate(people) if count <= SMALL_ZIP3]
    return [[(i, 1.0) for i in where.get(prefix, [])] if prefix else [] for prefix in prefixes]


def _equal_shares(
    mine: Sequence[object],
    theirs: Sequence[object],
    reading: Callable[[object], str | None],
) -> Shares:
    where: dict[str, list[int]] = {}
    for position, value in enumerate(theirs):
        key = reading(value)
        if key is not None:
            where.setdefault(key, []).append(position)
    keys = [reading(value) for value in mine]
    return [[(i, 1.0) for i in where.get(key, [])] if key else [] for key in keys]


def _with_missing(found: Shares, mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    """Let a value without information match everyone, or those counted as unknown."""
    missing = [i for i, value in enumerate(theirs) if says_nothing(value)]
    everyone: Iterable[int] = missing or range(len(theirs))
    for position, value in enumerate(mine):
        if says_nothing(value) and not found[position]:
            found[position] = [(i, 1.0) for i in everyone]
    return found
