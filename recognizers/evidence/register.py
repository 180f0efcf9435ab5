"""What looks for evidence, in the order it runs: tables, and functions where grammar needs code."""

from __future__ import annotations

import datetime
from functools import lru_cache
from importlib import import_module

from recognizers.evidence.dates.ages import Ages
from recognizers.evidence.rules import Rules, Search
from recognizers.evidence.tables import names, shipped

# By the name of the table, if there is one: modules below this room, and their functions.
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "names": (
        "names.announced:announced_names",
        "names.written:babies",
        "names.written:side_by_side",
        "names.alone:given_alone",
        "names.alone:will",
        "names.alone:aged",
        "names.spelling:spelled",
        "names.nicknamed:nicknames",
        "names.nicknamed:first_of_kin",
        "names.registration:registered",
    ),
    "employers": ("names.employers:named_employers", "names.staff:employed"),
    "initials": (
        "initials.signs:signed",
        "initials.legends:explained",
        "initials.log_entries:writers",
    ),
    "places": ("places.towns:cities", "places.birthplaces:birthplaces_told"),
    "facilities": ("places.facilities:named_facilities",),
    "dates": (
        "dates.day_pairs:pair_hits",
        "dates.yearless:named_days",
        "dates.yearless:hyphened_near",
    ),
    "figures": ("figures:measured_figures",),
}
# Tables that need the day on which ages are judged.
AGES = "ages"


@lru_cache(maxsize=8)
def rules(
    reference_date: datetime.date | None = None, run_date: datetime.date | None = None
) -> tuple[Rules, ...]:
    """One by table or group of functions; `reference_date` says which birth years show an age over
    89, or, in a text with later dates, the latest of them that is not after `run_date`."""
    tables = names()
    found = []
    for name in (*FUNCTIONS, *(table for table in tables if table not in FUNCTIONS)):
        functions = tuple(map(function, FUNCTIONS.get(name, ())))
        if name == AGES:
            functions += (Ages(reference_date, run_date or reference_date).hits,)
        found.append(Rules(name, shipped(name) if name in tables else (), functions))
    return tuple(found)


def function(path: str) -> Search:
    """The function that an entry of `FUNCTIONS` names."""
    module, name = path.split(":")
    found: Search = getattr(import_module(f"{__package__}.{module}"), name)
    return found
