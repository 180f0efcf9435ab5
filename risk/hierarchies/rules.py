"""Hierarchies built by rule: a rule derives the labels of a value from the value itself.

A rule gives the same labels for next month's values as for today's. `labels_of` returns the labels
of a value from level 1 up, the coarsest last, or None for a value it does not understand; `domain`
adds the other values that could occur, so that the loss does not depend on the sample.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Protocol

from risk.hierarchies.groupings import icd10cm_blocks, regions, state_of
from risk.hierarchies.hierarchy import TOP

Labels = tuple[str, ...]


class HierarchyRule(Protocol):
    """`kind` is the rule's name on the command line; `settings` is what a saved plan must store."""

    kind: ClassVar[str]

    def labels_of(self, value: str) -> Labels | None: ...

    def domain(self, values: Sequence[str]) -> Sequence[str]: ...

    @property
    def settings(self) -> dict[str, Any]: ...


class _Simple:
    """Defaults of a rule: no settings, and no values beyond those in the table."""

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        return []

    @property
    def settings(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class AgeRule(_Simple):
    """Whole years with 90+ pooled, then 5, 10 and 20 years, then `*`. Every band above 89 is
    `90+`."""

    kind: ClassVar[str] = "age"

    def labels_of(self, value: str) -> Labels | None:
        try:
            age = float(value)
        except ValueError:
            return ("90+", "90+", "90+", "80+", TOP) if value.strip() == "90+" else None
        if not 0 <= age <= 130:
            return None
        whole = int(age)
        if whole >= 90:
            return ("90+", "90+", "90+", "80+", TOP)
        five, ten, twenty = whole // 5 * 5, whole // 10 * 10, whole // 20 * 20
        wide = "80+" if twenty == 80 else f"{twenty}-{twenty + 19}"
        return (str(whole), f"{five}-{five + 4}", f"{ten}-{ten + 9}", wide, TOP)

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        return [str(age) for age in range(100)]


@dataclass(frozen=True)
class DateRule:
    """Month, quarter, year, 5 years, 10 years, then `*`; the day comes first if values have
    `times`. `order` (mdy or dmy) says how to read 03/04/2020."""

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
class ZipRule(_Simple):
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
class StateRule(_Simple):
    """State by postal code, Census division, region, then `*`."""

    kind: ClassVar[str] = "state"

    def labels_of(self, value: str) -> Labels | None:
        found = regions().get(value.strip().upper())
        return None if found is None else (*found, TOP)

    def domain(self, values: Sequence[str]) -> Sequence[str]:
        held = {value.strip().upper() for value in values}
        return [state for state in regions() if state not in held]


@dataclass(frozen=True)
class Icd10CmRule(_Simple):
    """ICD-10-CM with or without the point: category, block, chapter, then `*`."""

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
class BandRule(_Simple):
    """Numbers in nested bands. `cuts[level]` are the lower bounds of the bands in ascending order;
    a number below the first bound gets a band of its own."""

    kind: ClassVar[str] = "number"
    cuts: tuple[tuple[float, ...], ...] = field(default=())

    def labels_of(self, value: str) -> Labels | None:
        try:
            number = float(value)
        except ValueError:
            return None
        if number != number:
            return None
        return (*(_band(number, cut) for cut in self.cuts), TOP)

    @property
    def settings(self) -> dict[str, Any]:
        return {"cuts": [list(cut) for cut in self.cuts]}


@dataclass(frozen=True)
class FlatRule(_Simple):
    """The value itself, then `*`."""

    kind: ClassVar[str] = "flat"

    def labels_of(self, value: str) -> Labels | None:
        return (TOP,)


def round_bands(values: Sequence[float], *, levels: int = 4) -> BandRule:
    """Bands of round width (1, 2, 5 times a power of ten, each a multiple of the previous one). The
    finest is about a fiftieth of the range."""
    low, high = min(values), max(values)
    width = _round_up((high - low) / 50 or 1.0)
    cuts = []
    for factor in (1, 2, 10, 20, 100)[:levels]:
        step = width * factor
        first = low // step * step
        count = int((high - first) // step) + 1
        if count > 1:
            cuts.append(tuple(round(first + i * step, 12) for i in range(count)))
    return BandRule(tuple(cuts))


def quantile_bands(values: Sequence[float], *, finest: int = 16) -> BandRule:
    """Bands that hold about equally many values: `finest` of them, then half as many, and so on.
    `finest` is a power of two, so that the bands are nested."""
    ordered = sorted(values)
    cuts: list[tuple[float, ...]] = []
    while finest > 1:
        places = [ordered[len(ordered) * i // finest] for i in range(finest)]
        distinct = tuple(sorted(set(places)))
        if len(distinct) > 1 and (not cuts or distinct != cuts[-1]):
            cuts.append(distinct)
        finest //= 2
    return BandRule(tuple(cuts))


def parse_day(value: str, order: str = "mdy") -> date | None:
    """A calendar day from ISO 8601 (with or without a time), YYYYMMDD, or a date with slashes. None
    for any other text."""
    text = value.strip()
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        pass
    parts = text.split(" ")[0].replace("-", "/").replace(".", "/").split("/")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    numbers = dict(zip(order, map(int, parts), strict=True))
    try:
        return date(numbers["y"], numbers["m"], numbers["d"]) if len(parts[2]) == 4 else None
    except ValueError:
        return None


def _band(number: float, cut: tuple[float, ...]) -> str:
    place = bisect_right(cut, number)
    if place == 0:
        return f"<{cut[0]:g}"
    if place == len(cut):
        return f">={cut[-1]:g}"
    return f"[{cut[place - 1]:g},{cut[place]:g})"


def _round_up(width: float) -> float:
    power = 1.0
    while power > width:
        power /= 10
    while power * 10 <= width:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width)
