"""Patterns of life events in headers and in text, from `words/dates/life_events.csv`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from recognizers.words.folder import WORDS
from safe_harbor import LifeEvent, csv_rows, life_events

_WHOSE = r"(?:patient|patients|pt|subject|participant|(?:year|yr|date|dt|age)(?:of)?)?"


@dataclass(frozen=True, slots=True)
class Wording:
    """Patterns of an event in a header, before a year, and before a number of years; "" if none."""

    event: LifeEvent
    header: str
    years: str
    interval: str


@cache
def wordings() -> tuple[Wording, ...]:
    """Every event with its wordings, the more specific before the more general."""
    return tuple(
        Wording(life_events()[row["event"]], row["header"], row["years"], row["interval"])
        for row in csv_rows(WORDS / "dates" / "life_events.csv")
    )


@lru_cache(maxsize=1 << 12)
def life_event_named(header: str) -> LifeEvent | None:
    """The life event named by the header of a column of years or dates, or None.

    >>> life_event_named("hs_grad_yr").name
    'high_school'
    """
    flat = re.sub(r"[^a-z0-9]", "", header.casefold())
    found = (w for w in wordings() if w.header and re.match(_WHOSE + f"(?:{w.header})", flat))
    return next((wording.event for wording in found), None)
