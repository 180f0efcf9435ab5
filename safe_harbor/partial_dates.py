"""A date known to the year, the month or the day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class PartialDate:
    """A date known to the year, the month or the day. Raises ValueError if it is invalid."""

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        date(self.year, self.month or 1, self.day or 1)

    @property
    def whole(self) -> date | None:
        """The full date; None if the day is not known."""
        return date(self.year, self.month, self.day) if self.month and self.day else None

    @property
    def first(self) -> date:
        """The first possible day."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> date:
        """The last possible day."""
        if self.month is None:
            return date(self.year, 12, 31)
        if self.day is None:
            following = date(self.year + self.month // 12, self.month % 12 + 1, 1)
            return following - timedelta(days=1)
        return self.first
