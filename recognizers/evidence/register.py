"""The files of rules, in the order they run; resolved on first use."""

from __future__ import annotations

import datetime
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recognizers.evidence.rules import Rules

# The module below this room, and its class.
REGISTER: tuple[tuple[str, str], ...] = (
    ("names.persons", "Names"),
    ("names.employers", "NamesEmployers"),
    ("initials.initials", "NamesInitials"),
    ("places.localities", "Places"),
    ("places.roads", "PlacesRoads"),
    ("places.facilities", "PlacesFacilities"),
    ("places.zips", "PlacesZips"),
    ("dates.numeric", "Dates"),
    ("dates.written", "DatesWords"),
    ("dates.holidays", "DatesHolidays"),
    ("dates.seasons", "DatesSeasons"),
    ("dates.spoken", "DatesSpoken"),
    ("dates.ages", "DatesAges"),
    ("contacts.phones", "Phones"),
    ("contacts.phones_inside", "PhonesInside"),
    ("contacts.faxes", "Faxes"),
    ("contacts.emails", "Emails"),
    ("numbers.ssns", "Ssns"),
    ("numbers.mrns", "Mrns"),
    ("numbers.plans", "Plans"),
    ("numbers.accounts", "Accounts"),
    ("numbers.licenses", "Licenses"),
    ("numbers.vehicles", "Vehicles"),
    ("numbers.devices", "Devices"),
    ("contacts.urls", "Urls"),
    ("contacts.ips", "Ips"),
    ("numbers.biometrics", "Biometrics"),
    ("numbers.photos", "Photos"),
    ("numbers.others", "Others"),
    ("numbers.access", "OthersAccess"),
    ("numbers.standing", "OthersStanding"),
)


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[Rules, ...]:
    """One a file; `reference_date` says which birth years show an age over 89, or, in a text with
    later dates, the latest of them that is not after `run_date`."""
    found: list[Rules] = []
    for module, name in REGISTER:
        kind = getattr(import_module(f"{__package__}.{module}"), name)
        found.append(kind(reference_date, run_date) if name == "DatesAges" else kind())
    return tuple(found)
