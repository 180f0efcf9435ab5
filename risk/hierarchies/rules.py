"""Hierarchies built by rule: a rule derives the labels of a value from the value itself.

A rule gives a value the same labels in every extract. `labels_of` returns the labels of a value
from level 1 up, the coarsest last, or None for a value that the rule does not understand. `domain`
adds the other values that could occur, so that the loss does not depend on the sample.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar, Protocol

from risk.hierarchies.groupings import icd10cm_blocks, regions, state_of
from risk.hierarchies.hierarchy import TOP
from risk.spellings.days import parse_day
from risk.spellings.spans import parse_age_span, parse_span

Labels = tuple[str, ...]


class HierarchyRule(Protocol):
    """A rule: `kind` is its name on the command line, `settings` is what a saved plan stores."""

    kind: ClassVar[str]

    def labels_of(self, value: str) -> Labels | None: ...

    def domain(self, values: Sequence[str]) -> Sequence[str]: ...

    @property
    def settings(self) -> dict[str, Any]: ...


class SimpleRule:
    """Defaults of a rule: no settings, and no values beyond those in the table."""

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        return []

    @property
    def settings(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class AgeRule(SimpleRule):
    """Whole years with 90+ pooled, then 5, 10 and 20 years, then `*`.

    Every band above 89 is `90+`. A range such as 80-84, 85+ or `under 5` keeps its own label at a
    level if it fits no band of that level.
    """

    kind: ClassVar[str] = "age"

    def labels_of(self, value: str) -> Labels | None:
        span = parse_age_span(value)
        if span is None:
            return None
        low, high = span.whole()
        low = 0 if low is None and high is not None and high >= 0 else low
        if low is None or not 0 <= low <= 130 or (high is not None and high > 130):
            return None
        if low >= 90:
            return ("90+", "90+", "90+", "80+", TOP)
        own = str(low) if low == high else f"{low}+" if high is None else f"{low}-{high}"
        return (own, *(_age_band(low, high, width) or own for width in (5, 10, 20)), TOP)

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        return [str(age) for age in range(100)]


def _age_band(low: int, high: int | None, width: int) -> str | None:
    """Return the band of this width that holds these ages; None if they lie in several bands."""
    first = low // width * width
    last = "80+" if width == 20 and first == 80 else f"{first}-{first + width - 1}"
    if last == "80+":
        return last
    return last if high is not None and high < first + width else None


@dataclass(frozen=True)
class YearRule(SimpleRule):
    """Years of birth in bands of 5, 10 and 20 years, then `*`.

    A de-identified table may hold ranges, `1936 or earlier`, or an age such as `90+` instead of the
    year. Such a value keeps its own label at a level if it fits no band of that level.
    """

    kind: ClassVar[str] = "year"

    def labels_of(self, value: str) -> Labels | None:
        span = parse_span(value)
        if span is None:
            return None
        low, high = span.whole()
        if not all(end is None or _is_year(end) for end in (low, high)):
            return ("90+",) * 3 + (TOP,) if (low or 0) >= 90 and high is None else None
        if low is None or high is None:
            own = f"{low} or later" if high is None else f"{high} or earlier"
            return (own, own, own, TOP)
        own = f"{low:04}" if low == high else f"{low:04}-{high:04}"
        bands = ((low // width * width, width) for width in (5, 10, 20))
        return (
            *(f"{at:04}-{at + w - 1:04}" if high < at + w else own for at, w in bands),
            TOP,
        )

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        years = [int(value) for value in values if len(value) == 4 and value.isdigit()]
        return [str(year) for year in range(min(years), max(years) + 1)] if years else []


def _is_year(number: int) -> bool:
    return 1800 <= number <= 2200


@dataclass(frozen=True)
class DateRule:
    """Month, quarter, year, 5 years, 10 years, then `*`; the day comes first if values have
    `times`.

    `order` (mdy or dmy) says how to read 03/04/2020.
    """

    kind: ClassVar[str] = "date"
    order: str = "mdy"
    times: bool = False

    def labels_of(self, value: str) -> Labels | None:
        day = parse_day(value, self.order)
        if day is None:
            return None
        five, ten = day.year // 5 * 5, day.year // 10 * 10
        return (
            *([day.isoformat()] if self.times else []),
            f"{day.year:04}-{day.month:02}",
            f"{day.year:04}-Q{(day.month + 2) // 3}",
            f"{day.year:04}",
            f"{five:04}-{five + 4:04}",
            f"{ten:04}-{ten + 9:04}",
            TOP,
        )

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        days = [day for day in (parse_day(v, self.order) for v in values) if day is not None]
        if not days:
            return []
        first, last = date(min(days).year, 1, 1), date(max(days).year, 12, 31)
        held = set(days)
        if (last - first).days > 80_000:
            return []
        span = (first + timedelta(days=n) for n in range((last - first).days + 1))
        return [day.isoformat() for day in span if day not in held]

    @property
    def settings(self) -> dict[str, Any]:
        return {"order": self.order, "times": self.times}


@dataclass(frozen=True)
class ZipRule(SimpleRule):
    """Three digits, state, Census division, region, then `*`.

    A ZIP code of four digits lost its leading zero; 02139-1000 and 02139.0 belong to 021; 021 is a
    ZIP3.
    """

    kind: ClassVar[str] = "zip"

    def labels_of(self, value: str) -> Labels | None:
        text = value.strip().removesuffix(".0").split("-")[0]
        text = text[:5] if len(text) == 9 else text.rstrip("*xX")
        if not (text.isascii() and text.isdigit() and 2 < len(text) < 6):
            return None
        code = text.zfill(5) if len(text) == 4 else text
        state = state_of(code[:3])
        division, region = regions().get(state, ("other", "other"))
        return (code[:3], state, division, region, TOP)


@dataclass(frozen=True)
class StateRule(SimpleRule):
    """State by postal code, Census division, region, then `*`."""

    kind: ClassVar[str] = "state"

    def labels_of(self, value: str) -> Labels | None:
        found = regions().get(value.strip().upper())
        return None if found is None else (*found, TOP)

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        held = {value.strip().upper() for value in values}
        return [state for state in regions() if state not in held]


@dataclass(frozen=True)
class Icd10CmRule(SimpleRule):
    """ICD-10-CM codes with or without the dot: category, block, chapter, then `*`."""

    kind: ClassVar[str] = "icd10cm"

    def labels_of(self, value: str) -> Labels | None:
        code = value.strip().upper().replace(".", "")
        if not 3 <= len(code) <= 7 or not code.isalnum() or not code[0].isalpha():
            return None
        firsts, rows = icd10cm_blocks()
        place = bisect_right(firsts, code[:3]) - 1
        if place < 0 or not rows[place]["first"] <= code[:3] <= rows[place]["last"]:
            return None
        return (code[:3], rows[place]["block"], f"chapter {rows[place]['chapter']}", TOP)


@dataclass(frozen=True)
class FlatRule(SimpleRule):
    """The value itself, then `*` at the only other level."""

    kind: ClassVar[str] = "flat"

    def labels_of(self, value: str) -> Labels | None:
        return (TOP,)
