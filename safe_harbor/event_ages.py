"""Life events that imply an age: `tables/life_events.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from safe_harbor.tables import read_rows


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """A life event, the youngest age in years at which it occurs, and the usual age if any.

    `last_year` is set for a war or an era: the year in which it ended.
    """

    name: str
    youngest: int
    usual: int | None = None
    last_year: int | None = None


@cache
def life_events() -> Mapping[str, LifeEvent]:
    """All life events of the table, by name."""
    rows = read_rows("life_events.csv")
    return MappingProxyType({row["event"]: _event(row) for row in rows})


def _event(row: Mapping[str, str]) -> LifeEvent:
    usual, last = row["usual"], row["last_year"]
    return LifeEvent(
        row["event"],
        int(row["youngest"]),
        int(usual) if usual else None,
        int(last) if last else None,
    )
