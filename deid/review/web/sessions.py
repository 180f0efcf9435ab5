"""One-time links, and sessions that end when idle."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["reviewer", "adjudicator"]
MonotonicClock = Callable[[], float]
"""Seconds on a monotonic clock."""


@dataclass(slots=True)
class Session:
    """One person in one browser. The page must send `proof` with every request for data."""

    reviewer: str
    role: Role
    share: bool
    proof: str = field(repr=False)
    seen: float
    found: frozenset[int] | None = None
    """The notes that hold the text searched for; None without a search."""


@dataclass(slots=True)
class Sessions:
    """Unused links and open sessions, by the hashes of their secrets."""

    idle: float
    tick: MonotonicClock
    _links: dict[bytes, tuple[str, Role]] = field(default_factory=dict, repr=False)
    _open: dict[bytes, Session] = field(default_factory=dict, repr=False)

    def invite(self, reviewer: str, role: Role) -> str:
        """Create a secret that opens one session, once."""
        secret = secrets.token_urlsafe(32)
        self._links[_secret_digest(secret)] = (reviewer, role)
        return secret

    def enter(self, secret: str, share: bool) -> str | None:
        """The cookie of a new session, or None for a wrong or used secret."""
        invited = self._links.pop(_secret_digest(secret), None)
        if invited is None:
            return None
        cookie = secrets.token_urlsafe(32)
        session = Session(*invited, share, secrets.token_urlsafe(32), self.tick())
        self._open[_secret_digest(cookie)] = session
        return cookie

    def find(self, cookie: str) -> Session | None:
        """The session of a cookie, or None if there is none or it was idle too long."""
        session = self._open.get(_secret_digest(cookie))
        if session is None:
            return None
        if self.tick() - session.seen > self.idle:
            self.lock(cookie)
            return None
        session.seen = self.tick()
        return session

    def lock(self, cookie: str) -> Session | None:
        """End a session and return it."""
        return self._open.pop(_secret_digest(cookie), None)


def _secret_digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
