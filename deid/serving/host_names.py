"""The host names that a server accepts. Other names are refused (DNS rebinding)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]/@\s]+)(?::[0-9]{1,5})?")


def has_known_host(request: Request, names: Iterable[str]) -> bool:
    """Whether the single `Host` header holds one of the names, with any port (tunnels)."""
    hosts = request.headers.getlist("host")
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    return found is not None and found[1].strip("[]").casefold() in {n.casefold() for n in names}


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of our own page: scheme, and names with the port."""

    scheme: str
    hosts: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str], port: int, tls: bool) -> Origin:
        """The names with the port; the standard port may be left out."""
        scheme, standard = ("https", 443) if tls else ("http", 80)
        hosts = {f"{name}:{port}" for name in names}
        if port == standard:
            hosts |= set(names)
        return cls(scheme, frozenset(hosts))

    def allows(self, origin: str) -> bool:
        """Whether this is the origin of our own page."""
        scheme, _, host = origin.partition("://")
        return scheme == self.scheme and host in self.hosts
