"""How the values of a record correspond to the values of a population.

For each pair of columns, `value_shares` says which share of each population value a record's value
takes: age 41 takes one fifth of the people counted as 40-44 and all of those counted as 41; the
year 1959 in 2000 is age 41; ZIP 02139 lies in 021; OT is every race but WH and AA.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from risk.population.national_ages import OLDEST_SINGLE_AGE, people_by_age
from risk.population.places import STATE_CODES

#: ZIP3 areas of at most this many people are all released as 000.
SMALL_ZIP3 = 20_000
#: Codes in use that have three digits without their leading zeros: 00501 to 00988.
_LOW_ZIPS = ("501", "988")
_TWO_KEPT = re.compile(r"0[1-9]")
_SEXES = {"m": "M", "male": "M", "man": "M", "1": "M", "f": "F", "female": "F", "woman": "F"}
_SEXES |= {"2": "F"}
_RACE_WORDS = {
    "white": ("white", "whiteonly", "whitealone", "wh", "w", "caucasian", "whiteorcaucasian"),
    "black": (
        *("black", "blackonly", "blackalone", "aa", "b", "africanamerican", "aablack"),
        *("blackorafricanamerican", "blackorafricanamericanalone"),
    ),
    "aian": (
        *("aian", "aianalone", "americanindianonly", "americanindian", "native", "aiaian"),
        *("americanindianoralaskanative", "americanindianandalaskanative", "nativeamerican"),
        *("alaskanative", "amerindianeskimo"),
    ),
    "asian": ("asian", "asianonly", "asianalone", "a"),
    "nhpi": (
        *("nhpi", "nhpionly", "nhpialone", "hawaiian", "pacificislander"),
        *("nativehawaiianorotherpacificislander", "nativehawaiianandotherpacificislander"),
    ),
    "other": ("other", "otheralone", "someotherrace", "someotherracealone", "otherrace"),
    "hispanic": ("hispanic", "latino", "hispanicorlatino", "latinx", "hispaniclatino"),
    "multi": ("multi", "multiracial", "twoormore", "twoormoreraces", "mixed", "multiplerace"),
}
_RACES = {word: race for race, words in _RACE_WORDS.items() for word in words}
_RACE_NAMES = set(_RACE_WORDS) | {"other_or_multi"}
#: Words for several races at once. OT is all but WH and AA (Malin et al. 2011, Table 2).
_RACE_GROUPS = {
    "ot": _RACE_NAMES - {"white", "black"},
    "nonwhite": _RACE_NAMES - {"white"},
    "asianpacislander": {"asian", "nhpi"},
    "asianorpacificislander": {"asian", "nhpi"},
    "aapi": {"asian", "nhpi"},
    "api": {"asian", "nhpi"},
}
_AGE_RANGE = re.compile(r"^\D*?(\d{1,4})\s*(?:-|–|to|and|,|\.\.)\s*(\d{1,4})\D*$", re.IGNORECASE)
_OPEN_AGE = re.compile(
    r"^\D*?(\d{1,3})\s*(?:years?\s*)?"
    r"(?:\+|plus|(?:and|or) (?:over|older|above|more|up))\s*$",
    re.IGNORECASE,
)
_FROM = re.compile(r"^(?:>=|≥)\s*(\d{1,3})$")
_OVER = re.compile(r"^(?:>|over|above|older than|more than)\s*(\d{1,3})(?:\s*years?)?$", re.I)
_UNDER_AGE = re.compile(
    r"^(?:<|under|below|younger than|less than)\s*(\d{1,3})(?:\s*years?)?$", re.IGNORECASE
)
_UP_TO = re.compile(
    r"^(?:(?:<=|≤|up to)\s*(\d{1,3})(?:\s*years?)?|"
    r"(\d{1,3})\s*(?:years?\s*)?(?:and|or) (?:under|younger|less|below))$",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"^(\d{1,4})(?:\.0+)?(?:\s*(?:y|yr|yrs|years?))?$", re.IGNORECASE)
_EARLIER = re.compile(r"^(?:<=|≤)?\s*(\d{4})\s*(?:or (?:earlier|before)|and (?:earlier|before))?$")
_ISO_DATE = re.compile(r"^(?P<year>\d{4})-(?:0\d|1[0-2])(?:-(?P<day>\d{2}))?(?:[ T].*)?$")
_US_DATE = re.compile(r"^\d{1,2}/(?P<day>\d{1,2})/(?P<year>\d{4})$")

ZIP_COLUMNS = ("zip3", "zip5", "zip", "zcta5")

Shares = list[list[tuple[int, float]]]


@dataclass(frozen=True)
class AgeRange:
    """Whole years of age, both ends included; `part` of them if a birthday or month is known."""

    low: int
    high: int
    part: float = 1.0

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    def share_of(self, other: AgeRange) -> float:
        """The share of `other` that lies in this range. Its people are spread evenly over its years
        or, if it is open-ended, like the nation's people of those ages."""
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

    `column` is the population's column and decides what kind of value is compared. A missing or `*`
    value of the table takes everyone, unless the population itself counts missing values. `people`
    counts those of each population value, to know which ZIP3 areas are released as 000.
    """
    kinds: dict[str, Callable[..., Shares]] = {
        "age": _age_shares,
        "sex": _sex_shares,
        "gender": _sex_shares,
        "race": _race_shares,
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


def canonical(value: object) -> str | None:
    """A value as text, so that 1970, 1970.0 and " 1970 " are equal. None if missing."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    return text[:-2] if re.fullmatch(r"\d+\.0", text) else text


def parse_ages(value: object, reference_year: int | None = None) -> AgeRange | None:
    """An age, an age range, an open-ended group or (with a reference year) a year of birth, a range
    of such years or a date, as years of age. None for any other value."""
    text = canonical(value)
    if text is None:
        return None
    if (open_ := _open_ages(text)) is not None:
        return open_
    if found := (_ISO_DATE.match(text) or _US_DATE.match(text)):
        known = _from_years(int(found["year"]), int(found["year"]), reference_year)
        part = 1 / 365 if found["day"] else 1 / 12
        return None if known is None else AgeRange(known.low, known.high, part)
    if found := _AGE_RANGE.match(text):
        low, high = int(found[1]), int(found[2])
        if low >= 1000 > high:
            high += low // 100 * 100
        if low > high:
            return None
        return AgeRange(low, high) if high < 1000 else _from_years(low, high, reference_year)
    if found := _SINGLE.match(text):
        single = int(found[1])
        if single < 1000:
            return AgeRange(single, single)
        return _from_years(single, single, reference_year)
    if found := _EARLIER.match(text):
        return _from_years(0, int(found[1]), reference_year)
    return None


def _open_ages(text: str) -> AgeRange | None:
    """90+, 90 and over, >=90, >89: no upper end; under 5, <5, <=4, 4 or younger: from birth."""
    for pattern, more in ((_OPEN_AGE, 0), (_FROM, 0), (_OVER, 1)):
        if found := pattern.match(text):
            first = int(found[1]) + more
            return AgeRange(first, max(OLDEST_SINGLE_AGE, first))
    if (found := _UNDER_AGE.match(text)) and int(found[1]):
        return AgeRange(0, int(found[1]) - 1)
    if found := _UP_TO.match(text):
        return AgeRange(0, int(found[1] or found[2]))
    return None


def parse_race(value: object) -> str | None:
    """One of white, black, aian, asian, nhpi, other, multi, hispanic; None for an unknown word."""
    text = canonical(value)
    return None if text is None else _RACES.get(re.sub(r"[^a-z]", "", text.lower()))


def _from_years(first: int, last: int, reference_year: int | None) -> AgeRange | None:
    if reference_year is None or last > reference_year:
        return None
    return AgeRange(reference_year - last, min(OLDEST_SINGLE_AGE, reference_year - first))


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
    return _equal_shares(mine, theirs, _sex)


def _sex(value: object) -> str | None:
    text = canonical(value)
    return None if text is None else _SEXES.get(text.lower(), text)


def _race_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    known = [parse_race(value) or canonical(value) for value in theirs]
    found = _equal_shares(mine, theirs, lambda value: parse_race(value) or canonical(value))
    joint = [i for i, value in enumerate(theirs) if canonical(value) == "other_or_multi"]
    for position, value in enumerate(mine):
        group = _RACE_GROUPS.get(re.sub(r"[^a-z]", "", (canonical(value) or "").lower()))
        if group is not None and not found[position]:
            found[position] = [(i, 1.0) for i, r in enumerate(known) if r in group]
        if not found[position] and parse_race(value) in ("other", "multi"):
            found[position] = [(i, 1.0) for i in joint]
    return found


def _state_shares(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equal_shares(mine, theirs, _state)


def _state(value: object) -> str | None:
    text = canonical(value)
    return None if text is None else STATE_CODES.get(text.lower(), text)


def zip_prefix(value: object) -> str:
    """The released digits of a ZIP code: 02139-1234 gives 02139, 021** gives 021. Unless a star
    shows that digits were cut, a number that lost its leading zeros gets them back: 2139 is 02139,
    21 is 021, 0 is 000."""
    text = (canonical(value) or "").split("-")[0]
    digits = text.rstrip("*xX")
    if digits != text or not digits.isdigit():
        return digits
    return digits.zfill(5) if len(digits) == 4 else digits.zfill(3)


def zip_prefixes(values: Sequence[object]) -> list[str]:
    """The same for a whole column. Among codes of five digits a bare 601 is 00601, in Puerto Rico.
    If `02` kept its zero and no code is longer, none lost a zero, and `21` is the beginning of
    21xxx."""
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
    """ZIP codes by their common prefix: 02139 lies in 021, and 021 covers every 021xx; 000 is every
    area too small to be named."""
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
    missing = [i for i, value in enumerate(theirs) if canonical(value) is None]
    everyone: Iterable[int] = missing or range(len(theirs))
    for position, value in enumerate(mine):
        if canonical(value) in (None, "*"):
            found[position] = [(i, 1.0) for i in everyone]
    return found
