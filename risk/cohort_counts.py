"""Noisy cohort counts as in i2b2, with an audit trail and a lock-out.

The method is that of El Emam 2011. Gaussian noise is added to returned counts; its deviation grows
as the true count approaches zero. Queries are audited, and users who run too many related queries
are blocked, so that they cannot average the noise away (Murphy & Chueh 2002).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from risk.errors import RiskError
from risk.spellings.words import canonical
from risk.tables.coding import CodedTable


class NoiseSource(Protocol):
    """The source of the noise. It must be secret, so that the noise cannot be reproduced."""

    def gauss(self, mu: float, sigma: float) -> float:
        """Draw one normally distributed number."""


@dataclass(frozen=True)
class CountRules:
    """Noise and limits of cohort counts.

    The standard deviation is `sigma` at large counts and grows to `sigma + near` at zero. A count
    below `floor`, before or after the noise, is returned as `<floor`: an empty cohort is therefore
    never returned as a number. After `repeats` related queries within `window_hours`, the user is
    locked out. Two queries are related if the patients they select differ by less than `overlap` of
    all patients selected by either.
    """

    sigma: float = 2.0
    near: float = 10.0
    floor: int = 11
    repeats: int = 6
    window_hours: float = 24.0
    overlap: float = 0.1

    def __post_init__(self) -> None:
        if self.sigma <= 0 or self.near < 0 or self.floor < 1 or self.repeats < 1:
            raise RiskError(
                "sigma must be above 0, near at least 0, and floor and repeats at least 1",
                code="bad-rules",
            )

    def deviation(self, count: int) -> float:
        """The standard deviation of the noise for a true count."""
        return self.sigma + self.near * self.near / (self.near + count) if self.near else self.sigma


@dataclass(frozen=True)
class CountAnswer:
    """The answer for a user: a rounded noisy count, never below zero, or `below` the floor."""

    count: int | None
    below: int | None
    related: int

    def as_json(self) -> dict[str, Any]:
        return {"count": self.count, "below": self.below, "related_queries": self.related}


@dataclass(frozen=True, eq=False)
class CohortCounter:
    """Answers cohort counts over a table and records who asked.

    `trail` is an append-only file of JSON lines that is read again on every query, so that a
    lock-out outlives the process. Only its owner, the data steward, can read it: to compare
    queries, it keeps a sketch of the rows that each query selected. Users who pool their answers
    are not detected.
    """

    table: CodedTable
    trail: Path
    rules: CountRules = CountRules()
    person: str | None = None

    def count(
        self, user: str, query: Mapping[str, Sequence[str]], *, now: datetime, chance: NoiseSource
    ) -> CountAnswer:
        """Count the persons (or rows) that have, in every column of the query, one of the values
        named.

        Each query is audited before it is answered: time, user, columns, number of related queries,
        and the answer, but not the true count. Raises `RiskError` (exit code 3) if the user is
        locked out.
        """
        if not user:
            raise RiskError(
                "no user is named, but every query is recorded with its user",
                code="no-user",
                hint="name one with --user",
            )
        rows = self._rows(query)
        selected = self._selected(rows)
        sketch = _sketch_of(selected)
        with _locked_trail(self.trail) as stream:
            past = _read_trail(stream)
            related = self._related(past, user, sketch, now)
            entry = {
                "time": now.isoformat(),
                "user": user,
                "columns": sorted(query),
                "related": related,
                "sketch": sketch,
            }
            if related >= self.rules.repeats or _is_locked(past, user):
                _append(stream, {**entry, "locked": True})
                raise RiskError(
                    "the user asked too many related queries and is locked out",
                    code="locked-out",
                    place=user,
                    hint="the data steward lifts the lock with `deid counts --unlock USER`",
                    exit_code=3,
                )
            answer = self._noisy(len(selected), related, chance)
            _append(stream, {**entry, "size": answer.count, "answer": answer.as_json()})
        return answer

    def unlock(self, user: str, *, by: str, now: datetime) -> None:
        """Lift a lock-out; the trail records who lifted it."""
        with _locked_trail(self.trail) as stream:
            _read_trail(stream)
            stream.seek(0, os.SEEK_END)
            _append(stream, {"time": now.isoformat(), "user": user, "unlocked_by": by})

    def _rows(self, query: Mapping[str, Sequence[str]]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        rows = np.ones(self.table.rows, bool)
        for name, values in query.items():
            column = self.table.column(name)
            wanted = {canonical(value) for value in values}
            picked = np.array([canonical(value) in wanted for value in column.values], bool)
            rows &= picked[column.codes]
        return rows

    def _selected(
        self, rows: np.ndarray[Any, np.dtype[np.bool_]]
    ) -> np.ndarray[Any, np.dtype[Any]]:
        if self.person is None:
            return np.flatnonzero(rows)
        return np.unique(self.table.column(self.person).codes[rows])

    def _related(
        self, past: list[dict[str, Any]], user: str, sketch: list[int], now: datetime
    ) -> int:
        """Count the earlier queries of the user that selected nearly the same persons.

        Only queries since the last unlock and within the window count.
        """
        found = 0
        for entry in past:
            if entry["user"] != user:
                continue
            if "unlocked_by" in entry:
                found = 0
                continue
            hours = (now - datetime.fromisoformat(entry["time"])).total_seconds() / 3600
            near = _similarity(entry["sketch"], sketch) >= 1 - self.rules.overlap
            found += hours <= self.rules.window_hours and near
        return found

    def _noisy(self, true: int, related: int, chance: NoiseSource) -> CountAnswer:
        shown = round(true + chance.gauss(0.0, self.rules.deviation(true)))
        if true < self.rules.floor or shown < self.rules.floor:
            return CountAnswer(None, self.rules.floor, related)
        return CountAnswer(shown, None, related)


_SKETCH = 64


def _sketch_of(selected: np.ndarray[Any, np.dtype[Any]]) -> list[int]:
    """Return the smallest hashes of the selected positions.

    Two such sketches give an estimate of how far the selections overlap.
    """
    hashed = (selected.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    hashed ^= hashed >> np.uint64(31)
    return [int(value) for value in np.sort(hashed)[:_SKETCH]]


def _similarity(one: Sequence[int], other: Sequence[int]) -> float:
    """Jaccard similarity of two selections, estimated from their smallest hashes."""
    if not one and not other:
        return 1.0
    smallest = sorted(set(one) | set(other))[:_SKETCH]
    both = set(one) & set(other)
    return sum(value in both for value in smallest) / len(smallest)


def _is_locked(past: list[dict[str, Any]], user: str) -> bool:
    locked = False
    for entry in past:
        if entry["user"] == user:
            locked = "unlocked_by" not in entry and (locked or bool(entry.get("locked")))
    return locked


def _read_trail(stream: IO[str]) -> list[dict[str, Any]]:
    """Return the earlier queries.

    Raises `RiskError` for a trail that cannot be read, so that no query bypasses the lock-out.
    """
    try:
        past = [json.loads(line) for line in stream]
    except ValueError:
        past = [None]
    if not all(isinstance(entry, dict) and "time" in entry for entry in past):
        raise RiskError(
            "the file is not an audit trail, or is damaged",
            code="trail-broken",
            place="--trail",
            hint="name the trail of these counts, or a new file",
            exit_code=6,
        )
    return past


def _append(stream: IO[str], entry: dict[str, Any]) -> None:
    stream.write(json.dumps(entry, sort_keys=True) + "\n")
    stream.flush()
    os.fsync(stream.fileno())


@contextmanager
def _locked_trail(path: Path) -> Iterator[IO[str]]:
    """Open the trail, locked for this process and readable only by its owner."""
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        yield stream
