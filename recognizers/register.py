"""The files of rules, in the order they run; resolved on first use."""

from __future__ import annotations

import datetime
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recognizers.rules import Rules

REGISTER: tuple[str, ...] = (
    "names",
    "names_employers",
    "names_initials",
    "places",
    "places_roads",
    "places_facilities",
    "places_zips",
    "dates",
    "dates_words",
    "dates_holidays",
    "dates_seasons",
    "dates_spoken",
    "dates_ages",
    "phones",
    "phones_inside",
    "faxes",
    "emails",
    "ssns",
    "mrns",
    "plans",
    "accounts",
    "licenses",
    "vehicles",
    "devices",
    "urls",
    "ips",
    "biometrics",
    "photos",
    "others",
    "others_access",
    "others_standing",
)


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[Rules, ...]:
    """One a file; `reference_date` says which birth years show an age over 89, or, in a text with
    later dates, the latest of them that is not after `run_date`."""
    found: list[Rules] = []
    for name in REGISTER:
        room = import_module(f"recognizers.{name}")
        kind = getattr(room, name.title().replace("_", ""))
        found.append(kind(reference_date, run_date) if name == "dates_ages" else kind())
    return tuple(found)
