"""Levels of demographic detail: how exactly a policy may release age, race, sex and place.

Malin, Benitez & Masys 2011 (JAMIA 18:3), Table 2, extended by month and quarter of birth, ZIP
codes, and leaving a column out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from risk.errors import RiskError
from risk.hierarchies.level_maps import text_of
from risk.population.table import Population
from risk.population.values import zip_prefix
from risk.spellings.days import parse_day
from risk.spellings.spans import parse_age_span
from risk.spellings.words import canonical, parse_race, races_of, says_nothing

Labeler = Callable[[str, int], str | None]


@dataclass(frozen=True)
class DetailLevel:
    """One level of detail.

    `label` gives the released form of a value for a reference year, `coarser` names the levels with
    strictly less detail, and `bins` is the number of equally likely parts of a year that the level
    separates.
    """

    name: str
    label: Labeler
    coarser: frozenset[str]
    bins: int = 1


@dataclass(frozen=True)
class ColumnDetail:
    """A column of the cohort and the population column to which it is matched.

    It also has its levels from the finest to none, and the level that Safe Harbor allows.
    """

    column: str
    population_column: str
    levels: tuple[DetailLevel, ...]
    safe_harbor: str

    def level(self, name: str) -> DetailLevel:
        for setting in self.levels:
            if setting.name == name:
                return setting
        known = ", ".join(setting.name for setting in self.levels)
        raise RiskError(
            "the level of detail is unknown",
            code="unknown-detail",
            place=f"column {self.column!r}",
            hint=f"use one of: {known}",
        )


def column_details(
    names: Sequence[str], population: Population, mapping: Mapping[str, str] | None = None
) -> tuple[ColumnDetail, ...]:
    """The levels of detail of each column that has a known name and that the population counts."""
    theirs = {name.lower(): name for name in population.columns}
    found = []
    for name in names:
        kind = _BY_COLUMN_NAME.get((mapping or {}).get(name, name).lower()) or _BY_COLUMN_NAME.get(
            name.lower()
        )
        if kind is None:
            continue
        candidates = _ZIP_NAMES if kind[0] == "zip" else (name.lower(), kind[0])
        known = [theirs[c] for c in candidates if c in theirs]
        meets = (mapping or {}).get(name) or (known[0] if known else None)
        if meets is None:
            continue
        settings, standard = kind[1]
        if kind[0] == "zip":
            settings = _zip_details(population, meets)
        found.append(ColumnDetail(name, meets, settings, standard))
    return tuple(found)


WholeSpan = tuple[int | None, int | None]


def _whole_span(text: str) -> WholeSpan | None:
    """The whole ages or years that a text stands for; a date is its year."""
    day = parse_day(text)
    if day is not None:
        return day.year, day.year
    span = parse_age_span(text)
    return None if span is None else span.whole()


def _are_years(span: WholeSpan) -> bool:
    return max(end for end in (*span, 0) if end is not None) >= 1000


def _as_year(text: str, year: int) -> str | None:
    """Ages and years as whole numbers; a date as its year."""
    span = _whole_span(text)
    return str(span[0]) if span is not None and span[0] == span[1] else canonical(text)


def _pooled_at_90(text: str, year: int) -> str | None:
    """Label ages as `_as_year`, except for everyone aged 90 or older.

    These get the same label, however the age is written.
    """
    span = _whole_span(text)
    if span is not None and not _are_years(span) and span[0] is not None and span[0] >= 90:
        return "90+"
    if span is not None and _are_years(span) and span[1] is not None and year - span[1] >= 90:
        return f"{year - 90} or earlier"
    return _as_year(text, year)


def _in_bands(width: int) -> Labeler:
    """Return a function that labels ages or years by bands of this width.

    A range that spans several bands is labeled by the span of those bands.
    """

    def label(text: str, year: int) -> str | None:
        span = _whole_span(text)
        if span is None:
            return canonical(text)
        low = None if span[0] is None else span[0] // width * width
        high = None if span[1] is None else span[1] // width * width + width - 1
        if high is None:
            return f"{low} or later" if _are_years(span) else f"{low}+"
        if low is None:
            return f"{high} or earlier" if _are_years(span) else f"0-{high}"
        return f"{low}-{high}"

    return label


def _as_recorded(text: str, year: int) -> str | None:
    return text


def _as_three_races(text: str, year: int) -> str | None:
    """Recode races as white, black or other.

    A word without information (Declined), or one that covers several of the three (non-Hispanic),
    is left unchanged: in a single group it would match too few people.
    """
    if says_nothing(text) or (races_of(text) or frozenset()) & {"white", "black"}:
        return text
    return {"white": "WH", "black": "AA"}.get(parse_race(text) or "", "OT")


def _zip_details(population: Population, meets: str) -> tuple[DetailLevel, ...]:
    """Return the levels of a ZIP code: five digits, three digits, none.

    Five digits are not offered if the population counts by three digits: it could not separate such
    codes and would make five digits look as safe as three. Three digits of an area of at most
    20,000 people are withheld, as Safe Harbor requires.
    """
    column = population.cells.column(meets)
    prefixes = np.array([_zip3(text_of(value)) for value in column.values])
    areas, place = np.unique(prefixes, return_inverse=True)
    people = np.bincount(place[column.codes], population.counts, minlength=len(areas))
    enough = frozenset(areas[people > 20_000].tolist())

    def three(text: str, year: int) -> str | None:
        return _zip3(text) if _zip3(text) in enough else None

    coarse = (DetailLevel("three digits", three, _NAMES({"none"})), _NONE)
    if max((len(text_of(value)) for value in column.values), default=0) <= 3:
        return coarse
    return (DetailLevel("five digits", _as_recorded, _NAMES({"three digits", "none"})), *coarse)


def _zip3(text: str) -> str:
    return zip_prefix(text)[:3]


def _none(text: str, year: int) -> str | None:
    return None


_NONE = DetailLevel("none", _none, frozenset())
_NAMES = frozenset
AGE_DETAILS = (
    DetailLevel("1 year", _as_year, _NAMES({"1 year, 90+ pooled", "5 years", "10 years", "none"})),
    DetailLevel("1 year, 90+ pooled", _pooled_at_90, _NAMES({"none"})),
    DetailLevel("5 years", _in_bands(5), _NAMES({"10 years", "none"})),
    DetailLevel("10 years", _in_bands(10), _NAMES({"none"})),
    _NONE,
)
_BIRTH_DETAILS = (
    DetailLevel("month", _as_year, _NAMES({"quarter"}) | AGE_DETAILS[0].coarser | {"1 year"}, 12),
    DetailLevel("quarter", _as_year, AGE_DETAILS[0].coarser | {"1 year"}, 4),
    *AGE_DETAILS,
)
RACE_DETAILS = (
    DetailLevel("as recorded", _as_recorded, _NAMES({"three", "none"})),
    DetailLevel("three", _as_three_races, _NAMES({"none"})),
    _NONE,
)
_PLAIN_DETAILS = (DetailLevel("as recorded", _as_recorded, _NAMES({"none"})), _NONE)
_ZIP_NAMES = ("zip", "zip5", "zcta5", "zip3")
_AGE_DEFAULT = (AGE_DETAILS, "1 year, 90+ pooled")
#: For each column name: the name of the population's column, the levels of detail, and the level
#: that Safe Harbor allows.
_BY_COLUMN_NAME: Mapping[str, tuple[str, tuple[tuple[DetailLevel, ...], str]]] = {
    **dict.fromkeys(
        ("age", "age_years", "birth_year", "year_of_birth", "yob"), ("age", _AGE_DEFAULT)
    ),
    **dict.fromkeys(
        ("birth_date", "date_of_birth", "birthdate", "dob"),
        ("age", (_BIRTH_DETAILS, _AGE_DEFAULT[1])),
    ),
    **dict.fromkeys(("race", "ethnicity"), ("race", (RACE_DETAILS, "as recorded"))),
    **dict.fromkeys(("sex", "gender"), ("sex", (_PLAIN_DETAILS, "as recorded"))),
    "state": ("state", (_PLAIN_DETAILS, "as recorded")),
    "county": ("county", (_PLAIN_DETAILS, "none")),
    **dict.fromkeys(
        ("zip", "zip5", "zip3", "zipcode", "zip_code"), ("zip", ((_NONE,), "three digits"))
    ),
}
