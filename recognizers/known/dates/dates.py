"""Known dates in any format, in full or in part, and the ages over 89 that birth dates imply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property, lru_cache

from recognizers.known.dates.ages import AgeHit, ages_over_89
from recognizers.known.dates.calendar import (
    ENGLISH_MONTHS,
    MONTH_GROUP,
    MONTH_NUMBERS,
    Day,
    full_year,
    holidays_on,
    is_placeholder_day,
    number_words,
    ordinal_words,
)
from recognizers.known.text import Text

_ORDINAL_WORDS = ordinal_words()
_DATE_NUMBER_WORDS = number_words()


def _either(words: Iterable[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in longest)


_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+(?:the\s+)?)?"
)
_DAY_WORDS = _either({*_ORDINAL_WORDS, *(w for w, n in _DATE_NUMBER_WORDS.items() if 1 <= n <= 31)})
_DAY_GROUP = rf"(?P<day>\d{{1,2}}(?:\s?(?:st|nd|rd|th))?|{_DAY_WORDS})"
_YEAR_WORDS = (
    rf"(?:nineteen|twenty|two\s+thousand(?:\s+and)?)(?:[\s-]+(?:hundred|oh))?"
    rf"(?:[\s-]+(?:{_either(_DATE_NUMBER_WORDS)}))?"
)
_YEAR_GROUP = rf"(?P<year>\d{{4}}|['’]?\d{{2}}|{_YEAR_WORDS})"
_O = r"[\dolisb|]"
# A date may stand between underscores, as in a file name, so these are no part of a word here.
_NO_WORD_BEFORE, _NO_WORD_AFTER = r"(?<![^\W_])", r"(?![^\W_])"
# The end of a period may directly follow its beginning: `5/1/2005-4/30/2010`.
_BEGUN = (
    r"(?<=\d[/.](?:19|20)\d\d-)|(?<=\d-(?:19|20)\d\d/)|(?<=\d/(?:19|20)\d\d/)"
    r"|(?<=(?:19|20)\d\d-\d\d-\d\d/)"
)
_NUMERIC = re.compile(
    rf"(?:{_NO_WORD_BEFORE}(?<!/)(?<!\d\.)(?<!\d\d\d-)|{_BEGUN})(?:adm|dob|on|dc|d/c)?(?P<a>{_O}{{1,2}}|{_O}{{4}})\s{{0,2}}(?P<sep>[-/.\\|])\s{{0,2}}(?P<b>{_O}{{1,2}})"
    rf"\s{{0,2}}(?P=sep)\s{{0,2}}(?P<c>{_O}{{4}}|{_O}{{1,2}})(?![\dol])"
)
_SPACED = re.compile(r"(?<![\w/.-])(?P<a>\d{1,2}) +(?P<b>\d{1,2}) +(?P<c>(?:19|20)\d{2})(?![\w])")
_PAIR = re.compile(
    r"(?<![\w/.\\])(?:adm|on)?(?P<a>\d{1,2})(?P<sep>/)(?P<b>\d{1,2})(?![\w/\\]|\.\d)"
)
_FULL_MARKS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 28, 30))
"""The usual maximums of scores, strengths and counts, such as the 10 of `8/10`."""
_DASHED = re.compile(
    r"\b(?:on|since|until|till|through|thru|dated|from|after|before|as of)\s+"
    r"(?P<a>\d{1,2})-(?P<b>\d{1,2})(?![\w/-]|\.\d|\s?(?:mg|mcg|ml|days?|weeks?|wks?|months?|mos?|"
    r"hours?|hrs?|years?|yrs?|times|units?|tabs?|per|%))"
)
_MONTH_YEAR = re.compile(
    rf"{_NO_WORD_BEFORE}(?<![/.-])(?P<a>\d{{1,2}})[/-](?P<c>(?:19|20)\d{{2}}){_NO_WORD_AFTER}(?![/-])"
)
_YEAR_MONTH = re.compile(
    rf"{_NO_WORD_BEFORE}(?<![/.-])(?P<c>(?:19|20)\d{{2}})[/-](?P<a>\d{{2}}){_NO_WORD_AFTER}(?![/-])"
)
_STANDS_ALONE = rf"{_NO_WORD_AFTER}(?![.-]\d)"
# Letters and a time of day may stand beside eight digits: `lab20050501`, `20050501T0812`.
_TIME = r"(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)"
_COMPACT = re.compile(
    rf"(?<![\d.-])(?P<eight>\d{{8}})(?:{_TIME}|(?!\d)(?![.-]\d)|(?=-{_TIME}))"
    rf"|{_NO_WORD_BEFORE}(?<![.-])(?P<six>\d{{6}}){_STANDS_ALONE}"
)
# The two ends of a period: `20050501-20100430`, `05012005-04302010`.
_MONTH_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_EIGHT = rf"(?:(?:19|20)\d\d{_MONTH_DAY}|{_MONTH_DAY}(?:19|20)\d\d)"
_COMPACT_PERIOD = re.compile(
    rf"{_NO_WORD_BEFORE}(?<![.-])(?P<a>{_EIGHT})-(?P<b>{_EIGHT}){_STANDS_ALONE}"
)
# Year and day of the year, which laboratories and archives use.
_JULIAN = re.compile(r"(?<![\w.-])(?P<c>(?:19|20)\d{2})-?(?P<n>[0-3]\d{2})(?![\w]|[.-]\d)")
_NAMED = (
    re.compile(
        rf"{_NO_WORD_BEFORE}{_WEEKDAY}{MONTH_GROUP}(?![a-z])[.,]?[\s_-]*(?:the\s+)?{_DAY_GROUP}{_NO_WORD_AFTER}(?!/|:\d|\.\d)(?:[\s,._-]{{1,4}}(?:of\s+|in\s+)?{_YEAR_GROUP}{_NO_WORD_AFTER}(?![/%]))?"
    ),
    re.compile(
        rf"{_NO_WORD_BEFORE}(?<![/.]){_WEEKDAY}{_DAY_GROUP}(?:[\s-]+(?:day\s+)?(?:of[\s-]+)?|[-./_]?){MONTH_GROUP}(?![a-z])\.?(?:[\s,./_-]{{0,4}}(?:of\s+|in\s+)?{_YEAR_GROUP}{_NO_WORD_AFTER}(?![/%]))?"
    ),
)
_MONTH_OF = re.compile(
    rf"(?<!\w){MONTH_GROUP}\b\.?(?:[\s,-]{{1,3}}(?:of\s+)?(?P<year>(?:19|20)\d{{2}}|'\d{{2}}))?(?!\w)"
)
_THE_DAY = re.compile(
    r"\b(?:on|the|until|till|since|by|from|through)\s+(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?=\W*(?:$|[.,;:)\n]|and\b|at\b|in\b|for\b|with\b|to\b|he\b|she\b|they\b|but\b|or\b|as\b|when\b|because\b|after\b|before\b))"
)
_RANGE = re.compile(r"\s?(?:-|–|to|and|&|through|thru)\s?(\d{1,2})(?:st|nd|rd|th)?(?![\w/:%]|\.\d)")
_BARE_YEAR = re.compile(r"(?<![\w/.-])(?:19|20)\d{2}(?![\w/-]|\.\d)")
_SCORE_BEFORE = re.compile(
    r"(?:pain|strength|motor|ehl|apgars?|grade|murmur|score|power|reflex\w*|monofilament|moca|mmse|waddell|"
    r"nexus|cog|centor|severity|bp|scale|rated?|norco|percocet|vicodin|ratio|vision|sat(?:ing|s)?|cultures?)"
    r"\W{0,3}(?:(?:is|was|of|at|by|to|now|rated|about|level|right|left|bilat\w*|r|l|[a-z]{1,12})\W{1,3}){0,2}$"
)
_SCORE_AFTER = re.compile(
    r"\s?(?:mg|mcg|ml|right|left|strength|pain|murmur|bilat|ou\b|od\b|os\b|power|positive|#|tab|hpf|systolic|week|day|hr|scale|score)"
)
_MAY = re.compile(
    r"(?:\b(?:in|this|last|next|since|until|till|of|by|early|late|mid|before|after|during|through|from|every)\s*-?\s*)$"
)
_DIGITS = str.maketrans("olis|b", "011518")


class DateFinder:
    """Find the known days in every format; linear in the text."""

    def __init__(
        self,
        days: Iterable[Day],
        births: Iterable[Day] = (),
        ages: Iterable[int] = (),
        months: Iterable[tuple[int, int]] = (),
    ) -> None:
        real = {day for day in days if not is_placeholder_day(day)}
        self._days = frozenset(real)
        self._full = {(d.year % 100, d.month, d.day) for d in real if d.year}
        self._pairs = {(d.month, d.day) for d in real}
        self._months = {(d.month, d.year % 100) for d in real if d.year}
        self._month = {d.month for d in real} | {month for month, _ in months}
        self._months |= {(month, year % 100) for month, year in months if year}
        self._day = {d.day for d in real}
        named = holidays_on(self._days)
        self._holidays = _holidays_of(named) if named else None
        self._births = frozenset(births)
        years = {d.year for d in real if d.year}
        self._ages = set(ages) | {
            n
            for b in self._births
            for year in years | {b.year + n for n in ages}
            for n in (year - b.year - 1, year - b.year, year - b.year + 1)
        }
        self._ages = {n for n in self._ages if 90 <= n <= 130}
        old = max(years, default=0) - 89
        self._old_years = {
            b.year for b in self._births if b.year <= old and not is_placeholder_day(b)
        }

    @cached_property
    def _digits(self) -> set[str]:
        """The known days, written as six or eight digits."""
        return {form for day in self._days if day.year for form in _compact_forms(day)}

    @cached_property
    def _julian(self) -> set[tuple[int, int]]:
        """The known days as year and day of the year."""
        days = (day for day in self._days if day.year)
        return {(d.year, date(d.year, d.month, d.day).timetuple().tm_yday) for d in days}

    def find(self, text: Text) -> list[AgeHit]:
        """Hits in the folded text, in no particular order; they may overlap."""
        hits: list[AgeHit] = []
        if self._days or self._month:
            hits += self._numeric(text.folded)
            hits += self._named(text.folded)
            hits += self._parts(text)
        if self._ages:
            hits += ages_over_89(text.folded, self._ages)
        for match in _BARE_YEAR.finditer(text.folded) if self._old_years else ():
            if int(match.group()) in self._old_years:
                hits.append((*match.span(), "BIRTH_YEAR_OVER_89", 0.9))
        return hits

    # -- whole dates -----------------------------------------------------------------------

    def _known(self, year: int | None, month: int, day: int) -> float:
        if year is None:
            return 0.9 if (month, day) in self._pairs else 0.0
        if (year % 100, month, day) in self._full:
            return 0.99
        if any(not d.year and (d.month, d.day) == (month, day) for d in self._days):
            return 0.95
        written = f"{month:02}{day:02}{year % 100:02}"
        close = any(_close(written, f"{m:02}{d:02}{y:02}") for y, m, d in self._full)
        return 0.8 if close or (year % 100, day, month) in self._full else 0.0

    def _numeric(self, folded: str) -> Iterator[AgeHit]:
        for pattern in (_NUMERIC, _SPACED):
            for match in pattern.finditer(folded):
                parts = [match[g].translate(_DIGITS) for g in "abc"]
                real = sum(c.isdigit() for g in "abc" for c in match[g])
                if real * 2 < sum(map(len, parts)) or not all(p.isdigit() for p in parts):
                    continue
                if score := self._any_order(parts):
                    yield match.start("a"), match.end("c"), "DATE_TIME", score
        for match in _COMPACT.finditer(folded):
            if self._is_compact_day(match["eight"] or match["six"]):
                yield *match.span(), "DATE_TIME", 0.9
        for match in _COMPACT_PERIOD.finditer(folded):
            for end in "ab":
                if self._is_compact_day(match[end]):
                    yield *match.span(end), "DATE_TIME", 0.9
        for match in _JULIAN.finditer(folded):
            if (int(match["c"]), int(match["n"])) in self._julian:
                yield *match.span(), "DATE_TIME", 0.85
        for match in _DASHED.finditer(folded):
            if (int(match["a"]), int(match["b"])) in self._pairs:
                yield match.start("a"), match.end(), "DATE_TIME", 0.7
        for match in _PAIR.finditer(folded):
            pair = int(match["a"]), int(match["b"])
            if (pair in self._pairs or pair[::-1] in self._pairs) and not _is_score(folded, match):
                more = _RANGE.match(folded, match.end())
                yield match.start("a"), more.end() if more else match.end(), "DATE_TIME", 0.85
        for pattern in (_MONTH_YEAR, _YEAR_MONTH):
            for match in pattern.finditer(folded):
                if (int(match["a"]), int(match["c"]) % 100) in self._months:
                    yield *match.span(), "DATE_TIME", 0.85

    def _is_compact_day(self, digits: str) -> bool:
        """Whether six or eight digits are a known day."""
        orders = [(digits[:4], digits[4:6], digits[6:]), (digits[:2], digits[2:4], digits[4:])]
        whole = len(digits) == 8 and any(self._exactly(order) for order in orders)
        return whole or digits in self._digits

    def _exactly(self, order: tuple[str, str, str]) -> bool:
        a, b, c = map(int, order)
        readings = ((a, b, c),) if len(order[0]) == 4 else ((c, a, b), (c, b, a))
        return any(
            Day(y, m, d) in self._days or (y > 99 and (y % 100, m, d) in self._full)
            for y, m, d in readings
        )

    def _any_order(self, parts: list[str]) -> float:
        a, b, c = map(int, parts)
        if len(parts[0]) == 4:
            return max(self._known(a, b, c), self._known(a, c, b))
        orders = [(c, a, b), (c, b, a)]
        if len(parts[2]) == 2:
            orders += [(a, b, c)]
        return max(self._known(*order) for order in orders)

    def _named(self, folded: str) -> Iterator[AgeHit]:
        for pattern in _NAMED:
            for match in pattern.finditer(folded):
                day = _day_number(match["day"])
                month = MONTH_NUMBERS[match["month"]]
                year = _year_number(match["year"])
                end = match.end()
                score = self._known(year, month, day)
                if (
                    not score
                    and year is not None
                    and match["year"].startswith(("'", "’")) is False
                    and len(match["year"]) == 2
                ):
                    year, end = None, match.start("year")
                    score = self._known(None, month, day)
                if not score and (month, day) in self._pairs:
                    score = 0.7
                if year is not None and match["year"].isdigit() and not 1900 <= year < 2100:
                    end = match.start("year")
                if score:
                    more = _RANGE.match(folded, match.end("day")) if match["year"] is None else None
                    yield (
                        match.start(),
                        max(len(folded[:end].rstrip(" ,.-")), more.end() if more else 0),
                        "DATE_TIME",
                        score,
                    )

    # -- parts of dates --------------------------------------------------------------------

    def _parts(self, text: Text) -> Iterator[AgeHit]:
        folded = text.folded
        if self._holidays:
            for match in self._holidays.finditer(folded):
                yield *match.span(), "DATE_TIME", 0.85
        for match in _MONTH_OF.finditer(folded):
            month, year = MONTH_NUMBERS[match["month"]], match["year"]
            if year and (month, int(year[-2:]) % 100) in self._months:
                yield *match.span(), "DATE_TIME", 0.9
            elif month in self._month and self._is_month(text, match):
                yield *match.span("month"), "DATE_TIME", 0.6
        for match in _THE_DAY.finditer(folded):
            if int(match["day"]) in self._day:
                yield match.start("day"), match.end(), "DATE_TIME", 0.5

    @staticmethod
    def _is_month(text: Text, match: re.Match[str]) -> bool:
        start, end = text.span(*match.span("month"))
        raw = text.original[start:end]
        word = match["month"]
        if word not in ENGLISH_MONTHS or (not raw[0].isupper() and not text.lower_case):
            return False
        if word in {"may", "march", "mar", "dec", "jan", "sep", "apr", "jun", "jul", "august"}:
            return bool(_MAY.search(match.string[max(0, match.start() - 16) : match.start()]))
        return True


@lru_cache(maxsize=1 << 8)
def _holidays_of(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_either(names)})(?!\w)")


def _compact_forms(day: Day) -> set[str]:
    y, m, d = f"{day.year:04}", f"{day.month:02}", f"{day.day:02}"
    return {m + d + y, y + m + d, d + m + y, m + d + y[2:], y[2:] + m + d}


def _close(left: str, right: str) -> bool:
    """Whether two numbers differ in one digit, or in two digits that are exchanged."""
    differ = [i for i in range(6) if left[i] != right[i]]
    if len(differ) == 1:
        return True
    return (
        len(differ) == 2
        and left[differ[0]] == right[differ[1]]
        and left[differ[1]] == right[differ[0]]
    )


def _day_number(word: str) -> int:
    digits = re.match(r"\d+", word)
    if digits:
        return int(digits.group())
    word = re.sub(r"[\s-]+", " ", word)
    return _ORDINAL_WORDS.get(word) or _DATE_NUMBER_WORDS.get(word, 0)


def _year_number(word: str | None) -> int | None:
    if word is None:
        return None
    digits = re.sub(r"\D", "", word)
    if digits:
        return full_year(int(digits))
    words = re.sub(r"[\s-]+", " ", word)
    match = re.match(r"(nineteen|twenty|two thousand)(?: and)?(?: hundred| oh)?(?: (.*))?$", words)
    if not match:
        return None
    century = 1900 if match[1] == "nineteen" else 2000
    return century + _DATE_NUMBER_WORDS.get(match[2] or "zero", 0)


def _is_score(folded: str, match: re.Match[str]) -> bool:
    if int(match["b"]) not in _FULL_MARKS:
        return False
    before = folded[max(0, match.start() - 40) : match.start()]
    return bool(_SCORE_BEFORE.search(before) or _SCORE_AFTER.match(folded, match.end()))
