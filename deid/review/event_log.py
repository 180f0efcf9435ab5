"""The events of a review in a SQLite file beside the release. Events are only appended.

The hash of each event covers all earlier events. Marks hold offsets and categories, no text.
Comments are sealed with the key of the job and refused without one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from deid.crosswalk.keys.master_keys import MasterKey
from deid.crosswalk.trouble import KeyTrouble
from deid.errors import KEY, DeidError, unreadable
from deid.review.released_notes import NotePlace

EventClock = Callable[[], datetime]
_GENESIS = "0" * 64
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, reviewer TEXT NOT NULL, kind TEXT NOT NULL,
  file INTEGER, record INTEGER, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Event:
    """One action of one reviewer."""

    id: int
    at: str
    reviewer: str
    kind: str
    place: NotePlace | None
    body: Mapping[str, Any] = field(repr=False)


def event_log_path(out: Path) -> Path:
    """The path of the log: `OUT.review.sqlite`, beside the release."""
    whole = out.resolve()
    return whole.with_name(f"{whole.name}.review.sqlite")


class EventLog:
    """The events of one release. One process writes; after a crash it resumes by reading them."""

    def __init__(self, path: Path, release: str, clock: EventClock, key: MasterKey | None = None):
        self._clock, self._key = clock, key
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._base.executescript(_SCHEMA)
            self._bind(release)
            self._last = self._check()
        except (OSError, sqlite3.Error):
            raise unreadable(
                "marks-unreadable",
                "OUT.review.sqlite, which holds the marks of this review, cannot be opened",
                hint="check that the folder of OUT is writable and no other program uses the file",
            ) from None

    def __repr__(self) -> str:
        return f"EventLog({self._last[0]} events)"

    @property
    def seals(self) -> bool:
        """Whether the log can keep comments, which it seals with a key."""
        return self._key is not None

    def now(self) -> datetime:
        """The time of the log's clock."""
        return self._clock()

    def close(self) -> None:
        """Close the file. Every event is on disk already."""
        self._base.close()

    @property
    def next_number(self) -> int:
        """The number of the event that is appended next."""
        return self._last[0] + 1

    def append(
        self, reviewer: str, kind: str, place: NotePlace | None, body: Mapping[str, Any]
    ) -> Event:
        """Append one event. It is on disk when this returns."""
        return self.append_all(reviewer, kind, [(place, body)])[0]

    def append_all(
        self,
        reviewer: str,
        kind: str,
        entries: Iterable[tuple[NotePlace | None, Mapping[str, Any]]],
    ) -> list[Event]:
        """Append the events of one action: all are on disk when this returns, or none."""
        at = self._clock().isoformat(timespec="seconds")
        (number, previous), rows, events = self._last, [], []
        for place, body in entries:
            number += 1
            file, record = place or (None, None)
            text = json.dumps(body, sort_keys=True, separators=(",", ":"))
            row = (number, at, reviewer, kind, file, record, text)
            previous = _chain(previous, row)
            rows.append((*row, previous))
            events.append(Event(number, at, reviewer, kind, place, body))
        self._base.execute("BEGIN")
        try:
            self._base.executemany("INSERT INTO events VALUES (?,?,?,?,?,?,?,?)", rows)
            self._base.execute("COMMIT")
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._last = (number, previous)
        return events

    def events(self) -> Iterator[Event]:
        """All events, in order."""
        for row in self._base.execute("SELECT * FROM events ORDER BY id").fetchall():
            place = None if row[4] is None else (row[4], row[5])
            yield Event(row[0], row[1], row[2], row[3], place, json.loads(row[6]))

    @property
    def head(self) -> str:
        """The hash of the last event; a copy of it reveals altered or removed events."""
        return self._last[1]

    def seal(self, text: str, place: NotePlace) -> str:
        """A comment, sealed to its note.

        Raises:
            DeidError: `comment-needs-key`.
        """
        if self._key is None:
            raise DeidError(
                "comment-needs-key",
                "the comment cannot be saved without a key, because it may hold original text",
                hint="start the review again with --key-file",
                exit_code=KEY,
            )
        return base64.b64encode(self._key.wrap(text.encode(), _event_context(place))).decode()

    def unseal(self, sealed: str, place: NotePlace) -> str | None:
        """The comment, or None without the key that sealed it."""
        if self._key is None:
            return None
        try:
            return self._key.unwrap(base64.b64decode(sealed), _event_context(place)).decode()
        except (KeyTrouble, binascii.Error):
            return None

    def _bind(self, release: str) -> None:
        self._base.execute("INSERT OR IGNORE INTO about VALUES ('release', ?)", (release,))
        kept = self._base.execute("SELECT value FROM about WHERE name = 'release'").fetchone()[0]
        if kept != release:
            raise DeidError(
                "marks-of-another-release",
                "OUT.review.sqlite holds the marks of a different release",
                hint="move that file to another folder, then review the new release from the start",
            )

    def _check(self) -> tuple[int, str]:
        number, previous = 0, _GENESIS
        for row in self._base.execute("SELECT * FROM events ORDER BY id"):
            if row[0] != number + 1 or row[7] != _chain(previous, row[:7]):
                raise unreadable(
                    "marks-altered",
                    "OUT.review.sqlite, which holds the marks of this review, was altered",
                    place=f"event {number + 1}",
                    hint="restore the file from a copy; marks in the altered file prove nothing",
                )
            number, previous = row[0], row[7]
        return number, previous


def _chain(previous: str, row: tuple[Any, ...]) -> str:
    return hashlib.sha256((previous + json.dumps(row)).encode()).hexdigest()


def _event_context(place: NotePlace) -> bytes:
    return f"review|{place[0]}|{place[1]}".encode()
