"""What a value of a record may mean among the values of a population.

For each pair of columns, `shares` says which part of each population value a record's value
takes: age 41 takes one fifth of the people counted as 40-44 and all of those counted as 41;
the year 1959 in 2000 is the age 41; ZIP 02139 lies in 021; OT is every race but WH and AA.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from risk.population.national_ages import OLDEST, by_age
from risk.population.places import STATES

#: ZIP3 areas of at most so many people are released as 000, all of them as one.
SMALL_ZIP3 = 20_000
#: The codes in use that are three digits once their zeros are lost: 00501 to 00988.
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
_NAMED = set(_RACE_WORDS) | {"other_or_multi"}
#: Words for several races at once. OT is all but WH and AA (Malin et al. 2011, Table 2).
_GROUPS = {
    "ot": _NAMED - {"white", "black"},
    "nonwhite": _NAMED - {"white"},
    "asianpacislander": {"asian", "nhpi"},
    "asianorpacificislander": {"asian", "nhpi"},
    "aapi": {"asian", "nhpi"},
    "api": {"asian", "nhpi"},
}
_RANGE = re.compile(r"^\D*?(\d{1,4})\s*(?:-|–|to|and|,|\.\.)\s*(\d{1,4})\D*$", re.IGNORECASE)
_OPEN = re.compile(
    r"^\D*?(\d{1,3})\s*(?:years?\s*)?"
    r"(?:\+|plus|(?:and|or) (?:over|older|above|more|up))\s*$",
    re.IGNORECASE,
)
_FROM = re.compile(r"^(?:>=|≥)\s*(\d{1,3})$")
_OVER = re.compile(r"^(?:>|over|above|older than|more than)\s*(\d{1,3})(?:\s*years?)?$", re.I)
_UNDER = re.compile(
    r"^(?:<|under|below|younger than|less than)\s*(\d{1,3})(?:\s*years?)?$", re.IGNORECASE
)
_UP_TO = re.compile(
    r"^(?:(?:<=|≤|up to)\s*(\d{1,3})(?:\s*years?)?|"
    r"(\d{1,3})\s*(?:years?\s*)?(?:and|or) (?:under|younger|less|below))$",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"^(\d{1,4})(?:\.0+)?(?:\s*(?:y|yr|yrs|years?))?$", re.IGNORECASE)
_EARLIER = re.compile(r"^(?:<=|≤)?\s*(\d{4})\s*(?:or (?:earlier|before)|and (?:earlier|before))?$")
_DATE = re.compile(r"^(?P<year>\d{4})-(?:0\d|1[0-2])(?:-(?P<day>\d{2}))?(?:[ T].*)?$")
_US_DATE = re.compile(r"^\d{1,2}/(?P<day>\d{1,2})/(?P<year>\d{4})$")

ZIP_COLUMNS = ("zip3", "zip5", "zip", "zcta5")

Shares = list[list[tuple[int, float]]]


@dataclass(frozen=True)
class Ages:
    """Whole years of age, both ends included; `part` of them where a birthday or month is known."""

    low: int
    high: int
    part: float = 1.0

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    def share_of(self, other: Ages) -> float:
        """The part of `other` that lies in this range: its people spread evenly over its years,
        or, where it is open-ended, as the nation's people of those ages are."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            return 0.0
        if other.high < OLDEST or other.low >= OLDEST:
            return self.part * (high - low + 1) / other.width
        people = by_age().sum(axis=0)
        return self.part * float(people[low : high + 1].sum() / people[other.low :].sum())


def shares(
    column: str,
    mine: Sequence[object],
    theirs: Sequence[object],
    reference_year: int | None = None,
    people: Sequence[float] = (),
) -> Shares:
    """For each of my values, the population values it takes part in, with the share of each.

    `column` is the population's column; it decides what kind of value is compared. A missing or
    starred value of mine takes everyone, unless the population itself counts the missing.
    `people` counts those of each population value, to know which ZIP3 areas are released as 000.
    """
    kinds: dict[str, Callable[..., Shares]] = {
        "age": _ages,
        "sex": _sexes,
        "gender": _sexes,
        "race": _races,
        "state": _states,
    }
    compare = kinds.get(column.lower())
    if compare is _ages:
        found = _ages(mine, theirs, reference_year)
    elif column.lower() in ZIP_COLUMNS:
        found = _zips(mine, theirs, people)
    elif compare is not None:
        found = compare(mine, theirs)
    else:
        found = _equals(mine, theirs, canonical)
    return _with_missing(found, mine, theirs)


def canonical(value: object) -> str | None:
    """A value as text, so that 1970, 1970.0 and " 1970 " meet. None where missing."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    return text[:-2] if re.fullmatch(r"\d+\.0", text) else text


def ages(value: object, reference_year: int | None = None) -> Ages | None:
    """An age, an age range, an open group or (with a reference year) a year of birth, a range of
    such years or a date, as years of age. None where it is none of these."""
    text = canonical(value)
    if text is None:
        return None
    if (open_ := _open_ages(text)) is not None:
        return open_
    if found := (_DATE.match(text) or _US_DATE.match(text)):
        known = _from_years(int(found["year"]), int(found["year"]), reference_year)
        part = 1 / 365 if found["day"] else 1 / 12
        return None if known is None else Ages(known.low, known.high, part)
    if found := _RANGE.match(text):
        low, high = int(found[1]), int(found[2])
        if low >= 1000 > high:
            high += low // 100 * 100
        if low > high:
            return None
        return Ages(low, high) if high < 1000 else _from_years(low, high, reference_year)
    if found := _SINGLE.match(text):
        single = int(found[1])
        if single < 1000:
            return Ages(single, single)
        return _from_years(single, single, reference_year)
    if found := _EARLIER.match(text):
        return _from_years(0, int(found[1]), reference_year)
    return None


def _open_ages(text: str) -> Ages | None:
    """90+, 90 and over, >=90, >89: no upper end; under 5, <5, <=4, 4 or younger: from birth."""
    for pattern, more in ((_OPEN, 0), (_FROM, 0), (_OVER, 1)):
        if found := pattern.match(text):
            first = int(found[1]) + more
            return Ages(first, max(OLDEST, first))
    if (found := _UNDER.match(text)) and int(found[1]):
        return Ages(0, int(found[1]) - 1)
    if found := _UP_TO.match(text):
        return Ages(0, int(found[1] or found[2]))
    return None


def race(value: object) -> str | None:
    """One of white, black, aian, asian, nhpi, other, multi; None where the word is not known."""
    text = canonical(value)
    return None if text is None else _RACES.get(re.sub(r"[^a-z]", "", text.lower()))


def _from_years(first: int, last: int, reference_year: int | None) -> Ages | None:
    if reference_year is None or last > reference_year:
        return None
    return Ages(reference_year - last, min(OLDEST, reference_year - first))


def _ages(mine: Sequence[object], theirs: Sequence[object], reference_year: int | None) -> Shares:
    parsed = [ages(value, reference_year) for value in theirs]
    plain = _equals(mine, theirs, canonical)
    found: Shares = []
    for value, equal in zip(mine, plain, strict=True):
        span = ages(value, reference_year)
        if span is None or equal:
            found.append(equal)
            continue
        parts = ((i, span.share_of(other)) for i, other in enumerate(parsed) if other is not None)
        found.append([(i, share) for i, share in parts if share > 0])
    return found


def _sexes(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equals(mine, theirs, _sex)


def _sex(value: object) -> str | None:
    text = canonical(value)
    return None if text is None else _SEXES.get(text.lower(), text)


def _races(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    known = [race(value) or canonical(value) for value in theirs]
    found = _equals(mine, theirs, lambda value: race(value) or canonical(value))
    joint = [i for i, value in enumerate(theirs) if canonical(value) == "other_or_multi"]
    for position, value in enumerate(mine):
        group = _GROUPS.get(re.sub(r"[^a-z]", "", (canonical(value) or "").lower()))
        if group is not None and not found[position]:
            found[position] = [(i, 1.0) for i, r in enumerate(known) if r in group]
        if not found[position] and race(value) in ("other", "multi"):
            found[position] = [(i, 1.0) for i in joint]
    return found


def _states(mine: Sequence[object], theirs: Sequence[object]) -> Shares:
    return _equals(mine, theirs, _state)


def _state(value: object) -> str | None:
    text = canonical(value)
    return None if text is None else STATES.get(text.lower(), text)


def zip_prefix(value: object) -> str:
    """The digits of a ZIP code that were released: 02139-1234 gives 02139, 021** gives 021. Where
    no star says that the rest was cut, a number that lost its zeros gets them back: 2139 is 02139,
    21 is 021, 0 is 000."""
    text = (canonical(value) or "").split("-")[0]
    digits = text.rstrip("*xX")
    if digits != text or not digits.isdigit():
        return digits
    return digits.zfill(5) if len(digits) == 4 else digits.zfill(3)


def zip_prefixes(values: Sequence[object]) -> list[str]:
    """The same of a column: among codes of five digits a bare 601 is 00601, in Puerto Rico. Where
    `02` kept its zero and no code is longer, none lost one, and `21` is the beginning of 21xxx."""
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
    """How many digits a column of ZIP codes goes to."""
    return max(map(len, zip_prefixes(values)), default=0)


def _zips(mine: Sequence[object], theirs: Sequence[object], people: Sequence[float]) -> Shares:
    """ZIP codes by their common prefix: 02139 lies in 021, and 021 holds every 021xx; 000 is every
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


def _equals(
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
