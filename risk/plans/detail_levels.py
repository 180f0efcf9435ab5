"""The knobs of demographic detail: how age, race, sex and place may be told.

Malin, Benitez & Masys 2011 (JAMIA 18:3), Table 2, with month and quarter of birth, ZIP codes and
nothing at all added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from risk.errors import RiskError
from risk.hierarchies.level_maps import text_of
from risk.hierarchies.rules import read_day
from risk.population.table import Population
from risk.population.values import race, zip_prefix

Tell = Callable[[str, int], str | None]


@dataclass(frozen=True)
class Setting:
    """One position of a knob: how a value is told, given the reference year. `coarser` names the
    settings that tell strictly less; `bins` the equally likely parts of a year it tells apart."""

    name: str
    tell: Tell
    coarser: frozenset[str]
    bins: int = 1


@dataclass(frozen=True)
class Knob:
    """A column of the cohort, the column of the population it meets, its settings from the finest
    to none, and the one that is Safe Harbor's."""

    column: str
    meets: str
    settings: tuple[Setting, ...]
    safe_harbor: str

    def setting(self, name: str) -> Setting:
        for setting in self.settings:
            if setting.name == name:
                return setting
        known = ", ".join(setting.name for setting in self.settings)
        raise RiskError(
            "there is no such detail",
            code="unknown-detail",
            place=f"column {self.column!r}",
            hint=f"known: {known}",
        )


def knobs_for(
    names: Sequence[str], population: Population, mapping: Mapping[str, str] | None = None
) -> tuple[Knob, ...]:
    """A knob for each column that is known by name and that the population counts."""
    theirs = {name.lower(): name for name in population.columns}
    found = []
    for name in names:
        kind = _KINDS.get((mapping or {}).get(name, name).lower()) or _KINDS.get(name.lower())
        if kind is None:
            continue
        candidates = _ZIP_NAMES if kind[0] == "zip" else (name.lower(), kind[0])
        known = [theirs[c] for c in candidates if c in theirs]
        meets = (mapping or {}).get(name) or (known[0] if known else None)
        if meets is None:
            continue
        settings, standard = kind[1]
        if kind[0] == "zip":
            settings = _zip_settings(population, meets)
        found.append(Knob(name, meets, settings, standard))
    return tuple(found)


def _year_of(text: str) -> int | None:
    """An age stays a small number, a year a large one."""
    try:
        return int(float(text))
    except ValueError:
        day = read_day(text)
        return None if day is None else day.year


def _single(text: str, year: int) -> str | None:
    number = _year_of(text)
    return text if number is None else str(number)


def _capped(text: str, year: int) -> str | None:
    number = _year_of(text)
    if number is None:
        return text
    if number < 1000:
        return "90+" if number >= 90 else str(number)
    return f"{year - 90} or earlier" if year - number >= 90 else str(number)


def _banded(width: int) -> Tell:
    def tell(text: str, year: int) -> str | None:
        number = _year_of(text)
        if number is None:
            return text
        low = number // width * width
        return f"{low}-{low + width - 1}"

    return tell


def _same(text: str, year: int) -> str | None:
    return text


def _three(text: str, year: int) -> str | None:
    return {"white": "WH", "black": "AA"}.get(race(text) or "", "OT")


def _zip_settings(population: Population, meets: str) -> tuple[Setting, ...]:
    """Five digits, three, none. Five are no setting where the population counts by three: it could
    not tell them apart, and would make them look as safe. Three digits of an area of at most
    20,000 people are withheld, as Safe Harbor does; whoever is told so could be anybody."""
    column = population.cells.column(meets)
    prefixes = np.array([_prefix(text_of(value)) for value in column.values])
    areas, place = np.unique(prefixes, return_inverse=True)
    people = np.bincount(place[column.codes], population.counts, minlength=len(areas))
    enough = frozenset(areas[people > 20_000].tolist())

    def three(text: str, year: int) -> str | None:
        return _prefix(text) if _prefix(text) in enough else None

    coarse = (Setting("three digits", three, _ALL({"none"})), _NONE)
    if max((len(text_of(value)) for value in column.values), default=0) <= 3:
        return coarse
    return (Setting("five digits", _same, _ALL({"three digits", "none"})), *coarse)


def _prefix(text: str) -> str:
    return zip_prefix(text)[:3]


def _none(text: str, year: int) -> str | None:
    return None


_NONE = Setting("none", _none, frozenset())
_ALL = frozenset
AGES = (
    Setting("1 year", _single, _ALL({"1 year, 90+ pooled", "5 years", "10 years", "none"})),
    Setting("1 year, 90+ pooled", _capped, _ALL({"none"})),
    Setting("5 years", _banded(5), _ALL({"10 years", "none"})),
    Setting("10 years", _banded(10), _ALL({"none"})),
    _NONE,
)
_BIRTHS = (
    Setting("month", _single, _ALL({"quarter"}) | AGES[0].coarser | {"1 year"}, 12),
    Setting("quarter", _single, AGES[0].coarser | {"1 year"}, 4),
    *AGES,
)
RACES = (
    Setting("as recorded", _same, _ALL({"three", "none"})),
    Setting("three", _three, _ALL({"none"})),
    _NONE,
)
_PLAIN = (Setting("as recorded", _same, _ALL({"none"})), _NONE)
_ZIP_NAMES = ("zip", "zip5", "zcta5", "zip3")
_CAPPED = (AGES, "1 year, 90+ pooled")
#: By the name of a column: the population's name for it, its settings, Safe Harbor's.
_KINDS: Mapping[str, tuple[str, tuple[tuple[Setting, ...], str]]] = {
    **dict.fromkeys(("age", "age_years", "birth_year", "year_of_birth", "yob"), ("age", _CAPPED)),
    **dict.fromkeys(
        ("birth_date", "date_of_birth", "birthdate", "dob"), ("age", (_BIRTHS, _CAPPED[1]))
    ),
    **dict.fromkeys(("race", "ethnicity"), ("race", (RACES, "as recorded"))),
    **dict.fromkeys(("sex", "gender"), ("sex", (_PLAIN, "as recorded"))),
    "state": ("state", (_PLAIN, "as recorded")),
    "county": ("county", (_PLAIN, "none")),
    **dict.fromkeys(
        ("zip", "zip5", "zip3", "zipcode", "zip_code"), ("zip", ((_NONE,), "three digits"))
    ),
}
